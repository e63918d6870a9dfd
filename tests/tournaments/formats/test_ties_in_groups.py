"""Ties inside a group at the cut to the next stage: each is decided by itself."""

from __future__ import annotations

import random

import pytest
from arena_tournaments.formats.elimination import FORMATS
from arena_tournaments.formats.groups import Groups
from arena_tournaments.formats.playoff import most_rounds
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.stages import Stage, Staged
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.scoring.sections import ranked_sections
from arena_tournaments.scoring.standings import ranked
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.tournaments.format import Lots, Section
from tests.sizes import volume
from tests.tournaments.formats.test_ties_at_a_cut import decided, names, play_all
from tests.tournaments.plays import field_of

KNOCKOUT, _, _ = FORMATS


def cut(choice, take, groups=2, then=KNOCKOUT, lots=(), requested=None):
    stages = Stage(Groups(groups=groups), 1), Stage(then, requested, take, choice)
    return Staged(stages=stages, lots=lots)


def ties_wanted(format, size, played, take):
    """Members of a group that share its rank there, with some of them on each side of the cut."""
    first = format.stages[0].format
    place = {line.index: n for n, line in enumerate(ranked(first, names(size), played))}
    found = []
    for section in ranked_sections(first, names(size), played):
        for rank in sorted({line.rank for line in section.lines}):
            level = {line.index for line in section.lines if line.rank == rank}
            places = sum(place[index] < take for index in level)
            if 0 < places < len(level):
                found.append((section.title, level, places))
    return found


def drawn_throughout(format, size, rounds=99):
    played = []
    while len(played) < rounds:
        made = format.next_round(field_of(size), played, 99)
        if made is None:
            break
        played.append(decided(made))
    return played


@settings(max_examples=volume(60), deadline=None)
@given(
    groups=st.integers(1, 3),
    size=st.integers(4, 12),
    choice=st.sampled_from(["order", "playoff", "share"]),
    then=st.sampled_from([KNOCKOUT, RoundRobin(), Swiss()]),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_ties_of_a_group_are_decided_for_the_places_that_they_hold(
    groups, size, choice, then, seed, data
):
    size = max(size, 2 * groups)
    take = data.draw(st.integers(2, size - 1))
    format = cut(choice, take, groups, then)
    played = play_all(format, size, random.Random(seed))
    before, after = format.parts(names(size), played)
    wanted = ties_wanted(format, size, before.played, take)
    ties = [tie for tie in before.ties if tie.section]
    assert [(tie.section, {*tie.level}, tie.places) for tie in ties] == wanted
    assert {tie.by for tie in ties} <= {choice}
    entered = {*after.members}
    for tie in ties:
        going = entered & {*tie.level}
        assert len(going) == (len(tie.level) if choice == "share" else tie.places)
        if choice == "order":
            assert going == {*tie.level[: tie.places]}
    if choice != "share":
        assert len(entered) == take
    if not before.ties:
        assert before.extra == ()
    assert len(before.extra) <= most_rounds(size)
    for number in range(len(played)):  # as after any stop
        again = format.next_round(field_of(size), played[:number], format.rounds(size, None))
        assert again == played[number].round
    if choice == "playoff":
        check_side_by_side(before, [tie for tie in ties if tie.rounds])
        check_sections(before, size)


def check_side_by_side(before, ties):
    """The ties of groups begin in one round; who plays is of a tie, and meets its members only."""
    for number, past in enumerate(before.extra[: max([tie.rounds for tie in ties], default=0)]):
        seated = [{*each.pairing.seats} for each in past.results]
        open = [tie for tie in ties if number < tie.rounds]
        assert all(any({*tie.level} >= pair for tie in open) for pair in seated)
        assert all(any({*tie.level} >= pair for pair in seated) for tie in open)


def check_sections(before, size):
    """The table of a group has the order of the stage; who enters stands above who does not."""
    order = [line.index for line in before.table]
    for section in before.sections(names(size)):
        own = [line.index for line in section.lines]
        assert own == sorted(own, key=order.index)
        ranks = {line.index: line.rank for line in section.lines}
        for tie in before.ties:
            if tie.section == section.title and tie.by == "playoff" and not tie.unresolved:
                first = [index for group in tie.order for index in group][: tie.places]
                others = {*tie.level} - {*first}
                assert max(ranks[i] for i in first) < min(ranks[i] for i in others)


def test_two_groups_play_off_in_the_same_rounds():
    format = cut("playoff", 4)
    played = drawn_throughout(format, 8, 3)
    made = format.next_round(field_of(8), played, 99)
    (part,) = format.parts(names(8), played)
    assert [(tie.section, tie.level, tie.places) for tie in part.ties] == [
        ("Group A", (0, 3, 4, 7), 2),
        ("Group B", (1, 2, 5, 6), 2),
    ]
    assert [{*each.seats} <= {0, 3, 4, 7} for each in made.pairings] == [True, True, False, False]


def test_a_tie_that_is_over_waits_for_the_others():
    """In A the first two win all; in B all is drawn, and played again."""
    format = cut("playoff", 4)
    played = drawn_throughout(format, 8, 3)
    wins = [{7, 4}, {7, 4}, {7}]
    for winners in wins:
        played.append(decided(format.next_round(field_of(8), played, 99), winners))
    made = format.next_round(field_of(8), played, 99)
    assert {seat for each in made.pairings for seat in each.seats} == {1, 2, 5, 6}
    assert made.byes == ()
    while (made := format.next_round(field_of(8), played, 99)) is not None:
        played.append(decided(made))
    before, after = format.parts(names(8), played)
    assert [tie.rounds for tie in before.ties] == [3, 9]
    assert {*after.members} == {7, 4, 1, 2}
    assert before.unresolved == (1, 2, 5, 6)


def test_seconds_play_off_when_the_places_in_their_groups_are_clear():
    """All is drawn in the groups. Three enter: the winners, and one of the seconds."""
    format = cut("playoff", 3)
    played = drawn_throughout(format, 6, 3)
    (part,) = format.parts(names(6), played)
    assert [(tie.section, tie.level, tie.places) for tie in part.ties] == [
        ("Group A", (0, 3, 4), 1),
        ("Group B", (1, 2, 5), 2),
    ]
    for winners in ({4, 5}, {4, 5}, {4, 5}, {2}, {0}):
        played.append(decided(format.next_round(field_of(6), played, 99), winners))
    assert played[6].round.pairings[0].seats == (2, 1)  # B plays again, the seats reversed
    assert {*played[7].round.pairings[0].seats} == {0, 2}  # the seconds of A and B
    before, after = format.parts(names(6), played)
    assert [(tie.section, {*tie.level}, tie.places) for tie in before.ties[2:]] == [("", {0, 2}, 1)]
    assert {*after.members} == {4, 5, 0}


def test_lots_decide_places_in_a_group_before_a_play_off_is_needed():
    lots = Lots(4, (7, 6, 5, 4, 3, 2, 1, 0))
    for choice in ("order", "playoff", "share"):
        format = cut(choice, 4, lots=(lots,))
        played = drawn_throughout(format, 8, 3)
        before, after = format.parts(names(8), played)
        assert (before.ties, before.extra) == ((), ())
        assert {*after.members} == {7, 4, 6, 5}
        tables = [[line.index for line in each.lines] for each in before.sections(names(8))]
        assert tables == [[7, 4, 3, 0], [6, 5, 2, 1]]
    format = Groups(groups=2, lots=(lots,))
    order = [line.index for line in ranked(format, names(8), played)]
    assert order[:2] in ([7, 6], [6, 7])


def test_lots_of_some_of_a_tie_decide_nothing():
    format = cut("playoff", 4, lots=(Lots(4, (7, 4)),))
    played = drawn_throughout(format, 8, 3)
    (part,) = format.parts(names(8), played)
    assert [tie.level for tie in part.ties] == [(0, 3, 4, 7), (1, 2, 5, 6)]


def test_all_of_the_ties_of_two_groups_share_the_places():
    format = cut("share", 4)
    played = drawn_throughout(format, 8, 3)
    before, after = format.parts(names(8), played)
    assert {*after.members} == {*range(8)}
    assert (before.takes, [tie.by for tie in before.ties]) == (8, ["share", "share"])
    format = cut("share", 4, requested=2)  # a knockout of two rounds seats four
    before, after = format.parts(names(8), played)
    assert {tie.by for tie in before.ties} == {"order"}
    assert len(after.members) == 4


@pytest.mark.parametrize("choice", ["order", "playoff", "share"])
def test_a_section_whose_members_met_others_decides_nothing(choice):
    """The standings part those who are level in a section of a Swiss."""

    class Halves(Swiss, kw_only=True):
        def sections(self, names, played):
            half = len(names) // 2
            parts = range(half), range(half, len(names))
            return [Section(title=f"{n}", members=tuple(each)) for n, each in enumerate(parts)]

    format = Staged(stages=(Stage(Halves(), 1), Stage(KNOCKOUT, None, 2, choice)))
    made = format.next_round(field_of(4), [], 9)
    played = [decided(made, {made.pairings[0].seats[0], made.pairings[1].seats[0]})]
    before = format.parts(names(4), played)[0]
    assert before.ties == ()
