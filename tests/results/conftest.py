"""A results database in a real file, and the values that go into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
import trio
from arena_results.file.database import Database, open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store

from arena.core.outcome import Fault, Outcome, Termination, utilities
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from tests.postgres_server import PostgresServer

NAMES = ("ann", "bob", "cid", "dot")
FIELD = tuple(Participant(name, "1.0", f"{index:012x}") for index, name in enumerate(NAMES))
ROUND = Round(1, (Pairing((0, 1)), Pairing((2, 3))))


@pytest.fixture
def field() -> tuple[Participant, ...]:
    return FIELD


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    alone = metafunc.definition.get_closest_marker("on_files")
    if "new_url" in metafunc.fixturenames and not alone:
        metafunc.parametrize("new_url", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Makes places for databases: of each kind, one after the other."""
    if getattr(request, "param", "sqlite") == "sqlite":
        numbers = count()
        return lambda: f"sqlite:///{tmp_path}/results{next(numbers) or ''}.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.filled


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with open_database(url) as database:
        yield database


@pytest.fixture
def new() -> Callable[..., NewTournament]:
    def new(**changes: object) -> NewTournament:
        values = {
            "name": "cup",
            "game": "dice",
            "ruleset": "standard",
            "engine": "1",
            "format": "swiss",
            "games": 4,
            "mirrored": True,
            "rounds": 2,
            "seed": 2**63 - 1,
            "spec": '{"a": 1}',
        }
        return NewTournament(**(values | changes))

    return new


@pytest.fixture
def played() -> Callable[..., PlayedMatch]:
    """One match: its place, the field indices in seat order, the first seat's return.

    At a table the returns follow from the seats' places in the finishing order.
    """

    def played(
        place: tuple[int, int, int],
        seats: Sequence[int],
        gain: int = 0,
        *,
        termination: Termination = Termination.RULES,
        actions: bytes = b"\x01\x02",
        expelled: Sequence[Fault] = (),
        places: Sequence[int] = (),
    ) -> PlayedMatch:
        adjudicated = termination is not Termination.RULES
        outcome = Outcome(
            returns=utilities(places) if places else (float(gain), float(-gain)),
            scores=tuple(3 if seat == 0 else 1 for seat in range(len(seats))),
            termination=termination,
            offender=int(gain > 0) if adjudicated else None,
            move=5 if adjudicated else None,
            reason="it raised" if adjudicated else "",
            expelled=tuple(expelled),
        )
        record = MatchRecord(
            game="dice",
            ruleset="standard",
            engine="1",
            seed=2**63 - 1 - place[2],
            seats=tuple(FIELD[seat].key for seat in seats),
            loadouts=(b"\xff",) * len(seats),
            actions=actions,
            outcome=outcome,
        )
        measurement = Measurement((11, 22), (3, 4), error="Traceback" if adjudicated else "")
        return PlayedMatch(MatchKey(*place), record, measurement)

    return played


@pytest.fixture
def run(database: Database) -> Callable[..., int]:
    """Stores a whole tournament, with as many rounds as the matches speak of."""

    def run(
        new: NewTournament,
        matches: Sequence[PlayedMatch],
        entries: Sequence[int] = (0, 1, 2, 3),
        into: Database = database,
        values: bytes | None = None,
    ) -> int:
        async def store_all() -> int:
            store = Store(into)
            rows = [EntryRow(FIELD[index]) for index in entries]
            cup = await store.create_tournament(new, rows, values=values)
            for number in sorted({match.key.round for match in matches}):
                await store.save_round(cup, Round(number, ROUND.pairings))
            await store.sink(cup).write(matches)
            return cup

        return trio.run(store_all)

    return run
