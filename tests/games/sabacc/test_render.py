"""Text of Sabacc for people: a seat's view, an onlooker's, and never a hidden card."""

from __future__ import annotations

import re
from textwrap import wrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.games.sabacc.cards.cards import KINDS
from arena.games.sabacc.cards.ranking import ranker
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.actions import stakes
from arena.games.sabacc.engine.stages import BET, EXCHANGE
from arena.games.sabacc.parts import render
from arena.games.sabacc.parts.render import COLUMNS
from arena.games.sabacc.parts.scene import worth
from tests.games.sabacc.play import SABACC, Table, one_hand, play_random, situation

WAYS = (
    "old_republic(hands=2)",
    "mos_eisley(hands=2,reveal=kept)",
    "cloud_city(mode=points,target=0,hands=2,points_negative=signed)",
    "variable(mode=chips,dice=true,hands=2,stack=10000,cap=0)",
    "card_exchange(mode=chips,betting=alternating,hands=3,stack=40,tick_every=orbit)",
    "variable(mode=chips,betting=poker,short_stack=all_in,stack=9,hands=4,tick_every=phase)",
)


def lines(text):
    return [line.strip() for line in text.splitlines()]


def test_a_hand_for_won_hands_as_a_seat_sees_it():
    table = situation(
        "5 of Flasks, Jedi Master, Commander of Sabers, 7 of Coins",
        "2 of Coins, 3 of Coins, 4 of Coins",
        "2 of Staves, 3 of Staves, 4 of Staves",
        stage=EXCHANGE,
        amounts=(1, 0, 12),
        hand_number=4,
    )
    assert SABACC.render(table.state.observation(0)).splitlines() == [
        "Hand 4 of 12; Old Republic; exchange",
        "  > seat 0  won  1  4 cards, you, to act",
        "    seat 1  won  0  3 cards",
        "    seat 2  won 12  3 cards, dealer",
        "  your hand: 1. Commander of Sabers (12)  2. 5 of Flasks (wild)  3. 7 of Coins",
        "    4. Jedi Master (3)",
        "  it counts 23, pure sabacc (five as 1)",
        "  choices: keep, exchange 1 / 2 / 3 / 4, exchange 1 2 / 1 3 / 2 3 / 1 4 / 2 4 /",
        "    3 4, show Jedi Master",
    ]


def test_a_hand_for_chips_shows_pot_stake_clock_and_the_state_of_each_seat():
    table = situation(
        "Ace of Coins, 2 of Coins, Rancor",
        "Idiot, 2 of Sabers, 4 of Staves",
        "7 of Staves, 7 of Coins, Dark Jedi",
        "",
        options=one_hand(variable=True),
        stage=BET,
        amounts=(90, 7, 100, 0),
        staked=(5, 5, 10, 0),
        last_stake=4,
        active=(True, True, False, False),
        variant="imperial",
        shown=((), ("Jedi Master",), (), ()),
        ticks=2,
    )
    table.state.hand.match.carried = 30
    table.state.hand.match.out_since = (0, 0, 0, 1)
    assert SABACC.render(table.state.observation(1)).splitlines() == [
        "Hand 1 of 1; Imperial; betting",
        "  pot 20 and 30 carried over; last stake 4",
        "  clock at 2 of 6 decisions, then a new slip",
        "  > seat 0  chips  90  put  5  3 cards, to act",
        "    seat 1  chips   7  put  5  3 cards, you, shows Jedi Master",
        "    seat 2  chips 100  put 10  3 cards, folded",
        "    seat 3  chips   0  put  0  no cards, dealer, out of chips",
        "  your hand: 1. 4 of Staves  2. 2 of Sabers  3. Idiot (0)",
        "  it counts 6",
    ]
    assert lines(SABACC.board.text(table.state, {0}))[3:6] == [
        "> seat 0  chips  90  put  5  3 cards, to act",
        "2 of Coins, Ace of Coins (15), Rancor (7) = 24, worth 1",
        "seat 1  chips   7  put  5  3 cards, shows Jedi Master",
    ]


def test_poker_shows_the_amount_to_call():
    table = Table(
        SABACC.new_state(
            SABACC.ruleset("old_republic(mode=chips,betting=poker)"), [b""] * 3, SeatStreams(1)
        )
    )
    table.do("bet 4", "raise 6")
    pot = "pot 17; 10 to call; the least bet or raise is 6"
    assert lines(SABACC.render(table.state.observation(2)))[1] == pot


def test_points_play_shows_the_score_of_the_hand():
    table = situation(
        "Ace of Coins, Ace of Flasks, Ace of Sabers, Master of Coins",
        "2 of Coins, 3 of Coins, 4 of Coins",
        options={"mode": "points"},
        amounts=(90, -7),
    )
    text = lines(SABACC.render(table.state.observation(0)))
    assert text[0] == "Hand 1, to 1000 points; Old Republic; first draw"
    assert text[1:3] == [
        "> seat 0  points 90  4 cards, you, to act",
        "seat 1  points -7  3 cards, dealer",
    ]
    assert "it counts 59, which loses; it scores 13" in text


@pytest.mark.parametrize(
    ("hand", "variant", "says"),
    [
        ("2 of Staves, 3 of Coins, Idiot", "old_republic", "the Idiot combination"),
        ("2 of Flasks, 7 of Flasks, 8 of Flasks, 9 of Flasks", "crseih_station",
         "the Temporal combination"),
        ("5 of Coins, 5 of Staves, 4 of Coins", "old_republic",
         "23, pure sabacc (fives as 19 together)"),
        ("Ace of Staves, Ace of Coins, Master of Coins, 2 of Coins", "old_republic",
         "46, double sabacc"),
        ("Dark Jedi, 5 of Coins, 2 of Coins", "old_republic", "-23, fool sabacc (five as -11)"),
        ("Dark Jedi, 4 of Coins, 2 of Coins", "old_republic", "-8, worth 8"),
        ("Ace of Staves, Ace of Coins, 1 of Coins", "old_republic", "31, worth 8"),
        ("Dark Jedi, Dark Jedi, 1 of Coins", "old_republic", "-27, which loses"),
        ("1 of Staves, 2 of Coins, 3 of Coins", "old_republic", "6"),
    ],
)  # fmt: skip
def test_s4_the_value_of_a_hand_is_named(hand, variant, says):
    state = situation(hand, "2 of Coins, 3 of Coins, 4 of Coins", variant=variant).state
    ranks = ranker(state.hand.match.rules, VARIANTS[variant])
    assert worth(ranks, state.hand.deck.hands[0]) == says


def states(way, seats, seed):
    rng = generator(seed)
    yield from play_random(SABACC.new_state(SABACC.ruleset(way), [b""] * seats), rng, expel=0.01)


def choices_of(text):
    """The actions that the last lines of a view offer, spelt out."""
    offered = " ".join(line.strip() for line in text.partition("choices: ")[2].splitlines())
    found = []
    for part in offered.split(", "):
        verb, *places = part.split(" / ")
        run = re.fullmatch(r"(\w+) (\d+)\.\.(\d+)( .*)?", verb)
        if run:
            kind = SABACC.notation.action(f"{run[1]} 1{run[4] or ''}").kind
            found += stakes(kind, int(run[2]), int(run[3]))
        else:
            found += [SABACC.notation.action(f"exchange {place}") for place in places]
            found.append(SABACC.notation.action(verb))
    return found


@given(st.sampled_from(WAYS), st.integers(2, 6), st.integers(0, 10_000))
def test_every_legal_action_is_shown_within_eighty_columns(way, seats, seed):
    for state in states(way, seats, seed):
        player = state.current_player()
        if player >= 0:
            text = SABACC.render(state.observation(player))
            assert max(map(len, text.splitlines())) <= COLUMNS
            assert all(line.isprintable() for line in text.splitlines())
            assert set(choices_of(text)) == set(state.legal_actions())
        table = SABACC.board.text(state, range(seats))
        assert max(map(len, table.splitlines())) <= COLUMNS


@given(st.sampled_from(WAYS), st.integers(2, 5), st.integers(0, 10_000))
def test_an_onlooker_of_one_seat_sees_what_that_seat_may_know(way, seats, seed):
    """Other worlds that the seat holds possible look the same over its shoulder."""
    rng = generator(seed)
    for state in states(way, seats, seed):
        seat = rng.randrange(seats)
        if state.current_player() < 0:
            continue
        other = SABACC.resample(state.observation(seat), rng)
        assert SABACC.board.text(other, {seat}) == SABACC.board.text(state, {seat})
        assert SABACC.board.text(other, ()) == SABACC.board.text(state, ())


def test_the_text_of_a_hand_is_laid_out_once_for_all_positions_that_show_it(monkeypatch):
    """Replays draw the same hands at a hundred positions, and lines are slow to break."""
    broken = []

    def counting(text, *args, **kwargs):
        broken.append(text)
        return wrap(text, *args, **kwargs)

    monkeypatch.setattr(render, "wrap", counting)
    for state in states(WAYS[3], 5, 1):
        SABACC.board.text(state, range(5))
    hands = [text for text in broken if "=" in text]
    assert len(hands) == len({*hands}) > 1


def test_the_public_sees_no_card_before_the_showdown():
    state = SABACC.new_state(
        SABACC.ruleset("imperial(mode=chips,hands=1)"), [b""] * 3, SeatStreams(3)
    )
    names = [card.name for card in KINDS]
    folded = SABACC.notation.action("fold")
    state.apply_action(folded)
    while not state.is_terminal():
        assert not any(name in SABACC.board.text(state, ()) for name in names)
        state.apply_action(state.legal_actions()[0])
    text = SABACC.board.text(state, ())
    assert lines(text)[0] == "Hand 1 of 1; Imperial; over"
    for seat in (1, 2):
        assert all(card.name in text for card in state.hand.deck.hands[seat])
    assert lines(text)[1].endswith("folded")
    assert lines(text)[2].startswith("seat 1")
