"""The end of a hand of Sabacc as a scene: what lies open, who won with what, where the pot went."""

from arena.core.scene import BACK, MATCH
from arena.games.sabacc.engine.stages import RAISING
from arena.games.sabacc.parts.following import followed
from tests.games.sabacc.play import (
    BOMB,
    OTHER_BOMB,
    PURE,
    SABACC,
    SIX,
    TEN,
    TWENTY,
    match,
    one_hand,
    situation,
)

LAST = {"stage": RAISING, "amounts": (90, 90, 90), "staked": (5, 5, 3), "last_stake": 1}
NEXT = f"{PURE}, {TEN}, {SIX}"


def ended(table, *texts, seats=()):
    """Does the last actions of a hand; returns what is held of it."""
    scenes = ()
    for text in texts:
        before = table.state.clone()
        table.do(text)
        scenes += SABACC.board.held(before, table.state, seats)
    return scenes


def marks(scene):
    return {fact.seat: fact.label for fact in scene.facts if fact.role in ("won", "lost", "folded")}


def names(scene, seat):
    return [card.name for card in scene.zone("hand", seat).cards]


def test_the_showdown_shows_who_won_with_what_and_no_folded_cards():
    table = situation(
        PURE, TWENTY, SIX, **LAST, active=(True, True, False), draws=NEXT,
        options=one_hand(hands=2, max_raises=1),
    )  # fmt: skip
    (scene,) = ended(table, "put 1", "put 1")
    verdict = scene.verdict
    assert (verdict.over, verdict.winners) == ("hand 1", (0,))
    assert verdict.reason == "23, pure sabacc beats 20"
    assert verdict.score == "104 : 89 : 90"
    assert marks(scene) == {0: "wins 15", 1: "3 short", 2: "folded"}
    assert scene.zone("hand", 0).worth == "23, pure sabacc"
    assert len(names(scene, 1)) == 3
    assert BACK not in scene.zone("hand", 1).cards
    assert scene.zone("hand", 2).cards == (BACK,) * 3
    assert [scene.value("chips", seat) for seat in (0, 1, 2)] == [104, 89, 90]
    assert {scene.value("put", seat) for seat in (0, 1, 2)} == {0}
    assert scene.value("pot") == 15
    assert table.state.hand.match.hand_number == 2


def test_who_folded_sees_the_own_cards_still():
    table = situation(
        PURE, TWENTY, SIX, **LAST, active=(True, True, False), draws=NEXT,
        options=one_hand(hands=2, max_raises=1),
    )  # fmt: skip
    (scene,) = ended(table, "put 1", "put 1", seats=(2,))
    assert sorted(names(scene, 2)) == sorted(SIX.split(", "))


def test_nobody_sees_the_cards_of_the_last_one_left():
    table = situation(
        PURE, TWENTY, SIX, **LAST, draws=NEXT, options=one_hand(hands=2, max_raises=1)
    )
    (scene,) = ended(table, "fold", "fold")
    assert scene.verdict.winners == (2,)
    assert scene.verdict.reason == "nobody else is left in the hand"
    assert marks(scene) == {0: "folded", 1: "folded", 2: "wins 13"}
    assert {scene.zone("hand", seat).cards for seat in (0, 1, 2)} == {(BACK,) * 3}


def test_a_pot_that_nobody_wins_is_carried_over_or_shared():
    table = situation(
        BOMB, OTHER_BOMB, SIX, **LAST, active=(True, True, False), draws=NEXT,
        options=one_hand(hands=2, max_raises=1),
    )  # fmt: skip
    (scene,) = ended(table, "put 1", "put 1")
    assert (scene.verdict.winners, scene.value("carried over")) == ((), 15)
    assert scene.verdict.reason.endswith("all of them lose, and 15 is carried over")
    assert marks(scene) == {0: "bombs out", 1: "bombs out", 2: "folded"}
    table = situation(
        BOMB, OTHER_BOMB, SIX, **LAST, active=(True, True, False),
        options=one_hand(max_raises=1),
    )  # fmt: skip
    shared, over = ended(table, "put 1", "put 1")
    assert shared.verdict.reason.endswith("all of them lose, and the pot is shared out")
    assert {fact.label for fact in shared.facts if "back" in fact.label} == {
        "gets 8 back",
        "gets 7 back",
    }
    assert over.verdict.over == MATCH


def test_an_extra_card_decides_and_a_side_pot_has_its_own_winner():
    first, second, third = (
        "10 of Coins, Idiot, 1 of Coins",
        "10 of Flasks, Idiot, 1 of Flasks",
        "10 of Staves, 1 of Staves",
    )
    table = situation(
        first, second, third,
        draws="11 of Coins, 9 of Coins, 2 of Coins, 1 of Sabers, 4 of Coins",
        stage=RAISING, amounts=(2, 50, 50), staked=(8, 44, 44), last_stake=6,
        options=one_hand(short_stack="all_in", max_raises=1),
    )  # fmt: skip
    scene, _ = ended(table, "all in", "put 6", "put 6")
    assert scene.verdict.winners == (0,)
    assert scene.verdict.reason == (
        "equal hands, 11 each; an extra card decides; seat 2 wins the side pot of 80"
    )
    assert marks(scene) == {0: "wins 30", 1: "loses", 2: "wins 80"}
    assert "11 of Coins" in names(scene, 0)


def test_cards_of_the_last_decision_are_in_the_hand_that_is_laid_down():
    """The dealt hand exchanges one card as the last decision before the showdown."""
    hands = "1 of Coins, 2 of Coins, 3 of Coins, 4 of Staves, 6 of Staves, 7 of Staves"
    table = match(2, f"{hands}, 9 of Flasks", hands=1)
    before = None
    while table.state.current_player() >= 0:
        before = table.state.clone()
        legal = table.legal()
        last = table.state.hand.waiting == (table.to_act(),) and "keep" in legal
        table.do("exchange 1" if last else "pass" if "pass" in legal else "keep")
    (hand,) = followed(before, table.state, (0, 1)).hands()
    laid = hand.observation().open_hands
    assert any(card.name == "9 of Flasks" for cards in laid.values() for card in cards)
    assert {seat: tuple(cards) for seat, cards in hand.own.items()} == laid
