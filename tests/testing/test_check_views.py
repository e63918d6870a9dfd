"""``check_game`` tests views: bounds, the observation alone, choices and the longest match."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.errors import BadInput
from arena.core.parts import Piece, View
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.testing.check_game import check_game
from tests.testing.toy_game import PASS, RAISE, RULES, Toy, broken

PROMISE = "views of the observation only"
SABACC = Sabacc()


class CardView(View):
    name = "toy-view 1"
    pieces = (Piece("card", (5,), 0, 1), Piece("turns", (1,), 0, 1))

    def write(self, observation, out):
        out.fill(0)
        out[observation.card] = 1
        out[5] = len(observation.history) / 8


def with_view(count=2, longest=4, **methods):
    kind = type("BrokenView", (CardView,), methods)
    return broken(
        view_of=lambda self, ruleset: kind(),
        view_action_count=lambda self, ruleset: count,
        view_max_decisions=lambda self, ruleset: longest,
    )


def writes(change):
    def write(self, observation, out):
        CardView.write(self, observation, out)
        change(observation, out)

    return with_view(write=write)


CALLS = count()


def set_to(value):
    return lambda seen, out: out.__setitem__(5, value)


def only_the_card(self, observation, out):
    out[observation.card] = 1


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (writes(set_to(1.5)), "view of seat . number 0 of 'turns' is 1.5, not 0 to 1"),
        (writes(set_to(np.nan)), "number 0 of 'turns' is nan, not 0 to 1"),
        (writes(set_to(-np.inf)), "number 0 of 'turns' is -inf"),
        (
            writes(lambda seen, out: set_to(next(CALLS) % 2)(seen, out)),
            "re-dealt, in the view of seat . number 0 of 'turns' differs",
        ),
        (writes(lambda seen, out: out.fill(0)), "all numbers are 0 at a decision"),
        (with_view(write=only_the_card), "number . of 'card' is nan"),
        (
            with_view(pieces=(Piece("card", (5,), 0, 1), Piece("card", (1,), 0, 1))),
            "pieces of different names, not: card, card",
        ),
        (with_view(count=1), r"numbers an action \[1\], not 0 to 0"),
        (with_view(choices=lambda self, seen: {}), "offers no action at a decision"),
        (with_view(choices=lambda self, seen: {0: PASS, 1: PASS}), "offers an action twice"),
        (with_view(choices=lambda self, seen: {1: RAISE}), "offers raise, which is not legal"),
        (with_view(longest=3), r"max_decisions\(\) is 3, but a match had 4"),
    ],
    ids=lambda x: x[:40] if isinstance(x, str) else "",
)
def test_a_view_that_breaks_its_promises_is_found(game, named):
    try:
        problems = check_game(game, RULES, redeals=200).problems
    except BadInput as error:
        problems = (str(error),)
    assert any(re.search(named, problem) for problem in problems), problems
    assert max(map(len, problems)) < 220


def test_an_honest_view_passes():
    report = check_game(with_view(), RULES, redeals=200)
    assert report.problems == ()
    assert report.checks[PROMISE] >= 200


def test_a_game_without_a_view_says_so_by_name():
    report = check_game(Toy(), RULES, redeals=100)
    assert report.exempt[PROMISE] == "the game has no view"
    for ask in (Toy().view.of, Toy().view.action_count, Toy().view.max_decisions):
        with pytest.raises(BadInput, match=r"^toy has no view: the game does not write"):
            ask(RULES)


@pytest.mark.parametrize(
    ("game", "ruleset"),
    [
        (Pazaak(), "standard(hand_scope=set,fill_overflow=allow_tenth,flip=negate_positive)"),
        (SABACC, "variable(mode=points,target=0,hands=2)"),
        (SABACC, "card_exchange(mode=chips,betting=poker,short_stack=all_in,hands=2)"),
        (SABACC, "corellian(mode=chips,betting=alternating,cap=0,stack=1000,hands=2)"),
        (SABACC, "imperial(mode=chips,tick_every=orbit,variable=true,hands=2)"),
    ],
    ids=lambda x: x.partition("(")[0] if isinstance(x, str) else x.name,
)
@pytest.mark.thorough("the check of each game tests its view, too")
def test_views_of_the_rarer_rulesets_keep_their_promises(game, ruleset):
    report = check_game(game, game.ruleset(ruleset), redeals=300)
    assert report.problems == ()
    assert report.checks[PROMISE] >= 300


def test_stakes_of_chips_are_a_menu():
    rules = SABACC.ruleset("old_republic(mode=chips,betting=poker)")
    state = SABACC.new_state(rules, [b""] * 3, SeatStreams(3))
    view = SABACC.view.of(rules)
    seen = state.observation(state.current_player())
    choices = view.choices(seen)
    texts = [action.text for action in choices.values()]
    assert len(seen.legal_actions) > 20
    assert texts == ["check", "fold", "bet 1", "bet 3", "bet 20"]  # half the pot of 3 is 1, too
    assert max(choices) < SABACC.view.action_count(rules) == 64
    assert SABACC.view.action_count(SABACC.ruleset("old_republic")) == 48


def test_the_view_of_the_example_game_keeps_its_promises(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples" / "arena-game-kuhn")
    from arena_game_kuhn.game import Kuhn

    for ruleset in ("standard", "single"):
        report = check_game(Kuhn(), Kuhn().ruleset(ruleset), redeals=200)
        assert report.problems == ()
        assert report.checks[PROMISE] >= 200
