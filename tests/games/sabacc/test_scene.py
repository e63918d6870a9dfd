"""Scenes of Sabacc: the data that a board is drawn from."""

from __future__ import annotations

import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.scene import BACK
from arena.games.sabacc.engine.history import events_of
from arena.games.sabacc.game import Sabacc

GAME = Sabacc()
HANDS = (
    ("Idiot", "2 of Coins", "3 of Coins"),
    ("Ace of Sabers", "5 of Flasks"),
    ("7 of Coins", "8 of Coins", "9 of Coins"),
)


def test_a_table_shows_hands_pot_stakes_dealer_and_stage():
    rules = GAME.ruleset("mos_eisley(mode=chips)")
    state = GAME.positions.state(
        rules, hands=HANDS, amounts=(90, 70, 0), staked=(10, 30, 5), active=(True, True, False)
    )
    scene = GAME.board.scene(state, (1,))
    assert scene.seats == (0, 1, 2)
    assert scene.turn == 0
    assert scene.value("pot") == 45
    assert scene.value("stage") == "first draw"
    assert scene.value("dealer", 2) is True
    assert scene.value("folded", 2) is True
    assert [scene.value("chips", seat) for seat in scene.seats] == [90, 70, 0]
    assert [scene.value("put", seat) for seat in scene.seats] == [10, 30, 5]
    assert scene.zone("hand", 0).cards == (BACK,) * 3
    assert [card.name for card in scene.zone("hand", 1).cards] == ["Ace of Sabers", "5 of Flasks"]
    looks = [(card.kind, card.large, card.small) for card in scene.zone("hand", 1).cards]
    assert looks == [("Sabers", "15", "Ace of Sabers"), ("Flasks", "5", "Flasks wild")]
    assert {fact.label: fact.role for fact in scene.facts if fact.role} == {
        "variant": "word",
        "stage": "word",
        "pot": "large",
        "chips": "chips",
        "put": "stake",
        "dealer": "dealer",
        "folded": "folded",
    }
    assert scene.zone("hand", 2).worth == ""


def kinds(state):
    return {
        event.kind for event in events_of(state.hand.match.history, state.hand.match.hand_start)
    }


@pytest.mark.parametrize("seats", GAME.seats)
def test_who_was_taken_out_is_marked_and_only_hands_laid_down_lie_open(seats):
    rules = GAME.ruleset("mos_eisley(mode=chips)")
    state = GAME.new_state(rules, [b""] * seats, SeatStreams(3))
    state.expel(0)

    while not state.is_terminal():
        scene = GAME.board.scene(state, ())
        assert scene.value("taken out", 0) is True
        assert scene.seats == tuple(range(seats))
        for seat in scene.seats:
            cards = scene.zone("hand", seat).cards
            assert len(cards) == state.hand.deck.hand_sizes[seat]
            assert BACK in cards or not cards or "reveal" in kinds(state)
        state.apply_action(state.legal_actions()[0])
    scene = GAME.board.scene(state, ())
    assert scene.turn is None
    assert scene.value("pot") is None
