"""Code in a child process that has confined itself, as a bot's process does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.host.box.confine import Confinement

PROJECT = Path(__file__).parents[3]
BARE = ("-P", "-s", "-S")
ENVIRONMENT = {"PYTHONHASHSEED": "0"}
BEGIN = """
import sys
sys.path.append({project!r})
from arena.host.box.confine import Confinement, confine
from arena.host.box.levels import Level
from arena.host.box.paths import interpreter_paths, stdlib_paths

def begin(level="confined", read=(), **rest):
    confine(Confinement(Level(level), (*stdlib_paths(), *read), **rest))

def refused(act):
    try:
        act()
    except OSError as error:
        return error.errno
    return 0
"""


def run_child(code: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Runs code that has ``begin`` (confine yourself) and ``refused`` (the errno of a failure)."""
    whole = BEGIN.format(project=str(PROJECT)) + code
    return subprocess.run(
        [sys.executable, *BARE, "-c", whole, *arguments],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=300,
        check=False,
        **options,  # type: ignore[call-overload]
    )


def output_of(code: str, *arguments: str) -> str:
    """Runs such code and returns its output; the exit code must be 0."""
    done = run_child(code, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def run_program(
    command: list[str], confinement: Confinement, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """A program that was confined before it was started, given a text on stdin."""
    code = """
import ast, os
command, fields = map(ast.literal_eval, sys.argv[1:])
confine(Confinement(Level(fields.pop("level")), **fields))
os.execve(command[0], command, {"LANG": "C.UTF-8"})
"""
    fields = confinement._asdict() | {"level": str(confinement.level)}
    return run_child(code, repr(command), repr(fields), input=text)
