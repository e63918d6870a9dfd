"""Kept rows of large leaderboards: the same as computed ones, and computed again when need be."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from arena_results import leaderboard as module
from arena_results.leaderboard import leaderboard
from arena_results.ratings.systems import Elo
from sqlalchemy import event

ELO = Elo()


@pytest.fixture
def statements(database):
    """The statements that are executed on the database from now on."""
    seen: list[str] = []
    event.listen(
        database._engine,
        "before_cursor_execute",
        lambda *call: seen.append(" ".join(call[2].split())),
    )
    return seen


def reads_matches(statements):
    return any('"match".seats' in each for each in statements)


@pytest.fixture
def sent(played):
    return [played((1, 1, leg), (0, 1) if leg % 2 else (1, 0), leg % 3 - 1) for leg in range(1, 9)]


def test_rows_are_kept_until_a_match_is_added(
    database, run, new, sent, played, statements, monkeypatch
):
    run(new(), sent)
    computed = leaderboard(database, system=ELO)
    monkeypatch.setattr(module, "LARGE", 8)
    assert leaderboard(database, system=ELO) == computed
    assert reads_matches(statements)
    statements.clear()
    assert leaderboard(database, system=ELO) == computed
    assert not reads_matches(statements)
    run(new(), [played((1, 1, 1), (0, 1), 1)])
    statements.clear()
    more = leaderboard(database, system=ELO)
    assert reads_matches(statements)
    assert [row.games for row in more] == [row.games + 1 for row in computed]
    monkeypatch.setattr(module, "LARGE", 99)
    assert leaderboard(database, system=ELO) == more


def test_ratings_of_two_seats_read_no_match_and_need_not_be_kept(
    database, run, new, sent, statements, monkeypatch
):
    run(new(), sent)
    run(new(mirrored=False), sent)
    monkeypatch.setattr(module, "LARGE", 8)
    statements.clear()
    assert [row.games for row in leaderboard(database)] == [16, 16]
    assert not reads_matches(statements)
    assert not [each for each in statements if "board" in each]


def test_a_board_of_tables_is_kept_with_its_chances(database, run, new, played, monkeypatch):
    legs = [
        played((1, 1, leg), (leg % 3, (leg + 1) % 3, (leg + 2) % 3), places=(1, 2, 3))
        for leg in range(1, 61)
    ]
    run(new(), legs)
    computed = leaderboard(database)
    monkeypatch.setattr(module, "LARGE", 8)
    assert leaderboard(database) == computed
    assert leaderboard(database) == computed
    assert all(row.better == 0.5 for row in computed[:2])


@pytest.mark.parametrize("column", ["rows", "fits"])
def test_edited_rows_are_computed_again(database, run, new, sent, monkeypatch, column):
    run(new(), sent)
    monkeypatch.setattr(module, "LARGE", 8)
    computed = leaderboard(database, system=ELO)
    with closing(sqlite3.connect(database.path)) as file, file:
        assert file.execute(f"UPDATE board SET {column} = x'90'").rowcount == 1
    assert leaderboard(database, system=ELO) == computed
    with closing(sqlite3.connect(database.path)) as file:
        assert file.execute(f"SELECT {column} FROM board").fetchone() != (b"\x90",)
