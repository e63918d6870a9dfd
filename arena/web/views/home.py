"""The first page, with games and tournaments, and the list of bots."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import UnknownName
from arena.core.table import Column, Row, Table, known_values
from arena.core.tournaments.format import EXHIBITION
from arena.service.bots.listing import BOTS
from arena.service.public.documents import bot_rows, tournament_rows
from arena.service.report.tournament_rows import TOURNAMENTS
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.season import final_notice
from arena.web.site.site import Site
from arena.web.views.view import View

BOARDS = (
    Column("board", "leaderboard", names="leaderboard"),
    Column("tournaments", "tournaments", right=True),
    Column("matches", "matches", right=True),
    Column("running", "status", tone=lambda _row: "good", when=known_values("running")),
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

    tournaments = Table(title="Tournaments", columns=TOURNAMENTS, rows=listed[::-1])
    bots = len({(row["name"], row["version"]) for row in bot_rows(site.registry, site.database)})
    return View(
        title="Arena",
        description=f"{len(rows)} tournaments with {matches:,} matches of card-game bots",
        template="home",
        values={
            "boards": _boards(rows, place) if matches else None,
            "tournaments": listing(tournaments, place, things="tournaments"),
            "exhibitions": exhibitions,
            "all": place.again(**{SHOW: None if SHOW in place.query else "all", "page": None}),
            "shown": SHOW in place.query,
            "matches": matches,
            "number": len(rows),
            "bots": bots,
            "running": len(running),
            "league": site.settings.league,
            "season": place.to("league"),
            "final": final_notice(site),
        },
        section="/",
        matches=sum(row["matches"] for row in stored),
        running=bool(running),
    )


def _boards(rows: Sequence[Row], place: Place) -> Listing:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["matches"]:
            found.setdefault((row["game"], row["ruleset"]), []).append(row)
    listed = [
        {
            "board": f"{game}, {ruleset}",
            "game": game,
            "ruleset": ruleset,
            "tournaments": len(own),
            "matches": sum(row["matches"] for row in own),
            "running": "running" if any(row["status"] == "running" for row in own) else None,
        }
        for (game, ruleset), own in sorted(found.items())
    ]
    table = Table(title="Leaderboards", columns=BOARDS, rows=listed)
    return listing(table, place, things="leaderboards", name="boards")


def bots(site: Site, place: Place) -> View:
    """Shows the bots that can be entered by name."""
    rows = [*bot_rows(site.registry, site.database)]
    table = Table(title="Bots", columns=BOTS, rows=rows)
    return View(
        title="Bots",
        description=f"{len(rows)} bots that can be entered by name",
        template="bots",
        values={"bots": listing(table, place, things="bots")},
        section="/b",
    )
