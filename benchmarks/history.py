"""A few speeds of Arena over time: ratios to the calibration loop, kept in a file.

    python -m benchmarks.history            compares this tree with what was kept last
    python -m benchmarks.history --keep     the same, and adds it to benchmarks/history.csv

It takes some ten seconds. A ratio is what is done in the processor time of one calibration loop
(``benchmarks.timing``): rows of one machine compare well, those of different ones roughly. So each
is compared with the last kept one of the same version of Python and the same kind of processor, if
there is one, else of that Python. One that is more than 10 % below it is measured again, and if
that is no better, there is a warning. The exit code is 0 all the same, as a busy machine can do
it, too. ``.ci/run`` runs it. Confined bots are not in it: their host waits for other processes,
and its processor time depends on what else the machine does.
"""

from __future__ import annotations

import csv
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store
from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.trf.report import Cell, Player, Report

from arena.core.tournaments.wire import decode_matches, encode
from arena.host.play.worker import Setup, play_chunk
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from benchmarks.learners import STEPS, TABLES, tables
from benchmarks.measuring import jobs_of_round, one_pairing
from benchmarks.timing import RUNS, speed

FILE = Path(__file__).with_name("history.csv")
FALL = 0.10
"""Share of a ratio; a fall by more is reported."""
Work = tuple[Callable[[], object], float]
"""Work whose time is taken, and the number of units that it does."""


class Row(NamedTuple):
    """One line of the file; ``commit`` ends in ``+`` where the tree had changes of its own."""

    date: str
    commit: str
    python: str
    machine: str
    measure: str
    ratio: float


def field(*names: str) -> tuple[BotSource, ...]:
    """Returns house bots."""
    return tuple(map(Registry().resolve_bot, names))


@contextmanager
def matches(game: str, ruleset: str, games: int, *names: str) -> Iterator[Work]:
    """Plays matches: views, legality, clock, seeds and records as in any tournament."""
    found = Registry().game(game)
    bots = field(*names)
    setup = Setup(game, found.ruleset(ruleset).name, bots, Limits())
    jobs = jobs_of_round(one_pairing(len(names)), games)
    with setup.open() as host:
        host.play(jobs[:4], float("inf"))
        yield (lambda: host.play(jobs, float("inf"))), games


@contextmanager
def stored(games: int) -> Iterator[Work]:
    """Stores matches that are played already, each time as those of another tournament."""
    bots, made = field("stand(at=17)", "stand(at=16)"), one_pairing(2)
    setup = Setup("pazaak", "standard", bots, Limits()).to_bytes()
    played = decode_matches(play_chunk(setup, encode(jobs_of_round(made, games))))
    new = NewTournament(
        name="history", game="pazaak", ruleset="standard", engine="1", format="round-robin",
        games=games, mirrored=True, rounds=1, seed=7,
    )  # fmt: skip
    with TemporaryDirectory() as folder, open_database(f"sqlite:///{folder}/history.db") as opened:
        writer = Store(opened)
        numbers: list[int] = []
        for _ in range(2 * RUNS):  # as many again where a fall is measured twice
            entries = [EntryRow(bot.participant) for bot in bots]
            numbers.append(trio.run(writer.create_tournament, new, entries))
            trio.run(writer.save_round, numbers[-1], made)
        sinks = map(writer.sink, numbers)
        yield (lambda: trio.run(next(sinks).write, played)), games


@contextmanager
def paired(players: int) -> Iterator[Work]:
    """Pairs the sixth round of a Swiss with random results."""
    rng = Random(players)
    cells: dict[int, tuple[Cell, ...]] = dict.fromkeys(range(1, players + 1), ())
    for _ in range(5):
        for white, black in pair_next_round(_report(cells)) or ():
            result = rng.choice(("10", "01", "=="))
            cells[white] += (Cell(black, "w", result[0]),)
            cells[black] += (Cell(white, "b", result[1]),)
    yield partial(pair_next_round, _report(cells)), 1


def _report(cells: dict[int, tuple[Cell, ...]]) -> Report:
    field = tuple(Player(number=number, cells=mine) for number, mine in cells.items())
    return Report(rounds=9, players=field, initial_colour="w")


@contextmanager
def learned() -> Iterator[Work]:
    """Decides at many tables at once, as a learner does in self-play: masks and views."""
    yield tables("pazaak"), TABLES * STEPS


@contextmanager
def started() -> Iterator[Work]:
    """Starts the command line."""
    command = [str(Path(sys.executable).with_name("arena")), "--help"]
    yield partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True), 1


THRESHOLDS = ("stand(at=17)", "stand(at=16)")
MEASURES = {
    "Pazaak, matches": partial(matches, "pazaak", "standard", 1_500, *THRESHOLDS),
    "Sabacc for two, matches": partial(
        matches, "sabacc", "old_republic", 100, *["target-total"] * 2
    ),
    "Sabacc for six with chips, matches": partial(
        matches, "sabacc", "old_republic(mode=chips)", 6, *["target-total"] * 6
    ),
    "Pazaak, decisions of self-play": learned,
    "matches stored": partial(stored, 1_500),
    "rounds of a Swiss of 200 paired": partial(paired, 200),
    "starts of arena --help": started,
}
"""Each opens its work."""


def measured(kept: dict[str, float]) -> Iterator[tuple[str, float]]:
    """Measures everything; of what is far below the kept ratio, the better of two counts."""
    for name, opening in MEASURES.items():
        with opening() as (work, units):
            ratio = speed(work, units).ratio
            if has_fallen(ratio, kept.get(name)):
                ratio = max(ratio, speed(work, units).ratio)
        yield name, ratio


def has_fallen(ratio: float, kept: float | None) -> bool:
    """Returns true for a fall that is to be reported."""
    return kept is not None and ratio < (1 - FALL) * kept


def last_kept(rows: Iterable[Row], python: str, machine: str) -> dict[str, float]:
    """Returns the last ratio of each measure on a version of Python, of which the loop depends.

    Of this kind of machine, if there is one, since those of others compare roughly alone.
    """
    of_python = [row for row in rows if row.python == python]
    ours = [row for row in of_python if row.machine == machine]
    return {row.measure: row.ratio for row in (*of_python, *ours)}


def read(file: Path) -> list[Row]:
    """Returns all rows, the oldest first."""
    if not file.exists():
        return []
    with file.open(newline="") as lines:
        return [Row(**{**row, "ratio": float(row["ratio"])}) for row in csv.DictReader(lines)]


def keep(file: Path, rows: Iterable[Row]) -> None:
    """Adds rows to the file."""
    new = not file.exists()
    with file.open("a", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        if new:
            writer.writerow(Row._fields)
        writer.writerows(row._replace(ratio=f"{row.ratio:.4g}") for row in rows)


def commit() -> str:
    """Returns the commit of this tree; empty outside of a clone."""
    git = partial(subprocess.run, capture_output=True, text=True, cwd=FILE.parent, check=False)
    changes = git(["git", "status", "--porcelain"]).stdout.strip()
    number = git(["git", "rev-parse", "--short=9", "HEAD"]).stdout.strip()
    return number + ("+" if changes else "")


def machine() -> str:
    """Returns the kind of processor."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    python = ".".join(platform.python_version_tuple()[:2])
    kept = last_kept(read(FILE), python, machine())
    print(f"Ratios to the calibration loop, Python {python}; last kept, now:")
    found = []
    for name, ratio in measured(kept):
        before = kept.get(name)
        change = f"{before:10.4g} {ratio:10.4g} {ratio / before - 1:+7.0%}" if before else ""
        print(f"{name:36}{change or f'{chr(45):>10} {ratio:10.4g}'}", flush=True)
        if has_fallen(ratio, before):
            print(f"WARNING: {name}: slower by more than {FALL:.0%} than what was kept last")
        found.append((name, ratio))
    if sys.argv[1:] == ["--keep"]:
        today = datetime.now(UTC).date().isoformat()
        keep(FILE, [Row(today, commit(), python, machine(), *each) for each in found])


if __name__ == "__main__":
    main()
