"""A bot: its versions, ratings, opponents, and why it lost."""

from __future__ import annotations

from typing import Any

from arena_results.leaderboard import Asked

from arena.core.errors import UnknownName
from arena.core.parsing import parse_call, split_loadout, split_version
from arena.pages.charts import Curve, bars, curve
from arena.pages.page import Link
from arena.pages.tables import Badge, Column, Row, Table
from arena.service.leaderboard import board_row, leaderboards
from arena.service.opponents import opponents
from arena.service.pictures import versions_chart
from arena.service.public import bot_document, history_document
from arena.web.lists import Place, Raw, listing
from arena.web.site import Site
from arena.web.views.view import Fact, View, trail

RATINGS = (
    Column(key="board", head="leaderboard", heading=True),
    Column(key="name", head="entered as"),
    Column(key="version", head="version"),
    Column(key="rank", head="#", number=True),
    Column(key="rating", head="rating", number=True, digits=0),
    Column(key="half", head="± 95 %", number=True, digits=0),
    Column(key="games", head="games", number=True),
)
OPPONENTS = (
    Column(key="opponent", head="opponent", heading=True),
    Column(key="played", head="duels", number=True),
    Column(key="won", head="won", number=True),
    Column(key="drawn", head="drawn", number=True),
    Column(key="lost", head="lost", number=True),
    Column(key="share", head="points", number=True),
)
WORST = (
    Column(key="match", head="match", heading=True),
    Column(key="action", head="decision"),
    Column(key="better", head="better"),
    Column(key="given_away", head="given away", number=True),
)
VERSIONS = (
    Column(key="version", head="version", heading=True),
    Column(key="status", head="status"),
    Column(key="games", head="games"),
    Column(key="deterministic", head="deterministic"),
)
ABOUT = ("kind", "author", "licence", "language", "games", "summary")
"""Facts of a bot, in their order."""


def bot(site: Site, place: Place) -> View:
    """Shows all that everybody may know of a bot, ``NAME`` or ``NAME@VERSION``.

    Raises:
        UnknownName: There is none, and none of that name has played.
    """
    asked = place.words["name"]
    name, version = split_version(asked)
    ratings = _ratings(site, name, version)
    about: dict[str, Any] = {}
    plain = parse_call(split_loadout(name)[0])[0]
    try:
        about = bot_document(
            site.registry, site.database, f"{plain}@{version}" if version else plain
        )
    except UnknownName:
        if not ratings:
            raise
    return View(
        title=asked,
        description=_description(asked, about, ratings),
        template="bot",
        values={
            "name": asked,
            "facts": [
                Fact(key, _text(about[key])) for key in ABOUT if about.get(key) not in (None, "")
            ],
            "versions": _versions(about, place),
            "ratings": Table(
                caption="Ratings", columns=RATINGS, rows=[_rating(row, place) for row in ratings]
            ),
            "curves": _curves(site, name, ratings),
            **_opponents(site, asked, place),
            **(_history(site, asked, place) if ratings else {"history": None}),
        },
        trail=trail(place, ("Bots", place.to("b")), (asked, "")),
        section="/b",
    )


def _opponents(site: Site, name: str, place: Place) -> dict[str, object]:
    """Returns the values of the sections on opponents and on faults."""
    met = opponents(site.database, name)

    def cells(row: Raw) -> Row:
        opponent = Link(row["opponent"], place.to("b", row["opponent"]))
        return {**row, "opponent": opponent, "share": f"{row['share'] * 100:.1f} %"}

    listed = listing("Opponents", OPPONENTS, met.rows, cells, place, things="opponents")
    faults = bars("Lost by its own faults", [*met.faults], {name: [*met.faults.values()]})
    return {"opponents": listed, "faults": faults if met.faults else None}


def _history(site: Site, name: str, place: Place) -> dict[str, object]:
    """Returns the values of the section on luck and mistakes."""
    history = history_document(site.registry, site.database, name)
    causes = history["lost_by"]
    why = bars("Why it lost", [*causes], {name: [*causes.values()]}) if causes else None
    rows = [_worst(row, place) for row in history["worst"]]
    worst = Table(caption="Worst decisions", columns=WORST, rows=rows) if rows else None
    return {"history": history, "causes": why, "worst": worst}


def _ratings(site: Site, name: str, version: str) -> list[Raw]:
    """Returns the rows of a bot on all leaderboards, those of its versions side by side."""
    boards = leaderboards(site.database, Asked(), all_versions=True, registry=site.registry)
    rows = [board_row(row) for board in boards for row in board.rows]
    return [
        row
        for row in rows
        if version in ("", row["version"])
        and name in (row["name"], parse_call(split_loadout(str(row["name"]))[0])[0])
    ]


def _description(name: str, about: dict[str, Any], ratings: list[Raw]) -> str:
    if not ratings:
        return f"{name}: {about.get('summary') or 'it has played no match yet'}"
    best = ratings[0]
    return f"{name}: rated {best['rating']:.0f} in {best['game']}, {best['ruleset']}"


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "any"
    return str(value)


def _versions(about: dict[str, Any], place: Place) -> Table | None:
    rows: list[Row] = [
        {
            "version": Link(each["version"], place.to("b", f"{about['name']}@{each['version']}")),
            "status": Badge(each["status"], "good" if each["status"] == "enabled" else ""),
            "games": _text(each["games"]),
            "deterministic": each["deterministic"],
        }
        for each in about.get("versions", ())
    ]
    return Table(caption="Versions", columns=VERSIONS, rows=rows) if rows else None


def _rating(row: Raw, place: Place) -> Row:
    return {
        **{key: row[key] for key in ("version", "rank", "rating", "games")},
        "board": Link(
            f"{row['game']}, {row['ruleset']}", place.to("g", row["game"], row["ruleset"])
        ),
        "name": Link(row["name"], place.to("b", row["name"])),
        "half": "few" if row["few"] else (row["high"] - row["low"]) / 2,
    }


def _curves(site: Site, name: str, ratings: list[Raw]) -> list[Curve]:
    """Returns the ratings by version, of each leaderboard with several versions."""
    found: list[Curve] = []
    for game, ruleset in dict.fromkeys((row["game"], row["ruleset"]) for row in ratings):
        own = [row for row in ratings if (row["game"], row["ruleset"]) == (game, ruleset)]
        if sum(row["name"] == name for row in own) > 1:
            asked = Asked(game=game, ruleset=ruleset)
            found.append(curve(versions_chart(site.registry, site.database, name, asked)))
    return found


def _worst(row: Raw, place: Place) -> Row:
    match = place.to("m", row["match"], view="all", move=str(row["move"]))
    return {
        "match": Link(f"{row['match']}, move {row['move']}", match),
        "action": row["action"],
        "better": row["better"],
        "given_away": f"{row['given_away'] * 100:.1f} %",
    }
