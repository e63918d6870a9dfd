"""Points and tie-breaks of an organiser's own, and the reasons of ranks, for random results."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from arena_tournaments.formats.elimination import DoubleElimination, Knockout
from arena_tournaments.formats.gauntlet import Gauntlet
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.scoring.explaining import separations
from arena_tournaments.scoring.scoring import EACH_PAIRING, history, summary_of
from arena_tournaments.scoring.standings import check_own, ranked, standings
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.core.errors import BadKey
from arena.core.tournaments.format import Absence, Tables
from arena.core.tournaments.scored import Scored
from arena.service.report.filed import tournament_reports
from tests.sizes import volume
from tests.tournaments.plays import SEVEN, field_of, jobs_of_round, round_result

SCORED = (RoundRobin(), RoundRobin(score=EACH_PAIRING), Swiss(), Gauntlet(champions=2))
AT_TABLES = (TableRoundRobin(), TableSwiss())
BRACKETS = (Knockout(third_place=True), DoubleElimination())
OF_ALL = ("DE", "BH-C1", "BH", "SB", "KS", "WIN", "WON", "PS", "AOB", "FB", "STD", "BH/P", "REP")
POINTS = st.sampled_from([(3.0, 1.0, 0.0), (2.0, 1.0, 0.0), (3.0, 2.0, 1.0), (1.0, 0.4, 0.1)])
LISTS = st.lists(st.sampled_from(OF_ALL), min_size=1, max_size=4, unique=True).map(tuple)
RANDOMS = st.randoms(use_true_random=False)


def tables_of(format):
    return Tables() if 2 in format.seats else Tables(3, 2)


def play(format, size, rng, games=2, *, forfeits=False):
    """A whole tournament with drawn matches: its rounds, and the values of every match."""
    played, matches, tables = [], [], tables_of(format)
    rounds = format.rounds(size, None, tables)
    while (made := format.next_round(field_of(size), played, rounds, tables)) is not None:
        jobs = jobs_of_round(made, SEVEN, games)
        if forfeits and rng.random() < 0.5:
            made = replace(made, absent=(Absence(rng.randrange(size)),))
        away = made.away
        values = {}
        for job in jobs:
            if not (away & {*job.seats} and rng.random() < 0.7):
                values[job.key] = tuple(float(rng.randrange(2)) for _ in job.seats)
        played.append(round_result(made, jobs, values))
        matches += [(job.seats, values.get(job.key), away) for job in jobs]
    return played, matches


def names_of(size):
    return [each.name for each in field_of(size)]


@settings(max_examples=volume(40))
@given(st.sampled_from((*SCORED, *AT_TABLES)), st.integers(4, 9), RANDOMS)
def test_the_usual_points_give_the_standings_of_today(format, size, rng):
    played, _ = play(format, size, rng, forfeits=2 in format.seats)
    named = replace(format, tiebreaks=format.score.tie_breaks)
    assert named.scoring() is not format.score
    names = names_of(size)
    assert standings(names, played, named.scoring()) == standings(names, played, format.score)
    doubled = ranked(replace(format, points=(2.0, 1.0, 0.0)), names, played)
    usual = ranked(format, names, played)
    assert [(line.rank, line.index) for line in doubled] == [
        (line.rank, line.index) for line in usual
    ]
    assert [line.score for line in doubled] == pytest.approx([2 * line.score for line in usual])


@settings(max_examples=volume(60))
@given(
    st.sampled_from((*SCORED, *AT_TABLES)),
    st.integers(4, 9),
    POINTS,
    st.sampled_from([2, 3, 10]),
    LISTS,
    RANDOMS,
)
def test_a_factor_of_all_points_leaves_the_order(format, size, points, factor, tiebreaks, rng):
    played, _ = play(format, size, rng, forfeits=2 in format.seats)
    own = replace(format, points=points, tiebreaks=tiebreaks)
    more = replace(own, points=tuple(round(each * factor, 1) for each in points))
    one, other = (ranked(each, names_of(size), played) for each in (own, more))
    assert [(line.rank, line.index) for line in one] == [(line.rank, line.index) for line in other]
    assert [factor * line.score for line in one] == pytest.approx([line.score for line in other])


@settings(max_examples=volume(60))
@given(st.integers(2, 8), POINTS, st.sampled_from([0.0, 0.5]), RANDOMS)
def test_every_match_of_a_round_robin_scores_as_the_organiser_says(size, points, forfeit, rng):
    format = RoundRobin(points=points, forfeit_points=forfeit)
    played, matches = play(format, size, rng, games=3, forfeits=True)
    win, draw, loss = points
    expected = Counter()
    for seats, values, away in matches:
        for one, other in permutations(range(2)):
            if values is not None:
                mine, theirs = values[one], values[other]
                score = win if mine > theirs else draw if mine == theirs else loss
            else:
                score = forfeit if seats[one] in away else win
            expected[seats[one]] += score
    found = {line.index: line.score for line in ranked(format, names_of(size), played)}
    assert found == pytest.approx({index: expected[index] for index in range(size)})


@settings(max_examples=volume(40))
@given(st.integers(4, 8), POINTS, RANDOMS)
def test_at_tables_every_opponent_counts_the_same(size, points, rng):
    format = TableRoundRobin(points=points)
    played, matches = play(format, size, rng)
    expected = Counter()
    for seats, values, _ in matches:
        for one, other in permutations(range(len(seats)), 2):
            mine, theirs = values[one], values[other]
            score = points[0 if mine > theirs else 1 if mine == theirs else 2]
            expected[seats[one]] += score / (len(seats) - 1)
    found = {line.index: line.score for line in ranked(format, names_of(size), played)}
    assert found == pytest.approx({index: expected[index] for index in range(size)})


@settings(max_examples=volume(40))
@given(st.integers(4, 9), POINTS, st.sampled_from([None, 0.0, 0.5]), RANDOMS)
def test_a_pairing_of_a_swiss_scores_as_a_whole(size, points, bye, rng):
    format = Swiss(points=points, bye_points=bye, forfeit_points=0.2)
    played, _ = play(format, size, rng, forfeits=True)
    win, draw, loss = points
    expected = Counter()
    for past in played:
        for index in past.round.byes:
            expected[index] += win if bye is None else bye
        for result in past.results:
            for seat, index in enumerate(result.pairing.seats):
                mine, theirs = result.points[seat], result.points[1 - seat]
                unplayed = sum(result.points) == result.awarded
                if index in result.forfeited:
                    expected[index] += 0.2 if unplayed else loss
                elif result.forfeited:
                    expected[index] += win
                else:
                    expected[index] += win if mine > theirs else draw if mine == theirs else loss
    found = {line.index: line.score for line in ranked(format, names_of(size), played)}
    assert found == pytest.approx({index: expected[index] for index in range(size)})


@settings(max_examples=volume(80))
@given(
    st.sampled_from((*SCORED, *AT_TABLES, *BRACKETS)),
    st.integers(4, 9),
    POINTS,
    LISTS,
    st.sets(st.integers(0, 3), max_size=2),
    RANDOMS,
)
def test_the_steps_of_an_explanation_give_the_rank(format, size, points, tiebreaks, last, rng):
    if isinstance(format, Scored):
        format = replace(format, points=points, tiebreaks=tiebreaks)
    played, _ = play(format, size, rng, forfeits=2 in format.seats)
    table = ranked(format, names_of(size), played, last=last)
    rank = {line.index: line.rank for line in table}
    for index in range(size):
        steps = separations(format, size, played, index, last)
        assert rank[index] == 1 + sum(len(step.ahead) for step in steps)
        assert {*steps[-1].level} == {each for each in rank if rank[each] == rank[index]}
        assert all(rank[each] < rank[index] for step in steps for each in step.ahead)
        assert all(rank[each] > rank[index] for step in steps for each in step.behind)
        for step in steps:
            assert {*step.ahead, *step.level, *step.behind} == {*step.values}
            assert len({step.values[each] for each in step.level}) == 1


@settings(max_examples=volume(40), deadline=None)
@given(st.integers(3, 9), POINTS, st.sampled_from([None, 0.5]), LISTS, RANDOMS)
def test_a_report_file_of_an_event_has_its_points_and_tie_breaks(size, points, bye, names, rng):
    format = Swiss(points=points, bye_points=bye, forfeit_points=0.3, tiebreaks=names)
    played, _ = play(format, size, rng, games=1, forfeits=True)  # a game is played or forfeited
    scoring = format.scoring()
    text = write_trf(report_of_swiss(names_of(size), played, len(played), scoring=scoring))
    report = read_trf(text.encode())
    assert report.tie_breaks == names
    found = tournament_reports.standings(report, None, 2026)
    table = ranked(format, names_of(size), played)
    assert [(line.rank, line.number - 1) for line in found] == [
        (line.rank, line.index) for line in table
    ]
    assert [line.points for line in found] == [line.score for line in table]
    assert [line.tiebreaks for line in found] == [line.tie_breaks for line in table]


def test_a_swiss_pairs_by_its_own_points():
    seen = []
    for points in ((1.0, 0.5, 0.0), (3.0, 1.0, 0.0)):
        format, played = Swiss(points=points), []
        for _ in range(4):
            made = format.next_round(field_of(8), played, 5)
            # The first board is always drawn: who drew twice is level with one win, or below it.
            values = [(0.0, 0.0) if not board else (1.0, 0.0) for board in range(4)]
            jobs = jobs_of_round(made, SEVEN, 1)
            found = {job.key: values[job.key.pairing - 1] for job in jobs}
            played.append(round_result(made, jobs, found))
        seen.append([past.round.pairings for past in played])
    assert seen[0] != seen[1]


def test_rounds_are_won_by_more_matches_whatever_these_score():
    format = RoundRobin(points=(3.0, 1.0, 0.0), tiebreaks=("WIN", "STD"))
    made = format.next_round(field_of(2), [], 1)
    jobs = jobs_of_round(made, SEVEN, 5)
    first = made.pairings[0].seats[0]
    won = {job.key: tuple(float(seat == first) for seat in job.seats) for job in jobs[:2]}
    lost = {job.key: tuple(float(seat != first) for seat in job.seats) for job in jobs[2:]}
    table = ranked(format, names_of(2), [round_result(made, jobs, won | lost)])
    assert [line.score for line in table] == [9.0, 6.0]
    assert [line.tie_breaks for line in table] == [{"WIN": 1, "STD": 1.0}, {"WIN": 0, "STD": 0.0}]
    turn = history(2, [round_result(made, jobs, won | lost)], format.scoring()).turns[first][0]
    assert (turn.score, turn.standard) == (6.0, 0.0)  # above 4.5 of 15, and still lost


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (RoundRobin(points=(3, 1, 0)), "every match scores 3, 1 or 0, a bye nothing"),
        (
            Swiss(points=(3, 1, 0), bye_points=1.5, forfeit_points=0.5),
            "a pairing scores 3, 1 or 0 by the majority of its match points, a bye 1.5, "
            "a forfeit 1/2",
        ),
        (
            TableSwiss(points=(3, 1, 0)),
            "every match scores the share of its opponents beaten, a bye 1 a match; "
            "a win counts 3, a draw 1, a loss 0",
        ),
    ],
)
def test_the_points_are_described(format, text):
    assert summary_of(format.scoring()) == text


@pytest.mark.parametrize(
    ("format", "options", "problem"),
    [
        (RoundRobin, {"points": (1, 2, 0)}, "points: expected a win above a draw above a loss"),
        (RoundRobin, {"points": (1, 1, 0)}, "points: expected a win above a draw above a loss"),
        (Swiss, {"points": (3, 1.25, 0)}, "points: expected tenths of a point, not 1.25"),
        (Swiss, {"bye_points": 0.33}, "bye_points: expected tenths of a point, not 0.33"),
        (Gauntlet, {"bye_points": 1}, "bye_points: a bye of gauntlet is no round; leave it out"),
        (TableSwiss, {"forfeit_points": 1}, "forfeit_points: only pairings of two are forfeited"),
    ],
)
def test_points_that_make_no_sense_are_refused(format, options, problem):
    with pytest.raises(BadKey, match=problem):
        format(**options)


@pytest.mark.parametrize(
    ("format", "tiebreaks", "problem"),
    [
        (RoundRobin(), "MPTS", "MPTS has no meaning here: the score counts match points"),
        (Swiss(), "TOP", "TOP has no meaning here: it counts matches at tables of more than two"),
        (Swiss(), "AMT", "AMT has no meaning here: it needs scoring by amount"),
        (Swiss(), "PTS", "PTS has no meaning here: points rank first anyway"),
        (TableSwiss(), "BWG", "BWG has no meaning here: it counts the second seat of two"),
        (Swiss(), "TPR", "unknown tie-break 'TPR'; bots bring no ratings; choices: AOB, BH, BPG"),
        (Swiss(), "BH/L60", "tie-break 'BH/L60': BH takes BH/C1, BH/M1, BH/P"),
    ],
)
def test_tie_breaks_without_a_meaning_are_refused_with_the_choices(format, tiebreaks, problem):
    own = replace(format, tiebreaks=("DE", tiebreaks))
    with pytest.raises(BadKey) as raised:
        check_own(own.scoring(), own.seats[0])
    assert str(raised.value).startswith(f"tiebreaks: {problem}")
    assert "choices: " in str(raised.value) or "takes" in str(raised.value)


def test_match_points_break_ties_where_matches_score_other_points():
    own = RoundRobin(points=(3, 1, 0), tiebreaks=("MPTS",))
    check_own(own.scoring(), 2)
    with pytest.raises(BadKey, match="tiebreaks: DE is there twice"):
        check_own(replace(own, tiebreaks=("DE", "DE")).scoring(), 2)
    with pytest.raises(BadKey, match="tiebreaks: bh:c1 is there twice"):
        check_own(replace(Swiss(), tiebreaks=("BH-C1", "BH", "bh:c1")).scoring(), 2)
