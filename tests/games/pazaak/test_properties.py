"""Invariants of every match, tested in random matches under random rules."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.actions import unpack_ids
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import generator
from arena.core.outcome import Termination
from arena.core.text.parsing import format_call
from arena.games.pazaak.engine.cards import FORTY
from arena.games.pazaak.engine.history import events_of
from arena.games.pazaak.engine.rulesets import RULESETS
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.replay import verify
from arena.testing.scripted import RandomBot
from tests.games.pazaak.table import PAZAAK
from tests.sizes import volume

SEEDS = st.integers(0, 2**63 - 1)
CHOICES = {
    "hand_scope": ("match", "set"),
    "first_set": ("opening_draw", "seat_0", "random"),
    "next_set": ("winner", "loser", "alternate", "fixed", "random"),
    "opening_cards": ("return", "burn"),
    "main_deck": ("forty_shared", "forty_each", "infinite"),
    "bust_check": ("end_of_turn", "immediate"),
    "auto_stand": ("immediate", "end_of_turn", "off"),
    "fill": ("win", "full_table_stands"),
    "fill_overflow": ("bust", "allow_tenth"),
    "ninth_on_twenty": ("fill", "stand"),
    "overshoot_spoils_fill": (False, True),
    "specials_fill": (True, False),
    "flip": ("toggle", "negate_deck_persistent", "negate_positive"),
    "flip_scope": ("own", "both"),
    "flip_by": ("present", "printed"),
    "flip_without_target": ("legal", "illegal"),
    "flip_lasts": ("set", "match"),
    "double": ("duplicate", "in_place"),
    "double_of_negated": ("negative", "positive"),
    "tiebreaker_scope": ("set", "last_card"),
    "tiebreaker_both": ("tie", "last_played", "first_played"),
    "max_sets": (25, 0, 3),
}
OPTIONS = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in CHOICES.items()}
)
RULES = st.builds(
    lambda row, options: PAZAAK.ruleset(format_call(row, options)),
    st.sampled_from(sorted(RULESETS)),
    OPTIONS,
)


class Chooser(RandomBot):
    """Random play with a random side deck."""

    def prepare(self, offer):
        pool = list(offer.catalogue) * (10 if offer.unlimited else 1)
        return self._rng.sample(pool, offer.sizes[0])


def walk(ruleset, seed):
    """The states of a random match, each before its decision, and the last."""
    rng = generator(seed)
    decks = [
        PAZAAK.loadouts.accept(ruleset, rng.sample([*ruleset.kinds] * 2, 10)) for _ in range(2)
    ]
    state = PAZAAK.new_state(ruleset, decks, SeatStreams(seed))
    yield state
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


def test_every_option_of_sections_3_to_5_is_tried():
    known = set(RULESETS["standard"].__struct_fields__) - {"name", "source"}
    decks = {"side_deck_size", "collection_size", "collection", "deck", "card_set"}
    assert known - decks - {"max_copies", "max_gold_copies"} == set(CHOICES)


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_totals_are_the_sums_of_the_tables(ruleset, seed):
    for state in walk(ruleset, seed):
        for seat in (0, 1):
            assert state.totals[seat] == sum(square.value for square in state.tables[seat])


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_hand_cards_are_neither_made_nor_lost(ruleset, seed):
    for state in walk(ruleset, seed):
        events = events_of(state.history)
        for seat in (0, 1):
            assert not Counter(state.hands[seat]) - Counter(state.side_decks[seat])
            spent = Counter(
                event.action.card
                for event in events
                if event.seat == seat and event.kind == "act" and event.action.card
            )
            if ruleset.hand_scope == "match":
                assert Counter(state.hands[seat]) + spent == Counter(state.dealt[seat][0])
            assert all(len(hand) == 4 for hand in state.dealt[seat])


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_no_deck_gives_more_than_it_holds(ruleset, seed):
    for state in walk(ruleset, seed):
        by_seat = [
            Counter(square.face.values[0] for square in table if square.face.from_deck)
            for table in state.tables
        ]
        if ruleset.main_deck == "forty_shared":
            assert not by_seat[0] + by_seat[1] - Counter(FORTY)
        if ruleset.main_deck == "forty_each":
            assert not by_seat[0] - Counter(FORTY)
            assert not by_seat[1] - Counter(FORTY)


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_the_history_determines_the_score_and_the_tables(ruleset, seed):
    *_, state = walk(ruleset, seed)
    events = events_of(state.history)
    sets = [event for event in events if event.kind in ("won", "tie")]
    for seat in (0, 1):
        assert state.sets[seat] == sum(e.kind == "won" and e.seat == seat for e in sets)
    assert len(sets) == state.set_number
    last = [event.kind for event in events].count("start")
    assert last == state.set_number
    outcome = state.outcome()
    assert outcome.scores == tuple(state.sets)
    if outcome.termination is Termination.RULES:
        assert max(state.sets) == 3
    else:
        assert state.set_number == ruleset.max_sets
        assert max(state.sets) < 3


@settings(max_examples=volume(60))
@given(RULES, SEEDS)
def test_a_seat_to_decide_is_never_standing_and_can_always_end(ruleset, seed):
    for state in walk(ruleset, seed):
        if not state.is_terminal():
            assert not state.standing[state.current_player()]
            assert [action.text for action in state.legal_actions()[:2]] == ["end turn", "stand"]


@settings(max_examples=volume(40))
@given(RULES, SEEDS)
def test_played_matches_verify(ruleset, seed):
    record, _ = play_inline(
        PAZAAK, ruleset, seed, seed ^ 1, [Chooser, Chooser], ["a", "b"], Limits()
    )
    assert record.outcome.termination in (Termination.RULES, Termination.CAP)
    assert verify(PAZAAK, record) == len(unpack_ids(record.actions))


@settings(max_examples=volume(40))
@given(RULES, SEEDS)
def test_resampling_a_resampled_world_gives_the_same_view(ruleset, seed):
    rng = generator(seed)
    for state in walk(ruleset, seed):
        seen = state.observation(0)
        world = PAZAAK.resample(PAZAAK.resample(seen, rng).observation(0), rng)
        assert world.observation(0) == seen


@given(SEEDS)
def test_mirrored_matches_share_their_luck_in_the_first_set(seed):
    """Seat by seat the same cards come, however often the other seat draws."""
    ruleset = PAZAAK.ruleset("standard(first_set=seat_0)")
    decks = [PAZAAK.loadouts.accept(ruleset, None)] * 2

    def cards_of_seat_1(actions):
        state = PAZAAK.new_state(ruleset, decks, SeatStreams(seed))
        for text in actions:
            if state.set_number > 1 or state.is_terminal():
                break
            if state.current_player() == 1:
                state.apply_action(PAZAAK.notation.action("end turn"))
            else:
                state.apply_action(PAZAAK.notation.action(text))
        events = events_of(state.history)
        return [e.value for e in events if e.kind == "draw" and e.seat == 1][:2], state.dealt[1]

    one, hand = cards_of_seat_1(["stand"] * 4)
    other, same_hand = cards_of_seat_1(["end turn"] * 4)
    shared = min(len(one), len(other))
    assert one[:shared] == other[:shared]
    assert hand == same_hand


@pytest.mark.parametrize("row", RULESETS)
def test_the_same_seed_gives_the_same_match_in_either_seat_order(row):
    ruleset = PAZAAK.ruleset(row)
    ways = [play_inline(PAZAAK, ruleset, 5, 6, [Chooser, Chooser], "ab", Limits()) for _ in "12"]
    assert ways[0][0].to_bytes() == ways[1][0].to_bytes()
