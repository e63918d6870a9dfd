"""Matches whose returns are amounts: recorded, replayed, and forfeited for the least."""

from __future__ import annotations

import msgspec
import pytest

from arena.core.errors import Divergence, HarnessFault, IllegalAction, IllegalLoadout
from arena.core.outcome import Outcome, Payoffs, Termination
from arena.core.record import MatchRecord
from arena.match.limits import Limits
from arena.match.play import play_match
from arena.match.replay import verify
from tests.testing.toy_game import PASS, RULES, ToyState, broken

STAKES = Payoffs(least=-2, most=2)


def pays(*returns):
    """A toy with these returns, declared as amounts of 2 at most."""

    def outcome(self):
        if self.phase != "over":
            raise IllegalAction("not over")
        return Outcome(returns, (0, 0))

    return broken(outcome=outcome, amounts_payoffs=lambda *_: STAKES)


def play(game, answers=(PASS,) * 4):
    """A match with these answers of both seats; a ``None`` is an illegal one."""
    match = play_match(game, RULES, 1, ("one", "other"), Limits())
    asked, left = next(match), iter((None, None, *answers))
    try:
        while asked is not None:
            asked = match.send((next(left), 1))
    except StopIteration as done:
        return done.value[0]


@pytest.mark.parametrize("returns", [(1.25, -1.25), (0.1 + 0.2, -0.3), (2, -2), (1e300, -1e300)])
def test_amounts_are_recorded_and_replayed(returns):
    game = pays(*returns)
    record = play(game)
    assert record.outcome.returns == returns
    assert all(type(value) is float for value in record.outcome.returns)
    again = MatchRecord.from_bytes(record.to_bytes())
    assert again.to_bytes() == record.to_bytes()
    assert verify(game, again) == 4


def test_an_altered_amount_is_found():
    game = pays(1.25, -1.25)
    record = play(game)
    altered = msgspec.structs.replace(record.outcome, returns=(1.5, -1.5))
    with pytest.raises(Divergence, match="the outcome is"):
        verify(game, msgspec.structs.replace(record, outcome=altered))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_returns_that_are_not_finite_make_the_match_void(value):
    with pytest.raises(HarnessFault, match="the game gave the returns"):
        play(pays(value, -value))


@pytest.mark.parametrize(
    ("answers", "returns"), [((None,), (-2.0, 2.0)), ((PASS, None), (2.0, -2.0))]
)
def test_a_fault_costs_the_least_that_the_game_declares(answers, returns):
    game = pays(1, -1)
    record = play(game, answers)
    assert record.outcome.termination is Termination.ILLEGAL_ACTION
    assert record.outcome.returns == returns
    assert verify(game, record) == len(answers) - 1
    undeclared = broken(outcome=ToyState.outcome)
    assert play(undeclared, answers).outcome.returns == tuple(each / 2 for each in returns)


def test_a_bot_that_cannot_be_seated_gets_the_least():
    game = broken(amounts_payoffs=lambda *_: STAKES, loadouts_accept=refuses)
    record = play(game)
    assert record.outcome.returns == (-2.0, 2.0)
    assert record.loadouts == ()
    verify(game, record)


def refuses(self, ruleset, answer):
    raise IllegalLoadout("none")
