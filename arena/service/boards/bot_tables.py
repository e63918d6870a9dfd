"""A bot's ratings, and against whom it has played, from sums that are stored: no match is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter

import msgspec
from arena_results.boards.board_rows import Board
from arena_results.file.database import Database
from arena_results.schema.rows import Ending, TournamentSummary
from arena_results.store.queries import tournament, tournaments
from msgspec.structs import replace

from arena.core.table import Column, Estimate, Row, Table, several_values
from arena.core.text.parsing import parse_call, split_loadout
from arena.core.tournaments.rating import BALANCE, balance_text
from arena.service.boards.own_matches import is_bot
from arena.service.boards.table import (
    OUTCOMES,
    board_columns,
    board_name,
    board_row,
    half,
    interval,
)

_RATINGS = (
    Column("board", "leaderboard", drop=0, names="leaderboard"),
    Column("name", "entered as", drop=0, names="bot", when=several_values("name")),
)
OPPONENTS = (
    Column("opponent", "opponent", names="bot"),
    Column("played", "matches", right=True, hint="of a table each two seats are one"),
    Column("balance", BALANCE, right=True, hint=OUTCOMES, cell=balance_text, sort="won"),
    Column("share", "points", right=True, unit="%"),
)
"""The columns of a bot's opponents."""


def rating_rows(boards: Iterable[tuple[str, Board]], name: str, version: str = "") -> list[Row]:
    """The rows of a bot on leaderboards, as in their document, those of its versions side by side.

    Args:
        boards: Each with the title of its season; empty for one of all tournaments.
        name: Also the name without parameters and loadout.
        version: Only this one.
    """
    rows = (
        board_row(row) | {"field": len(board.rows), "season": title}
        for title, board in boards
        for row in board.rows
        if version in ("", row.participant.version)
    )
    return [
        row
        | {
            "board": row["season"]
            or board_name(str(row["game"]), str(row["ruleset"]), str(row["unit"]))
        }
        for row in rows
        if name in (row["name"], parse_call(split_loadout(str(row["name"]))[0])[0])
    ]


def rating_table(rows: Sequence[Row]) -> Table:
    """The ratings of a bot."""
    of_model = ("illegal", "played_for")
    keys = ("version", "content", "rank", "rating", "half", *of_model, "interval", "games", "cost")
    by_elo = [row for row in rows if not row["unit"]]
    own = {each.key: each for each in board_columns(by_elo) if each.key in keys}
    own["content"] = replace(own["content"], drop=1, when=_twins)
    for key, cell in (("rating", _rating), ("half", _half), ("interval", _interval)):
        own[key] = replace(own[key], cell=cell)
    return Table(title="Ratings", columns=(*_RATINGS, *(own[key] for key in keys)), rows=rows)


def _twins(rows: Sequence[Row]) -> bool:
    """Returns whether a version of one number has two contents on one leaderboard."""
    return len({(row["board"], row["name"], row["version"]) for row in rows}) < len(rows)


def _rating(row: Row) -> float | str:
    rating: float = row["rating"]
    return f"{rating:+.3f}" if row["unit"] else rating


def _half(row: Row) -> float | str:
    found = half(row)
    return f"{found:.3f}" if row["unit"] and isinstance(found, float) else found


def _interval(row: Row) -> Estimate | str:
    """Returns the interval of a rating; those by amount are on no common axis."""
    if not row["unit"]:
        return interval(row)
    return "?" if row["few"] else f"{row['low']:+.3f} .. {row['high']:+.3f}"


class Opponents(msgspec.Struct, frozen=True):
    """The head-to-head results of a bot.

    Attributes:
        rows: ``opponent``, ``played``, ``won``, ``drawn``, ``lost`` and ``share``, the share of
            the points; who was met most comes first.
        faults: Matches that it lost by its own faults, by cause.
        events: The tournaments in which it was entered, the newest first.
    """

    rows: list[Row]
    faults: dict[str, int]
    events: tuple[TournamentSummary, ...] = ()


def opponents(database: Database, bot: str) -> Opponents:
    """Adds up the head-to-head results of a bot, ``NAME`` or ``NAME@VERSION``, with any parameters
    and loadout.

    Exhibition matches do not count. At tables of more than two a match is a head-to-head result
    with each opponent, by finishing order.
    """
    duels: dict[str, Counter[str]] = {}
    faults: Counter[str] = Counter()
    events: list[TournamentSummary] = []
    for summary in filter(attrgetter("rated"), tournaments(database)):
        stored = tournament(database, summary.id)
        own = {index for index, entry in enumerate(stored.field) if is_bot(entry, bot)}
        if not own:
            continue
        events.insert(0, summary)
        names = [entry.participant.name for entry in stored.field]
        for _, ending in stored.endings:
            _add_duels(duels, ending, own, names)
            for seat, cause in ending.faults:
                if ending.seats[seat] in own:
                    faults[cause.value] += ending.count
    return Opponents(_rows(duels), dict(faults.most_common()), tuple(events))


def opponents_by_entry(endings: Iterable[Ending], names: Sequence[str]) -> list[list[Row]]:
    """Returns the rows of ``Opponents`` of each entry of a tournament.

    Args:
        endings: Those that count.
        names: Those of the field.
    """
    duels: list[dict[str, Counter[str]]] = [{} for _ in names]
    for ending in endings:
        for index in ending.seats:
            _add_duels(duels[index], ending, {index}, names)
    return [*map(_rows, duels)]


def _add_duels(
    duels: dict[str, Counter[str]], ending: Ending, own: Collection[int], names: Sequence[str]
) -> None:
    seated = [*zip(ending.seats, ending.returns, strict=True)]
    for mine in (gain for index, gain in seated if index in own):
        for index, theirs in seated:
            if index not in own:
                result = "won" if mine > theirs else "lost" if mine < theirs else "drawn"
                duels.setdefault(names[index], Counter())[result] += ending.count


def _rows(duels: Mapping[str, Counter[str]]) -> list[Row]:
    rows = [_row(name, counts) for name, counts in duels.items()]
    return sorted(rows, key=lambda row: (-row["played"], row["opponent"]))


def _row(name: str, counts: Counter[str]) -> Row:
    played = counts.total()
    return {
        "opponent": name,
        "played": played,
        **{key: counts[key] for key in ("won", "drawn", "lost")},
        "share": (counts["won"] + counts["drawn"] / 2) / played,
    }
