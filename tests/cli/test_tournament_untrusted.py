"""A tournament of untrusted bots: confined, stopped, and resumed."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from arena.core.outcome import Termination
from tests.cli.tournament_runs import PATIENCE, Place, alive, check_same, kill_group, until
from tests.preloaded import Preloaded

BREAKERS = Path(__file__).parents[1] / "host" / "data" / "breakers.py"
SLOW = '''
"""Takes its time at the start of every match, and plays by its private seed."""

import time

from arena import Bot


class Unhurried(Bot):
    def start(self, context):
        self.random = context.rng()
        time.sleep(0.004)

    def act(self, observation):
        return self.random.choice(observation.legal_actions)
'''
DEADLY = f"{BREAKERS}:Random(does=exit,at=3,every=40)"
RUN = (
    "tournament", "run", "--format", "swiss", "--rounds", "3", "--games", "30", "--seed", "7",
    "--bot", "stand(at=17)", "--bot", "unhurried.py", "--bot", DEADLY, "--bot", "random",
    "--confine-house",
)  # fmt: skip
TOTAL = 3 * 2 * 30
RESUME = ("tournament", "resume", "1")


def place_in(folder: Path, preloaded: Preloaded | None = None) -> Place:
    (folder / "unhurried.py").write_text(SLOW)
    return Place(folder, preloaded)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The tournament, played without a stop by one worker."""
    place = place_in(tmp_path_factory.mktemp("whole"))
    answer = place.arena(*RUN, "--concurrency", "1")
    assert answer.code == 0
    return place


@pytest.fixture
def place(tmp_path, preloaded):
    return place_in(tmp_path, preloaded)


def test_no_bot_is_trusted_and_a_dying_bot_loses_those_matches_alone(whole):
    played = whole.played()
    assert len(played) == TOTAL
    assert not any("trusted" in match.measurement.isolation for match in played)
    lost = [match.record for match in played if match.record.outcome.offender is not None]
    assert lost
    for record in lost:
        assert record.outcome.termination is Termination.CRASH
        assert record.outcome.reason == "its process ended with exit code 3"
        assert record.seats[record.outcome.offender].startswith("breakers")


@pytest.mark.thorough("test_tournament_stops.py compares one with two")
def test_two_workers_give_the_records_ratings_and_standings_of_one(whole, place):
    assert place.arena(*RUN, "--concurrency", "2").code == 0
    check_same(place.outcome(), whole.outcome())


@pytest.mark.parametrize("how", ["kill -9", "ctrl-c"])
@pytest.mark.thorough(
    "test_tournament_stops.py resumes; test_confined_records.py: no order changes a record"
)
def test_after_a_stop_it_is_resumed_to_the_same_end(whole, place, how):
    process = place.start(*RUN, "--concurrency", "2")
    until(lambda: place.stored() >= 20)
    if how == "kill -9":
        process.kill()
    else:
        kill_group(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    until(lambda: alive(process.pid) == [], seconds=3)
    assert 20 <= place.stored() < TOTAL
    assert place.arena(*RESUME).code == 0
    check_same(place.outcome(), whole.outcome())


@pytest.mark.thorough("tests/host/test_confined_records.py compares them")
def test_confined_bots_play_as_trusted_ones_would(place):
    bots = ("--bot", "stand(at=17)", "--bot", "unhurried.py", "--bot", "random")
    words = ("tournament", "run", "--games", "10", "--seed", "3", *bots)
    assert place.arena(*words).code == 0
    assert place.arena(*words, "--trust", "unhurried").code == 0
    confined, trusted = (
        [match.record.to_bytes() for match in place.played(number)] for number in (1, 2)
    )
    assert confined == trusted


PRINTER = '''
from arena import Bot

class Printer(Bot):
    """Prints the seed of its match, and crashes where that is odd."""

    def start(self, context):
        self.seed = context.seed
        print("my match has", self.seed)

    def act(self, observation):
        if self.seed % 2:
            raise ValueError("odd")
        return observation.legal_actions[0]
'''


@pytest.mark.thorough("tests/host/test_match_logs.py keeps what bots print")
def test_what_a_bot_prints_is_stored_of_broken_matches_or_of_all(tmp_path):
    place = Place(tmp_path)
    (tmp_path / "printer.py").write_text(PRINTER)
    words = ("match", "printer.py", "random", "--games", "12", "--concurrency", "1")
    assert place.arena(*words).code == 0
    assert place.arena(*words, "--all-logs").code == 0
    rows = place.arena("matches", "-o", "json").document
    assert {row["termination"] for row in rows} == {"rules", "crash"}
    for row in rows:
        logs = place.arena("replay", row["match"], "-o", "json").document["logs"]
        if row["termination"] == "rules" and row["tournament"] == 1:
            assert logs == []
            continue
        (log,) = logs
        assert log["name"] == "printer"
        assert row[f"name{log['seat']}"] == "printer"
        first, *more = log["text"].splitlines()
        assert first.startswith("my match has ")
        assert more == []
        assert int(first.split()[-1]) % 2 == (row["termination"] == "crash")
    assert place.arena("tournament", "verify", "2").code == 0
