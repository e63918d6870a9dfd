"""Stores and reads what bots printed in their matches, as far as that is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, func, insert, select
from sqlmodel import col

from arena.core.record import MatchKey, PlayedMatch, SeatLog
from arena.match.adjudication import faults_of
from arena_results.file.database import Database
from arena_results.schema.checksums import LOG
from arena_results.schema.tables import METADATA, Entry, Log, Participant


class BotLog(msgspec.Struct, frozen=True):
    """The log of one bot in one match.

    Attributes:
        version: Its version there.
        cause: The cause by which it lost; empty if it broke nothing.
    """

    tournament: int
    key: MatchKey
    version: str
    cause: str
    text: str


MAX_LOGS_PER_CAUSE = 20
"""Logs of one bot that a tournament keeps of matches that it broke by one cause."""
MAX_LOGS_WITHOUT_CAUSE = 1_000
"""Logs of one bot that a tournament keeps of matches that it did not break.

Both limits keep a bot from filling the disk.
"""
_ORDER = (Log.round, Log.pairing, Log.leg, Log.seat)
_COLUMNS = LOG.picks("tournament_id", "round", "pairing", "leg", "seat", "text")
_CAUSE = itemgetter(LOG.names.index("cause"))


def log_rows(
    tournament: int, indices: Mapping[str, int], matches: Sequence[PlayedMatch]
) -> list[dict[str, object]]:
    """Returns the rows of the logs of some matches; usually there are none.

    Args:
        indices: The index into the field of each participant's key.
    """
    rows: list[dict[str, object]] = []
    for match in matches:
        if not match.measurement.logs:
            continue
        key, record = match.key, match.record
        causes = {fault.seat: fault.cause.value for fault in faults_of(record.outcome)}
        place = {"round": key.round, "pairing": key.pairing, "leg": key.leg}
        rows += [
            {
                "tournament_id": tournament,
                **place,
                "seat": log.seat,
                "entrant": indices[record.seats[log.seat]],
                "cause": causes.get(log.seat, ""),
                "text": log.text,
            }
            for log in match.measurement.logs
        ]
    return rows


def insert_logs(connection: Connection, rows: Sequence[Mapping[str, object]]) -> int:
    """Inserts logs, as many of each bot and cause as are stored; returns their number."""
    inserted = 0
    table = METADATA.tables["log"]
    for row in rows:
        same = [table.c[name] == row[name] for name in ("tournament_id", "entrant", "cause")]
        stored = connection.execute(select(func.count()).where(*same)).scalar() or 0
        if stored < (MAX_LOGS_PER_CAUSE if row["cause"] else MAX_LOGS_WITHOUT_CAUSE):
            connection.execute(insert(Log).values(LOG.sealed(dict(row))))
            inserted += 1
    return inserted


def bot_logs(
    database: Database, name: str, contents: Mapping[str, str], last: int
) -> tuple[BotLog, ...]:
    """Returns the latest stored logs of a bot in all tournaments, the last match first, checked.

    Args:
        contents: The content of each version of it that is meant.
        last: That many at most.
    """
    chosen = (
        select(*LOG.columns, col(Participant.version), col(Participant.content))
        .join(
            Entry,
            and_(
                col(Entry.tournament_id) == col(Log.tournament_id),
                col(Entry.index) == col(Log.entrant),
            ),
        )
        .join(Participant, col(Participant.id) == col(Entry.participant_id))
        .where(col(Participant.name) == name, col(Participant.version).in_(contents))
        .order_by(*(col(each).desc() for each in (Log.tournament_id, *_ORDER)))
    )
    found: list[BotLog] = []
    with database.reading() as connection:
        for *row, version, content in connection.execute(chosen):
            if content != contents[version]:
                continue
            tournament, round, pairing, leg, seat, text = _COLUMNS(row)
            key = MatchKey(round, pairing, leg)
            where = f"tournament {tournament}, match {key}: the log of seat {seat}"
            LOG.check(row, where.__str__)
            found.append(BotLog(tournament, key, version, _CAUSE(row), text))
            if len(found) == last:
                break
    return tuple(found)


def match_logs(database: Database, tournament: int, key: MatchKey) -> tuple[SeatLog, ...]:
    """Returns the stored logs of one match by seat, checked."""
    with database.reading() as connection:
        return tuple(log for _, log in logs(connection, tournament, key))


def logs(
    connection: Connection, tournament: int, key: MatchKey | None = None
) -> list[tuple[MatchKey, SeatLog]]:
    """Returns the stored logs of a match, or of a whole tournament, checked."""
    only: list[ColumnElement[bool]] = []
    if key is not None:
        only = [
            col(Log.round) == key.round,
            col(Log.pairing) == key.pairing,
            col(Log.leg) == key.leg,
        ]
    rows = LOG.rows(
        connection, tournament, "match {round}.{pairing}.{leg}: the log of seat {seat}", *only
    )
    return [
        (MatchKey(row["round"], row["pairing"], row["leg"]), SeatLog(row["seat"], row["text"]))
        for row in rows
    ]
