"""Match records: whatever their bytes, reading and re-executing them ends in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec
from arena_bots.uniform_random import UniformRandom
from arena_results.replays.views import replay_view, view_named
from arena_results.schema.checksums import MATCH
from arena_results.schema.packing import RECORD_COLUMNS, Packer

from arena.core.errors import ArenaError, BadStore, ParseError
from arena.core.game import AnyGame
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.text.printable import printable_line
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.replay import verify
from arena.plugins.registry import Registry
from tests.fuzz.fuzzing import Run, Target

MATCHES = (
    (Pazaak(), "standard", 2),
    (Pazaak(), "console", 2),
    (Sabacc(), "old_republic(mode=chips,hands=2)", 3),
    (Sabacc(), "corellian(mode=points)", 2),
    (Sabacc(), "variable(dice=true)", 4),
)


def record_of(game: AnyGame, ruleset: str, seats: int, seed: int) -> MatchRecord:
    keys = [f"bot{seat}@1+0" for seat in range(seats)]
    makers = [UniformRandom] * seats
    return play_inline(game, game.ruleset(ruleset), seed, seed, makers, keys, Limits())[0]


@cache
def records() -> tuple[MatchRecord, ...]:
    return tuple(
        record_of(game, ruleset, seats, seed) for game, ruleset, seats in MATCHES for seed in (1, 2)
    )


def replayed(registry: Registry, record: MatchRecord) -> None:
    """Replays a record as ``arena replay`` does, with and without ``--verify``."""
    game = registry.game(record.game)
    verify(game, record)
    replay_view(game, record, view_named("all", len(record.seats)))


@contextmanager
def packed(folder: Path) -> Iterator[Run]:
    """Records as they are stored."""
    registry = Registry()
    yield lambda data: replayed(registry, MatchRecord.from_bytes(data))


@contextmanager
def fields(folder: Path) -> Iterator[Run]:
    """Records as JSON, which is easier to change so that they stay records."""
    registry = Registry()

    def run(data: bytes) -> None:
        try:
            record = msgspec.json.decode(data, type=MatchRecord)
        except (msgspec.MsgspecError, ValueError):
            raise ParseError("no record") from None
        replayed(registry, record)

    yield run


@contextmanager
def rows(folder: Path) -> Iterator[Run]:
    """Columns of stored matches as msgpack, read as a database's rows are."""
    packer = packer_of(records()[0])

    def run(data: bytes) -> None:
        try:
            columns = msgspec.msgpack.decode(data)
        except (msgspec.MsgspecError, ValueError):
            raise ParseError("no columns") from None
        if not isinstance(columns, list) or len(columns) != len(RECORD_COLUMNS):
            raise ParseError("no columns")
        if any(isinstance(value, list | dict | bool) for value in columns):
            raise ParseError("values that SQLite does not keep")
        try:
            packer.record(columns).to_bytes()
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            raise BadStore(printable_line(str(error))) from None  # as databases answer

    yield run


def packer_of(record: MatchRecord) -> Packer:
    return Packer(record.game, record.ruleset, record.engine, record.seats)


def columns_of_matches() -> list[bytes]:
    stored, of_record = [], MATCH.picks(*RECORD_COLUMNS)
    for record in records()[:4:2]:
        played = PlayedMatch(MatchKey(1, 1, 1), record, Measurement((11, 22), (3, 4)))
        row = packer_of(record).row(1, played)
        stored.append(msgspec.msgpack.encode(of_record(row)))
    return stored


TARGETS = (
    Target(
        name="rows-of-matches",
        seeds=columns_of_matches,
        open=rows,
        pieces=(b"\xa5crash", b"\xc0", b"\x93\1\2\3", b"\xcb" + b"\xff" * 8, b"\x03\0"),
        errors=(ArenaError,),
    ),
    Target(
        name="records",
        seeds=lambda: [record.to_bytes() for record in records()],
        open=packed,
        pieces=(b"\xcf" + b"\xff" * 8, b"\xcb\x7f\xf8" + b"\0" * 6),
        errors=(ArenaError,),
    ),
    Target(
        name="fields-of-records",
        seeds=lambda: [msgspec.json.encode(record) for record in records()],
        open=fields,
        pieces=(
            *(b"1,", b"-1,", b'"rules"', b'"crash"', b"[]", b"null", b'"cap"', b"[[0,0]]"),
            *(b"0.0,", b"2,1"),
        ),
        errors=(ArenaError,),
    ),
)
