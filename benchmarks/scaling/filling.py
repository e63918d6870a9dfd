"""Fills databases with real match rows, as many as are wanted, by the way of a running tournament.

Some hundred matches are really played. Their records are stored again under other keys and other
bots: packed, with checksums, and summed up like any others. Only re-execution would notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import cycle, islice
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec
import numpy as np
import trio
from arena_results.file.database import Database
from arena_results.schema.rows import EntryRow, NewTournament, Status
from arena_results.store.store import Store

from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.core.tournaments.wire import decode_matches, encode
from arena.games.pazaak.game import Pazaak
from arena.host.play.worker import Setup, play_chunk
from arena.match.limits import Limits
from arena.plugins.registry import Registry
from benchmarks.measuring import jobs_of_round, one_pairing

POOL = 400
"""Matches that are really played."""
CHUNK = 2_000
"""Rows of a transaction."""


class Filled(NamedTuple):
    """Holds the times of storing rows.

    Attributes:
        rows: Number of matches.
        seconds: Processor seconds of storing them.
        waited: Seconds of the clock of storing them.
        closing: Processor seconds of closing the last round: its part of the chain of results.
    """

    rows: int
    seconds: float
    waited: float
    closing: float


@cache
def pool() -> list[PlayedMatch]:
    """Plays the matches whose records are stored, between two bots that win about equally."""
    bots = tuple(map(Registry().resolve_bot, ("stand(at=17)", "stand(at=16)")))
    setup = Setup("pazaak", "standard", bots, Limits()).to_bytes()
    jobs = jobs_of_round(one_pairing(2), POOL)
    return decode_matches(play_chunk(setup, encode(jobs)))


def field_of(bots: int) -> list[Participant]:
    """Returns bots without code."""
    return [Participant(f"bot-{index:05}", "1.0", f"{index:064x}") for index in range(bots)]


def in_seats(match: PlayedMatch, key: MatchKey, seats: Sequence[str]) -> PlayedMatch:
    """Returns a match under another key, of other bots."""
    record = msgspec.structs.replace(match.record, seats=tuple(seats))
    return PlayedMatch(key, record, match.measurement)


def rounds_of(bots: int, rounds: int) -> Iterator[Round]:
    """Yields rounds in which random pairs meet."""
    rng = np.random.default_rng(7)
    for number in range(1, rounds + 1):
        pairs = rng.permutation(bots)[: bots // 2 * 2].reshape(-1, 2).tolist()
        yield Round(number, tuple([Pairing(tuple(pair)) for pair in pairs]))


async def begin(store: Store, bots: int, rounds: int, games: int) -> tuple[int, list[Participant]]:
    """Creates a tournament; returns its number and its bots."""
    field = field_of(bots)
    new = NewTournament(
        name="scale", game="pazaak", ruleset="standard", engine=Pazaak.version,
        format="round-robin", games=games, mirrored=True, rounds=rounds, seed=7,
    )  # fmt: skip
    return await store.create_tournament(new, [EntryRow(who) for who in field]), field


def fill(database: Database, bots: int, rounds: int, games: int, chunk: int = CHUNK) -> Filled:
    """Stores a finished tournament; its matches are divided among pairings evenly."""
    return trio.run(_fill, database, bots, rounds, games, chunk)


async def _fill(database: Database, bots: int, rounds: int, games: int, chunk: int) -> Filled:
    store = Store(database)
    number, field = await begin(store, bots, rounds, games)
    sink, made = store.sink(number), cycle(pool())
    keys = [who.key for who in field]
    spent: list[tuple[int, float, float]] = []
    closing = 0.0
    for paired in rounds_of(bots, rounds):
        await sink.save_round(paired)
        rows = _rows(paired, games, keys, made)
        while piece := list(islice(rows, chunk)):
            cpu, wall = process_time(), perf_counter()
            await sink.write(piece)
            spent.append((len(piece), process_time() - cpu, perf_counter() - wall))
        cpu = process_time()
        await sink.close_round(paired.number)
        closing = process_time() - cpu
    await store.set_status(number, Status.FINISHED)
    count = sum(rows for rows, _, _ in spent)
    return Filled(
        count, sum(cpu for _, cpu, _ in spent), sum(wall for _, _, wall in spent), closing
    )


def _rows(
    paired: Round, games: int, keys: Sequence[str], made: Iterator[PlayedMatch]
) -> Iterator[PlayedMatch]:
    for board, pairing in enumerate(paired.pairings, 1):
        one, other = (keys[index] for index in pairing.seats)
        for leg in range(1, games + 1):
            seats = (one, other) if leg % 2 else (other, one)
            yield in_seats(next(made), MatchKey(paired.number, board, leg), seats)
