"""``arena leaderboard``: ratings with their intervals, a table for each game and ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.output import Column, Output, OutputOption, say, show_rows, stdout, write
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption, registry
from arena.core.rating import BALANCE, RatingSystem, balance
from arena.core.tournament import SHOWN_DIGITS
from arena.core.value import LUCK_ADJUSTED
from arena.service.storage.databases import open_database

if TYPE_CHECKING:
    from arena_results.boards.board_rows import Board, LeaderboardRow

EPILOG = """\b
Examples:
  arena leaderboard
  arena leaderboard --game pazaak --ruleset standard
  arena leaderboard --tournament 3 --all-versions
  arena leaderboard --anchor "stand(at=17)=1500"
  arena leaderboard --pairs -o csv
  arena leaderboard --rating elo --db sqlite:///last-year.db
  arena leaderboard --rating "elo(k=8)"
"""

COLUMNS = (
    Column("game", ""),
    Column("ruleset", ""),
    Column("rank", "#", right=True),
    Column("name", "bot", drop=0),
    Column("version", "version", drop=2),
    Column("content", ""),
    Column("rating", "rating", right=True, digits=0, drop=0),
    Column("low", ""),
    Column("high", ""),
    Column("few", ""),
    Column("games", "games", right=True),
    Column("seats", ""),
    Column("points", "points", right=True, drop=3),
    Column("firsts", "1st", right=True, drop=3),
    Column("won", ""),
    Column("drawn", ""),
    Column("lost", ""),
    Column("credits", "credits", right=True, drop=2),
    Column("isolation", "ran", drop=5),
    Column("history", ""),
    Column("se", ""),
    Column("rank_low", ""),
    Column("rank_high", ""),
    Column("better", ""),
    Column("component", ""),
    Column("flags", ""),
    Column("unit", ""),
    Column("adjusted", ""),
    Column("adjusted_se", ""),
)
PAIRS = (
    Column("game", ""),
    Column("ruleset", ""),
    Column("unit", ""),
    Column("name", "bot", drop=0),
    Column("version", "version", drop=2),
    Column("opponent", "opponent", drop=0),
    Column("opponent_version", "version", drop=2),
    Column("difference", "difference", right=True, digits=1),
    Column("se", "se", right=True, digits=1),
    Column("better", "P(better)", right=True, drop=0),
)
RANKS = Column("ranks", "#", right=True)
ERROR = Column("half", "±", right=True, drop=0)
BETTER = Column("chance", "P(beats next)", right=True, drop=2)
INTERVAL = Column("interval", "low-high", right=True)
OUTCOMES = Column("balance", BALANCE, right=True, drop=4)
HISTORY = Column("earlier", "earlier versions", drop=6)
ADJUSTED = Column("without", LUCK_ADJUSTED, right=True, drop=7)
MOST_EARLIER = 2
"""Earlier versions that a table shows with their ratings; of the others it gives the number."""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("leaderboard", rich_help_panel=ORGANISERS, epilog=EPILOG)(leaderboard)


def leaderboard(
    game: Annotated[
        str | None, typer.Option(help="Game to show. [all]", autocompletion=complete_game)
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(help="Ruleset to show, as in the table. [all]")
    ] = None,
    tournament: Annotated[
        int | None, typer.Option(metavar="ID", help="Number of the only tournament to count. [all]")
    ] = None,
    all_versions: Annotated[
        bool, typer.Option("--all-versions", help="Show every version of every bot.")
    ] = False,
    rating: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Rating system: joint, elo, glicko2, openskill, bt, pl, or an extension's.",
        ),
    ] = "joint",
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RATING",
            help="Fixed rating of NAME or NAME@VERSION. Joint rating only. Repeatable.",
        ),
    ] = None,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Show the chance that one bot is better, for every pair."),
    ] = False,
    db: DbOption = DEFAULT_DB,
    output: OutputOption = Output.TABLE,
) -> None:
    """Show the ratings of bots.

    Each bot's latest version with matches has a row. Ratings stay with versions: a new version
    begins anew, and its history lists those before it, the latest first.

    # is a range of ranks where the 95 % interval of a difference has 0 in it;
    P(beats next) is the chance that a bot is truly better than the next one.

    JSON and CSV: a row for each bot; few says that its matches are
    too few for an interval: low and high are then missing. At tables of more
    than two a match is a duel with each opponent: won, drawn and lost count
    duels, points add up their mean in each match, firsts are matches finished alone on top.
    """
    from arena_results.boards.leaderboard import Asked

    from arena.service.boards import rows as service
    from arena.service.rating.rate import read_anchors

    found = registry()
    asked = Asked(
        game=game,
        ruleset=ruleset,
        tournament=tournament,
        system=found.rating_system(rating),
        anchors=read_anchors(anchor or []),
    )
    with open_database(db) as results:
        boards = service.leaderboards(results, asked, all_versions=all_versions, registry=found)
    if not boards:
        say(f"no matches in {db} yet; begin with: arena tournament run --help")
    if pairs:
        _show_pairs(boards, asked.system, output)
    elif output is Output.TABLE:
        _show_tables(boards, asked.system)
    else:
        rows = [service.board_row(row) for board in boards for row in board.rows]
        show_rows(output, "", COLUMNS, rows)


def _show_pairs(boards: Sequence[Board], system: RatingSystem, output: str) -> None:
    from arena.service.boards.rows import pair_rows

    if output is not Output.TABLE:
        show_rows(output, "", PAIRS, [*pair_rows(boards, system)])
        return
    for board in boards:
        rows = [row | {"better": _chance(row["better"])} for row in pair_rows([board], system)]
        show_rows(output, f"{board.game}, {board.ruleset}", PAIRS, rows)


def _show_tables(boards: Sequence[Board], system: RatingSystem) -> None:
    from arena_results.boards.leaderboard import table_note
    from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES

    for board in boards:
        title = f"{board.game}, {board.ruleset}"
        if board.unit:
            title += f"; by amount: mean {board.unit} a match, ± 95 % over deals"
        groups = [list(rows) for _, rows in groupby(board.rows, key=lambda row: row.component)]
        for number, rows in enumerate(groups, 1):
            apart = f"; group {number} of {len(groups)} that never met" if len(groups) > 1 else ""
            show_board(title, apart, rows)
        for note in board.notes:
            write(stdout(), f"{note[0].upper()}{note[1:]}.")
    rows = [row for board in boards for row in board.rows]
    if any(not row.unit for row in rows):
        write(stdout(), system.note)
    if _has_tables(rows):
        write(stdout(), table_note(system))
    if any(row.few for row in rows):
        few = f"fewer than {FEW_MATCHES} matches, or {FEW_DEALS} deals"
        write(stdout(), f"?: {few}, too few for an interval; there is not enough to rank by")


def _has_tables(rows: Sequence[LeaderboardRow]) -> bool:
    return any(row.seats[-1] > 2 for row in rows)


def show_board(title: str, apart: str, board: Sequence[LeaderboardRow]) -> None:
    """One table: what is the same for everybody, or missing, takes no column."""
    names = [(row.participant.name, row.participant.version) for row in board]
    twins = len(set(names)) < len(names)
    stakes = any(row.credits is not None for row in board)
    shown = {column.key: column for column in COLUMNS}
    alone = len({row.participant.name for row in board}) == len(board)
    if alone and any(row.history for row in board):  # else they have rows of their own
        shown["history"] = HISTORY
    digits = _digits(board)
    shown["high"], shown["won"] = INTERVAL, OUTCOMES
    if board[0].ranks is not None:
        shown["low"], shown["high"] = ERROR, msgspec.structs.replace(INTERVAL, drop=4)
        shown["rank"], shown["few"] = RANKS, BETTER
    shown["rating"] = Column("rating", "rating", right=True, digits=digits, drop=0)
    if any(row.adjusted is not None for row in board):
        shown["adjusted"] = ADJUSTED
    if twins:
        shown["content"] = Column("content", "content", most=SHOWN_DIGITS, drop=5)
    if not stakes:
        del shown["credits"]
    if len({row.isolation for row in board}) == 1:
        title += f"; all ran {' and '.join(board[0].isolation)}"
        del shown["isolation"]
    if _has_tables(board):
        sizes = sorted({size for row in board for size in row.seats})
        title += f"; seats at a table: {', '.join(map(str, sizes))}"
    else:
        del shown["firsts"]  # of two seats it is the matches won
    rows = [_row_for_people(row, digits) for row in board]
    show_rows(Output.TABLE, title + apart, list(shown.values()), rows)


def _digits(board: Sequence[LeaderboardRow]) -> int:
    """Decimals of ratings: so many that the narrowest interval has two digits, or three."""
    errors = [row.error for row in board if row.error]
    narrow = 4 * min(errors, default=25.0)
    least = 10 if any(abs(row.rating) >= 100 for row in board) else 100
    return next((digits for digits in range(4) if narrow * 10**digits >= least), 4)


def _row_for_people(row: LeaderboardRow, digits: int) -> dict[str, object]:
    from arena.service.boards.rows import board_row

    first, last = row.ranks or (row.rank, row.rank)
    half = f"{(row.high - row.low) / 2:.{digits}f}"
    between = " .. " if row.unit else "-"
    interval = f"{row.low:.{digits}f}{between}{row.high:.{digits}f}"
    return board_row(row) | {
        "ranks": str(first) if first == last else f"{first}-{last}",
        "half": "?" if row.few else half,
        "interval": "?" if row.few else interval,
        "chance": _chance(row.better),
        "balance": balance(row.won, row.drawn, row.lost),
        "earlier": _earlier(row),
        "without": _without_luck(row),
    }


def _earlier(row: LeaderboardRow) -> str:
    """The latest earlier versions; those that another bot has, too, with their content."""
    from arena.core.tournament import SHOWN_DIGITS

    versions = [row.participant.version, *(each.version for each in row.history)]
    shown = [
        f"{each.version}{f'+{each.content[:SHOWN_DIGITS]}' * (versions.count(each.version) > 1)} "
        f"({each.rating:.0f})"
        for each in row.history[:MOST_EARLIER]
    ]
    more = len(row.history) - MOST_EARLIER
    return " ".join([*shown, *([f"+{more}"] if more > 0 else [])])


def _without_luck(row: LeaderboardRow) -> str:
    """The rating without luck with half its 95 % interval."""
    from arena.core.rating import Z95

    if row.adjusted is None or row.adjusted_error is None or row.few:
        return "?"
    half = Z95 * row.adjusted_error
    digits = 0 if half >= 5 else 1
    return f"{row.adjusted:.{digits}f} ± {half:.{digits}f}"


def _chance(value: object) -> str:
    """A chance in percent, never a whole 0 or 100."""
    if not isinstance(value, float):
        return "-"
    return ">99.9%" if value > 0.999 else "<0.1%" if value < 0.001 else f"{value:.1%}"
