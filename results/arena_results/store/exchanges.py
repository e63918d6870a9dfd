"""Keeps the questions to endpoints of language models with their answers.

While a match is played its rows are the journal, by which nothing is asked twice; afterwards they
are its transcript. They are not part of the tournament's results: they have no checksum, and
bundles have them without the messages.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import trio
from msgspec.structs import astuple
from sqlalchemy import Connection, Table, and_, exists, func, or_, select, text, update

from arena.core.errors import BadStore, StoreLocked
from arena.core.record import MatchKey
from arena.core.text.printable import printable_line
from arena.host.endpoints.exchange import Answer, Exchange, Question, Usage
from arena_results.dialects import dialect_of
from arena_results.file.database import Database
from arena_results.schema import tables
from arena_results.schema.statements import KEY
from arena_results.schema.stored import streamed

MAX_QUESTION_BYTES = 256 * 2**20
"""Deflated bytes of stored questions of one bot in a tournament. Later questions have only their
answers and numbers, so that no bot fills the disk."""
LOCKED_TRIES = 12
"""Times that an answer is written to a database that stays locked, some two minutes in all: the
answer is paid for, and would be lost."""
MICRO = 1_000_000
"""Stored units of cost in a dollar."""
_TABLE: Table = tables.METADATA.tables["exchange"]


class StoredExchange(msgspec.Struct, frozen=True, kw_only=True):
    """An exchange as it is stored.

    Attributes:
        exchange: It, with empty bodies where they are not stored.
        replaced: 0 for one of a match as it stands; else its match was replaced later.
    """

    exchange: Exchange
    replaced: int = 0


class _Batch:
    """Rows that share a transaction."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []
        self.written = False
        self.failure: BaseException | None = None


class ExchangeJournal:
    """The journal of one tournament: a ``Journal``, used in one event loop.

    Answers that come while others are committed share the next transaction.

    Args:
        database: Where it is; the caller closes it.
        tournament: Number of the tournament.
        notice: Takes a line for people.
    """

    def __init__(
        self,
        database: Database,
        tournament: int,
        notice: Callable[[str], object] = lambda line: None,
    ) -> None:
        self._database, self._tournament, self._notice = database, tournament, notice
        self._turn, self._batch = trio.Lock(), _Batch()
        with database.reading() as connection:
            given = {"id": tournament}
            found = connection.execute(_LAST_OF_OPEN, given).all()
            sizes = connection.execute(_SIZES, given).all()
        self._sizes = {entrant: int(size) for entrant, size in sizes}
        # The last decision of each seat: a later one has nothing to look up.
        self._last = {(MatchKey(*key), seat): last for *key, seat, last in found}

    def find(self, question: Question) -> Answer | None:
        """Returns the answer that was stored for that question; none if it is damaged.

        Raises:
            BadStore: The database cannot be read.
        """
        if question.decision > self._last.get((question.match, question.seat), -1):
            return None
        given = {"id": self._tournament, **_key(question)}
        with self._database.reading() as connection:
            row = connection.execute(_FIND, given).first()
        if row is None or not row.answer:
            return None
        try:
            return Answer(row.status, _inflated(row.answer), row.milliseconds / 1000)
        except BadStore:
            number, match = self._tournament, question.match
            self._notice(f"match {number}.{match}: a stored answer is damaged, and asked again")
            return None

    def forget(self, match: MatchKey) -> None:
        """Forgets the places of a match, which is over."""
        for place in [each for each in self._last if each[0] == match]:
            del self._last[place]

    async def keep(self, exchange: Exchange) -> None:
        """Keeps an exchange; returns once it is committed, also when it is cancelled.

        Raises:
            BadStore: It cannot be written.
        """
        batch = self._batch
        batch.rows.append(self._row(exchange))
        # An answer that has arrived is paid for, whatever ends the run.
        with trio.CancelScope(shield=True):
            async with self._turn:
                if not batch.written:
                    await self._commit(batch)
        if batch.failure is not None:
            raise batch.failure
        question = exchange.question
        place = question.match, question.seat
        self._last[place] = max(question.decision, self._last.get(place, 0))

    async def _commit(self, batch: _Batch) -> None:
        self._batch, batch.written = _Batch(), True
        try:
            await trio.to_thread.run_sync(self._write, batch.rows)
        except BaseException as error:  # nobody may go on as if it were stored
            batch.failure = error

    def _write(self, rows: list[dict[str, object]]) -> None:
        for tried in range(1, LOCKED_TRIES + 1):
            try:
                with self._database.writing(self._tournament) as connection:
                    dialect_of(connection).insert_replacing(connection, _TABLE, rows)
                return
            except StoreLocked as locked:
                if tried == LOCKED_TRIES:
                    raise
                self._notice(f"{locked}; answers wait until they can be stored")

    def _row(self, exchange: Exchange) -> dict[str, object]:
        asked = zlib.compress(exchange.asked)
        size = self._sizes.get(exchange.entrant, 0) + len(asked)
        if size > MAX_QUESTION_BYTES:
            asked = b""
        else:
            self._sizes[exchange.entrant] = size
        answer, usage = exchange.answer, exchange.usage
        return {
            "tournament_id": self._tournament,
            **_key(exchange.question),
            "replaced": 0,
            "entrant": exchange.entrant,
            "status": answer.status,
            "milliseconds": round(answer.seconds * 1000),
            "prompt_tokens": usage.prompt,
            "cached_tokens": usage.cached,
            "completion_tokens": usage.completion,
            "cost": None if exchange.cost is None else round(exchange.cost * MICRO),
            "finish": printable_line(exchange.finish),
            "reading": exchange.reading,
            "action": printable_line(exchange.action),
            "played_for": exchange.played_for,
            "asked": asked,
            "answer": zlib.compress(answer.body),
        }


def exchanges(
    database: Database, tournament: int, key: Sequence[int] = ()
) -> Iterator[StoredExchange]:
    """Yields stored exchanges of a tournament in schedule order, as they are read.

    Args:
        key: The first numbers of the matches that are meant: round, pairing, match.

    Raises:
        BadStore: The database cannot be read, or a text is damaged.
    """
    same = [_TABLE.c[name] == part for name, part in zip(KEY, key, strict=False)]
    played = _TABLE.c.round > 0  # the others are first questions, which no match has
    chosen = select(_TABLE).where(_TABLE.c.tournament_id == tournament, played, *same)
    order = (*KEY, "replaced", "seat", "decision", "attempt", "digest")
    with database.reading() as connection:
        for row in streamed(connection, chosen.order_by(*(_TABLE.c[name] for name in order))):
            yield _stored(row._mapping)


def purge_exchanges(database: Database, tournament: int) -> int:
    """Removes the messages of stored matches, and returns how many; the numbers stay.

    Messages of unfinished matches stay, so that nothing is asked twice.
    """
    played = tables.METADATA.tables["match"]
    same = [_TABLE.c[name] == played.c[name] for name in ("tournament_id", *KEY)]
    over = or_(_TABLE.c.replaced > 0, exists().where(and_(*same)))
    kept = or_(_TABLE.c.asked != b"", _TABLE.c.answer != b"")
    chosen = update(_TABLE).where(_TABLE.c.tournament_id == tournament, over, kept)
    with database.writing(tournament) as connection:
        return connection.execute(chosen.values(asked=b"", answer=b"")).rowcount


def set_exchanges_aside(
    connection: Connection, tournament: int, matches: Collection[MatchKey], rounds: int
) -> None:
    """Marks the exchanges of matches that are replaced, so that no journal finds them.

    Their numbers and messages stay: they were paid for.

    Args:
        rounds: Number of rounds that stay; the exchanges of later ones are marked, too.
    """
    own = _TABLE.c.tournament_id == tournament
    last = connection.execute(select(func.max(_TABLE.c.replaced)).where(own)).scalar()
    if last is None:
        return
    standing = update(_TABLE).where(own, _TABLE.c.replaced == 0).values(replaced=last + 1)
    connection.execute(standing.where(_TABLE.c.round > rounds))
    for key in matches:
        same = [_TABLE.c[name] == part for name, part in zip(KEY, astuple(key), strict=True)]
        connection.execute(standing.where(*same))


def _key(question: Question) -> dict[str, object]:
    return {
        **msgspec.structs.asdict(question.match),
        "seat": question.seat,
        "decision": question.decision,
        "attempt": question.attempt,
        "digest": question.digest,
    }


def _stored(row: Mapping[Any, Any]) -> StoredExchange:
    question = Question(
        MatchKey(row["round"], row["pairing"], row["leg"]),
        row["seat"],
        row["decision"],
        row["attempt"],
        row["digest"],
    )
    answer = Answer(row["status"], _inflated(row["answer"]), row["milliseconds"] / 1000)
    exchange = Exchange(
        question=question,
        entrant=row["entrant"],
        asked=_inflated(row["asked"]),
        answer=answer,
        usage=Usage(row["prompt_tokens"], row["cached_tokens"], row["completion_tokens"]),
        reading=row["reading"],
        cost=None if row["cost"] is None else row["cost"] / MICRO,
        finish=row["finish"],
        action=row["action"],
        played_for=bool(row["played_for"]),
    )
    return StoredExchange(exchange=exchange, replaced=row["replaced"])


def _inflated(data: bytes) -> bytes:
    if not data:
        return b""
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise BadStore(f"the text of a transcript is damaged: {error}") from None


# Of a text, as SQLAlchemy then looks at no value of a row.
_FIND = text("""SELECT status, milliseconds, answer FROM exchange
WHERE tournament_id = :id AND round = :round AND pairing = :pairing AND leg = :leg
AND seat = :seat AND decision = :decision AND attempt = :attempt AND digest = :digest
AND replaced = 0""")
_LAST_OF_OPEN = text("""SELECT round, pairing, leg, seat, max(decision) FROM exchange
WHERE tournament_id = :id AND replaced = 0 AND NOT EXISTS (
SELECT 1 FROM "match" WHERE "match".tournament_id = exchange.tournament_id
AND "match".round = exchange.round AND "match".pairing = exchange.pairing
AND "match".leg = exchange.leg)
GROUP BY round, pairing, leg, seat""")
_SIZES = text("""SELECT entrant, sum(length(asked)) FROM exchange
WHERE tournament_id = :id GROUP BY entrant""")
