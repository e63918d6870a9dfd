"""Section 3, 4 with B10-B12, I10 and I14: one blind exchange, and the showing for a larger one."""

import pytest

from arena.core.errors import IllegalAction
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.cards.cards import card_named
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.actions import exchange
from arena.games.sabacc.engine.stages import EXCHANGE
from tests.games.sabacc.play import PURE, SIX, TEN, TWENTY, match, situation

FIVE_CARDS = "1 of Coins, 2 of Flasks, 3 of Staves, 4 of Sabers, 6 of Coins"


def swapping(*hands, draws="", **options):
    return situation(*hands, draws=draws, stage=EXCHANGE, options=options)


def counts(table):
    return sorted({a.count for a in table.state.legal_actions() if a.text[:4] in ("keep", "exch")})


def give(table, *names):
    hand = table.state.hand.deck.hands[table.to_act()]
    table.state.apply_action(exchange(hand, [card_named(name) for name in names]))
    return table


def test_b10_each_exchanges_once_from_the_dealers_left():
    table = situation(
        TEN,
        TWENTY,
        SIX,
        draws="8 of Coins, 9 of Coins, 11 of Coins",
        stage=EXCHANGE,
        button=0,
        turn=1,
        options={"hands": 1},
    )
    give(table, "10 of Coins")
    assert table.to_act() == 2
    give(table, "2 of Coins", "1 of Flasks")
    assert table.to_act() == 0
    table.do("keep")
    assert table.to_act() == TERMINAL
    assert "8 of Coins" in table.hand(1)
    assert table.events("exchange") == [("exchange", 1, 1), ("exchange", 2, 2), ("exchange", 0, 0)]


def test_s3_4_the_exchange_is_blind_cards_are_given_before_any_is_drawn():
    table = swapping(TEN, TWENTY)
    table.state.hand.match.dealer = None
    table.do("exchange 1 2")
    assert table.hand(0) == ["4 of Coins"]
    table.chance("9 of Coins")
    assert table.to_act() == CHANCE
    table.chance("8 of Coins")
    assert table.hand(0) == ["4 of Coins", "8 of Coins", "9 of Coins"]
    assert table.to_act() == 1


def test_s3_4_what_is_given_and_got_is_seen_by_its_owner_alone():
    one = give(swapping(TEN, TWENTY, draws="8 of Coins"), "4 of Coins")
    other = give(swapping(TEN, TWENTY, draws="9 of Coins"), "3 of Staves")
    assert one.state.observation(1) == other.state.observation(1)
    assert one.state.observation(0) != other.state.observation(0)


def test_s3_4_a_seat_knows_its_own_discards():
    table = give(swapping(TEN, TWENTY, draws="8 of Coins"), "4 of Coins")
    assert card_named("4 of Coins") in table.state.observation(0).seen
    assert card_named("4 of Coins") not in table.state.observation(0).hand


@pytest.mark.parametrize(
    ("variant", "allowed"),
    [
        ("old_republic", [0, 1, 2]),
        ("rebel_alliance", [0, 1, 2, 3]),
        ("new_republic", [0, 1, 3]),
        ("imperial", [0, 2]),
        ("cloud_city", [0, 2, 4]),
        ("mos_eisley", [0, 1]),
        ("corellian", [0, 1, 2]),
        ("corporate_sector", [0, 3]),
        ("crseih_station", [0, 1, 2]),
    ],
)
def test_i14_how_many_cards_each_variant_exchanges(variant, allowed):
    table = swapping(FIVE_CARDS, TWENTY, variant=variant)
    assert counts(table) == allowed


def test_i10_corellian_exchange_at_least_two():
    table = swapping(FIVE_CARDS, TWENTY, variant="corellian", corellian_exchange="at_least_two")
    assert counts(table) == [0, 2, 3, 4]


def test_i10_binds_no_other_variant():
    table = swapping(FIVE_CARDS, TWENTY, corellian_exchange="at_least_two")
    assert counts(table) == [0, 1, 2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_s2_never_more_cards_than_held(variant):
    table = swapping("1 of Coins, 2 of Flasks, 3 of Staves", TWENTY, variant=variant)
    assert max(counts(table)) <= 3


@pytest.mark.parametrize(
    ("variant", "revealer"),
    [("old_republic", "Jedi Master"), ("mos_eisley", "Smuggler"), ("mos_eisley", "Bounty Hunter")],
)
def test_s3_4_the_larger_exchange_comes_after_showing(variant, revealer):
    table = swapping(
        f"{revealer}, 2 of Flasks, 3 of Staves, 4 of Sabers, 6 of Coins", TWENTY, variant=variant
    )
    smaller = counts(table)
    assert max(smaller) < 3
    assert [text for text in table.legal() if text.startswith("show")] == [f"show {revealer}"]
    table.do(f"show {revealer}")
    assert counts(table) == [0, 1, 2, 3, 4]
    assert table.to_act() == 0
    assert not [text for text in table.legal() if text.startswith("show")]


def test_s3_4_a_shown_card_is_public():
    table = swapping("Jedi Master, 2 of Flasks, 3 of Staves", TWENTY)
    table.do("show Jedi Master")
    seen = table.state.observation(1)
    assert seen.shown == ((card_named("Jedi Master"),), ())
    assert [str(event) for event in seen.events] == ["seat 0: shows Jedi Master"]


def test_s3_4_mos_eisley_shows_either_and_one_is_enough():
    table = swapping("Smuggler, Bounty Hunter, 3 of Staves", TWENTY, variant="mos_eisley")
    assert [t for t in table.legal() if t.startswith("show")] == [
        "show Smuggler",
        "show Bounty Hunter",
    ]
    table.do("show Bounty Hunter")
    assert counts(table) == [0, 1, 2, 3]
    assert "show Smuggler" not in table.legal()


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "old_republic"])
def test_s3_4_a_jedi_master_has_no_power_elsewhere(variant):
    table = swapping("Jedi Master, 2 of Flasks, 3 of Staves", TWENTY, variant=variant)
    assert "show Jedi Master" not in table.legal()


def test_b11_the_shown_card_may_be_exchanged():
    table = swapping(
        "Jedi Master, 2 of Flasks, 3 of Staves, 4 of Sabers",
        TWENTY,
        draws="6 of Coins, 7 of Coins, 8 of Coins, 9 of Coins",
    )
    table.do("show Jedi Master", "exchange 1 2 3 4")
    assert "Jedi Master" not in table.hand(0)


def test_b11_kept_the_shown_card_cannot_be_exchanged():
    table = swapping("Jedi Master, 2 of Flasks, 3 of Staves", TWENTY, reveal="kept")
    table.do("show Jedi Master")
    held = table.state.hand.deck.hands[0].index(card_named("Jedi Master"))
    assert counts(table) == [0, 1, 2]
    assert not [a for a in table.state.legal_actions() if a.value >> held & 1]


def test_b11_kept_the_other_jedi_master_may_be_exchanged():
    table = swapping(
        "Jedi Master, Jedi Master, 2 of Flasks",
        TWENTY,
        draws="3 of Coins, 4 of Coins",
        reveal="kept",
    )
    table.do("show Jedi Master")
    assert counts(table) == [0, 1, 2]
    give(table, "Jedi Master", "2 of Flasks")
    assert table.hand(0).count("Jedi Master") == 1


def test_b12_discards_go_back_at_once():
    table = swapping(TEN, TWENTY, draws="8 of Coins", discards="reshuffled")
    give(table, "4 of Coins")
    assert table.state.hand.deck.gone == 0
    assert card_named("4 of Coins") in table.state.hand.deck.unseen()


@pytest.mark.parametrize(
    "text", ["exchange 1 2 3", "exchange 4", "draw", "fold", "put 1", "show Jedi Master"]
)
def test_s3_4_an_illegal_exchange_is_refused_and_changes_nothing(text):
    table = swapping(TEN, TWENTY)
    before = [table.state.observation(seat) for seat in range(2)], table.state.hand.legal
    with pytest.raises(IllegalAction, match=f"{text} is not one of: keep"):
        table.do(text)
    assert ([table.state.observation(seat) for seat in range(2)], table.state.hand.legal) == before


def test_s3_4_there_is_one_exchange_a_hand():
    table = match(2, PURE, SIX, "8 of Coins", TEN, TWENTY, hands=2)
    table.do("pass", "pass", "pass", "pass", "exchange 1", "keep")
    assert table.state.hand.match.hand_number == 2


def test_s14_a_card_may_be_shown_even_where_it_gains_nothing():
    """``kept``: of three cards two are left to give, which needs no showing."""
    table = swapping("Jedi Master, 2 of Flasks, 3 of Staves", TWENTY, reveal="kept")
    before = counts(table)
    assert "show Jedi Master" in table.legal()
    assert counts(table.do("show Jedi Master")) == before == [0, 1, 2]
