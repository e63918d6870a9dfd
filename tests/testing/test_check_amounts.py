"""``check_game`` on what seats win or lose, and on described situations."""

import re
from itertools import count

import pytest

from arena.core.errors import BadInput
from arena.games.pazaak.game import Pazaak
from arena.testing.check_game import check_game
from tests.testing.toy_game import RULES, Toy, ToyState, broken

NUMBERS = count()


def giving(amounts):
    return broken(amounts_of=lambda self, ruleset, ending: amounts(ending.returns))


def failing(self, ruleset, **situation):
    raise RuntimeError("no such row")


class Restless(ToyState):
    def clone(self, dealer=None):
        twin = ToyState.clone(self, dealer)
        twin.history += bytes((next(NUMBERS) % 4 + 20,))
        return twin


CASES = {
    "the same for all": (giving(lambda returns: (99.0, 99.0)), r"the same, such as \(99.0, 99.0\)"),
    "upside down": (giving(lambda returns: returns[::-1]), "another order than the returns"),
    "too few": (giving(lambda returns: returns[:1]), "gives 1 numbers for 2 seats"),
    "no numbers": (giving(lambda returns: (float("nan"),) * 2), "are not finite"),
    "changing": (
        giving(lambda returns: tuple(each + next(NUMBERS) for each in returns)),
        "amounts.. gives two answers",
    ),
    "a failing situation": (
        broken(positions_state=failing),
        r"position.. does not raise BadInput, but RuntimeError: no such row \(.*, line \d+\)$",
    ),
    "a changing situation": (
        broken(positions_state=lambda self, ruleset, **situation: Restless()),
        "a clone of the state that position.. gives differs",
    ),
}


@pytest.mark.parametrize(("game", "named"), CASES.values(), ids=CASES)
def test_broken_amounts_and_situations_are_named(game, named):
    report = check_game(game, RULES, redeals=100)
    assert not report.passed
    assert re.search(named, report.problems[0]), report.problems[0]


def test_amounts_may_grow_otherwise_than_returns():
    report = check_game(giving(lambda returns: tuple(max(0.0, 7 * r) for r in returns)), RULES, 100)
    assert report.problems == ()
    assert report.checks["amounts follow the returns"] == report.matches


def needing(self, ruleset, *, cards):
    raise AssertionError


def refusing(self, ruleset, **situation):
    raise BadInput("describe the cards")


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Toy(), "the game has no position function"),
        (broken(positions_state=needing), "its position function needs cards"),
        (broken(positions_state=refusing), None),
        (Pazaak(), None),
    ],
    ids=["none", "needs a keyword", "refuses", "pazaak"],
)
def test_a_position_function_is_tried_where_it_can_be_called(game, why):
    report = check_game(game, game.ruleset(), redeals=100)
    assert report.problems == ()
    assert report.exempt.get("situations without keywords") == why
    assert report.checks.get("situations without keywords") == (
        report.matches if why is None else None
    )
