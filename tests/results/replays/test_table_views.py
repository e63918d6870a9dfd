"""The views of a match of four seats, two of which are taken out on the way."""

from __future__ import annotations

from functools import partial

import pytest
from arena_results.replays.views import Expulsion, Replay, replay_view, view_named

from arena.core.bot import Bot
from arena.core.outcome import Termination
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from tests.broken_game import with_parts
from tests.table_game import PASS, RULES, SHOW, Table, TableNotation

NAMES = ("ann", "bob", "cid", "dot")


class Notation(TableNotation):
    def events(self, history):
        return tuple(map(str, history))


def hidden(self, action):
    return "something" if action is SHOW else action.text


class Secretive(with_parts(Table, board_public_action=hidden)):
    """The toy game with the showing of a card as a hidden action."""

    notation = Notation()


GAME = Secretive()


class Plays(Bot):
    """Answers what it was made with, one by one, and then passes; an exception is raised."""

    def __init__(self, *answers) -> None:
        self.answers = list(answers)

    def act(self, observation):
        answer = self.answers.pop(0) if self.answers else PASS
        if isinstance(answer, Exception):
            raise answer
        return answer


def play(*bots: tuple[object, ...]):
    makers = [partial(Plays, *answers) for answers in bots]
    return play_inline(GAME, RULES, 3, 3, makers, NAMES[: len(bots)], Limits())


def seen(played, view: str) -> Replay:
    record, measurement = played
    return replay_view(GAME, record, view_named(view, len(record.seats)), measurement.error)


@pytest.fixture
def two_out():
    """Bob answers nonsense at his first decision, Dot raises at his; Ann shows, Cid passes."""
    return play((SHOW,), ("fish",), (), (ValueError("I hold 7"),))


@pytest.mark.parametrize(
    ("view", "bobs", "dots"),
    [
        ("public", False, False),
        ("seat0", False, False),
        ("seat1", True, False),
        ("seat3", False, True),
        ("all", True, True),
    ],
)
def test_expulsions_are_public_and_their_texts_go_to_views_of_that_hand(two_out, view, bobs, dots):
    ending = seen(two_out, view).ending
    bob, dot = ending.expelled
    assert (bob.seat, bob.cause, bob.move) == (1, Termination.ILLEGAL_ACTION, 1)
    assert (dot.seat, dot.cause, dot.move) == (3, Termination.CRASH, 2)
    assert bob.reason == ("fish is not legal" if bobs else None)
    assert dot.reason == ("ValueError" if dots else None)
    assert (ending.offender, ending.termination) == (None, Termination.RULES)
    # The tracebacks are one text: no view shows a part of it.
    assert (ending.error is not None) == (view == "all")


def test_views_of_the_only_offenders_hand_show_its_text():
    played = play((), (ValueError("I hold 7"),), ())
    for view, visible in (("public", False), ("seat0", False), ("seat1", True), ("all", True)):
        error = seen(played, view).ending.error
        assert (error is not None and "I hold 7" in error) == visible


def test_an_action_that_reveals_cards_is_shown_in_views_of_that_hand(two_out):
    shown = {view: seen(two_out, view).moments[0].action for view in ("public", "seat0", "seat2")}
    assert shown == {"public": "something", "seat0": "show", "seat2": "something"}
    assert seen(two_out, "all").moments[0].action == "show"
    assert {seen(two_out, view).moments[1].action for view in ("public", "seat0")} == {"pass"}


def test_the_fault_that_ends_a_match_is_separate_from_earlier_ones():
    played = play((), (ValueError(),), (SHOW, SHOW))
    ending = seen(played, "all").ending
    assert ending.expelled == (Expulsion(1, Termination.CRASH, 1, "ValueError"),)
    assert (ending.offender, ending.termination) == (2, Termination.ILLEGAL_ACTION)
    public = seen(played, "public").ending
    assert (public.reason, public.expelled[0].reason, public.error) == (None, None, None)
