"""Runs the suite on every supported Python of this machine: ``make test-all-pythons``.

Each gets an environment of its own, ``.venv-3.X``, with what requirements.lock pins. Arguments are
passed on to pytest. Pythons are those on the path by the name ``python3.X`` and those of pyenv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"


def candidates(version: str) -> Iterator[str]:
    """Interpreters that may be of that version, by path."""
    if found := shutil.which(f"python{version}"):
        yield found
    if shutil.which("pyenv"):
        listed = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True)
        for name in reversed(listed.stdout.split()):
            if name.startswith(f"{version}."):
                prefix = subprocess.run(["pyenv", "prefix", name], capture_output=True, text=True)
                yield str(Path(prefix.stdout.strip(), "bin", "python"))


def interpreter(version: str) -> str | None:
    """The first interpreter that runs and is of that version."""
    for path in candidates(version):
        try:
            ran = subprocess.run([path, "-c", VERSION], capture_output=True, text=True)
        except OSError:
            continue
        if ran.stdout.strip() == version:
            return path
    return None


def run(version: str, python: str, words: list[str]) -> int:
    """Sets up the environment of one version and runs pytest in it; its exit code."""
    environment = ROOT / f".venv-{version}"
    inside = str(environment / "bin" / "python")
    pip = (inside, "-m", "pip", "install", "--quiet")
    for command in (
        (python, "-m", "venv", str(environment)),
        (*pip, "--require-hashes", "-r", "requirements.lock"),
        (*pip, "--no-deps", "--no-build-isolation", "-e", "."),
        (inside, "-m", "pytest", *words),
    ):
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"})
        if done.returncode:
            return done.returncode
    return 0


def main(words: list[str]) -> int:
    codes = {}
    for version in SUPPORTED:
        python = interpreter(version)
        print(f"Python {version}: {python or 'not on this machine'}", flush=True)
        if python:
            codes[version] = run(version, python, words)
    for version, code in codes.items():
        print(f"Python {version}: {'passed' if code == 0 else f'failed (exit code {code})'}")
    return int(any(codes.values()) or not codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
