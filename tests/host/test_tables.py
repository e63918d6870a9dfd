"""Tables of six in a worker: offenders are expelled, and the others play on."""

from __future__ import annotations

import pytest

from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.core.tournaments.format import Job
from arena.core.tournaments.wire import decode_matches, encode
from arena.host.play.worker import Setup, play_chunk
from arena.match.adjudication import faults_of
from arena.match.limits import Limits
from arena.match.replay import verify
from tests.host.hostile_matches import HOSTILE, REGISTRY, hostile

SABACC = REGISTRY.game("sabacc")

pytestmark = pytest.mark.usefixtures("deaf")


def played(*bots: str, seats=(0, 1, 2, 3, 4, 5)):
    sources = tuple(REGISTRY.resolve_bot(bot, ["hostile"]) for bot in bots)
    setup = Setup("sabacc", "old_republic", sources, Limits(decision_ns=1_000_000_000))
    job = Job(MatchKey(1, 1, 1), 7, 8, seats)
    (match,) = decode_matches(play_chunk(setup.to_bytes(), encode([job])))
    verify(SABACC, match.record)
    return match


def test_five_ways_to_break_a_match_of_six():
    match = played(
        hostile("value", "start"),
        hostile("text"),
        "random",
        hostile("loop"),
        hostile("exit"),
        hostile("impostor"),
    )
    outcome = match.record.outcome
    faults = {fault.seat: fault.cause for fault in faults_of(outcome)}
    assert faults[0] is faults[4] is Termination.CRASH
    assert faults[1] is faults[5] is Termination.ILLEGAL_ACTION
    assert faults[3] is Termination.TIMEOUT
    assert 2 not in faults
    out = [fault.seat for fault in faults_of(outcome)]
    assert out[0] == 0
    assert [outcome.returns[seat] for seat in out] == sorted(outcome.returns)[: len(out)]
    for seat in out:
        assert f"seat {seat}: " in match.measurement.error
    assert "seat 2: " not in match.measurement.error


def test_the_others_finish_the_match_by_its_rules():
    match = played(hostile("value"), *["random"] * 5)
    outcome = match.record.outcome
    assert outcome.termination is Termination.RULES
    assert [(fault.seat, fault.reason) for fault in outcome.expelled] == [(0, "ValueError")]
    assert outcome.returns[0] == -1.0
    assert "ValueError: seventeen" in match.measurement.error


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_table_of_nothing_but_broken_bots_has_a_winner(seats):
    match = played(*[hostile("value", "start")] * seats, seats=tuple(range(seats)))
    outcome = match.record.outcome
    assert outcome.returns[-1] == 1.0
    assert outcome.offender == seats - 2
    assert match.measurement.requests == (1,) * (seats - 1) + (0,)


def test_a_bot_without_a_usable_act_is_out_before_the_first_decision():
    match = played("random", f"{HOSTILE}:Faceful", "random", seats=(0, 1, 2))
    (fault,) = match.record.outcome.expelled
    assert (fault.seat, fault.cause, fault.move) == (1, Termination.CRASH, 0)
