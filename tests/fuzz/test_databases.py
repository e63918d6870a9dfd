"""Bytes and single cells of database files are changed; every command answers in one line."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random

import pytest
import trio
from arena_results.bots.submissions import NewSubmission, add
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament, Status
from arena_results.schema.tables import METADATA
from arena_results.store.store import Store
from typer.main import get_command

from arena.cli.app import build
from arena.cli.terminal.exits import error_code, error_lines
from arena.core.errors import AlteredResults, ArenaError, BadInput
from arena.core.record import MatchKey, Measurement, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.games.pazaak.game import Pazaak
from tests.fuzz.fuzzing import FIRST
from tests.fuzz.fuzzing import INPUTS as INPUTS_OF_TARGETS
from tests.fuzz.targets.records import record_of
from tests.sizes import volume

INPUTS = 3 * INPUTS_OF_TARGETS
COMMANDS = (
    ("tournament", "list"),
    ("tournament", "show", "1"),
    ("tournament", "resume", "1"),
    ("tournament", "verify", "1"),
    ("leaderboard",),
    ("replay", "1.1.1.2"),
    ("replay", "1", "--verify"),
    ("bots", "list"),
    ("bots", "show", "careful"),
    ("bots", "disable", "careful"),
    ("submit", "bot.py", "--name", "careful", "--game", "pazaak"),
    ("db", "upgrade"),
)
"""Of each input one command is tried, by turns."""

READING = (
    ("tournament", "list"),
    ("tournament", "show", "1"),
    ("tournament", "verify", "1"),
    ("leaderboard", "-o", "csv"),
    ("replay", "1", "--verify"),
    ("bots", "list"),
    ("bots", "show", "careful"),
    ("match", "careful", "random"),
)
"""Those that are tried on each file with an edited cell."""

VALUES = ("NULL", "x'00ff1b'", "1234567", "'=a' || char(27) || '[31m' || char(8238)")
"""Values that a cell is edited to: each kind of value that SQLite keeps, as SQL."""

EDITS = volume(len(VALUES), everyday=1)
"""Values for each cell, by turns."""

BOT = """
from tests.sizes import volume
from arena import Bot

__version__ = "1"


class Careful(Bot):
    pass
"""
"""A bot whose version is stored with other content, so that it is not qualified."""


@pytest.fixture(scope="module")
def seed(tmp_path_factory) -> bytes:
    """The bytes of a database with a tournament and a submitted bot, without a log beside it."""
    path = tmp_path_factory.mktemp("seed") / "seed.db"
    keys = [f"bot{seat}@1+0" for seat in range(2)]
    field = [EntryRow(Participant(f"bot{seat}", "1", "0")) for seat in range(2)]
    new = NewTournament(
        name="cup", game="pazaak", ruleset="standard", engine=Pazaak.version,
        format="round-robin", games=2, mirrored=True, rounds=1, seed=7,
        spec='{"bots":["random","stand"]}',
    )  # fmt: skip
    played = [
        PlayedMatch(
            MatchKey(1, 1, leg),
            record_of(Pazaak(), "standard", 2, leg),
            Measurement((11, 22), (3, 4)),
        )
        for leg in (1, 2)
    ]
    assert played[0].record.seats == tuple(keys)

    async def fill() -> None:
        store = Store(database)
        number = await store.create_tournament(new, field)
        await store.save_round(number, Round(1, (Pairing((0, 1)),)))
        await store.sink(number).write(played)
        await store.set_status(number, Status.FINISHED)

    with open_database(f"sqlite:///{path}") as database:
        trio.run(fill)
        careful = NewSubmission(
            name="careful", version="1", content="0" * 12, games=("pazaak",), language="python",
            target="bot:Careful", deterministic=True,
        )  # fmt: skip
        add(database, careful, b"no zip archive")
    return path.read_bytes()


@pytest.fixture(scope="module")
def command() -> Callable[..., int]:
    """Runs a command in this process, as ``arena.cli.app.main`` does; its exit code."""
    arena = get_command(build())

    def run(*words: str) -> int:
        out, err = TextIOWrapper(BytesIO(), encoding="utf-8", newline=""), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                arena.main(list(words), prog_name="arena", standalone_mode=False)
            except ArenaError as error:
                lines = error_lines(error)
                assert len(lines) == 1
                assert lines[0].isprintable()
                if isinstance(error, BadInput | AlteredResults):
                    return error_code(error)
                raise
            except SystemExit as ended:
                return int(ended.code or 0)
            finally:
                out.flush()
                for text in (out.buffer.getvalue().decode(), err.getvalue()):
                    lines = text.replace("\r\n", "\n").split("\n")
                    assert all(line.isprintable() for line in lines), text
        return 0

    return run


def damaged(seed: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbered files: bytes or bits of one or more places changed, pages swapped, or cut off."""
    pages = len(seed) // 4096
    used = [at for at, byte in enumerate(seed) if byte]
    for number in range(FIRST, FIRST + INPUTS):
        rng = Random(f"databases/{number}")
        data = bytearray(seed)
        kind = number % 8
        for _ in range(rng.choice((1, 1, 1, 2, 5, 40))):
            at = rng.choice(used) if kind else rng.randrange(len(data))
            if kind == 1:
                one, other = rng.randrange(pages) * 4096, rng.randrange(pages) * 4096
                data[one : one + 4096] = seed[other : other + 4096]
            elif kind == 2:
                end = at + rng.randint(1, 64)
                data[at:end] = bytes([rng.choice((0, 255, 0x41))]) * len(data[at:end])
            elif kind in (3, 4):
                data[at] ^= 1 << rng.randrange(8)
            else:
                data[at] = rng.randrange(256)
        if kind == 5:
            del data[rng.randrange(len(data)) :]
        yield number, bytes(data)


@pytest.mark.thorough("edited cells are")
def test_damaged_databases_are_read_or_refused_in_one_line(seed, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    path = Path("/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path) / f"fuzz-{os.getpid()}"
    codes: set[int] = set()
    try:
        for number, data in damaged(seed):
            words = COMMANDS[number % len(COMMANDS)]
            path.write_bytes(data)
            try:
                codes.add(command(*words, "--db", f"sqlite:///{path}"))
            except BaseException as error:
                error.add_note(f"databases: input {number}, command {' '.join(words)}")
                raise
            for more in path.parent.glob(f"{path.name}*"):
                more.unlink()
    finally:
        for more in path.parent.glob(f"{path.name}*"):
            more.unlink()
    if INPUTS > 100:
        assert codes == {0, 1, 2}


@pytest.mark.thorough("the same of other tables", everyday=["match"])
@pytest.mark.parametrize(
    "table",
    ["tournament", "participant", "entry", "round", "match", "submission", "tally", "board"],
)
def test_edited_cells_are_read_or_refused_in_one_line(table, seed, command, tmp_path):
    path = tmp_path / "edited.db"
    key = ", ".join(f'"{each.name}"' for each in METADATA.tables[table].primary_key)
    first = f'({key}) = (SELECT {key} FROM "{table}" LIMIT 1)'
    for place, column in enumerate(METADATA.tables[table].c):
        for value in [VALUES[(place + turn) % len(VALUES)] for turn in range(EDITS)]:
            path.write_bytes(seed)
            with closing(sqlite3.connect(path)) as file:
                try:
                    file.execute(f'UPDATE "{table}" SET "{column.name}" = {value} WHERE {first}')
                except sqlite3.IntegrityError:
                    continue  # SQLite itself keeps it out
                file.commit()
            for words in READING:
                try:
                    command(*words, "--db", f"sqlite:///{path}")
                except BaseException as error:
                    error.add_note(f"{column} = {value}, command {' '.join(words)}")
                    raise
