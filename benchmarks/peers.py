"""Decisions per second of Arena, with everything on, and of other projects, in one run.

    python -m benchmarks.peers              prints the table
    python -m benchmarks.peers --write      writes it into docs/benchmarks.md, too

Run by ``make bench-peers``, which installs the others. Each project plays in a process of its own
(``benchmarks.contenders``), one at a time and in turn, so that all are measured under the same
load: five rounds, processor time on one core, medians. Each is measured beside the calibration
loop (``benchmarks.timing``).
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.contenders import CONTENDERS, Contender
from benchmarks.history import machine
from benchmarks.timing import RUNS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- table: make bench-peers WRITE=1 -->", "<!-- end of the table -->"
OURS, LOOP = "arena-harness", "loop"
PEERS = ROOT / ".venv-peers" / "bin" / "python"
COMPILED = ROOT / ".compiled"
"""The copy of the tree with compiled modules (``tests.compiled_tree``), and its environment."""


class Row(NamedTuple):
    """Holds the speed of a contender: decisions per second, and in the time of one loop."""

    contender: Contender
    version: str
    rate: float
    ratio: float


def python_of(contender: Contender) -> Path:
    """Returns the interpreter of the environment in which its project is installed."""
    if contender.compiled:
        return COMPILED / ".venv" / "bin" / "python"
    return Path(sys.executable) if contender.project in ("", OURS) else PEERS


@contextmanager
def started(name: str) -> Iterator[subprocess.Popen[str]]:
    """Starts the process of a contender, which waits until it is asked."""
    contender = CONTENDERS[name]
    command = [str(python_of(contender)), "-W", "ignore", "-m", "benchmarks.contenders", name]
    one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        command,
        cwd=COMPILED if contender.compiled else ROOT,
        env=one_core,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def rate_of(process: subprocess.Popen[str]) -> float:
    """Has the work done once; returns units a second."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    units, seconds = map(float, process.stdout.readline().split())
    return units / seconds


def measured(names: list[str]) -> tuple[list[Row], float]:
    """Returns a row for each, and the seconds of a calibration loop."""
    rates: dict[str, list[float]] = {name: [] for name in names}
    ratios: dict[str, list[float]] = {name: [] for name in names}
    loops: list[float] = []
    with ExitStack() as stack:
        loop = stack.enter_context(started(LOOP))
        running = {name: stack.enter_context(started(name)) for name in names}
        for _ in range(RUNS):
            for name, process in running.items():
                before, rate, after = rate_of(loop), rate_of(process), rate_of(loop)
                loops += [1 / before, 1 / after]
                rates[name].append(rate)
                ratios[name].append(rate * (loops[-2] + loops[-1]) / 2)
    rows = [
        Row(CONTENDERS[name], version(CONTENDERS[name]), median(rates[name]), median(ratios[name]))
        for name in names
    ]
    return rows, median(loops)


def version(contender: Contender) -> str:
    """Returns the version of a project."""
    code = f"from importlib.metadata import version; print(version({contender.project!r}))"
    command = [str(python_of(contender)), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def table(rows: list[Row], loop: float) -> str:
    """Returns the table in Markdown, with date, machine and the calibration line."""
    ours = rows[0].ratio
    lines = [
        f"Measured {datetime.now(UTC).date()} on `{machine()}`, {os.cpu_count()} processors with a "
        f"load of {os.getloadavg()[0]:.0f}, Python {platform.python_version()}. The calibration "
        f"loop takes {loop * 1e3:.1f} ms of processor time. Figures are medians of {RUNS}.",
        "",
        "| project | game | on | decisions/s/core | per loop | to Pazaak's |",
        "|---|---|---|---|---|---|",
    ]
    for (project, game, on, _, compiled), number, rate, ratio in rows:
        name = "**Arena**" if project == OURS else f"{project} {number}"
        name += ", compiled" if compiled else ""
        lines.append(
            f"| {name} | {game} | {on} | {rate:,.0f} | {ratio:,.0f} | {ratio / ours:.2f} |"
        )
    return "\n".join(lines)


def written(page: str, table: str) -> str:
    """Returns a page with its table replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def main() -> None:
    names = [name for name in CONTENDERS if name != LOOP]
    if not PEERS.exists():
        print("left out: all other projects: they are not installed (make bench-peers does it)")
        names = [name for name in names if CONTENDERS[name].project == OURS]
    if not python_of(CONTENDERS["pazaak-compiled"]).exists():
        print("left out: Arena compiled: it needs a C compiler and Python.h (make bench-peers)")
        names = [name for name in names if not CONTENDERS[name].compiled]
    text = table(*measured(names))
    print(text)
    if sys.argv[1:] == ["--write"]:
        if not PEERS.exists():
            sys.exit("not written: a table without the others is none")
        PAGE.write_text(written(PAGE.read_text(), text))


if __name__ == "__main__":
    main()
