"""Measures how pairing, boards, storage, pages, verification and workers grow with their size.

    python -m benchmarks.scale [PART ...]               measures the parts, all by default
    python -m benchmarks.scale [PART ...] --most 10000  measures no size above that
    python -m benchmarks.scale [PART ...] --write       writes docs/scale.md, too

Every size of a part is measured in a process of its own, by processor time unless a measure says
otherwise. ``benchmarks/scale.csv`` has the values; the tables of the page are made from it. A
slope is the power of the size by which a value grows between the last two sizes that were
measured: 1 for twice the time at twice the size, 2 for four times. Sizes that are too large to be
measured follow from it.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from benchmarks.history import machine
from benchmarks.scaling import cluster, limits, pages, pairing, stored, workers, writers
from benchmarks.scaling.parts import Part, Point, count, reckoned, shown, slope

ROOT = Path(__file__).parents[1]
PAGE, FILE = ROOT / "docs" / "scale.md", ROOT / "benchmarks" / "scale.csv"
PARTS = {
    "pairing": Part(
        counts="bots",
        measure=pairing.of_bots,
        sizes=(100, 300, 1_000, 3_000, 10_000),
        units=dict.fromkeys(("round-robin", "knockout", "swiss", "adaptive", "league"), "s"),
        reckoned=(10_000,),
    ),
    "matches": Part(
        counts="matches",
        measure=stored.of_matches,
        sizes=(1_000, 10_000, 100_000, 1_000_000),
        units={**stored.STORING, "closing a round": "s", **stored.READING, "backup": "s"},
        reckoned=(10**9,),
        patience=600,
    ),
    "pairings": Part(
        counts="pairings",
        measure=stored.of_pairings,
        sizes=(1_000, 10_000, 100_000),
        units=stored.STORING | stored.READING,
        reckoned=(50_000_000,),
        patience=300,
    ),
    "rounds": Part(
        counts="rounds",
        measure=stored.of_rounds,
        sizes=(100, 300, 1_000, 3_000),
        units=dict.fromkeys(("closing a round", "report", "pairing the next"), "s"),
        reckoned=(10_000,),
    ),
    "board": Part(
        counts="bots",
        measure=stored.of_bots,
        sizes=(100, 300, 1_000, 3_000, 10_000),
        units={"leaderboard": "s", "memory": "B", "report": "s"},
        reckoned=(10_000,),
        patience=300,
    ),
    "writer": Part(
        counts="matches in a transaction",
        measure=stored.of_transactions,
        sizes=(1, 10, 100, 1_000, 10_000),
        units={"a transaction": "s", "with the disk": "s", "per second": ""},
    ),
    "writers": Part(
        counts="writers",
        measure=writers.of_writers,
        sizes=(1, 2, 4),
        units={"stored per second": "", "by each": ""},
    ),
    "verification": Part(
        counts="matches",
        measure=stored.of_verification,
        sizes=(1_000, 10_000, 100_000),
        units={"verified": "s", "per match": "s"},
        reckoned=(10**9,),
    ),
    "pages": Part(
        counts="matches",
        measure=pages.of_matches,
        sizes=(1_000, 10_000, 100_000),
        units=dict.fromkeys(pages.PAGES, "s"),
        reckoned=(10**9,),
    ),
    "listeners": Part(
        counts="listeners",
        measure=pages.of_listeners,
        sizes=(10, 100, 500),
        units={"server busy": "%", "memory": "B"},
        reckoned=(10_000,),
    ),
    "workers": Part(
        counts="workers",
        measure=workers.of_workers,
        sizes=(10, 50, 100, 200, 500, 1_000),
        units=workers.UNITS,
        patience=300,
    ),
    "cluster": Part(
        counts="matches",
        measure=cluster.of_matches,
        sizes=(1_000, 20_000, 60_000),
        units=cluster.UNITS,
    ),
}
"""Each becomes a table of the page."""
LIMITS = "limits"
"""The table that follows from all others."""


def measured(name: str, most: float) -> Iterator[Point]:
    """Measures a part, size by size, as far as its patience goes."""
    part, where = PARTS[name], about()
    for size in (each for each in part.sizes if each <= most):
        command = [sys.executable, "-m", "benchmarks.scale", "--one", name, str(size)]
        one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        began = perf_counter()
        answer = subprocess.run(
            command, cwd=ROOT, env=one_core, stdout=subprocess.PIPE, text=True, check=True
        )
        for measure, value in csv.reader(answer.stdout.splitlines()):
            yield Point(name, size, measure, float(f"{float(value):.4g}"), where)
        if perf_counter() - began > part.patience:
            return


def table(name: str, points: Sequence[Point]) -> str:
    """Returns the table of a part in Markdown."""
    part = PARTS[name]
    found = {
        measure: [(each.size, each.value) for each in points if each.measure == measure]
        for measure in part.units
    }
    sizes = sorted({each.size for each in points})
    lines = [f"| {part.counts} | {' | '.join(part.units)} |", "|---" * (1 + len(part.units)) + "|"]
    for size in sizes:
        cells = [
            shown(dict(values)[size], part.units[measure]) if size in dict(values) else ""
            for measure, values in found.items()
        ]
        lines.append(f"| {count(size)} | {' | '.join(cells)} |")
    if part.reckoned:
        powers = [slope(values) for values in found.values()]
        cells = ["" if power is None else f"{power:z.1f}" for power in powers]
        lines.append(f"| slope | {' | '.join(cells)} |")
        lines += [
            _reckoned_line(part, found, size)
            for size in part.reckoned
            if any(size not in dict(values) for values in found.values())
        ]
    return "\n".join(lines)


def _reckoned_line(part: Part, found: Mapping[str, list[tuple[int, float]]], size: int) -> str:
    cells = []
    for measure, values in found.items():
        value = None if size in dict(values) else reckoned(values, size)
        cells.append("" if value is None else f"*{shown(value, part.units[measure])}*")
    return f"| *{count(size)}, reckoned* | {' | '.join(cells)} |"


def written(page: str, name: str, table: str) -> str:
    """Returns a page with the table of a part replaced."""
    begin, end = marks(name)
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n\n{table}\n\n{end}{after}"


def marks(name: str) -> tuple[str, str]:
    """Returns the lines around the table of a part."""
    return f"<!-- table: make bench-scale WRITE=1 PARTS={name} -->", f"<!-- end of {name} -->"


def read(file: Path) -> dict[str, list[Point]]:
    """Returns the stored values, by part."""
    found: dict[str, list[Point]] = {}
    with file.open(newline="") as lines:
        for row in csv.DictReader(lines):
            point = Point(
                row["part"], int(row["size"]), row["measure"], float(row["value"]), row["about"]
            )
            found.setdefault(point.part, []).append(point)
    return found


def keep(file: Path, points: Sequence[Point]) -> None:
    """Stores values, in the place of earlier ones of the same parts."""
    known = read(file) if file.exists() else {}
    for name in {each.part for each in points}:
        known[name] = [each for each in points if each.part == name]
    with file.open("w", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(Point._fields)
        for name in PARTS:
            writer.writerows(
                each._replace(value=f"{each.value:.4g}") for each in known.get(name, ())
            )


def about() -> str:
    """Returns when and where it is measured."""
    return (
        f"{datetime.now(UTC).date()}, {machine()}, {os.cpu_count()} processors, "
        f"load {os.getloadavg()[0]:.0f}, Python {platform.python_version()}"
    )


def main() -> None:
    given = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    given.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    given.add_argument("--most", type=float, default=float("inf"), help="the largest size")
    given.add_argument("--write", action="store_true", help="write docs/scale.md")
    given.add_argument("--one", nargs=2, metavar=("PART", "SIZE"), help="one size, as CSV")
    options = given.parse_args()
    if options.one:
        name, size = options.one
        for each in PARTS[name].measure(int(size)):
            csv.writer(sys.stdout).writerow(each)
            sys.stdout.flush()
        return
    if wrong := [name for name in options.parts if name not in PARTS]:
        given.error(f"no such part: {wrong[0]}; the parts are {', '.join(PARTS)}")
    for name in options.parts or PARTS:
        points = [*measured(name, options.most)]
        text = table(name, points)
        print(f"{name}\n{text}\n", flush=True)
        if options.write:
            keep(FILE, points)
            page = written(PAGE.read_text(), name, text)
            PAGE.write_text(written(page, LIMITS, limits.table(read(FILE))))


if __name__ == "__main__":
    main()
