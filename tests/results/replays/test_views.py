"""The views of real matches: no view shows what is hidden from it."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.replays.views import Replay, replay_view, view_named

from arena.core.bot import Bot
from arena.core.chance.seeding import generator
from arena.core.errors import Divergence, UnknownName
from arena.core.outcome import Outcome, Termination
from arena.core.parts import Board
from arena.core.scene import draw_text
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.replay import replay
from arena.testing.scripted import RandomBot

GAME = Pazaak()


class Sore(Bot):
    """Brings the novice deck, and raises at its second decision."""

    asked = False

    def act(self, observation):
        if self.asked:
            raise ValueError(f"I hold {observation.hand}")
        self.asked = True
        return observation.legal_actions[0]


class Late(Bot):
    def prepare(self, offer):
        raise LookupError("no deck")


def play(first: type[Bot] = RandomBot, second: type[Bot] = RandomBot, seed: int = 3):
    bots = (first, second)
    return play_inline(GAME, GAME.ruleset(), seed, seed, bots, ("ann@1", "bob@1"), Limits())


def seen(played, view: str) -> Replay:
    record, measurement = played
    return replay_view(GAME, record, view_named(view, 2), measurement.error)


@pytest.mark.parametrize("view", ["public", "seat0", "seat1", "all"])
def test_a_view_has_every_decision_every_event_and_the_end(view):
    played = play()
    steps = list(replay(GAME, played[0]))
    shown = seen(played, view)
    assert [(moment.move, moment.seat, moment.action) for moment in shown.moments] == [
        (step.move, step.seat, step.action and step.action.text) for step in steps
    ]
    assert [moment.scores for moment in shown.moments] == [step.state.scores() for step in steps]
    events = GAME.notation.events(steps[-1].state.observation(0).history)
    assert tuple(event for moment in shown.moments for event in moment.events) == events
    assert shown.ending.scores == steps[-1].state.scores()
    assert shown.ending.termination is Termination.RULES


@pytest.mark.parametrize("seed", range(5))
def test_the_table_of_a_view_shows_nothing_that_is_hidden_from_it(seed):
    rng = generator(seed)
    differing = 0
    for step in replay(GAME, play(seed=seed)[0]):
        state = step.state
        public = GAME.board.text(state, ())
        for seat in (0, 1):
            world = GAME.resample(state.observation(seat), rng)
            assert GAME.board.text(world, ()) == public
            assert GAME.board.text(world, (seat,)) == GAME.board.text(state, (seat,))
            differing += GAME.board.text(world, (0, 1)) != GAME.board.text(state, (0, 1))
    assert differing


def test_the_view_of_a_seat_is_its_bots_observation():
    played = play()
    states = [step.state for step in replay(GAME, played[0])]
    tables = [moment.table for moment in seen(played, "seat1").moments]
    assert tables == [GAME.render(state.observation(1)) for state in states]


def test_only_the_view_of_all_has_the_seed_which_decides_every_hidden_card():
    played = play()
    assert seen(played, "all").seed == 3
    assert {seen(played, view).seed for view in ("public", "seat0", "seat1")} == {None}


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("public", (False, False)),
        ("seat0", (True, False)),
        ("seat1", (False, True)),
        ("all", (True, True)),
    ],
)
def test_a_side_deck_and_an_offenders_text_are_shown_in_views_of_its_hand(view, shown):
    match = seen(play(second=Sore), view)
    assert tuple(seat.loadout is not None for seat in match.seats) == shown
    ending = match.ending
    assert (ending.termination, ending.offender) == (Termination.CRASH, 1)
    assert ending.reason == ("ValueError" if shown[1] else None)
    assert (ending.error is not None) == shown[1]
    assert ending.error is None or "I hold" in ending.error


def test_a_match_that_ended_before_the_deal_has_an_end_and_no_moments():
    match = seen(play(first=Late), "all")
    assert match.moments == ()
    assert [seat.loadout for seat in match.seats] == [None, None]
    assert (match.ending.offender, match.ending.move) == (0, 0)
    assert match.ending.reason == "LookupError"


def test_a_record_that_diverges_is_refused():
    record, _ = play()
    first, second = record.outcome.returns
    lie = msgspec.structs.replace(record, outcome=Outcome((second, first), record.outcome.scores))
    with pytest.raises(Divergence, match="the outcome is"):
        replay_view(GAME, lie, view_named("all", 2))


def test_an_unknown_view_names_the_choices():
    assert view_named("seat2", 3).open_seats == (2,)
    with pytest.raises(UnknownName, match="'seat2'; choices: all, public, seat0, seat1"):
        view_named("seat2", 2)


def test_a_game_without_a_table_of_its_own_shows_what_the_open_seats_see():
    state = next(iter(replay(GAME, play()[0]))).state
    first, second = (GAME.render(state.observation(seat)) for seat in (0, 1))
    assert draw_text(Board(GAME).scene(state, (1, 0))) == f"{first}\n{second}"
    assert draw_text(Board(GAME).scene(state, ())) == ""
