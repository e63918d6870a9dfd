"""``check_game``: returns that are amounts, games without chance, and promises never tested."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled
from arena.core.errors import IllegalAction
from arena.core.game import Game, Ruleset
from arena.core.observation import Observation
from arena.core.outcome import Outcome, Payoffs
from arena.core.state import CHANCE, TERMINAL, State
from arena.testing import probes
from arena.testing.check_game import check_game
from tests.testing.toy_game import PASS, RAISE, ROLLS, RULES, Toy, ToyState, broken


def paying(returns):
    """A toy whose returns are this function of both cards."""

    def outcome(self):
        if self.phase != "over":
            raise IllegalAction("not over")
        return Outcome(returns(*self.cards), (0, 0))

    return outcome


def chips(one, other):
    return (one - other) / 2, (other - one) / 2


def shares(one, other):
    return one / (one + other), other / (one + other)


def eggs(one, other):
    return float(one), float(other)


@pytest.mark.parametrize(
    ("returns", "payoffs"),
    [
        (chips, None),
        (shares, None),
        (chips, Payoffs(least=-2, most=2)),
        (shares, Payoffs(least=0, most=1, total=1)),
        (eggs, Payoffs(least=0, most=4, total=None)),
    ],
)
def test_any_constant_sum_passes_and_any_sum_that_is_declared(returns, payoffs):
    game = broken(outcome=paying(returns), amounts_payoffs=lambda *_: payoffs)
    report = check_game(game, RULES, redeals=200)
    assert report.problems == ()
    assert report.checks["consistent returns"] == report.matches


@pytest.mark.parametrize(
    ("returns", "payoffs", "named"),
    [
        (eggs, None, r"sum to \d, not to \d, as before: neither zero-sum nor constant-sum; a gen"),
        (eggs, Payoffs(least=0, most=4), r"sum to \d, not to 0, as payoffs"),
        (shares, Payoffs(least=-1, most=1), r"sum to 1, not to 0, as payoffs"),
        (chips, Payoffs(least=-1, most=1), r"not within -1 to 1, as payoffs\(\) declares"),
        (chips, Payoffs(least=-2, most=float("inf")), r"payoffs\(\) is Payoffs"),
    ],
)
def test_returns_that_break_what_is_declared_are_refused_by_name(returns, payoffs, named):
    game = broken(outcome=paying(returns), amounts_payoffs=lambda *_: payoffs)
    report = check_game(game, RULES, redeals=300)
    assert re.search(named, " / ".join(report.problems)), report.problems


def test_an_author_is_advised_to_declare_what_a_fault_costs():
    report = check_game(broken(outcome=paying(chips)), RULES, redeals=200)
    assert report.passed
    assert "less than the -1 of a match lost by a fault; declare" in report.notes[0]
    declared = broken(outcome=paying(chips), amounts_payoffs=lambda *_: Payoffs(least=-2, most=2))
    assert check_game(declared, RULES, redeals=200).notes == ()


TAKES = tuple(Action(number, f"take {number}") for number in (1, 2))


class Heap(Observation, frozen=True):
    left: int


class NimState(State):
    """Seven sticks; a seat takes one or two; who takes the last has won."""

    def __init__(self, left: int = 7) -> None:
        self.left, self.history = left, b""

    def current_player(self):
        return len(self.history) % 2 if self.left > 0 else TERMINAL

    def legal_actions(self):
        return TAKES[: self.left] if self.left > 0 else ()

    def chance_outcomes(self):
        return ()

    def apply_action(self, action):
        if not any(action is legal for legal in self.legal_actions()):
            raise IllegalAction("no")
        self.history += bytes((action.id,))
        self.left -= action.id

    def outcome(self):
        if self.left:
            raise IllegalAction("not over")
        won = 1.0 if len(self.history) % 2 else -1.0
        return Outcome((won, -won), (0, 0))

    def scores(self):
        return (0, 0)

    def observation(self, seat):
        legal = self.legal_actions() if self.current_player() == seat else ()
        return Heap(seat, legal, self.history, self.left)

    def clone(self, dealer=None):
        twin = type(self)(self.left)
        twin.history = self.history
        return twin


class NimNotation:
    def action(self, text):
        return next(take for take in TAKES if take.text == text)

    def action_of(self, id):
        return TAKES[id - 1]

    def events(self, history):
        return tuple(f"takes {code}" for code in history)


class Nim(Game):
    name, summary, version = "nim", "for tests", "1"
    seats = range(2, 3)
    rulesets = {"plain": Ruleset(name="plain", source="made for tests")}
    notation = NimNotation()
    deterministic = True

    def new_state(self, ruleset, loadouts, dealer=None):
        return NimState()

    def resample(self, observation, rng):
        state = NimState(observation.left)
        state.history = observation.history
        return state

    def render(self, observation):
        return f"{observation.left} left"


class Undeclared(Nim):
    deterministic = False


class HiddenDeal(Nim):
    """Deals a heap by the dealer, but has no chance node."""

    def new_state(self, ruleset, loadouts, dealer=None):
        return NimState(dealer.pile("heap", (7, 8), 1).draw(0) if dealer else 7)


def test_a_game_without_chance_declares_it():
    report = check_game(Nim(), RULES, redeals=100)
    assert report.problems == ()
    assert report.exempt == {
        "dealers follow the odds": "the game declares that it is deterministic",
        "offers and answers as text": "no seat is offered a choice of loadouts",
        "play goes on without a seat": "a fault ends the match",
        "situations without keywords": "the game has no position function",
        "views of the observation only": "the game has no view",
        "whoever is taken out ranks last": "a fault ends the match",
    }
    assert not report.exempt.keys() & report.checks.keys()


def test_a_promise_that_was_never_tested_has_failed():
    report = check_game(Undeclared(), RULES, redeals=100)
    assert not report.passed
    assert report.problems == (
        "dealers follow the odds: tested 0 times; there was no chance node: a game without chance "
        "declares it (deterministic = True), any other shows chance as a player",
    )
    assert report.checks["dealers follow the odds"] == 0


@pytest.mark.parametrize("kind", [Nim, Undeclared])
def test_chance_without_a_chance_node_is_found(kind):
    game = type("Rigged", (HiddenDeal, kind), {})()
    report = check_game(game, RULES, redeals=100)
    assert "there is no chance node, but another seed gives another match" in report.problems[0]


def test_a_game_with_chance_cannot_declare_it_away():
    report = check_game(broken(game_deterministic=True), RULES, redeals=200)
    assert report.passed
    assert report.checks["dealers follow the odds"] > 100


def test_chance_that_no_seat_ever_sees_is_not_tested():
    class Blind(ToyState):
        def chance_outcomes(self):
            odds = super().chance_outcomes()
            return ((odds[0][0], Fraction(1)),) if odds else odds

        def answer(self):
            while self.dealer is not None and self.current_player() == CHANCE:
                self.take(self.legal_actions()[0])

    class Fixed(Toy):
        state = Blind

        def resample(self, observation, rng):
            state = self.state()
            state.cards, state.phase = [0, 1], "roll"
            for code in observation.history:
                state.take(ROLLS[code - 20] if code >= 20 else (PASS, RAISE)[code])
            state.dealer = Sampled(rng)
            return state

    report = check_game(Fixed(), RULES, redeals=200)
    assert "dealers follow the odds: tested 0 times; no seat sees" in " / ".join(report.problems)


def test_a_seedless_match_is_compared_move_by_move():
    state = NimState()
    for take in (1, 2, 2, 2):
        state.apply_action(TAKES[take - 1])
    end = probes.fingerprint(state, 2)
    assert probes.check_seedless(Nim(), RULES, [b"", b""], 1, [1, 2, 2, 2], end) == 1
    with pytest.raises(probes.Broken):
        probes.check_seedless(Nim(), RULES, [b"", b""], 1, [1, 2, 2, 1], end)
