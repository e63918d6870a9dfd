"""A bot that breaks a match has the same records in process and in a process of its own."""

from __future__ import annotations

import msgspec
import pytest

from arena.match.adjudication import faults_of
from tests.host.confined_plays import (
    breaker,
    inline,
    match_settings,
    play,
    records,
    renamed,
    schedule,
    untrusted,
)
from tests.host.hostile_matches import HOSTILE, hostile

RAISES = (
    "value", "exit", "interrupt", "generator", "stop", "own", "group", "surrogate", "mute",
    "untraceable", "odd-name", "mutate", "delete", "recurse",
)  # fmt: skip
ANSWERS = (
    "text", "none", "boolean", "zero", "number", "list", "copy", "not legal", "forged",
    "impostor", "faceless", "dead", "class",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("deaf")


def same(game, bots, jobs):
    """The records, if they are those of the same bots called in process."""
    rules = match_settings(game)
    played = play(rules, bots, jobs)
    assert records(played) == inline(rules, bots, jobs)
    return played


def field(spelling, size=2):
    return [
        renamed(untrusted(spelling), "hostile"),
        *(renamed(breaker(), f"tame {number}") for number in range(1, size)),
    ]


@pytest.mark.parametrize("how", RAISES + ANSWERS)
@pytest.mark.thorough(
    "test_worker.py has these faults in the process",
    everyday=["value", "exit", "recurse", "none", "not legal", "forged", "impostor", "class"],
)
def test_a_fault_in_a_decision_has_the_same_record(how):
    for match in same("pazaak", field(hostile(how)), schedule(2, deals=1)):
        assert match.record.outcome.offender is not None
        assert match.measurement.error


def test_an_observation_changed_by_force_changes_nothing_in_either_process():
    for match in same("pazaak", field(hostile("force")), schedule(2, deals=1)):
        assert match.record.outcome.offender is None
        assert match.measurement.error == ""


@pytest.mark.parametrize("how", ["value", "exit", "recurse", "text", "zero", "class", "impostor"])
@pytest.mark.parametrize("when", ["start", "prepare"])
@pytest.mark.thorough(
    "test_worker.py has these faults in the process",
    everyday=["start-value", "start-text", "prepare-exit", "prepare-class"],
)
def test_a_fault_before_the_deal_has_the_same_record(how, when):
    same("pazaak", field(hostile(how, when)), schedule(2, deals=1))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.thorough("other sizes of the table", everyday=["4"])
def test_seats_are_taken_out_of_a_table_and_the_others_play_on(seats):
    bots = field(hostile("value"), seats)
    bots[1] = renamed(untrusted(hostile("none", at=3)), "second")
    bots[2] = renamed(breaker("raise", when="start", every=2), "third")
    played = same("sabacc", bots, schedule(seats, seats, deals=1))
    assert any(len(faults_of(match.record.outcome)) >= 2 for match in played)


def test_trusted_and_untrusted_seats_are_expelled_alike():
    bots = field(hostile("text"), 4)
    bots[1] = renamed(untrusted(hostile("value")), "second")
    bots[1] = msgspec.structs.replace(bots[1], trusted=True)
    played = same("sabacc", bots, schedule(4, 3, deals=1))
    assert any(match.record.outcome.expelled for match in played)


def test_a_bot_without_a_usable_act_has_the_same_record():
    same("pazaak", field(f"{HOSTILE}:Faceful"), schedule(2, deals=1))
