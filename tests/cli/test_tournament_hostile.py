"""A tournament among bots that break their matches: each loses its own, and no other changes."""

from __future__ import annotations

import re

import pytest

from arena.core.actions import unpack_ids
from arena.core.outcome import Termination
from tests.cli.tournament_runs import HOSTILE, Place

FIELD = {
    "value": Termination.CRASH,
    "interrupt": Termination.CRASH,
    "recurse": Termination.CRASH,
    "mutate": Termination.CRASH,
    "number": Termination.ILLEGAL_ACTION,
    "boolean": Termination.ILLEGAL_ACTION,
    "loop": Termination.TIMEOUT,
}
RUN = (
    "tournament", "run", "--games", "2", "--seed", "7", "--trust", "hostile",
    "--decision-seconds", "0.3", "--concurrency", "2", "-o", "json",
    "--bot", "stand(at=17)", "--bot", "random",
)  # fmt: skip


def hostile(how, **more: int):
    parameters = "".join(f",{key}={value}" for key, value in more.items())
    return f"{HOSTILE}:Hostile(how='{how}'{parameters})"


def name(how):
    return f"hostile:Hostile(how={how})"


def entered(bots):
    return [word for bot in bots for word in ("--bot", bot)]


@pytest.fixture(scope="module")
def place(tmp_path_factory, preloaded):
    return Place(tmp_path_factory.mktemp("hostile"), preloaded)


@pytest.fixture(scope="module")
def answer(place):
    return place.process(*RUN, *entered(map(hostile, FIELD)))


@pytest.mark.thorough("tests/isolation plays tournaments of hostile bots")
def test_the_tournament_is_played_to_its_end(place, answer):
    assert answer.code == 0
    first, *progress = answer.err.splitlines()
    assert first.startswith("Tournament 1: pazaak standard, round-robin, 9 bots")
    assert all(line.startswith("round ") for line in progress)
    entries = len(FIELD) + 2
    assert answer.document["tournament"]["status"] == "finished"
    assert place.stored() == entries * (entries - 1)


@pytest.mark.thorough("tests/host finds the cause of every fault")
def test_each_lost_match_has_its_cause_seat_move_and_traceback(place, answer):
    for match in place.played():
        outcome = match.record.outcome
        if outcome.offender is None:
            assert match.measurement.error == ""
            continue
        guilty = match.record.seats[outcome.offender].partition("@")[0]
        how = guilty.partition("how=")[2].rstrip(")")
        assert outcome.termination is FIELD[how]
        assert outcome.returns[outcome.offender] == -1
        assert outcome.move == len(unpack_ids(match.record.actions)) >= 1
        if outcome.termination is not Termination.ILLEGAL_ACTION:
            assert 'hostile.py", line ' in match.measurement.error


def test_the_standings_count_the_causes(answer):
    rows = {row["name"]: row for row in answer.document["standings"]}
    assert {row["name"] for row in answer.document["standings"][:2]} == {"stand(at=17)", "random"}
    for how, cause in FIELD.items():
        losses = rows[name(how)]["losses_by_cause"]
        assert list(losses) == [cause.value]
        assert losses[cause.value] == rows[name(how)]["lost"] > len(FIELD)
    assert rows["random"]["losses_by_cause"] == {}


@pytest.mark.thorough("tests/isolation compares such matches")
def test_matches_of_the_others_equal_those_of_a_tournament_of_tame_bots(
    place, answer, tmp_path, preloaded
):
    """Seeds come from places alone: other entrants change nothing."""
    tame = Place(tmp_path, preloaded)
    peaceful = [hostile("nothing", at=number) for number in range(len(FIELD))]
    assert tame.process(*RUN, *entered(peaceful)).code == 0

    def of_the_others(played):
        return [
            (match.key, match.record.to_bytes())
            for match in played
            if not any("hostile" in key for key in match.record.seats)
        ]

    assert of_the_others(place.played()) == of_the_others(tame.played())
    assert len(of_the_others(place.played())) == 2


def test_a_bot_that_ends_its_process_stops_it_and_matches_are_kept(tmp_path, preloaded):
    place = Place(tmp_path, preloaded)
    answer = place.process(*RUN, "--bot", hostile("die"), "--games", "6")
    assert answer.code == 1
    assert answer.out == ""
    *before, resume, error = answer.err.splitlines()
    assert resume == f"  arena tournament resume 1 --db {place.url}"
    assert before[-1] == "Everything played is stored. Continue with:"
    assert error.startswith("arena: match 1.1.")
    assert f"against {name('die')}" in error or f"({name('die')} against" in error
    void = " was void 3 times: the worker process died; a bot may have ended it"
    assert re.search(rf"{void}(; so were \d+ others)?$", error)
    shown = place.process("tournament", "show", "1", "-o", "json").document["tournament"]
    assert (shown["status"], shown["matches"]) == ("interrupted", place.stored())


def test_output_of_a_bot_is_not_in_the_document(tmp_path, preloaded):
    loud = tmp_path / "loud.py"
    loud.write_text(
        "from arena import Bot\nprint('IMPORTED')\nclass Loud(Bot):\n"
        "    def act(self, observation):\n"
        "        print('ACTING')\n        return observation.legal_actions[0]\n"
    )
    bots = ("--bot", "random", "--bot", "loud.py", "--trust", "loud")
    answer = Place(tmp_path, preloaded).process(*RUN[:4], "-o", "json", *bots)
    assert answer.code == 0
    assert answer.document["tournament"]["matches"] == 2
    assert "IMPORTED" in answer.err
    assert "ACTING" in answer.err


def test_a_process_that_a_bot_keeps_from_ending_is_killed(tmp_path, preloaded):
    place = Place(tmp_path, preloaded)
    assert place.process(*RUN, "--bot", hostile("linger")).code == 0
    assert place.stored() == 6
