"""Results that were edited by other programs: every command that reads them reports it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import Status
from arena_results.store.store import Store

from arena.core.errors import AlteredResults, BadStore
from arena.core.record import MatchKey
from arena.core.tournaments.format import Pairing, Round
from tests.cli.stored_cups import play, store

WHOLE = (("tournament", "show", "1"), ("tournament", "resume", "1"), ("replay", "1", "--verify"))
MATCH = ("replay", "1.1.1.1")
LIST = ("tournament", "list")
BOARD = ("leaderboard",)
BOT = ("bots", "show", "random")
EVERY = (*WHOLE, MATCH, LIST, BOARD, BOT)
RATED = (("replay", "1", "--verify"), ("leaderboard", "--rating", "elo"))
"""Commands that read the matches themselves; reports and the leaderboard go by their sums."""
HEAD = (*WHOLE, MATCH, BOARD, BOT)
FIRST = "round = 1 AND pairing = 1 AND leg = 1"
ITS_ROW = "does not match its checksum"

EDITS = {
    "returns": (
        [f"UPDATE match SET returns = x'92ff01' WHERE {FIRST}"],
        (*RATED, MATCH),
        f"tournament 1, match 1.1.1: its row {ITS_ROW}",
    ),
    "seats": (
        [f"UPDATE match SET seats = x'920100' WHERE {FIRST}"],
        (*RATED, MATCH),
        f"tournament 1, match 1.1.1: its row {ITS_ROW}",
    ),
    "termination": (
        ["UPDATE match SET termination = 'timeout' WHERE pairing = 2 AND leg = 1"],
        RATED,
        f"tournament 1, match 1.2.1: its row {ITS_ROW}",
    ),
    "record": (
        [f"UPDATE match SET record = x'90' WHERE {FIRST}"],
        (*RATED, MATCH),
        f"tournament 1, match 1.1.1: its row {ITS_ROW}",
    ),
    "swapped matches": (
        [
            "UPDATE match SET leg = 999 WHERE pairing = 1 AND leg = 1",
            "UPDATE match SET leg = 1 WHERE pairing = 1 AND leg = 2",
            "UPDATE match SET leg = 2 WHERE leg = 999",
        ],
        (*RATED, MATCH),
        f"tournament 1, match 1.1.1: its row {ITS_ROW}",
    ),
    "deleted match": (
        [f"DELETE FROM match WHERE {FIRST}"],
        EVERY,
        "tournament 1: it has 7 match rows, but 8 were written",
    ),
    "inserted match": (
        [
            "CREATE TEMP TABLE copied AS SELECT * FROM match",
            "UPDATE copied SET leg = 3",
            f"INSERT INTO match SELECT * FROM copied WHERE {FIRST.replace('leg = 1', 'leg = 3')} "
            "LIMIT 1",
        ],
        EVERY,
        "tournament 1: it has 9 match rows, but 8 were written",
    ),
    "match instead of another": (
        ["UPDATE match SET leg = 3 WHERE pairing = 1 AND leg = 2"],
        RATED,
        f"tournament 1, match 1.1.3: its row {ITS_ROW}",
    ),
    "isolation": (
        [f"UPDATE match SET isolation = 'boxed' WHERE {FIRST}"],
        (*RATED, MATCH),
        f"tournament 1, match 1.1.1: its row {ITS_ROW}",
    ),
    "sums": (
        ["UPDATE tally SET sums = x'93909090' WHERE pairing = 1"],
        WHOLE[:2],
        f"tournament 1, pairing 1.1: its tally {ITS_ROW}",
    ),
    "deleted sums": (
        ["DELETE FROM tally WHERE pairing = 1"],
        WHOLE[:2],
        "tournament 1: its sums are of 6 matches, but 8 were written",
    ),
    "deleted round": (
        ["DELETE FROM round"],
        EVERY,
        "tournament 1: it has 0 round rows, but 1 were written",
    ),
    "pairings": (
        ["UPDATE round SET pairings = '[[1,0],[0,2],[3,0],[4,1]]'"],
        HEAD,
        f"tournament 1, round 1: its row {ITS_ROW}",
    ),
    "rating": (
        ['UPDATE entry SET rating = 1600.0 WHERE "index" = 1'],
        HEAD,
        f"tournament 1, entry 1 (random): its row {ITS_ROW}",
    ),
    "swapped entries": (
        [
            'UPDATE entry SET "index" = 999 WHERE "index" = 1',
            'UPDATE entry SET "index" = 1 WHERE "index" = 2',
            'UPDATE entry SET "index" = 2 WHERE "index" = 999',
        ],
        HEAD,
        f"tournament 1, entry 1 (sore): its row {ITS_ROW}",
    ),
    "deleted entry": (
        ['DELETE FROM entry WHERE "index" = 4'],
        EVERY,
        "tournament 1: it has 4 entry rows, but 5 were written",
    ),
    "somebody else's name": (
        ["UPDATE participant SET name = 'hero' WHERE name = 'random'"],
        HEAD,
        f"tournament 1, entry 1 (hero): its row {ITS_ROW}",
    ),
    "status": (
        ["UPDATE tournament SET status = 'running'"],
        EVERY,
        f"tournament 1: its row {ITS_ROW}",
    ),
    "seed": (["UPDATE tournament SET seed = 8"], EVERY, f"tournament 1: its row {ITS_ROW}"),
    "count": (
        [f"DELETE FROM match WHERE {FIRST}", "UPDATE tournament SET match_count = match_count - 1"],
        EVERY,
        f"tournament 1: its row {ITS_ROW}",
    ),
}


def edit(url: str, *statements: str) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()


@pytest.mark.parametrize("kind", EDITS)
def test_commands_that_read_an_edited_tournament_name_the_difference(arena, own, kind):
    statements, commands, message = EDITS[kind]
    edit(own, *statements)
    for words in commands:
        answer = arena(*words, "--db", own)
        assert answer.code == 1, words
        assert answer.out == "", words
        file = own.removeprefix("sqlite:///")
        assert answer.err == f"arena: {message} (in {file})\n", words


def test_a_missing_row_of_a_tournament_is_reported(arena, own):
    store(own)
    edit(own, "DELETE FROM tournament WHERE id = 1")
    for words in EVERY:
        answer = arena(*words, "--db", own)
        assert answer.code == 1, words
        assert answer.err.startswith("arena: tournament 1: its row is missing (in "), words


@pytest.mark.parametrize("last", [1, 2])
def test_a_missing_row_of_the_newest_tournament_is_reported(arena, own, last):
    """Its number would be given once more, to a tournament that then has its rows."""
    if last == 2:
        store(own)
    edit(own, f"DELETE FROM tournament WHERE id = {last}")
    message = (
        f"arena: tournament {last}: its row is missing (in {own.removeprefix('sqlite:///')})\n"
    )
    for words in (
        *(LIST, BOARD, BOT),
        *(("tournament", verb, str(last)) for verb in ("show", "resume")),
        ("replay", f"{last}.1.1.1"),
        ("tournament", "run", "--bot", "stand(at=17)", "--bot", "random", "--games", "2"),
    ):
        answer = arena(*words, "--db", own)
        assert (answer.code, answer.out) == (1, ""), words
        assert answer.err.splitlines(keepends=True)[-1] == message, words
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file:
        assert file.execute("SELECT count(*) FROM tournament").fetchone() == (last - 1,)


def test_a_row_that_the_file_does_not_take_is_one_line(own):
    edit(own, "CREATE UNIQUE INDEX only_one ON tournament (name)")
    with pytest.raises(
        BadStore, match=r"own\.db failed: UNIQUE constraint failed: tournament\.name"
    ):
        store(own)


def test_added_rows_do_not_hide_an_edited_one(own):
    edit(own, "UPDATE tournament SET stake = 99")
    with open_database(own) as database:
        writer = Store(database)
        for work in (
            lambda: writer.set_status(1, Status.FINISHED),
            lambda: writer.save_round(1, Round(2, ())),
        ):
            with pytest.raises(AlteredResults, match=r"^tournament 1: its row does not match"):
                trio.run(work)
    assert stored_values(own, "status") == ("finished",)


def test_a_change_of_the_program_itself_keeps_the_checksums_right(arena, own):
    with open_database(own) as database:
        writer = Store(database)
        trio.run(writer.save_round, 1, Round(2, (Pairing((0, 1)),)))
        trio.run(writer.set_status, 1, Status.INTERRUPTED)
        trio.run(writer.sink(1).write, [play(MatchKey(2, 1, 1), (0, 1), "standard")])
        trio.run(writer.set_status, 1, Status.FINISHED)
    counts = stored_values(own, "entry_count", "round_count", "match_count")
    assert counts == (5, 2, 9)
    for words in EVERY:
        assert arena(*words, "--db", own).code == 0, words


def stored_values(url: str, *columns: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
        return file.execute(f"SELECT {', '.join(columns)} FROM tournament").fetchone()


def test_a_participant_whose_name_is_damaged_is_one_line(arena, own):
    edit(own, "INSERT INTO participant (id, key, name, version, content) "
         "VALUES (99, 'key', x'ff', '1', '0')")  # fmt: skip
    answer = arena("leaderboard", "--db", own)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("own.db is damaged: participant 99 has no name\n")
