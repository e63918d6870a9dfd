"""B8 with B14: each pot goes to the best of those who can win it, its own ties broken by cards."""

from arena.games.sabacc.engine.stages import RAISING
from tests.games.sabacc.play import PURE, TWO, one_hand, situation

FIRST = "10 of Coins, Idiot, 1 of Coins"
SECOND = "10 of Flasks, Idiot, 1 of Flasks"
THIRD = "10 of Staves, 1 of Staves"
OPTIONS = one_hand(short_stack="all_in", max_raises=1, hands=1)


def three(*hands, draws):
    """Seat 0 has no more than the first pot; seats 1 and 2 play on for another."""
    table = situation(
        *hands,
        draws=draws,
        stage=RAISING,
        amounts=(2, 50, 50),
        staked=(8, 44, 44),
        last_stake=6,
        options=OPTIONS,
    )
    return table.do("all in", "put 6", "put 6")


def test_b8_losers_of_a_tie_draw_new_cards_for_the_side_pot():
    """11 each: the extra 9 of seat 1 beat the 2 of seat 2 for a pot that neither has won."""
    draws = "11 of Coins, 9 of Coins, 2 of Coins, 1 of Sabers, 4 of Coins"
    table = three(FIRST, SECOND, THIRD, draws=draws)
    assert [event[1] for event in table.events("extra")] == [0, 1, 2, 1, 2]
    assert table.events("win") == [("win", 0, 30), ("win", 2, 80)]
    assert [len(cards) for cards in table.state.hand.extra] == [0, 1, 1]
    assert table.hand(2) == ["1 of Staves", "10 of Staves", "2 of Coins", "4 of Coins"]


def test_b8_extra_cards_of_the_main_pot_do_not_count_for_side_pots():
    """15 against 12; with the cards for the main pot it were 24, which counts 1, against 22."""
    draws = "11 of Coins, 9 of Staves, 10 of Sabers, 4 of Coins, 1 of Sabers"
    table = three(FIRST, SECOND, THIRD, draws=draws)
    assert table.events("win") == [("win", 0, 30), ("win", 1, 80)]


def test_b8_a_tie_for_the_side_pot_alone_is_broken():
    table = three(PURE, SECOND, THIRD, draws="9 of Coins, 2 of Coins")
    assert [event[1] for event in table.events("extra")] == [1, 2]
    assert table.events("win") == [("win", 0, 30), ("win", 1, 80)]


def test_b8_the_main_pots_winner_takes_the_side_pot_without_a_tie():
    table = three(TWO, SECOND, THIRD, draws="9 of Coins, 2 of Coins")
    assert [event[1] for event in table.events("extra")] == [1, 2]
    assert table.events("win") == [("win", 1, 30), ("win", 1, 80)]
