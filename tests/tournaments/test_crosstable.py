from __future__ import annotations

from random import Random

from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.scoring.crosstable import Meeting, meetings_by_round, points_by_pair
from arena_tournaments.scoring.scoring import MATCH, PAIRING, TABLE
from arena_tournaments.scoring.standings import standings

from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult, Tables
from tests.tournaments.plays import play, play_tables


def result(number, first, second, points, byes=()):
    pairing = Pairing((first, second))
    return RoundResult(Round(number, (pairing,), byes), (PairingResult(pairing, points),))


PLAYED = [result(1, 0, 1, (0.5, 1.5), (2,)), result(2, 1, 2, (2.0, 0.0), (0,))]


def test_a_matrix_of_match_points_in_the_order_of_the_standings():
    table = standings(list("abc"), PLAYED, MATCH)
    assert [line.name for line in table] == ["b", "a", "c"]
    assert points_by_pair(table, PLAYED) == ((None, 1.5, 2.0), (0.5, None, None), (0.0, None, None))


def test_encounters_of_several_cycles_add_up():
    played = play(RoundRobin(), 4, 6, Random(4), games=3)
    table = standings(list("abcd"), played, MATCH)
    matrix = points_by_pair(table, played)
    for row, line in enumerate(matrix):
        assert line[row] is None
        assert sum(points for points in line if points is not None) == table[row].match_points
        for column in set(range(4)) - {row}:
            assert line[column] + matrix[column][row] == 6.0


def test_rounds_name_opponents_by_their_line():
    table = standings(list("abc"), PLAYED, PAIRING)
    assert [line.name for line in table] == ["b", "a", "c"]
    assert meetings_by_round(table, PLAYED, PAIRING) == (
        (
            (Meeting(opponent=2, first=False, score=1.0, points=1.5),),
            (Meeting(opponent=3, first=True, score=1.0, points=2.0),),
        ),
        (
            (Meeting(opponent=1, first=True, score=0.0, points=0.5),),
            (Meeting(opponent=None, first=False, score=1.0, points=0.0),),
        ),
        (
            (Meeting(opponent=None, first=False, score=1.0, points=0.0),),
            (Meeting(opponent=1, first=False, score=0.0, points=0.0),),
        ),
    )


def test_a_round_that_leaves_an_entrant_out_is_no_meeting_of_it():
    played = [result(1, 0, 1, (0.5, 1.5)), result(2, 1, 2, (2.0, 0.0)), result(3, 2, 0, (2.0, 0.0))]
    table = standings(list("abc"), played, PAIRING)
    assert [line.name for line in table] == ["b", "c", "a"]
    rows = dict(zip("bca", meetings_by_round(table, played, PAIRING), strict=True))
    counts = {name: [len(each) for each in row] for name, row in rows.items()}
    assert counts == {"a": [1, 0, 1], "b": [1, 1, 0], "c": [0, 1, 1]}
    assert (rows["c"][1][0].score, rows["c"][2][0].score) == (0.0, 1.0)


def test_meetings_mirror_each_other():
    played = play(Swiss(), 9, 5, Random(2), games=2)
    table = standings([str(index) for index in range(9)], played, PAIRING)
    rows = meetings_by_round(table, played, PAIRING)
    for number, row in enumerate(rows, 1):
        assert sum(meeting.score for (meeting,) in row) == table[number - 1].score
        for round_index, (meeting,) in enumerate(row):
            if meeting.opponent is not None:
                (back,) = rows[meeting.opponent - 1][round_index]
                assert back.opponent == number
                assert back.first != meeting.first
                assert back.points + meeting.points == 2.0


def test_at_tables_each_match_counts_against_each_opponent():
    played = play_tables(TableRoundRobin(), 7, Tables(4, 2), None, Random(4), games=3)
    table = standings(list("abcdefg"), played, TABLE)
    matrix = points_by_pair(table, played)
    for row, line in enumerate(matrix):
        assert line[row] is None
        for column in set(range(7)) - {row}:
            # Any two meet in three rounds of three matches.
            assert line[column] + matrix[column][row] == 9.0
