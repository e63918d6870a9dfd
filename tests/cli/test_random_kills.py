"""A run that is killed at any moment and resumed ends byte for byte as one never stopped.

Every second run is into a database of a PostgreSQL server.

``KILLS`` is the number of kills (``make soak``: 200; by default 10 in the full suite). They are
SIGKILL of the harness, a worker, a fork server, or a bot's process, chosen at random.
"""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from arena_results.file.database import existing_database
from arena_results.store.queries import tournaments

from arena.core.record import MatchRecord
from tests.cli.tournament_runs import Place, ServerPlace, alive, until

KILLS = int(os.environ.get("KILLS", "10"))
AT_ONCE = 4
"""Kills in one tournament."""
SETUPS = ((1, "1"), (256, "2", "--trust", "slow"), (256, "4"), (1, "2"))
"""Requests that a bot is sent at a time, at most; options of ``--concurrency``, and whether the bot
is trusted: called in the workers."""
GAMES = 30
TOTAL = 3 * 2 * GAMES
BOTS = ("stand(at=17)", "slow.py", "stand(at=15)", "random")
FIELD = [word for bot in BOTS for word in ("--bot", bot)]
RUN = (
    *("tournament", "run", "--format", "swiss", "--rounds", "3", "--games", str(GAMES)),
    *("--seed", "7", *FIELD),
)
SLOW = """
import time
from arena import Bot

class Slow(Bot):
    def start(self, context):
        time.sleep(0.004)

    def act(self, observation):
        return observation.legal_actions[-1]
"""
PLAYED = ("field", "rounds", "matches/")
"""Members of a bundle that neither trust nor a match played again, which is listed, may change."""
DEPTHS = ("harness", "worker", "fork server", "bot")
"""The kinds of processes: each is started by one of the kind before it."""


def make_place(preloaded, folder, width=256, url=""):
    folder.mkdir()
    place = ServerPlace(folder, preloaded, url) if url else Place(folder, preloaded)
    place.width = width
    (folder / "slow.py").write_text(SLOW)
    return place


WIDTH = """
import msgspec
from arena.host.play.worker import Setup

whole = Setup.to_bytes
Setup.to_bytes = lambda setup: whole(msgspec.structs.replace(setup, width={}))
"""
"""Lets the workers of a process send bots at most so many requests at a time."""


def run(place, *words):
    with (place.folder / "output").open("a") as output:
        first = WIDTH.format(place.width)
        return place.start(*words, stdout=output.fileno(), stderr=output.fileno(), first=first)


def results(place):
    """The records, standings, ratings and exports; the level of isolation is no result."""
    records, rated, document = place.outcome()
    ratings = [(row.participant, row.rating, row.low, row.high, row.score) for row in rated]
    csv = [
        place.arena("tournament", "show", "1", "-o", "csv").out,
        place.arena("tournament", "list", "-o", "csv").out,
    ]
    bundled = {name: data for name, data in place.bundled().items() if name.startswith(PLAYED)}
    return records, ratings, document, csv, bundled


def same_results(found, expected):
    """Compares results, and names the matches that differ."""
    (records, *rest), (expected_records, *expected_rest) = found, expected
    for (key, record), (_, other) in zip(records, expected_records, strict=True):
        outcomes = [MatchRecord.from_bytes(each).outcome for each in (record, other)]
        assert record == other, (key, outcomes)
    assert rest == expected_rest


def processes(harness: int) -> dict[str, list[int]]:
    """The living processes of a run, by kind; helpers of the workers' library are of no kind."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdecimal():
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                children.setdefault(int(parent), []).append(int(folder.name))
    found, generation = {}, [harness]
    for kind in DEPTHS:
        found[kind] = generation = [each for each in generation if is_one(each, kind)]
        generation = [child for each in generation for child in children.get(each, [])]
    return {kind: numbers for kind, numbers in found.items() if numbers}


def is_one(process: int, kind: str) -> bool:
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return kind != "worker" or b"resource_tracker" not in command


@pytest.fixture(scope="module")
def whole(preloaded, tmp_path_factory):
    """The results of the run that is never stopped."""
    place = make_place(preloaded, tmp_path_factory.mktemp("whole") / "place")
    assert run(place, *RUN, "--trust", "slow", "--concurrency", "1").wait() == 0
    return results(place)


def kill_somebody(harness: int, chance: random.Random) -> str | None:
    """Kills a process of the run; returns its kind, ``None`` if it had ended."""
    kinds = processes(harness)
    if not kinds:
        return None
    kind = chance.choice(sorted(kinds))
    try:
        os.kill(chance.choice(kinds[kind]), signal.SIGKILL)
    except ProcessLookupError:
        return None
    return kind


def has_begun(place):
    database = existing_database(place.url)
    if database is None:
        return False
    with database:
        return tournaments(database) != ()


def play_with_kills(place, setup, kills, chance):
    """Runs a tournament to its end under that many kills, if it lasts; returns their kinds."""
    killed: Counter[str] = Counter()
    begin = (*RUN, "--concurrency", *setup)
    harness = run(place, *begin)
    for _ in range(kills):
        # Apart, lest a match be hit twice: then it would be lost, as if the bot were to blame.
        mark = place.stored() + chance.randrange(1 + TOTAL // (2 * kills))
        until(lambda mark=mark: place.stored() >= min(mark, TOTAL))
        kind = kill_somebody(harness.pid, chance)
        if kind is None:
            break
        killed[kind] += 1
        if kind == "harness":
            assert harness.wait() == -signal.SIGKILL
            until(lambda gone=harness.pid: alive(gone) == [])
            # It may have been killed before it stored the tournament.
            words = ("tournament", "resume", "1") if has_begun(place) else begin
            harness = run(place, *words)
    code = harness.wait()
    assert code == 0, (place.folder / "output").read_text()
    return killed


@pytest.mark.thorough("test_tournament_stops.py kills the harness and a worker every day")
def test_kills_at_random_moments_change_no_result(preloaded, whole, postgres, tmp_path, capsys):
    chance, killed, played = random.Random(KILLS), Counter(), 0
    while killed.total() < KILLS:
        width, *setup = SETUPS[played % len(SETUPS)]
        url = postgres.new() if played % 2 else ""
        place = make_place(preloaded, tmp_path / str(played), width, url)
        kills = min(AT_ONCE, KILLS - killed.total())
        killed += play_with_kills(place, setup, kills, chance)
        played += 1
        assert place.stored() == TOTAL
        same_results(results(place), whole)
        if "KILLS" in os.environ:
            kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(killed.items()))
            with capsys.disabled():
                print(f"\n{killed.total()} kills ({kinds}) in {played} tournaments, same results")
