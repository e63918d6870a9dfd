"""Kept rows of large leaderboards: the same as computed ones, and computed again when need be."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.boards import leaderboard as module
from arena_results.boards.board_rows import LeaderboardRow
from arena_results.boards.boards import basis, keep_rows
from arena_results.boards.kept_boards import altered_board
from arena_results.boards.leaderboard import leaderboard
from arena_results.ratings.systems.systems import Elo, own_systems
from arena_results.schema.tables import METADATA
from arena_results.store.queries import tournament, tournaments
from sqlalchemy import event, select

from tests.results.database_files import edit

ELO = Elo()


@pytest.fixture
def statements(database):
    """The statements that are executed on the database from now on."""
    seen: list[str] = []
    event.listen(
        database._engine,
        "before_cursor_execute",
        lambda *call: seen.append(" ".join(call[2].replace('"', "").split())),
    )
    return seen


def reads_matches(statements):
    return any("match.seats" in each for each in statements)


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
    edit(database, f"UPDATE board SET {column} = :other", {"other": b"\x90"})
    assert leaderboard(database, system=ELO) == computed
    assert kept_value(database, column) != b"\x90"


def kept_value(database, column):
    with database.reading() as connection:
        return connection.execute(select(METADATA.tables["board"].c[column])).scalar_one()


def other_values(value):
    """Yields values of the same kind that are not a value."""
    if isinstance(value, bool | str) or value is None:
        yield 7 if value is None else f"{value}x"
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, list):
        yield [*value, *(value[-1:] or [0])]


@pytest.fixture
def kept(database, run, new, sent, monkeypatch):
    """A database that keeps a leaderboard, and what it kept."""
    run(new(), sent)
    monkeypatch.setattr(module, "LARGE", 8)
    leaderboard(database, system=ELO)
    return msgspec.msgpack.decode(kept_value(database, "rows"))


def forge(database, board):
    """Keeps another leaderboard with the digest that fits it."""
    about = [tournament(database, each.id) for each in tournaments(database)]
    first = about[0].summary
    rows = msgspec.msgpack.encode(board)
    keep_rows(database, first.game, first.ruleset, basis(about, ELO), rows)
    return altered_board(database, first.game, first.ruleset, own_systems())


def test_a_leaderboard_that_is_kept_is_that_of_its_matches(database, kept):
    assert forge(database, kept) == ""


@pytest.mark.on_files
@pytest.mark.parametrize("column", [c for c in LeaderboardRow.__struct_fields__ if c != "history"])
def test_a_forged_column_of_a_kept_leaderboard_is_named(database, kept, column):
    kept["rows"][0][column] = (
        {**kept["rows"][0][column], "name": "me"}
        if column == "participant"
        else next(other_values(kept["rows"][0][column]))
    )
    found = forge(database, kept)
    assert found.startswith(("me@" if column == "participant" else f"{column} of ", "its rows"))


@pytest.mark.parametrize("key", ["game", "ruleset", "unit", "covariance", "notes"])
def test_another_forged_part_of_a_kept_leaderboard_is_named(database, kept, key):
    kept[key] = [[1.0]] if key == "covariance" else ["best"] if key == "notes" else "x"
    assert forge(database, kept) == f"its {key} is not that of its matches"


def test_a_row_that_is_left_out_or_added_is_named(database, kept):
    first, last = kept["rows"]
    assert forge(database, kept | {"rows": [first]}).endswith("is missing")
    assert forge(database, kept | {"rows": [first, last, last]}).endswith("has no match")
    assert "is in the place of" in forge(database, kept | {"rows": [last, first]})


def test_bytes_that_are_no_leaderboard_are_named_and_not_shown(database, kept):
    shown = leaderboard(database, system=ELO)
    assert forge(database, [7]) == "its rows are not a leaderboard"
    assert leaderboard(database, system=ELO) == shown
