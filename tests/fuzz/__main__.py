"""Coverage-guided fuzzing: looks for inputs of the targets that reach new code, or fail.

``make fuzz`` runs each target in a process of its own for a minute, by libFuzzer (``engine``), from
the valid inputs and the kept ones. Inputs that reach new code are collected in ``.fuzz``. One that
fails is shortened, kept in ``tests/fuzz/found`` and shown; the suite runs it from then on.
``--keep`` takes the collected inputs over into ``tests/fuzz/corpus``: as few as reach all of their
code.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.fuzzing import FOLDER, Target
from tests.fuzz.shortening import failure, shortened
from tests.fuzz.targets import TARGETS

COLLECTED = Path(".fuzz")
LIMITS = ("-timeout=120", "-report_slow_units=120", "-rss_limit_mb=1500", "-malloc_limit_mb=1000")
"""Wall clock of an input, for loops in C that no signal interrupts, and memory in MB."""
MAX_LENGTH = 2_500
"""Bytes of an input that is kept for its coverage."""
SHOWN = 3_000
"""Characters of a failure that are shown."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("--keep", action="store_true", help="keep what was collected; do not run")
    chosen = parser.parse_args()
    names = chosen.targets or list(TARGETS)
    if unknown := set(names) - TARGETS.keys():
        parser.error(f"unknown target {', '.join(sorted(unknown))}; choices: {', '.join(TARGETS)}")
    failed = []
    for name in names:
        if chosen.keep:
            keep(TARGETS[name])
        elif not explore(TARGETS[name], chosen.seconds):
            failed.append(name)
    return int(bool(failed))


def engine(target: Target, *words: str) -> str:
    """Runs libFuzzer on a target; returns what it prints."""
    command = [sys.executable, "-m", "tests.fuzz.engine", target.name, *LIMITS, *words]
    done = subprocess.run(command, capture_output=True, check=False)
    lines = (done.stdout + done.stderr).decode(errors="replace").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("INFO: Instrumenting"))


def explore(target: Target, seconds: int) -> bool:
    """Runs a target for some seconds; keeps and shows an input that fails, if there is one."""
    collected = COLLECTED / target.name
    collected.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        known = Path(name)
        for number, data in enumerate(target.seeds()):
            (known / f"seed{number}").write_bytes(data)
        for file in target.kept():
            shutil.copy(file, known)
        options = (f"-max_total_time={seconds}", "-print_final_stats=1")
        folders = (str(collected), str(known))
        text = engine(target, *options, f"-artifact_prefix={COLLECTED}/", *folders)
    inputs = re.findall(r"(?:number_of_executed_units: |^#)(\d+)", text, re.MULTILINE)
    edges = re.findall(r" cov: (\d+)", text)
    print(f"{target.name:20}{last(inputs):>9} inputs{last(edges):>7} edges", flush=True)
    written = re.search(r"Test unit written to (\S+)", text)
    if written:
        kept = keep_failure(target, Path(written[1]))
        raised = re.search(r"Uncaught Python exception: ===\n(.*?)\n==", text, re.DOTALL)
        print(f"{(raised[1] if raised else text)[-SHOWN:]}\nkept as {kept}", flush=True)
        return False
    if not inputs:
        print(text[-SHOWN:], flush=True)
    return bool(inputs)


def last(numbers: list[str]) -> str:
    return numbers[-1] if numbers else "0"


def keep_failure(target: Target, file: Path) -> Path:
    """Keeps an input that fails, shortened unless it has the process killed."""
    data = file.read_bytes()
    if file.name.startswith("crash-"):
        with TemporaryDirectory() as name, target.open(Path(name)) as run:
            expected = failure(target, run, data)
            if expected:
                data = shortened(data, lambda each: failure(target, run, each) == expected)
    file.unlink()
    kept = FOLDER / "found" / target.name / hashlib.sha256(data).hexdigest()[:12]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    return kept


def keep(target: Target) -> None:
    """Takes over collected inputs that reach code which neither seeds nor kept inputs reach."""
    with TemporaryDirectory() as name:
        merged, offered = Path(name) / "merged", Path(name) / "offered"
        for folder in (merged, offered):
            folder.mkdir()
        for number, data in enumerate(target.seeds()):
            (merged / f"seed{number}").write_bytes(data)
        corpus = FOLDER / "corpus" / target.name
        for file in [*corpus.glob("*"), *(COLLECTED / target.name).glob("*")]:
            if file.stat().st_size <= MAX_LENGTH:
                shutil.copy(file, offered)
        engine(target, "-merge=1", "-use_counters=0", str(merged), str(offered))
        shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir(parents=True)
        for file in merged.glob("*"):
            if not file.name.startswith("seed"):
                shutil.copy(file, corpus / file.name[:12])
    print(f"{target.name:20}{len(list(corpus.iterdir())):>5} inputs kept")


if __name__ == "__main__":
    sys.exit(main())
