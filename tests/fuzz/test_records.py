"""Match records: whatever their bytes, reading and re-executing them ends in one line."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from arena_bots.uniform_random import UniformRandom
from arena_results.replays.views import replay_view, view_named

from arena.core.errors import ArenaError, ParseError
from arena.core.game import AnyGame
from arena.core.record import MatchRecord
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.inline import play_inline
from arena.match.clock import Limits
from arena.match.replay import verify
from arena.plugins.registry import Registry
from tests.fuzz.fuzzing import BYTES, fuzz

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


@pytest.fixture(scope="module")
def records() -> tuple[MatchRecord, ...]:
    return tuple(
        record_of(game, ruleset, seats, seed) for game, ruleset, seats in MATCHES for seed in (1, 2)
    )


@pytest.fixture(scope="module")
def replayed() -> Callable[[MatchRecord], None]:
    found = Registry()

    def run(record: MatchRecord) -> None:
        """Replays a record as ``arena replay`` does, with and without ``--verify``."""
        game = found.game(record.game)
        verify(game, record)
        replay_view(game, record, view_named("all", len(record.seats)))

    return run


def test_records_are_replayed_or_refused(records, replayed):
    fuzz(
        "records",
        [record.to_bytes() for record in records],
        lambda data: replayed(MatchRecord.from_bytes(data)),
        (*BYTES, b"\xcf" + b"\xff" * 8, b"\xcb\x7f\xf8" + b"\0" * 6),
        errors=(ArenaError,),
    )


def test_fields_of_records_are_replayed_or_refused(records, replayed):
    """Records as text are easier to change so that they stay records."""

    def run(text: str) -> None:
        try:
            record = msgspec.json.decode(text.encode(errors="replace"), type=MatchRecord)
        except (msgspec.MsgspecError, ValueError):
            raise ParseError("no record") from None
        replayed(record)

    seeds = [msgspec.json.encode(record).decode() for record in records]
    words = ("1,", "-1,", '"rules"', '"crash"', "[]", "null", '"cap"', "[[0,0]]", "0.0,", "2,1")
    fuzz("fields of records", seeds, run, words, errors=(ArenaError,))
