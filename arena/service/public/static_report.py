"""The contents of a tournament's static report: its overview, and the matches that are replayed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from arena_results.file.database import Database
from arena_results.replays.views import ALL, PUBLIC
from arena_results.schema.rows import Status

from arena.core.errors import BadInput, UnknownName
from arena.core.record import MatchKey
from arena.plugins.registry import Registry
from arena.service.answers.defaults import REPLAYS
from arena.service.answers.rows import Row
from arena.service.match.listing import Wanted, find_matches
from arena.service.match.replays import Match
from arena.service.public.documents import public_match
from arena.service.public.overview import Overview, overview
from arena.service.report.report import Report


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a report shows.

    Attributes:
        asked: The matches that were asked for, as rows.
        replays: The matches with a replay, each once, in schedule order.
        view: Whose view of them.
    """

    overview: Overview
    asked: tuple[Row, ...]
    replays: tuple[Match, ...]
    view: str


def report_contents(
    registry: Registry,
    database: Database,
    number: int,
    *,
    matches: Sequence[str] = (),
    replays: int = REPLAYS,
    view: str | None = None,
) -> Contents:
    """Gathers a tournament's report; it replays faults, the closest matches, and those asked for.

    Of a tournament that is not finished, replays are those of finished rounds, as the public sees
    them: other matches of a deal may still be to be played.

    Args:
        matches: ``ROUND.PAIRING.MATCH`` of each match that is asked for.
        replays: How many of the closest matches.
        view: ``"public"`` or ``"all"``; by default all is shown of a finished tournament.

    Raises:
        UnknownName: There is no such tournament or view.
        BadInput: There is no such match, or it may not be shown yet.
    """
    if replays < 0:
        raise BadInput(f"{replays} replays: expected a number from 0")
    if view not in (None, PUBLIC, ALL):
        raise UnknownName("view of a report", str(view), (PUBLIC, ALL))
    keys = [_key(number, text) for text in dict.fromkeys(matches)]
    shown = overview(registry, database, number, closest=replays)
    if view == ALL and not shown.finished:
        raise BadInput(f"tournament {number} is not finished: its replays have the view public")
    done = _finished_rounds(shown.report)
    if late := [key for key in keys if key.round not in done and _is_paired(shown.report, key)]:
        raise BadInput(
            f"match {number}.{late[0]}: available when its round is finished, as other matches of "
            "its deal may follow"
        )
    asked = {key: public_match(registry, database, f"{number}.{key}") for key in keys}
    listed = {_place(row) for row in (*shown.faults, *shown.closest) if row["round"] in done}
    found = asked | {
        key: public_match(registry, database, f"{number}.{key}") for key in listed - {*asked}
    }
    return Contents(
        overview=shown,
        asked=tuple(_rows(database, number, keys)),
        replays=tuple([found[key] for key in sorted(found)]),
        view=view or (ALL if shown.finished else PUBLIC),
    )


def _key(tournament: int, text: str) -> MatchKey:
    own = text.removeprefix(f"{tournament}.") if text.count(".") == 3 else text
    if not re.fullmatch(r"[1-9]\d{0,8}(\.[1-9]\d{0,8}){2}", own, re.ASCII):
        raise BadInput(
            f"match {text!r} of tournament {tournament}: write ROUND.PAIRING.MATCH, e.g. 2.1.3"
        )
    return MatchKey(*map(int, own.split(".")))


def _finished_rounds(report: Report) -> set[int]:
    stored = report.stored
    if stored.summary.status is Status.FINISHED:
        return {made.number for made in stored.rounds}
    return {number for number, head in enumerate(stored.heads, 1) if head}


def _is_paired(report: Report, key: MatchKey) -> bool:
    return key.round <= len(report.stored.rounds)


def _place(row: Row) -> MatchKey:
    return MatchKey(row["round"], row["pairing"], row["leg"])


def _rows(database: Database, number: int, keys: Sequence[MatchKey]) -> list[Row]:
    found: list[Row] = []
    for round in sorted({key.round for key in keys}):
        _, rows = find_matches(database, Wanted(tournament=number, round=round))
        found += [row for row in rows if _place(row) in keys]
    return found
