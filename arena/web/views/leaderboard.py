"""The leaderboard of a game and ruleset: ratings with their intervals drawn."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked
from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES
from arena_results.schema.rows import Status

from arena.core.errors import UnknownName
from arena.core.rating import BALANCE, balance
from arena.core.tournament import EXHIBITION
from arena.pages.charts import Axis, least_span, spot
from arena.pages.page import Link
from arena.pages.tables import Column, Row
from arena.service.boards.rows import board_row
from arena.service.charts.charts import Interval
from arena.service.public.documents import tournament_rows
from arena.web.lists import Place, Raw, listing
from arena.web.season import season_board, season_of
from arena.web.site import Site
from arena.web.views.view import View, trail

RANKS = "range of ranks that the bot may have"
HALF = (
    "half the 95 % interval of the rating; few: fewer than "
    f"{FEW_MATCHES} matches, or {FEW_DEALS} deals, which is not enough to rank by"
)


def board(site: Site, place: Place) -> View:
    """Shows a leaderboard, the best first; each bot as its latest version."""
    game, ruleset = place.words["game"], place.words["ruleset"]
    asked = Asked(game=game, ruleset=ruleset)
    found = site.boards.now(asked)
    view = _shown(site, place, game, ruleset, found)
    league, own = site.settings.league, season_of(site)
    if not league or not league.pinned or not own or (own.game, own.ruleset) != (game, ruleset):
        return view
    pinned = Link(own.name or "the season", place.to("league"))
    return msgspec.structs.replace(view, values={**view.values, "pinned": pinned})


def season(site: Site, place: Place) -> View:
    """Shows the leaderboard of a league's season, by its matches alone, with its anchors."""
    found = season_board(site)
    if found is None:
        raise UnknownName("page", place.path, ("/",))
    about = found.about
    view = _shown(site, place, about.game, about.ruleset, found.boards)
    played = f"{about.matches:,} matches"
    values = {
        **view.values,
        "title": about.name,
        "matches": about.matches,
        "tournaments": 1,
        "tournament": place.to("t", about.id),
        "about": f"{about.game}, {about.ruleset}",
        "submit": place.to("submit"),
        "waiting": about.status is Status.WAITING,
        "times": site.season.lines() if site.season else [],
    }
    return msgspec.structs.replace(
        view,
        title=about.name,
        description=f"{about.name}: {about.entries} bots, {played}",
        values=values,
        trail=trail(place, (about.name, "")),
        section="/league",
        matches=about.matches,
        running=about.status is Status.RUNNING,
    )


def _shown(site: Site, place: Place, game: str, ruleset: str, found: Sequence[Board]) -> View:
    units = {each.unit or "rating": each for each in found}
    rows = tournament_rows(site.database)
    own = [
        row
        for row in rows
        if (row["game"], row["ruleset"]) == (game, ruleset) and row["format"] != EXHIBITION
    ]
    matches = sum(row["matches"] for row in own)
    unit = place.query.get("unit", next(iter(units), "rating"))
    if units and unit not in units:
        raise UnknownName("unit", unit, units)
    title = f"{game}, {ruleset}"
    chosen = units.get(unit)
    leader = f"; {chosen.rows[0].participant.name} leads" if chosen else ""
    return View(
        title=f"{title}: leaderboard",
        description=f"Ratings from {matches:,} matches of {title}{leader}",
        template="board",
        values={
            "title": title,
            "ran": _ran(chosen) if chosen else "",
            "matches": matches,
            "tournaments": len(own),
            "tournament": "",
            "about": title,
            "submit": "",
            "waiting": False,
            "times": [],
            "pinned": None,
            "board": _list(chosen, place) if chosen else None,
            "notes": [f"{note[0].upper()}{note[1:]}." for note in chosen.notes] if chosen else [],
            "units": [
                Link(f"by {each}", place.again(unit=each, sort=None, page=None), each == unit)
                for each in units
            ],
        },
        trail=trail(place, (title, "")),
        matches=matches,
        running=any(row["status"] == "running" for row in own),
    )


def _list(board: Board, place: Place) -> object:
    digits = 3 if board.unit else 0
    ends = [each for row in board.rows for each in ends_of(board_row(row))]
    axis = Axis((min(ends), max(ends)), least=least_span(digits))
    columns = [
        Column(key="rank", head="#", hint=RANKS, number=True),
        Column(key="name", head="bot", heading=True),
        Column(key="version", head="version"),
        Column(key="rating", head=board.unit or "rating", number=True, digits=digits),
        Column(key="half", head="± 95 %", hint=HALF, number=True, digits=digits),
        Column(key="spot", head="interval", drawn=True, ticks=axis.ticks),
        Column(
            key="better", head="beats next", hint="chance to be better than the next", number=True
        ),
        Column(key="games", head="games", number=True),
        Column(
            key="balance", head=BALANCE, hint="won, drawn, lost, against each opponent", number=True
        ),
    ]
    if len({row.isolation for row in board.rows}) > 1:
        columns.append(Column(key="isolation", head="ran"))
    if len({row.component for row in board.rows}) > 1:
        columns.append(Column(key="component", head="group", hint="never met others", number=True))

    rows = [board_row(row) for row in board.rows]

    def cells(row: Raw) -> Row:
        few, low, high = row["few"], row["low"], row["high"]
        drawn = Interval(label="", value=row["rating"], low=low, high=high)
        return {
            **{key: row[key] for key in ("version", "rating", "games", "component")},
            "rank": rank(row),
            "name": Link(row["name"], place.to("b", row["name"])),
            "half": "few" if few else (high - low) / 2,
            "spot": spot(axis, drawn),
            "better": chance(row["better"]),
            "balance": balance(row["won"], row["drawn"], row["lost"]),
            "isolation": ", ".join(row["isolation"]),
        }

    caption = f"{board.game}, {board.ruleset}: leaderboard"
    return listing(caption, columns, rows, cells, place, things="bots")


def rank(row: Raw) -> str:
    """Returns the range of ranks that a bot may have, or its rank."""
    first, last = row["rank_low"], row["rank_high"]
    return f"{first}–{last}" if first is not None and first != last else str(row["rank"])


def _ran(board: Board) -> str:
    levels = {row.isolation for row in board.rows}
    return " and ".join(next(iter(levels))) if len(levels) == 1 else ""


def ends_of(row: Raw) -> list[float]:
    """Returns a rating and the ends of its interval, if they are known."""
    return [row[key] for key in ("rating", "low", "high") if row[key] is not None]


def chance(value: float | None) -> str | None:
    """Returns a chance in percent, never a whole 0 or 100."""
    if value is None:
        return None
    return ">99.9 %" if value > 0.999 else "<0.1 %" if value < 0.001 else f"{value * 100:.1f} %"
