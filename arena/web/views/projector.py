"""A tournament for a screen that people see from afar: ranks, names and points, no prose."""

from __future__ import annotations

from time import time

import msgspec
from arena_results.schema.rows import Status

from arena.core.errors import BadInput
from arena.pages.event import pair_views
from arena.pages.replay import SCRIPTS
from arena.service.public.documents import public_report
from arena.service.report.comparing.facts import state_text
from arena.service.report.report import Report
from arena.service.report.tables.podium import final, last_bouts, podium, score_text
from arena.service.report.tables.standings import (
    short_table,
    signed_points,
    stage_standings,
    standing_table,
    with_running,
)
from arena.web.site.lists import Place
from arena.web.site.numbers import number, tournament_number
from arena.web.site.site import Site
from arena.web.views.featured import feature
from arena.web.views.tournament import STYLES, deciding_bracket, progress
from arena.web.views.view import View

ROWS = 8
"""Rows of a page: letters are read from 15 m."""
SECONDS = 12.0
"""Seconds for which a page is shown."""
LAST_ROUNDS = 3
"""Rounds of a bracket that fit: from the quarter-finals on."""
PAIRS, PAIRS_BELOW = 8, 3
"""Pairings without a board, and below one."""
POINTS = ("score", "mean_amount", "won")
"""Keys of what a rank goes by, the first that there is."""


class Line(msgspec.Struct, frozen=True):
    """A row: rank, name, points, and points of the round that is being played."""

    rank: int
    name: str
    points: str
    now: str


def projector(site: Site, place: Place) -> View:
    """Shows a page of the standings, or the bracket, with a board and the time that is left."""
    report = public_report(
        site.registry, site.database, tournament_number(site.database, place.words["id"])
    )
    summary = report.stored.summary
    lines = _lines(with_running(report))
    bracket = deciding_bracket(report)
    if bracket and bracket.open < len(bracket.rounds) - LAST_ROUNDS:
        bracket = None  # so many ties do not fit
    pages = 1 if bracket else max(1, -(-len(lines) // ROWS))
    page = _page(place, pages)
    board = None if bracket else feature(site, place, report, "feature")
    name = summary.name or f"tournament {summary.id}"
    return View(
        title=f"{name}: projector",
        description=f"{name}, for a projector",
        template="projector",
        values={
            "name": name,
            "state": _state(report),
            "clock": _clock(site, report),
            "bracket": bracket.part(LAST_ROUNDS) if bracket else None,
            "lines": lines[(page - 1) * ROWS : page * ROWS],
            "first": (page - 1) * ROWS + 1,
            "last": min(page * ROWS, len(lines)),
            "count": len(lines),
            "feature": board,
            "pairs": pair_views(report, place.address)[: PAIRS_BELOW if board else PAIRS],
        },
        matches=summary.matches,
        running=True,
        next=place.again(page=str(page % pages + 1)) if pages > 1 else "",
        styles=(*STYLES, "projector.css"),
        scripts=() if bracket else SCRIPTS,
        light={"feature": board.light} if board else {},
    )


def _page(place: Place, pages: int) -> int:
    """Returns the page that is asked for; without one it follows the time, so that pages turn."""
    asked = number(place.query, "page")
    if asked is None:
        return int(time() // SECONDS) % pages + 1
    if not 1 <= asked <= pages:
        raise BadInput(f"page {asked} of the projector: there are pages 1 to {pages}")
    return asked


def _lines(report: Report) -> list[Line]:
    table = standing_table(report)
    if report.stages:
        table = stage_standings(report, report.stages[-1])
    columns = {each.key: each for each in short_table(table).columns if each.head}
    by = next((columns[key] for key in POINTS if key in columns), None)
    return [
        Line(
            rank=row["rank"],
            name=row["name"],
            points=by.text(by.of(row)) if by else "",
            now=signed_points(row.get("this_round")) or "",
        )
        for row in table.rows
    ]


def _state(report: Report) -> str:
    """Returns how far the tournament is, without the day on which it ended."""
    if report.stored.summary.status is not Status.FINISHED:
        return state_text(report)
    return "Final" if final(last_bouts(report)) else "Finished"


class Clock(msgspec.Struct, frozen=True):
    """The upper right of a page: a text, and a time or number in large letters."""

    text: str
    value: str


def _clock(site: Site, report: Report) -> Clock | None:
    now = progress(site, report)
    if now is None:
        decisive = final(last_bouts(report))
        if decisive and decisive.points and decisive.winner is not None:
            points = decisive.points
            won = points if decisive.winner == decisive.entrants[0] else points[::-1]
            return Clock(f"{report.names[decisive.winner]} wins", score_text(won))
        champions = [each.name for each in podium(report) if each.rank == 1]
        return Clock("won by", " and ".join(champions)) if champions else None
    if now.left and now.of == "left in the round":
        return Clock("next round in", now.left)
    return Clock("left", now.left) if now.left else Clock(now.things, now.done)
