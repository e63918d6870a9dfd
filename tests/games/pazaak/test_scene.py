"""Scenes of Pazaak: the data that a board is drawn from."""

from __future__ import annotations

from msgspec.structs import replace

from arena.core.chance.dealer import SeatStreams
from arena.core.scene import BACK, Fact
from arena.games.pazaak.engine.cards import CATALOGUE
from arena.games.pazaak.engine.stages import ACT
from arena.games.pazaak.game import Pazaak
from arena.games.pazaak.parts.looks import LOOKS, laid
from arena.games.pazaak.parts.situation import lying

GAME = Pazaak()
HERE = GAME.positions.state(
    GAME.ruleset(),
    tables=([10, (-2, "±2")], [9, 9]),
    hands=("+1 D", "-3"),
    standing=(False, True),
    sets=(1, 2),
    starter=1,
    phase=ACT,
)


def test_both_sides_have_nine_squares_totals_lights_and_sets_won():
    scene = GAME.board.scene(HERE, ())
    assert (scene.title, scene.turn, scene.seats) == ("Set 4", 0, (0, 1))
    for seat, total in ((0, 8), (1, 18)):
        assert scene.zone("table", seat).places == 9
        assert scene.value("total", seat) == total
        assert scene.value("sets won", seat) == seat + 1
    ten, side = scene.zone("table", 0).cards
    assert ten == replace(LOOKS["deck"], name="10", kind="deck")
    named = (side.name, side.kind, side.counts, side.large)
    assert named == ("±2", "plus-minus", "-2", "-2")
    # It looks like what it counts as, with a corner of what it was.
    assert (side.colour, side.corner, side.marks) == ("red", "blue", LOOKS["minus"].marks)
    assert scene.back.hidden
    assert Fact("stands", seat=1, role="stands") in scene.facts
    assert scene.value("stands", 0) is None
    assert scene.value("started", 1) is True


def test_hands_are_backs_for_those_who_may_not_see_them():
    hidden = [GAME.board.scene(HERE, ()).zone("hand", seat).cards for seat in (0, 1)]
    assert hidden == [(BACK, BACK), (BACK,)]
    one = GAME.board.scene(HERE, (0,))
    assert list(map(str, one.zone("hand", 0).cards)) == ["+1", "D"]
    assert one.zone("hand", 1).cards == (BACK,)


def test_every_side_card_has_a_kind_and_a_value():
    kinds = {face.kind for card in CATALOGUE for face in laid([lying((1, card.name))])}
    assert kinds == {"plus", "minus", "plus-minus", "flip", "double", "tiebreaker"}


def test_no_seat_is_to_act_when_the_match_is_over():
    rules = GAME.ruleset()
    state = GAME.new_state(rules, [GAME.loadouts.accept(rules, None)] * 2, SeatStreams(1))
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert GAME.board.scene(state, (0, 1)).turn is None
