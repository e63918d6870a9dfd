"""The extras of rule book section 7: whole matches of seeded play, and what must hold in all."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.dealer import SeatStreams
from arena.core.errors import IllegalAction, ParseError
from arena.core.state import CHANCE
from arena.games.pazaak.career.actions import CHEAT, CHEAT_, DRAW, LOOK, PERSONS, SWAPS
from arena.games.pazaak.career.game import PazaakCareer
from arena.games.pazaak.career.observation import OVER, SKILL
from arena.games.pazaak.career.rivals import RIVALS, Rival, rivals_of
from arena.games.pazaak.career.rules import PERSON, RIVAL, changed, plain, turned
from arena.games.pazaak.engine.cards import CATALOGUE, card_named
from arena.games.pazaak.engine.side_decks import LADDER, LEVELS
from arena.games.pazaak.game import Pazaak

GAME, PAZAAK = PazaakCareer(), Pazaak()
ALL = "standard(auxiliary=true,cheats=true)"
RULESETS = [
    ALL,
    "console(auxiliary=true,cheats=true,cheat_chance=100,cheat_step=0,skill=100)",
    "table(auxiliary=true,cheats=true,cheat_chance=90,hand_scope=set)",
    "kotor1(cheats=true,bust_check=immediate)",
    "wiki(auxiliary=true,skill=0)",
    "standard(skill_roll=true,skill=80)",
]


@cache
def rules_and_loadout(ruleset):
    rules = GAME.ruleset(ruleset)
    return rules, GAME.loadouts.accept(rules, None)


def begin(ruleset, seed, dealer=True):
    rules, loadout = rules_and_loadout(ruleset)
    loadouts = [loadout] * 2
    return GAME.new_state(rules, loadouts, SeatStreams(seed) if dealer else None)


def steps(state, seed):
    """Plays at random to the end, and yields before each decision."""
    rng = Random(seed)
    while not state.is_terminal():
        yield
        state.apply_action(rng.choice(state.legal_actions()))
    yield


def played(ruleset, seed, state=None):
    state = state or begin(ruleset, seed)
    for _ in steps(state, seed):
        pass
    return state


@given(ruleset=st.sampled_from(RULESETS), seed=st.integers(0, 2**32))
def test_every_match_ends_with_totals_that_are_the_tables_and_one_winner(ruleset, seed):
    state = begin(ruleset, seed)
    for _ in steps(state, seed):
        table = state.table
        assert table.totals == [sum(each.value for each in row) for row in table.tables]
        assert state.attempts == 0 or state.rules.cheats
        pool = [*table.hands[PERSON], *state.auxiliary]
        assert len(table.hands[PERSON]) <= 4
        assert len(pool) <= 8
    assert sum(state.returns()) == 0
    assert state.stage == OVER
    with pytest.raises(IllegalAction, match="the match is over"):
        state.apply_action(CHEAT)


@given(ruleset=st.sampled_from(RULESETS), seed=st.integers(0, 2**32))
def test_the_same_seed_and_choices_give_the_same_match(ruleset, seed):
    first, second = played(ruleset, seed), played(ruleset, seed)
    assert first.histories == second.histories
    assert first.outcome() == second.outcome()


@given(row=st.sampled_from(["standard", "console", "table", "kotor1"]), seed=st.integers(0, 2**32))
def test_without_extras_a_seed_deals_the_same_match_as_pazaak(row, seed):
    state = played(row, seed)
    rules = PAZAAK.ruleset(row)
    loadouts = [PAZAAK.loadouts.accept(rules, None)] * 2
    same = played(row, seed, PAZAAK.new_state(rules, loadouts, SeatStreams(seed)))
    assert state.table.history == same.history
    assert state.outcome() == same.outcome()


@given(ruleset=st.sampled_from(RULESETS), seed=st.integers(0, 2**32))
def test_a_world_that_a_seat_holds_possible_gives_its_observation(ruleset, seed):
    state = begin(ruleset, seed)
    for _ in steps(state, seed):
        for seat in (PERSON, RIVAL):
            seen = state.observation(seat)
            world = GAME.resample(seen, Random(1))
            assert world.observation(seat) == seen
            assert GAME.wire.unpack(seen.ruleset, GAME.wire.pack(seen)) == seen
            assert all(len(line) <= 80 for line in GAME.render(seen).splitlines())


@given(ruleset=st.sampled_from(RULESETS), seed=st.integers(0, 2**32))
def test_a_world_that_a_seat_holds_possible_plays_on(ruleset, seed):
    """Also the world of the seat that is not to decide: its chance is answered, too."""
    state = begin(ruleset, seed)
    for _ in steps(state, seed):
        for seat in (PERSON, RIVAL) * (not state.is_terminal()):
            world = GAME.resample(state.observation(seat), Random(1))
            assert world.current_player() >= 0
            world.apply_action(world.legal_actions()[0])
            assert world.current_player() != CHANCE


@given(seed=st.integers(0, 2**32))
def test_the_rival_notices_nothing_until_the_person_is_caught(seed):
    state = begin(ALL, seed)
    for _ in steps(state, seed):
        if state.stage != OVER:
            seen = state.observation(RIVAL)
            assert seen.history == seen.table.history == state.table.history
            assert (seen.attempts, seen.auxiliary, seen.tried, seen.cheated) == (
                0,
                (),
                False,
                False,
            )
            assert set(map(type, seen.legal_actions)) <= {type(PAZAAK.notation.action("stand"))}


@given(seed=st.integers(0, 2**32))
def test_only_who_sees_the_hand_sees_the_auxiliary_hand_and_the_risk(seed):
    state = begin("standard(auxiliary=true,cheats=true,skill=100)", seed)
    for _ in steps(state, seed):
        for view in ((), (RIVAL,)):
            scene = GAME.board.scene(state, view)
            assert not scene.zone("auxiliary", PERSON).cards
            assert scene.value("cheat %", PERSON) is None
        assert GAME.board.scene(state, (PERSON,)).value("cheat %", PERSON) is not None


def test_odds_of_every_chance_node_sum_to_one():
    rng = Random(3)
    state = begin("standard(auxiliary=true,cheats=true,skill=80)", 0, dealer=False)
    kinds = set()
    for _ in range(300):
        if state.is_terminal():
            state = begin("standard(auxiliary=true,cheats=true,skill=80)", 0, dealer=False)
        if state.current_player() == CHANCE:
            odds = state.chance_outcomes()
            assert sum(odd for _, odd in odds) == 1
            kinds.add(state.stage)
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(kinds) == 4  # the table's, the roll to look, the auxiliary hand, the roll to cheat


def test_section_7_the_share_of_cheats_that_succeed_is_their_chance():
    tried = Counter()
    for seed in range(800):
        state, rng = begin("standard(cheats=true)", seed), Random(seed)
        while CHEAT not in state.legal_actions():
            state.apply_action(rng.choice(state.legal_actions()))
        state.apply_action(CHEAT)
        state.apply_action(state.legal_actions()[1])
        tried[
            state.stage == OVER and state.outcome().returns[0] < 0 and max(state.scores()) < 3
        ] += 1
    assert 0.54 < tried[False] / 800 < 0.66  # p0 = 60 %; three standard deviations are 5.2 %


def test_section_7_the_share_of_rolls_of_skill_that_win_is_exact():
    wins = sum(
        begin("standard(skill_roll=true,skill=80)", seed).returns()[0] > 0 for seed in range(2000)
    )
    assert 0.77 < wins / 2000 < 0.83  # 0.8 * 0.5 against 0.2 * 0.5


def test_a_copy_goes_its_own_way():
    state = begin(ALL, 7)
    twin = state.clone(SeatStreams(8))
    before = state.histories, state.legal_actions(), list(state.table.totals)
    played(ALL, 8, twin)
    assert (state.histories, state.legal_actions(), list(state.table.totals)) == before
    assert twin.is_terminal()


def test_actions_have_ids_and_texts_of_their_own_and_can_be_read_again():
    everything = [
        *(PAZAAK.notation.action_of(id) for id in range(40) if id < 45 and _is(id)),
        *PERSONS,
    ]
    assert len({each.id for each in everything}) == len(everything)
    assert len({each.text for each in everything}) == len(everything)
    for each in everything:
        assert GAME.notation.action(each.text) is each
        assert GAME.notation.action_of(each.id) is each
    with pytest.raises(ParseError, match="no action has id 99"):
        GAME.notation.action_of(99)
    with pytest.raises(ParseError, match="expected an event"):
        GAME.notation.events(b"\x7f")


def _is(id):
    try:
        return PAZAAK.notation.action_of(id) is not None
    except ParseError:
        return False


def test_what_the_person_does_with_hidden_cards_is_not_named_to_the_public():
    swap = SWAPS[card_named("+1"), card_named("D")]
    assert GAME.board.public_action(swap) == "swap a card"
    assert GAME.board.public_action(LOOK) == "auxiliary hand"
    assert GAME.board.public_action(PAZAAK.notation.action("stand")) == "stand"


def test_section_7_cheats_2_and_3_by_kind_of_card():
    named = {card.name: card for card in CATALOGUE}
    assert turned(named["+3"]) is named["-3"]
    assert turned(named["-6"]) is named["+6"]
    assert [card.name for card in changed(named["-2"])] == ["-1", "-3", "-4", "-5", "-6"]
    for name in ("±1/2", "2&4", "3&6", "D", "±1T"):
        assert turned(named[name]) is None
        assert changed(named[name]) == ()
    assert turned(named["±4"]) is None
    assert len(changed(named["±4"])) == 5


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("skill=101", "skill is a chance in per cent, 0 to 100"),
        ("rival_skill=-1", "rival_skill is a chance"),
        ("cheat_chance=200", "cheat_chance is a chance"),
        ("auxiliary=true,side_deck_size=5", "an auxiliary hand needs side decks of at least 8"),
    ],
)
def test_options_that_cannot_be_are_named(options, says):
    with pytest.raises(ParseError, match=says):
        GAME.ruleset(f"standard({options})")


def test_the_rival_is_seated_by_the_options_of_pazaak_alone():
    rules = GAME.ruleset("console(cheats=true,max_sets=9,skill=10)")
    assert plain(rules) == PAZAAK.ruleset("console(max_sets=9)")


def test_section_7_and_8_rivals_have_the_decks_of_their_levels():
    assert set(RIVALS) == {*LEVELS, *LADDER}
    assert [row.level for row in RIVALS.values()] == list(range(1, 9))
    signed = {row.name for row in rivals_of(GAME.ruleset("table"))}
    assert signed == {"novice", "very-easy", "easy", "average", "good"}
    assert len(rivals_of(GAME.ruleset("standard"))) == 8


def test_the_extras_are_off_by_default():
    for name in GAME.rulesets:
        state = begin(name, 1)
        assert state.stage not in (SKILL, OVER)
        assert not {DRAW, CHEAT} & set(state.legal_actions())
    assert CHEAT.kind == CHEAT_
    assert Rival.games == ()
