"""The leaderboard of a game and ruleset: ratings with their intervals drawn."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked
from arena_results.schema.rows import Status

from arena.core.errors import UnknownName
from arena.core.tournaments.format import EXHIBITION
from arena.pages.charts import least_span
from arena.pages.page import Link
from arena.service.boards.table import board_notes, board_table
from arena.service.league.phase import Stage
from arena.service.public.documents import public_report, tournament_rows
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.season import final_notice, final_of_season, season_board, season_of
from arena.web.site.site import Site
from arena.web.views.tournament import standings
from arena.web.views.view import View, trail

FINAL = "final"
"""Name of the list of the final on the page of its season."""


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
    """Shows the leaderboard of a league's season, by its matches only, with its anchors."""
    found = season_board(site)
    if found is None:
        raise UnknownName("page", place.path, ("/",))
    about = found.about
    view = _shown(site, place, about.game, about.ruleset, found.boards)
    played = f"{about.matches:,} matches"
    final = _final(site, place)
    values = {
        **view.values,
        "title": about.name,
        "matches": about.matches,
        "tournaments": 1,
        "tournament": place.to("t", about.id),
        "about": f"{about.game}, {about.ruleset}",
        "submit": place.to("submit"),
        "waiting": about.status is Status.WAITING,
        **final,
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
        running=about.status is Status.RUNNING or final.get("stage") == Stage.PLAYING,
    )


def _final(site: Site, place: Place) -> dict[str, object]:
    """Returns what the page of a season shows of its final: the sentence, and its standings."""
    found = final_of_season(site)
    if found is None:
        return {}
    values = {"notice": final_notice(site), "closed": found["closed"], "stage": found["stage"]}
    if number := found["tournament"]:
        assert isinstance(number, int)
        report = public_report(site.registry, site.database, number)
        values["final"] = standings(site, place, report, FINAL)
        values["played"] = place.to("t", number)
    return values


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
            "unit": chosen.unit if chosen else "",
            "matches": matches,
            "tournaments": len(own),
            "tournament": "",
            "about": title,
            "submit": "",
            "waiting": False,
            "notice": "",
            "closed": False,
            "final": None,
            "times": [],
            "pinned": None,
            "board": _list(chosen, place) if chosen else None,
            "notes": board_notes(chosen) if chosen else [],
            "units": [
                Link(f"by {each}", place.again(unit=each, sort=None, page=None), each == unit)
                for each in units
            ],
        },
        trail=trail(place, (title, "")),
        matches=matches,
        running=any(row["status"] == "running" for row in own),
    )


def _list(board: Board, place: Place) -> Listing:
    table = msgspec.structs.replace(
        board_table(board), title=f"{board.game}, {board.ruleset}: leaderboard"
    )
    return listing(table, place, things="bots", least=least_span(3 if board.unit else 0))


def _ran(board: Board) -> str:
    levels = {row.isolation for row in board.rows}
    return " and ".join(next(iter(levels))) if len(levels) == 1 else ""
