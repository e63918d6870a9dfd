"""Section 3, 3 with B9: two rounds of draws, five cards; and what an empty deck does."""

import pytest

from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.engine.stages import EXCHANGE, SECOND_DRAW, SHOWDOWN
from tests.games.sabacc.play import BOMB, SIX, TEN, TWENTY, TWO, match, situation


def test_s3_3_each_in_turn_takes_one_card_or_passes():
    table = match(3, TWENTY, TEN, SIX, "Ace of Staves, Ace of Coins")
    assert table.legal() == ["draw", "pass"]
    table.do("draw")
    assert "Ace of Staves" in table.hand(0)
    table.do("pass", "draw")
    assert "Ace of Coins" in table.hand(2)
    assert table.state.hand.deck.hand_sizes == (4, 3, 4)
    assert table.state.hand.stage == SECOND_DRAW


def test_s3_3_at_most_two_draws_and_five_cards():
    table = match(2, TWENTY, TEN, "8 of Coins, 9 of Coins")
    table.do("draw", "pass", "draw", "pass")
    assert table.state.hand.deck.hand_sizes == (5, 3)
    assert table.state.hand.stage == EXCHANGE
    assert "draw" not in table.legal()


def test_s3_3_a_seat_with_five_cards_has_no_draw_decision():
    table = situation(f"{BOMB}, 7 of Coins", TEN, TWENTY)
    assert table.do("pass").to_act() == 1  # put at its decision all the same: a given situation
    table.do("pass", "pass")
    assert (table.state.hand.stage, table.to_act()) == (SECOND_DRAW, 1)


def test_b9_anyone_may_take_the_second_card():
    table = match(2, TWENTY, TEN, "8 of Coins")
    table.do("pass", "pass")
    assert (table.state.hand.stage, table.to_act()) == (SECOND_DRAW, 0)
    table.do("draw")
    assert table.state.hand.deck.hand_sizes == (4, 3)


def test_b9_drawers_only_who_drew_first_may_draw_again():
    table = match(3, TWENTY, TEN, SIX, "8 of Coins", second_draw="drawers")
    table.do("pass", "draw", "pass")
    assert (table.state.hand.stage, table.to_act()) == (SECOND_DRAW, 1)
    table.do("pass")
    assert (table.state.hand.stage, table.to_act()) == (EXCHANGE, 0)


def test_b9_drawers_without_draws_there_is_no_second_round():
    table = match(2, TWENTY, TEN, second_draw="drawers")
    assert table.do("pass", "pass").state.hand.stage == EXCHANGE


def test_s3_3_a_drawn_card_is_seen_by_its_owner_alone():
    one = match(2, TWENTY, TEN, "8 of Coins").do("draw")
    other = match(2, TWENTY, TEN, "9 of Coins").do("draw")
    assert one.state.observation(1) == other.state.observation(1)
    assert one.state.observation(0) != other.state.observation(0)
    assert card_named("8 of Coins") in one.state.observation(0).hand


def without_dealer(held, left, stage, **options):
    """A described situation with so many cards left in the deck; the others are out."""
    table = situation(*held, stage=stage, options=options)
    state = table.state
    state.hand.match.dealer = state.hand.deck.pile = None
    deck = [*DECK]
    for hand in state.hand.deck.hands:
        for card in hand:
            deck.remove(card)
    gone = tuple(deck[left:])
    state.hand.deck.discards = (gone, *((),) * (state.hand.match.seats - 1))
    state.hand.deck.gone = len(gone)
    state.hand.ask_seat(state.hand.player)
    return table


def test_s3_6_an_empty_deck_is_made_anew_of_the_discards():
    table = without_dealer((TEN, TWENTY), 1, SECOND_DRAW)
    assert table.state.hand.deck.left() == 1
    table.do("draw")
    assert len(table.state.chance_outcomes()) == 1  # the last card is certain
    table.state.apply_action(table.state.legal_actions()[0])
    assert table.state.hand.deck.left() == 0
    table.do("draw")
    assert table.events("reshuffle") == [("reshuffle", 1, 0)]
    assert table.state.hand.deck.gone == 0
    assert table.state.hand.deck.left() == 76 - 7
    assert sum(odds for _, odds in table.state.chance_outcomes()) == 1


def test_s3_6_the_discards_are_reshuffled_only_once():
    table = without_dealer((TEN, TWENTY), 0, SECOND_DRAW)
    table.state.hand.deck.recycled = True
    table.state.hand.ask_seat(0)
    assert table.legal() == ["pass"]


def test_s3_6_an_exchange_takes_no_more_cards_than_there_are():
    table = without_dealer((TEN, TWENTY), 1, EXCHANGE)
    table.state.hand.deck.recycled = True
    table.state.hand.ask_seat(0)
    assert table.legal() == ["keep", "exchange 1", "exchange 2", "exchange 3"]


@pytest.mark.parametrize("left", [0, 1])
def test_b8_too_few_cards_for_all_the_tied_leave_them_tied(left):
    same = "10 of Flasks, 8 of Staves, 2 of Flasks"
    table = without_dealer((TWENTY, same, TWO), left, EXCHANGE, hands=1)
    table.state.hand.deck.recycled = True
    table.do("keep", "keep", "keep")
    assert table.state.is_terminal()
    assert table.state.scores() == (1, 1, 0)
    assert table.events("extra") == []


def test_b8_the_discards_give_the_cards_of_a_tie():
    same = "10 of Flasks, 8 of Staves, 2 of Flasks"
    table = without_dealer((TWENTY, same, TWO), 1, EXCHANGE, hands=1)
    table.do("keep", "keep", "keep")
    assert table.state.hand.stage == SHOWDOWN
    table.state.apply_action(table.state.legal_actions()[0])
    assert table.events("reshuffle") == [("reshuffle", 2, 0)]
    table.state.apply_action(table.state.legal_actions()[0])
    assert [event[:2] for event in table.events("extra")] == [("extra", 0), ("extra", 1)]
