"""The first page, with games and tournaments, and the list of bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import UnknownName
from arena.core.tournament import EXHIBITION
from arena.pages.page import Link
from arena.pages.tables import Badge, Column, Row
from arena.service.public.documents import bot_rows, tournament_rows
from arena.web.lists import Listing, Place, Raw, listing
from arena.web.site import Site
from arena.web.views.view import View

TONES = {"running": "good", "interrupted": "warn"}
"""Tones of badges that show the status of a tournament; the others have none."""
TOURNAMENTS = (
    Column(key="id", head="#", number=True),
    Column(key="name", head="tournament", heading=True),
    Column(key="status", head="status"),
    Column(key="entries", head="bots", number=True),
    Column(key="matches", head="matches", number=True),
    Column(key="format", head="format"),
    Column(key="game", head="game"),
    Column(key="ruleset", head="ruleset"),
)
BOARDS = (
    Column(key="board", head="leaderboard", heading=True),
    Column(key="tournaments", head="tournaments", number=True),
    Column(key="matches", head="matches", number=True),
    Column(key="running", head="status"),
)
BOTS = (
    Column(key="name", head="bot", heading=True),
    Column(key="version", head="version"),
    Column(key="kind", head="kind"),
    Column(key="games", head="games"),
    Column(key="language", head="language"),
    Column(key="status", head="status"),
    Column(key="summary", head="what it does", prose=True),
)


SHOW = "show"
"""Parameter of the first page: with ``all`` it lists the exhibition matches of visitors, too."""


def home(site: Site, place: Place) -> View:
    """Shows the leaderboards and the tournaments, the newest first.

    Raises:
        UnknownName: The address wants to show something else than ``all``.
    """
    wanted = place.query.get(SHOW, "all")
    if wanted != "all":
        raise UnknownName(f"value of {SHOW}", wanted, ("all",))
    stored = tournament_rows(site.database)
    rows = [row for row in stored if row["format"] != EXHIBITION]
    exhibitions = len(stored) - len(rows)
    listed = stored if SHOW in place.query else rows
    matches = sum(row["matches"] for row in rows)
    running = [row for row in rows if row["status"] == "running"]

    def cells(row: Raw) -> Row:
        name = Link(row["name"] or f"tournament {row['id']}", place.to("t", row["id"]))
        badge = Badge(row["status"], TONES.get(row["status"], ""))
        return {**row, "name": name, "status": badge, "matches": f"{row['matches']:,}"}

    bots = len({(row["name"], row["version"]) for row in bot_rows(site.registry, site.database)})
    return View(
        title="Arena",
        description=f"{len(rows)} tournaments with {matches:,} matches of card-game bots",
        template="home",
        values={
            "boards": _boards(rows, place) if matches else None,
            "tournaments": listing(
                "Tournaments", TOURNAMENTS, listed[::-1], cells, place, things="tournaments"
            ),
            "exhibitions": exhibitions,
            "all": place.again(**{SHOW: None if SHOW in place.query else "all", "page": None}),
            "shown": SHOW in place.query,
            "matches": matches,
            "number": len(rows),
            "bots": bots,
            "running": len(running),
        },
        section="/",
        matches=sum(row["matches"] for row in stored),
        running=bool(running),
    )


def _boards(rows: Sequence[Raw], place: Place) -> Listing:
    found: dict[tuple[str, str], list[Raw]] = {}
    for row in rows:
        if row["matches"]:
            found.setdefault((row["game"], row["ruleset"]), []).append(row)
    listed = [
        {
            "board": f"{game}, {ruleset}",
            "address": place.to("g", game, ruleset),
            "tournaments": len(own),
            "matches": sum(row["matches"] for row in own),
            "running": "running" if any(row["status"] == "running" for row in own) else None,
        }
        for (game, ruleset), own in sorted(found.items())
    ]

    def cells(row: Raw) -> Row:
        return {
            "board": Link(row["board"], row["address"]),
            "tournaments": row["tournaments"],
            "matches": f"{row['matches']:,}",
            "running": Badge("running", "good") if row["running"] else None,
        }

    columns = BOARDS if any(row["running"] for row in listed) else BOARDS[:-1]
    return listing(
        "Leaderboards", columns, listed, cells, place, things="leaderboards", name="boards"
    )


def bots(site: Site, place: Place) -> View:
    """Shows the bots that can be entered by name."""
    rows = [
        {**row, "games": ", ".join(row["games"]) or "any"}  # type: ignore[arg-type]  # a list
        for row in bot_rows(site.registry, site.database)
    ]

    def cells(row: Raw) -> Row:
        return {**row, "name": Link(row["name"], place.to("b", row["name"]))}

    enabled = all(row["status"] == "enabled" for row in rows)
    columns = tuple(column for column in BOTS if not (enabled and column.key == "status"))
    return View(
        title="Bots",
        description=f"{len(rows)} bots that can be entered by name",
        template="bots",
        values={"bots": listing("Bots", columns, rows, cells, place, things="bots")},
        section="/b",
    )
