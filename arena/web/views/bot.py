"""A bot: its figures, form, rating, rivals, versions, and what its author should look at next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from arena_results.boards.board_rows import Board
from arena_results.boards.leaderboard import Asked, chosen

from arena.core.errors import UnknownName
from arena.core.table import Row, Table, minus
from arena.core.text.parsing import parse_call, split_loadout, split_version
from arena.pages.charts import FAULTS, RATING_SPAN, Curve, bars, curve
from arena.pages.drawing import drawn_table
from arena.pages.faces import face
from arena.pages.page import Link
from arena.service.boards.bot_tables import OPPONENTS, rating_rows, rating_table
from arena.service.boards.history import WORST
from arena.service.boards.profile import Profile
from arena.service.boards.progress import progress
from arena.service.boards.versions import VersionChange, change_table, version_changes
from arena.service.bots.listing import versions_table
from arena.service.charts.pictures import history_chart, progress_chart
from arena.service.match.listing import match_table
from arena.service.public.documents import bot_document, own_rows, public_history, public_profile
from arena.web.site.lists import Listing, Place, listing
from arena.web.site.numbers import number, wanted_matches
from arena.web.site.season import SeasonBoard, season_board
from arena.web.site.site import Site
from arena.web.views.bot_parts import (
    choices,
    exploited,
    figures,
    finding_link,
    main_row,
    sums,
    verdict,
    worst_decisions,
)
from arena.web.views.view import View, trail

LISTS = ("ratings", "worst", "versions")
"""Names of the lists of a bot besides that of its opponents."""
FILTERS = ("against", "result", "cause", "tournament")
"""Parameters of the list of matches."""
TAB, MATCHES = "tab", "matches"
"""Parameter that chooses a part of the page, and its value for the list of matches."""
MAX_LISTED = 500
"""Newest matches that are listed."""
RIVALS = 8
"""Opponents next to the rating; a list of its own has all of them."""


class _Known(msgspec.Struct, frozen=True):
    """The facts of a bot that every part of its page has."""

    name: str
    about: Mapping[str, Any]
    ratings: Sequence[Row]
    changes: Sequence[VersionChange]
    season: SeasonBoard | None
    profile: Profile | None


def bot(site: Site, place: Place) -> View:
    """Shows everything public of a bot, ``NAME`` or ``NAME@VERSION``.

    Raises:
        UnknownName: It does not exist, and none of that name has played; or the page has no such
            part.
    """
    tab = place.query.get(TAB, "")
    if tab not in ("", MATCHES):
        raise UnknownName("part of the page", tab, (MATCHES,))
    known = _known(site, place.words["name"])
    name = known.name
    return View(
        title=f"{name}: matches" if tab else name,
        description=_description(known),
        template="bot",
        values={
            **_head(site, known, place, tab),
            **(_matches(site, known, place) if tab else _overview(site, known, place)),
        },
        trail=trail(place, ("Bots", place.to("b")), (name, "")),
        section="/b",
        styles=("board.css", "bot.css"),
    )


def _known(site: Site, asked: str) -> _Known:
    name, version = split_version(asked)
    season = season_board(site, all_versions=True)
    boards = _boards(site, season)
    ratings = rating_rows(boards, name, version)
    about: Mapping[str, Any] = {}
    plain = parse_call(split_loadout(name)[0])[0]
    try:
        about = bot_document(site.registry, site.boards, f"{plain}@{version}" if version else plain)
    except UnknownName:
        if not ratings:
            raise
    changes = version_changes((board for _, board in boards), name, version)
    found = site.run(public_profile, asked) if ratings else None
    return _Known(asked, about, ratings, changes, season, found)


KINDS = {"house": "built-in", "local": "not stored here", "endpoint": "language model"}
"""Kinds of bots that pages name in other words."""


def _head(site: Site, known: _Known, place: Place, tab: str) -> dict[str, object]:
    """Returns the values of the head of the page."""
    name, version = split_version(known.name)
    row = main_row(known.ratings, [] if version else site.boards.now(Asked()), name)
    versions = "compared" if known.changes else "ratings"
    played = known.profile is not None and known.profile.recent.matches > 0
    tabs = [
        Link("Overview", place.to("b", known.name), not tab),
        Link("Matches", place.to("b", known.name, tab=MATCHES), bool(tab)),
        Link("Rivals", place.to("b", known.name) + "#rivals"),
        Link("Versions", place.to("b", known.name) + f"#{versions}"),
    ]
    return {
        "name": known.name,
        "face": face(parse_call(split_loadout(name)[0])[0]),
        "by": _by(known),
        "summary": known.about.get("summary") or "",
        "play": _play(site, known, place, row),
        "figures": figures(row, known.changes),
        "verdict": verdict(known.changes),
        "form": known.profile.recent.form if known.profile else "",
        "tabs": tabs if played else [],
        **dict.fromkeys(("listed", "curves", "boards")),
    }


def _by(known: _Known) -> str:
    """Returns the author and the kind of a bot, in one line."""
    about, row = known.about, next(iter(known.ratings), None)
    kind = KINDS.get(about.get("kind", ""))
    language = str(about.get("language") or "").capitalize()
    version = about.get("version") or (row and row["version"])
    parts = (
        f"by {about['author']}" if about.get("author") else "",
        kind or str(about.get("kind") or ""),
        language,
        ", ".join(about.get("games") or ()),
        f"version {version}" if version else "",
        str(about.get("licence") or ""),
    )
    return ", ".join(filter(None, parts))


def _play(site: Site, known: _Known, place: Place, row: Row | None) -> str:
    """Returns the address of a match against a bot; empty if it is not offered."""
    about = known.about
    stored = about.get("kind") == "submitted" and about.get("status") == "enabled"
    if not site.settings.play or not (stored or about.get("kind") == "house"):
        return ""
    games = about.get("games") or ((row["game"],) if row else ())
    return place.to("play", game=games[0], bots=known.name) if games else ""


def _overview(site: Site, known: _Known, place: Place) -> dict[str, object]:
    rows = known.profile.met.rows if known.profile else []
    rivals = Table(title="Rivals", columns=OPPONENTS, rows=rows)
    versions = versions_table(known.about.get("name", ""), known.about.get("versions", ()))
    found = known.profile.recent.findings if known.profile else ()
    faults = known.profile.met.faults if known.profile else {}
    return {
        "versions": _named(versions, "versions", place),
        "exploited": exploited(known.ratings),
        "ratings": _named(rating_table(known.ratings), "ratings", place, RATING_SPAN),
        "changes": drawn_table(change_table(known.changes), place.address)
        if known.changes
        else None,
        "curves": _curves(site, known),
        "recent": known.profile.recent if known.profile else None,
        "findings": [
            (each, minus(each.example), finding_link(each, place, known.name)) for each in found
        ],
        "rivals": drawn_table(msgspec.structs.replace(rivals, rows=rows[:RIVALS]), place.address),
        "opponents": listing(rivals, place, things="opponents"),
        "few": len(rows) <= RIVALS and "q" not in place.query,
        **_history(site, known, faults, place),
    }


def _history(site: Site, known: _Known, faults: dict[str, int], place: Place) -> dict[str, object]:
    """Returns the values of the sections on luck and mistakes.

    Args:
        faults: What the page shows already: why it lost is not shown if it says the same.
    """
    name = known.name
    counted = bars("Lost by its own faults", [*faults], {name: [*faults.values()]}, tone=FAULTS)
    shown: dict[str, object] = {
        "faults": counted if faults else None,
        **dict.fromkeys(("causes", "worst", "cards", "boards", "sums")),
    }
    if not known.ratings:
        return shown | {"history": None}
    history = site.run(public_history, name)
    causes = history.lost_by
    if causes and causes != faults:
        shown["causes"] = bars("Why it lost", [*causes], {name: [*causes.values()]})
    rows = [row | {"view": "all"} for row in history.document()["worst"]]
    table = Table(title="Worst decisions", columns=WORST, rows=rows)
    cards, boards = worst_decisions(history.worst, history.positions, place)
    return shown | {
        "history": history,
        "cards": cards,
        "boards": boards,
        "sums": sums(history),
        "worst": _named(table, "worst", place),
    }


def _matches(site: Site, known: _Known, place: Place) -> dict[str, object]:
    """Returns the values of the list of matches."""
    wanted = wanted_matches(place.query, number(place.query, "tournament"))
    rows = own_rows(site.database, known.name, wanted, MAX_LISTED)
    return {
        "listed": listing(match_table("Matches", rows), place, things="matches"),
        "more": len(rows) == MAX_LISTED,
        "action": place.to("b", known.name),
        "choices": choices(place, known.profile.met) if known.profile else [],
    }


def _named(table: Table, name: str, place: Place, least: float = 0) -> Listing | None:
    if not table.rows:
        return None
    return listing(table, place, things=table.title.lower(), name=name, least=least)


def _boards(site: Site, season: SeasonBoard | None) -> list[tuple[str, Board]]:
    """Returns all leaderboards with a row for every version, each with the title of its season.

    The boards of the league's season are the first. They stand for one that has the same matches.
    """
    boards = [("", board) for board in site.boards.now(Asked(), all_versions=True)]
    if season is not None and season.boards:
        about, own = season.about, msgspec.structs.replace(season.asked, tournament=None)
        if [each.id for each in chosen(site.database, own)] == [about.id]:
            rules = about.game, about.ruleset
            boards = [each for each in boards if (each[1].game, each[1].ruleset) != rules]
        boards = [*((season.title, board) for board in season.boards), *boards]
    return boards


def _description(known: _Known) -> str:
    name = known.name
    if not known.ratings:
        return f"{name}: {known.about.get('summary') or 'it has played no match yet'}"
    best = known.ratings[0]
    return f"{name}: rated {best['rating']:.0f} in {best['game']}, {best['ruleset']}"


def _curves(site: Site, known: _Known) -> list[Curve]:
    found: list[Curve] = []
    (name, version), season, ratings = split_version(known.name), known.season, known.ratings

    def of(row: Row) -> tuple[str, str, str]:
        return row["season"], row["game"], row["ruleset"]

    boards = dict.fromkeys((*of(row), row["name"]) for row in ratings if not row["unit"])
    for title, game, ruleset, entered in boards:
        rules = Asked(game=game, ruleset=ruleset)
        asked = season.asked if season and title else rules
        own = [row for row in ratings if of(row) == (title, game, ruleset) and not row["unit"]]
        charts = [history_chart(site.boards, entered, version, asked, own[0]["field"])]
        if entered == name and sum(row["name"] == name for row in own) > 1:
            rated = [each for each in progress(site.boards, name, asked) if not each.unit]
            charts.append(progress_chart(rated))
        for chart in charts:
            if chart is None:
                continue
            shown = chart.title.replace(f"{game}, {ruleset}", title or f"{game}, {ruleset}", 1)
            of_it = f" of {entered}" if entered != name else ""
            found.append(curve(msgspec.structs.replace(chart, title=shown + of_it)))
    return found
