"""The lists of everything: tournaments, leaderboards, and bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena_results.boards.leaderboard import Asked

from arena.core.errors import UnknownName
from arena.core.table import Column, Row, Table, known_values
from arena.core.tournaments.format import EXHIBITION
from arena.service.bots.listing import BOTS
from arena.service.public.documents import bot_rows, tournament_rows
from arena.service.report.filed.tournament_rows import TOURNAMENTS
from arena.web.site.lists import Place, listing
from arena.web.site.site import Site
from arena.web.views.view import View, trail

BOARDS = (
    Column("board", "leaderboard", names="leaderboard"),
    Column("leader", "leader", cell=lambda row: ", ".join(row["leader"])),
    Column("bots", "bots", right=True),
    Column("tournaments", "tournaments", right=True),
    Column("matches", "matches", right=True),
    Column("running", "status", tone=lambda _row: "good", when=known_values("running")),
)
SHOW = "show"
"""Parameter of the list of tournaments: with ``all`` it has the exhibitions of visitors, too."""


def events(site: Site, place: Place) -> View:
    """Shows the tournaments, the newest first.

    Raises:
        UnknownName: The address wants to show something else than ``all``.
    """
    wanted = place.query.get(SHOW, "all")
    if wanted != "all":
        raise UnknownName(f"value of {SHOW}", wanted, ("all",))
    stored = tournament_rows(site.database)
    rows = [row for row in stored if row["format"] != EXHIBITION]
    listed = stored if SHOW in place.query else rows
    matches = sum(row["matches"] for row in rows)
    running = [row for row in rows if row["status"] == "running"]
    tournaments = Table(title="Tournaments", columns=TOURNAMENTS, rows=listed[::-1])
    return View(
        title="Events",
        description=f"{len(rows)} tournaments with {matches:,} matches of card-game bots",
        template="events",
        values={
            "tournaments": listing(tournaments, place, things="tournaments"),
            "exhibitions": len(stored) - len(rows),
            "all": place.again(**{SHOW: None if SHOW in place.query else "all", "page": None}),
            "shown": SHOW in place.query,
            "matches": matches,
            "number": len(rows),
            "running": len(running),
        },
        trail=trail(place, ("Events", "")),
        section="/events",
        matches=sum(row["matches"] for row in stored),
        running=bool(running),
    )


def leaders(site: Site, place: Place) -> View:
    """Shows all leaderboards."""
    rows = [row for row in tournament_rows(site.database) if row["format"] != EXHIBITION]
    found = _board_rows(site, rows)
    table = Table(title="Leaderboards", columns=BOARDS, rows=found)
    return View(
        title="Leaders",
        description=f"{len(found)} leaderboards of card-game bots",
        template="leaders",
        values={"boards": listing(table, place, things="leaderboards")},
        trail=trail(place, ("Leaders", "")),
        section="/leaders",
        matches=sum(row["matches"] for row in rows),
        running=any(row["status"] == "running" for row in rows),
    )


def _board_rows(site: Site, rows: Sequence[Row]) -> list[Row]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["matches"]:
            found.setdefault((row["game"], row["ruleset"]), []).append(row)
    return [
        {
            "board": f"{game}, {ruleset}",
            "game": game,
            "ruleset": ruleset,
            "tournaments": len(own),
            "matches": sum(row["matches"] for row in own),
            "running": "running" if any(row["status"] == "running" for row in own) else None,
            **_first(site, game, ruleset, own),
        }
        for (game, ruleset), own in sorted(found.items())
    ]


def _first(site: Site, game: str, ruleset: str, rows: Sequence[Row]) -> Row:
    """Returns who leads a leaderboard, or each of those by amount, and how many bots it has."""

    def make() -> Row:
        boards = site.boards.now(Asked(game=game, ruleset=ruleset))
        return {
            "leader": [*dict.fromkeys(each.rows[0].participant.name for each in boards)],
            "bots": max(len(each.rows) for each in boards),
        }

    return site.keep(("first", *((row["id"], row["matches"]) for row in rows)), make)


def bots(site: Site, place: Place) -> View:
    """Shows the bots that can be entered by name."""
    rows = [*bot_rows(site.registry, site.database)]
    table = Table(title="Bots", columns=BOTS, rows=rows)
    return View(
        title="Bots",
        description=f"{len(rows)} bots that can be entered by name",
        template="bots",
        values={"bots": listing(table, place, things="bots")},
        trail=trail(place, ("Bots", "")),
        section="/b",
    )
