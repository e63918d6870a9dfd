"""The leaderboard as a table: its columns, for documents and for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from arena_results.boards.board_rows import BOUND, ESTIMATE, Board, LeaderboardRow
from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES
from msgspec.structs import replace

from arena.core.parts.value import LUCK_ADJUSTED
from arena.core.table import (
    INTERVAL_HEAD,
    Column,
    Estimate,
    Row,
    Table,
    known_values,
    percent,
    several_values,
)
from arena.core.tournaments.format import SHOWN_DIGITS
from arena.core.tournaments.rating import BALANCE, Z95, balance_text
from arena.service.report.comparing.endpoints import (
    MEAN_COLUMNS,
    PER_DOLLAR_COLUMN,
    QUALIFYING_COLUMNS,
    endpoint_values,
)

MAX_EARLIER = 2
"""Earlier versions that people see with their ratings; of the others they see the number."""
HALF_HEAD = "±"
RANKS = "range of ranks that the bot may have"
HALF = (
    f"half the 95 % interval of the rating; ?: fewer than {FEW_MATCHES} matches, or {FEW_DEALS} "
    "deals, which is not enough to rank by"
)
POINTS = "for each match the share of its opponents that it left behind; those level count half"
FIRSTS = "matches finished alone on top"
OUTCOMES = "won, drawn, lost, against each opponent"


def ranks(row: Row) -> str:
    """Returns the range of ranks that a bot may have, or its rank."""
    first, last = row["rank_low"], row["rank_high"]
    return str(row["rank"]) if first is None or first == last else f"{first}-{last}"


def half(row: Row) -> float | str:
    """Returns half the interval of a rating; ``?`` without one."""
    found: float | str = "?" if row["few"] else (row["high"] - row["low"]) / 2
    return found


def interval(row: Row) -> Estimate:
    """Returns a rating with its interval."""
    return Estimate(row["rating"], row["low"], row["high"], " .. " if row["unit"] else "-")


def _chance(row: Row) -> str | None:
    return percent(row["better"])


def _earlier(row: Row) -> str:
    """The latest earlier versions; those that another bot has, too, with their content."""
    versions = row[EARLIER]
    numbers = [row["version"], *(each.version for each in versions)]
    found = [
        f"{each.version}{f'+{each.content[:SHOWN_DIGITS]}' * (numbers.count(each.version) > 1)} "
        f"({each.rating:.0f})"
        for each in versions[:MAX_EARLIER]
    ]
    left = len(versions) - MAX_EARLIER
    return " ".join([*found, f"+{left}"] if left > 0 else found)


def _adjusted(row: Row) -> str:
    if row["adjusted"] is None or row["adjusted_se"] is None or row["few"]:
        return "?"
    half = Z95 * row["adjusted_se"]
    digits = 0 if half >= 5 else 1
    return f"{row['adjusted']:.{digits}f} ± {half:.{digits}f}"


def _exploitable(row: Row) -> str | None:
    if row["exploitability"] is None:
        return None
    sign = {ESTIMATE: "~", BOUND: ">= "}.get(row["exploit_kind"], "")
    table = "" if row["exploit_seats"] == 2 else f" ({row['exploit_seats']} seats)"
    return f"{sign}{row['exploitability']:z.4f}{table}"


def _at_tables(rows: Sequence[Row]) -> bool:
    return any(row["seats"][-1] > 2 for row in rows)


def _twins(rows: Sequence[Row]) -> bool:
    return len({(row["name"], row["version"]) for row in rows}) < len(rows)


def _alone(rows: Sequence[Row]) -> bool:
    """Returns whether earlier versions, of which there are some, have no rows of their own."""
    return len({row["name"] for row in rows}) == len(rows) and any(row["history"] for row in rows)


def _endpoints(rows: Sequence[Row]) -> bool:
    """Returns whether any bot is an endpoint."""
    return any(row["played_for"] is not None for row in rows)


def _digits(rows: Sequence[Row]) -> int:
    """Decimals of ratings: so many that the narrowest interval has two digits, or three."""
    narrow = 4 * min([row["se"] for row in rows if row["se"]], default=25.0)
    least = 10 if any(abs(row["rating"]) >= 100 for row in rows) else 100
    return next((digits for digits in range(4) if narrow * 10**digits >= least), 4)


COLUMNS: tuple[Column, ...] = (
    Column("game", type="text"),
    Column("ruleset", type="text"),
    Column("rank", "#", right=True, type="integer", cell=ranks, hint=RANKS),
    Column("name", "bot", drop=0, type="text", names="bot"),
    Column("version", "version", drop=2, type="text"),
    Column("content", "content", most=SHOWN_DIGITS, drop=6, type="text", when=_twins),
    Column("rating", "rating", right=True, drop=0, type="number"),
    Column("half", HALF_HEAD, right=True, drop=0, cell=half, hint=HALF, derived=True),
    Column("low", type="number"),
    Column("high", type="number"),
    *(replace(each, when=each.when or _endpoints) for each in QUALIFYING_COLUMNS),
    Column("interval", INTERVAL_HEAD, right=True, drop=5, cell=interval, derived=True),
    Column(
        "chance",
        "P(beats next)",
        right=True,
        drop=4,
        cell=_chance,
        sort="better",
        when=known_values("rank_low"),
        hint="chance to be better than the next",
        derived=True,
    ),
    Column("few", type="truth"),
    Column("games", "matches", right=True, type="integer"),
    Column("seats", type="text"),
    Column("points", "points", right=True, drop=4, type="number", hint=POINTS),
    Column("firsts", "1st", right=True, drop=4, type="integer", hint=FIRSTS, when=_at_tables),
    Column("won", type="integer"),
    Column("drawn", type="integer"),
    Column("lost", type="integer"),
    Column(
        "balance",
        BALANCE,
        right=True,
        drop=5,
        cell=balance_text,
        sort="won",
        hint=OUTCOMES,
        derived=True,
    ),
    Column("credits", "credits", right=True, drop=2, type="integer", when=known_values("credits")),
    Column("isolation", "ran", drop=6, type="text", when=several_values("isolation")),
    Column("history", "earlier versions", drop=7, type="text", cell=_earlier, when=_alone),
    Column("se", type="number"),
    Column("rank_low", type="integer"),
    Column("rank_high", type="integer"),
    Column("better", type="number"),
    Column(
        "component",
        "group",
        right=True,
        type="integer",
        when=several_values("component"),
        hint="never met others",
    ),
    Column("flags", type="text"),
    Column("unit", type="text"),
    *(replace(each, when=each.when or _endpoints) for each in MEAN_COLUMNS),
    PER_DOLLAR_COLUMN,
    Column(
        "adjusted",
        LUCK_ADJUSTED,
        right=True,
        drop=8,
        type="number",
        cell=_adjusted,
        when=known_values("adjusted"),
    ),
    Column("adjusted_se", type="number"),
    Column(
        "exploitability",
        "exploitable",
        right=True,
        drop=3,
        type="number",
        cell=_exploitable,
        when=known_values("exploitability"),
        hint="exploitability per match, by arena exploit: 0 is unexploitable; ~: an estimate; "
        ">=: a lower bound",
    ),
    Column("exploit_kind", type="text"),
    Column("exploit_seats", type="integer"),
    Column("exploit_answers", type="integer"),
    Column("exploit_won", type="number"),
    Column("exploit_error", type="number"),
)
"""The columns of leaderboards, in the order of documents; without decimals of ratings."""
_VALUES: dict[str, Callable[[LeaderboardRow], object]] = {
    "name": attrgetter("participant.name"),
    "version": attrgetter("participant.version"),
    "content": attrgetter("participant.content"),
    "low": lambda row: None if row.few else row.low,
    "high": lambda row: None if row.few else row.high,
    "points": attrgetter("score"),
    "history": lambda row: tuple([each.version for each in row.history]),
    "se": attrgetter("error"),
    "rank_low": lambda row: row.ranks and row.ranks[0],
    "rank_high": lambda row: row.ranks and row.ranks[1],
    "adjusted_se": attrgetter("adjusted_error"),
    "exploitability": lambda row: row.exploited and row.exploited.exploitability,
    "exploit_kind": lambda row: row.exploited and row.exploited.kind,
    "exploit_seats": lambda row: row.exploited and row.exploited.seats,
    "exploit_answers": lambda row: row.exploited and row.exploited.answers,
    "exploit_won": lambda row: row.exploited and row.exploited.won,
    "exploit_error": lambda row: row.exploited and row.exploited.error,
}
"""The values of documents that are no attributes of their own."""
_RATINGS = ("rating", "half", "interval")
"""Columns of ratings."""
EARLIER = "earlier"
"""Key of the earlier versions with their ratings, which documents do not have."""


def board_row(row: LeaderboardRow) -> dict[str, object]:
    """A row of the JSON document of ``arena leaderboard``."""
    keys = [each.key for each in COLUMNS if not each.derived]
    of_endpoint = endpoint_values(row.exchanges)
    return {
        key: of_endpoint[key]
        if key in of_endpoint
        else _VALUES[key](row)
        if key in _VALUES
        else getattr(row, key)
        for key in keys
    }


def board_columns(rows: Sequence[Row] = ()) -> tuple[Column, ...]:
    """The columns of leaderboards; ratings have as many decimals as these rows are worth."""
    digits = _digits(rows)
    return tuple(
        [replace(each, digits=digits) if each.key in _RATINGS else each for each in COLUMNS]
    )


def board_table(board: Board) -> Table:
    """A leaderboard as a table: what is the same for all its rows is in the title."""
    rows = [board_row(row) for row in board.rows]
    title = f"{board.game}, {board.ruleset}"
    title += amounts_title(board.unit)
    if len({row.isolation for row in board.rows}) == 1:
        title += f"; all ran {' and '.join(board.rows[0].isolation)}"
    if _at_tables(rows):
        sizes = sorted({size for row in board.rows for size in row.seats})
        title += f"; seats at a table: {', '.join(map(str, sizes))}"
    return Table(
        title=title,
        columns=board_columns(rows),
        rows=[row | {EARLIER: own.history} for row, own in zip(rows, board.rows, strict=True)],
    )


def board_name(game: str, ruleset: str, unit: str) -> str:
    """Returns the name of a leaderboard in tables, with the unit of one by amount."""
    return f"{game}, {ruleset}" + (f", by {unit}" if unit else "")


def amounts_title(unit: str) -> str:
    """Returns what the title of a table of ratings says of amounts; nothing without a unit."""
    return f"; by amount: mean {unit} a match, ± 95 % over deals" if unit else ""


def board_notes(board: Board) -> tuple[str, ...]:
    """The notes of a leaderboard as sentences."""
    return tuple([f"{note[0].upper()}{note[1:]}." for note in board.notes])
