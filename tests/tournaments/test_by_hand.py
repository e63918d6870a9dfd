"""Rounds that are partly paired by hand, forbidden pairs that come later, and lots."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.by_hand import paired_around, paired_by_hand
from arena_tournaments.play.rulings import drawn, under
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule, counted_result
from arena_tournaments.play.volume import Fixed
from arena_tournaments.scoring.scoring import PAIRING
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.errors import BadInput
from arena.core.tournaments.format import (
    PAIRS,
    Format,
    Lots,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Tables,
)
from arena.core.tournaments.rulings import Ruling, RulingKind
from arena.plugins.guards import Guard, guarded
from arena.plugins.registry import Registry
from tests.sizes import volume
from tests.tournaments.plays import SEVEN, field_of

KNOCKOUT, *_ = FORMATS


class InOrder(Format, kw_only=True):
    """An extension's format with a contract's minimum: neighbours in the initial order meet."""

    name: str = "in-order"
    rulings: frozenset[str] = frozenset(("pair", "lots"))

    def rounds(self, entrants, requested, tables=PAIRS):
        return requested or 3

    def next_round(self, field, played, rounds, tables=PAIRS):
        if len(played) >= rounds:
            return None
        here = [index for index, each in enumerate(field) if not each.absent]
        pairs = zip(here[::2], here[1::2], strict=False)
        return Round(len(played) + 1, tuple(map(Pairing, pairs)), tuple(here[len(here) & ~1 :]))

    def scoring(self):
        return PAIRING


FOREIGN = guarded(Guard("format in-order of dist 1", "remove dist"), InOrder())


def planned(format, size, rounds, *rulings, tables=PAIRS):
    return Plan(
        format=format,
        field=tuple(field_of(size)),
        rounds=rounds,
        schedule=Schedule(SEVEN, True, (Fixed(2),) * rounds),
        tables=tables,
        rulings=rulings,
    )


def by_hand(round, *entries):
    return Ruling(kind=RulingKind.PAIR, entry=0, round=round, entries=tuple(entries))


def played(made, rng):
    """A finished round with results from a generator."""
    matches = [
        [(each.seats, tuple([rng.choice([2.0, 1.0, 0.0]) for _ in each.seats]), 2)]
        for each in made.pairings
    ]
    return counted_result(made, matches)


def met(results):
    return {
        frozenset(pair)
        for past in results
        for pairing in past.round.pairings
        for pair in combinations(pairing.seats, 2)
    }


def pairs_without_repeats(rest, before):
    """Returns whether all can meet somebody whom they have not met."""
    if not rest:
        return True
    first, *others = rest
    return any(
        frozenset((first, other)) not in before
        and pairs_without_repeats([each for each in others if each != other], before)
        for other in others
    )


@pytest.mark.parametrize("format", [Swiss(), FOREIGN], ids=lambda each: each.name)
@settings(max_examples=volume(40), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(4, 11), data=st.data())
def test_any_pairings_by_hand_stand_and_everybody_else_plays_once(format, rng, size, data):
    rounds = format.rounds(size, 3)
    plan, results = planned(format, size, rounds), []
    for number in range(1, rounds + 1):
        order = data.draw(st.permutations(range(size)))
        pairs = [*zip(order[::2], order[1::2], strict=False)]
        fixed = pairs[: data.draw(st.integers(0, len(pairs)))]
        left = [index for index in order if all(index not in pair for pair in fixed)]
        resting = [(left[0],)] if left and data.draw(st.booleans()) else []
        ruling = by_hand(number, *fixed, *resting)
        plan = msgspec.structs.replace(plan, rulings=(*plan.rulings, ruling))
        made = plan.next_round(results)
        assert plan.next_round(results) == made
        seated = [index for pairing in made.pairings for index in pairing.seats]
        assert sorted([*seated, *made.byes]) == [*range(size)]
        assert [pairing.seats for pairing in made.pairings[: len(fixed)]] == fixed
        assert {index for (index,) in resting} <= {*made.byes}
        rest = [index for index in left if (index,) not in resting]
        assert len(made.byes) == len(resting) + len(rest) % 2
        before = met(results)
        if isinstance(format, Swiss) and not len(rest) % 2:
            theirs = [frozenset(each.seats) for each in made.pairings[len(fixed) :]]
            assert before.isdisjoint(theirs) or not pairs_without_repeats(rest, before)
        results.append(played(made, rng))
    # Rounds are paired the same with what is known in the end, as verification does.
    assert all(plan.next_round(results[:n]) == past.round for n, past in enumerate(results))


@settings(max_examples=volume(25), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(6, 12))
def test_tables_by_hand_leave_full_tables_for_the_others(rng, size):
    ruling = by_hand(1, tuple(rng.sample(range(size), 3)))
    plan = planned(TableSwiss(), size, 2, ruling, tables=Tables(4, 2))
    made = plan.next_round([])
    assert made.pairings[0].seats == ruling.entries[0]
    seated = sorted(index for pairing in made.pairings for index in pairing.seats)
    assert sorted([*seated, *made.byes]) == [*range(size)]
    again = plan.next_round([played(made, rng)])
    assert sorted(i for each in again.pairings for i in each.seats) == [*range(size)]


def test_the_last_decision_about_a_bot_stands():
    first, second = by_hand(2, (0, 1), (2, 3), (4,)), by_hand(2, (3, 5))
    assert paired_by_hand([first, second], 2, range(6)) == ((0, 1), (4,), (3, 5))
    assert paired_by_hand([first, second], 3, range(6)) == ()
    assert paired_by_hand([first, by_hand(2)], 2, range(6)) == ()
    assert paired_by_hand([first, by_hand(2), second], 2, range(6)) == ((3, 5),)


def test_a_pairing_whose_bot_is_absent_falls_away():
    leaves = Ruling(kind=RulingKind.WITHDRAW, entry=1, round=1)
    made = planned(Swiss(), 6, 3, by_hand(1, (0, 1), (2, 3)), leaves).next_round([])
    assert made.pairings[0].seats == (2, 3)
    assert 1 not in {seat for each in made.pairings for seat in each.seats}
    assert 0 in {seat for each in made.pairings for seat in each.seats} | {*made.byes}


def test_hands_pair_where_a_swiss_would_end():
    rulings = [Ruling(kind=RulingKind.WITHDRAW, entry=each, round=2) for each in (2, 3)]
    plan = planned(Swiss(), 4, 3, by_hand(1, (0, 1)), *rulings)
    past = played(plan.next_round([]), SimpleNamespace(choice=lambda points: points[0]))
    assert plan.next_round([past]) is None  # the two who are left have met
    plan = msgspec.structs.replace(plan, rulings=(*plan.rulings, by_hand(2, (1, 0))))
    assert [each.seats for each in plan.next_round([past]).pairings] == [(1, 0)]


def test_no_hand_pairs_a_round_past_the_end():
    plan = planned(Swiss(), 4, 1, by_hand(2, (0, 1)))
    past = played(plan.next_round([]), SimpleNamespace(choice=lambda points: points[0]))
    assert plan.next_round([past]) is None


def test_a_format_that_seats_those_paired_by_hand_is_named():
    field = tuple(field_of(4))
    with pytest.raises(BadInput, match="round-robin seats bot 1, which is paired by hand"):
        paired_around(RoundRobin(), field, [], 3, PAIRS, [(0, 1)])


@settings(max_examples=volume(25), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(6, 12))
def test_a_pair_that_is_forbidden_later_meets_no_more(rng, size):
    pair = tuple(rng.sample(range(size), 2))
    ruling = Ruling(kind=RulingKind.FORBID, entry=pair[0], round=2, entries=(pair,))
    results, free = [], planned(Swiss(), size, 4)
    plan = msgspec.structs.replace(free, rulings=(ruling,))
    for _ in range(3):
        results.append(played(plan.next_round(results), rng))
    assert results[0].round == free.next_round([])
    assert frozenset(pair) not in met(results[1:])
    assert under(Swiss(forbidden=("a | b",)), ["x", "y", *"1234567890"], [ruling]).forbidden[0]


def drawn_round(size):
    """A finished round in which everybody drew, or had a bye."""
    made = RoundRobin().next_round(field_of(size), [], 9)
    return RoundResult(made, tuple(PairingResult(each, (1.0, 1.0)) for each in made.pairings))


@settings(max_examples=volume(40), deadline=None)
@given(rng=st.randoms(use_true_random=False), size=st.integers(4, 10))
def test_lots_part_the_ties_of_which_all_were_drawn(rng, size):
    names, past = [each.name for each in field_of(size)], [drawn_round(size)]
    table = ranked(RoundRobin(), names, past)
    chosen = rng.sample(range(size), rng.randint(2, size))
    lots = Lots(2, drawn(SEVEN, chosen))
    parted = ranked(RoundRobin(lots=(lots,)), names, past)
    for rank in {line.rank for line in table}:
        tied = [line.index for line in table if line.rank == rank]
        now = [line for line in parted if line.index in tied]
        if {*tied} <= {*chosen}:
            assert [line.index for line in now] == [each for each in lots.order if each in tied]
            assert [line.rank for line in now] == [*range(rank, rank + len(tied))]
        else:
            assert [line.index for line in now] == tied
            assert {line.rank for line in now} == {rank}
    assert [line.rank for line in parted] == sorted(line.rank for line in parted)


def test_lots_and_forbidden_pairs_reach_the_format_of_an_extension():
    names, past = [each.name for each in field_of(5)], [drawn_round(5)]
    ruling = Ruling(kind=RulingKind.LOTS, entry=0, round=1, entries=((4, 3, 2, 1, 0),))
    tied = [line.rank for line in ranked(FOREIGN, names, past)]
    assert len({*tied}) < 5
    parted = ranked(under(FOREIGN, names, [ruling]), names, past)
    assert [line.rank for line in parted] == [1, 2, 3, 4, 5]
    swiss = guarded(Guard("format swiss of dist 1", "remove dist"), Swiss())
    pair = Ruling(kind=RulingKind.FORBID, entry=0, round=1, entries=((0, 2),))
    made = under(swiss, names[:4], [pair]).next_round(field_of(4), [], 3)
    assert swiss.next_round(field_of(4), [], 3).pairings[0].seats == (0, 2)
    assert all({*each.seats} != {0, 2} for each in made.pairings)


def test_lots_are_the_same_in_every_draw_and_others_with_another_key():
    assert sorted(drawn(SEVEN, range(50))) == [*range(50)]
    whole = drawn(SEVEN, range(50))
    assert drawn(SEVEN, range(0, 50, 3)) == tuple(each for each in whole if each % 3 == 0)
    other = SeedSource(SeedOrigin.GIVEN_KEY, key="1" * 32).keys()
    assert drawn(other, range(50)) != whole
    # Every order of a tie is as likely as another.
    firsts = [
        drawn(SeedSource(SeedOrigin.OPEN_SEED, seed=seed).keys(), range(3))[0]
        for seed in range(300)
    ]
    assert all(70 < firsts.count(each) < 130 for each in range(3))


def cut_by_lots(*lots):
    """Two of four level bots enter a final; returns the format, and the first stage's result."""
    format = Staged(stages=(Stage(Swiss(), 1), Stage(KNOCKOUT, take=2)), lots=lots)
    made = format.next_round(field_of(4), [], 2)
    return format, RoundResult(made, tuple(PairingResult(e, (1.0, 1.0)) for e in made.pairings))


def test_lots_decide_who_enters_the_next_stage():
    format, past = cut_by_lots()
    names = [each.name for each in field_of(4)]
    assert format.parts(names, [past])[0].level == (0, 1, 2, 3)
    assert format.parts(names, [past])[1].members == (0, 1)
    format, past = cut_by_lots(Lots(2, (3, 1, 0, 2)))
    first, final = format.parts(names, [past])
    assert (final.members, first.level) == ((3, 1), ())
    made = format.next_round(field_of(4), [past], 2)
    assert {seat for each in made.pairings for seat in each.seats} == {3, 1}
    assert [line.rank for line in first.table] == [1, 2, 3, 4]


def test_lots_drawn_later_do_not_change_who_entered_a_stage():
    format, past = cut_by_lots(Lots(3, (3, 1, 0, 2)))
    names = [each.name for each in field_of(4)]
    final = format.next_round(field_of(4), [past], 2)
    results = [past, RoundResult(final, (PairingResult(final.pairings[0], (2.0, 0.0)),))]
    assert format.parts(names, results)[1].members == (0, 1)
    # Of those who did not enter, the later lots tell the place.
    assert [line.index for line in ranked(format, names, results)][2:] == [3, 2]


def test_boards_by_hand_come_first_in_the_order_of_the_file():
    made = planned(Swiss(), 8, 3, by_hand(1, (6, 2), (1, 7))).next_round([])
    assert [each.seats for each in made.pairings[:2]] == [(6, 2), (1, 7)]
    rest = [each.seats for each in made.pairings[2:]]
    assert all(one != other for one, other in pairwise(rest))
    assert sorted(index for each in rest for index in each) == [0, 3, 4, 5]


def test_the_page_names_what_each_format_takes():
    page = Path(__file__).parents[2] / "docs" / "howto" / "decide-pairings.md"
    rows = [line.split("|")[1:-1] for line in page.read_text("utf-8").splitlines()]
    told = {
        name: {
            kind
            for kind, cell in zip(("pair", "forbid", "lots"), cells, strict=True)
            if cell.strip().startswith("yes")
        }
        for names, *cells in (row for row in rows if len(row) == 4 and "`" in row[0])
        for name in re.findall("`([a-z-]+)`", names)
    }
    found = [each for each in Registry().formats() if not each.for_people]
    assert told == {each.name: {"pair", "forbid", "lots"} & each.rulings for each in found}
