"""The pages of an organiser: all events, a draft, and a tournament that is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from arena_results.bots.authors import Token
from arena_results.schema.rows import Status
from arena_tournaments.play.rulings import has_left

from arena.core.errors import BadSpec
from arena.core.table import Column, Table
from arena.core.tournaments.format import EXHIBITION
from arena.pages.drawing import drawn_table
from arena.pages.page import Fact, Link
from arena.service.answers.rows import Document
from arena.service.public.documents import expected_matches, public_report, tournament_rows
from arena.service.report.filed.tournament_rows import TONES
from arena.service.report.report import Report
from arena.service.report.sums.ruling_rows import ruling_text
from arena.service.report.tables.grids import round_table
from arena.web.site.downloads import downloads
from arena.web.site.event.event_folder import Entry
from arena.web.site.event.event_form import DraftForm, bot_choices
from arena.web.site.event.events import Events
from arena.web.site.guard.pace import clock
from arena.web.site.lists import Place
from arena.web.site.site import Site
from arena.web.views.view import View, trail

MAX_EVENTS = 30
"""Tournaments that are listed, the latest."""
MAX_SIGNED = 6
"""Lines of who started and paused a tournament, the latest."""
STATES = {"entered": "good", "refused": "bad", "qualifying": "warn"}
"""Tones of the states of files."""
ENTRIES = (
    Column("file", "file"),
    Column("bot", "bot", names="bot"),
    Column("author", "author"),
    Column("state", "state", tone=lambda row: STATES.get(row["state"], "")),
    Column("why", "why", prose=True),
    Column("letter", "letter", names="submission"),
)
EVENTS = (
    Column("name", "event", names="tournament"),
    Column("state", "state", tone=lambda row: TONES.get(row["status"], "")),
    Column("game", "game"),
    Column("format", "format"),
    Column("entries", "bots", right=True),
    Column("matches", "matches", right=True),
)
SCORES = (
    Column("rank", "#", right=True),
    Column("name", "bot", names="bot"),
    Column("score", "score", right=True),
)
WORDS = {"interrupted": "paused", "running": "paused", "waiting": "waiting for bots"}
"""The states of tournaments in an organiser's words, where they differ."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a page that are not stored: an answer to the last request.

    Attributes:
        refused: Why the last change was not made.
        keys: The keys that were typed into the form of a draft.
        estimate: The document of its estimate.
    """

    refused: str = ""
    keys: Mapping[str, object] | None = None
    estimate: Document | None = None


def login_view(place: Place, *, forgotten: bool) -> View:
    """Shows the form by which an organiser logs in.

    Args:
        forgotten: Whether the browser logged in and did not keep the cookie of that.
    """
    return _view(place, "Organise", "login", {"action": place.to("login"), "forgotten": forgotten})


def events_view(site: Site, events: Events, token: Token, place: Place, shown: Shown) -> View:
    """Shows the events of the database, the drafts, and a form for a new one."""
    rows = [_event(site, events, row) for row in tournament_rows(site.database)]
    listed = [each for each in rows if each["format"] != EXHIBITION][::-1][:MAX_EVENTS]

    def address(column: Column, row: Mapping[str, Any]) -> str:
        return place.to("organise", row["id"]) if column.names == "tournament" else ""

    table = Table(title="Events", columns=EVENTS, rows=listed)
    drafts = [Link(name, place.to("organise", "drafts", name)) for name in events.folder.drafts()]
    values = {
        "events": drawn_table(table, address), "drafts": drafts,
        "new": place.to("organise", "drafts"), "folder": str(events.folder.path),
    }  # fmt: skip
    values["games"] = _games(site)
    return _organised(events, token, place, shown, "Organise", "events", values)


def _games(site: Site, first: str = "") -> list[str]:
    names = [each.name for each in site.registry.games()]
    return sorted(names, key=lambda name: name != first)


def _event(site: Site, events: Events, row: Mapping[str, Any]) -> dict[str, Any]:
    name = row["name"] or f"tournament {row['id']}"
    return {**row, "name": name, "state": state_of(site, events, row["id"], row["status"])}


def state_of(site: Site, events: Events, number: int, status: str) -> str:
    """Returns the state of a tournament in a word."""
    if status == Status.FINISHED:
        return status
    if events.is_played(site.database, number):
        return "running"
    return WORDS.get(status, status)


def draft_view(
    site: Site, events: Events, token: Token, place: Place, shown: Shown, name: str
) -> View:
    """Shows a draft: entries, settings, its estimate, and how it starts.

    One whose keys cannot be read is shown as it is written.
    """
    own: dict[str, object] = {"delete": place.to("organise", "drafts", name, "delete")}
    try:
        keys = events.folder.keys(name) if shown.keys is None else shown.keys
    except BadSpec as problem:
        values = {"title": name, "problem": str(problem), "text": events.folder.text(name), **own}
        more = msgspec.structs.replace(shown, refused="")
        return _organised(events, token, place, more, name, "broken", values, ("drafts", name))
    entries = events.entries()
    entered = [each.bot for each in entries if each.state == "entered"]
    form = DraftForm(site.registry, site.database, keys, entered)
    title = str(keys.get("name") or name)
    values = {
        "title": title, "form": form, "about": _estimate(shown.estimate),
        "latest": max((row["id"] for row in tournament_rows(site.database)), default=0),
        "action": place.to("organise", "drafts", name),
        "version": events.folder.version(name), **own,
        "rounds": _first_rounds(shown.estimate), "games": _games(site, form.game),
    }  # fmt: skip
    return _organised(events, token, place, shown, title, "draft", values, ("drafts", name))


def _estimate(found: Document | None) -> list[Fact]:
    if found is None:
        return []
    about = found["tournament"]
    most = "at most " if found["at_most"] else ""
    return [
        Fact("Bots", str(len(found["field"]))),
        Fact("Rounds", str(about["rounds"])),
        Fact("Matches", f"{most}{found['matches']:,}"),
        Fact("Time", clock(found["seconds"])),
        Fact("Matches per pairing", about["volume"]),
    ]


def _first_rounds(found: Document | None) -> list[str]:
    if found is None:
        return []
    first = found["rounds"][:1]
    pairs = [" – ".join(each["names"]) for made in first for each in made["pairings"]]
    return [*pairs, *(f"{name} has the bye" for made in first for name in made["byes"])]


def event_view(
    site: Site, events: Events, token: Token, place: Place, shown: Shown, number: int
) -> View:
    """Shows a tournament: its state, its rounds, the organiser's decisions, and its files."""
    report = public_report(site.registry, site.database, number)
    about = report.stored.summary
    title = about.name or f"tournament {number}"
    state = state_of(site, events, number, about.status.value)
    own = place.to("organise", number)
    values = {
        "title": title, "number": number, "own": own, "state": state,
        "signed": events.folder.signed(number)[:MAX_SIGNED],
        "problem": ""
        if state in ("running", "finished")
        else events.problem(site.database, number),
        "progress": _progress(site, report), "open_ended": report.decoded.format.open_ended,
        "round": _last_round(report, place),
        "scores": drawn_table(_scores(report), place.address),
        "public": place.to("t", number), "projector": place.to("t", number, "projector"),
        "downloads": downloads(report, lambda name: f"{own}/export/{name}"),
        "decided": [ruling_text(each, report.names) for each in report.stored.rulings][::-1],
        "takes": report.decoded.format.rulings if about.status is not Status.FINISHED else (),
        "staying": _staying(report), "late": _late(site, report),
        "games": _games(site, about.game),
    }  # fmt: skip
    return _organised(events, token, place, shown, title, "event", values, (str(number),))


def _progress(site: Site, report: Report) -> dict[str, object]:
    about, stored = report.stored.summary, report.stored
    finished = about.status is Status.FINISHED  # perhaps with fewer matches than planned
    total = about.matches if finished else expected_matches(site.registry, report)
    seconds = site.pace.of(about.id, about.matches, total - about.matches).left
    left = "being measured" if seconds is None else clock(seconds)
    return {
        "round": len(stored.rounds), "rounds": about.rounds,
        "matches": about.matches, "total": total, "left": left,
    }  # fmt: skip


def _last_round(report: Report, place: Place) -> dict[str, object] | None:
    """Returns the round that is played, or was last: its pairings with their points so far."""
    stored = report.stored
    if not stored.rounds:
        return None
    number, names = len(stored.rounds), report.names
    running = stored.heads[-1] is None
    if report.counted and report.counted[-1].round.number == number:
        return {
            "number": number, "running": running, "pairings": (), "byes": (),
            "table": drawn_table(round_table(report, report.counted[-1]), place.address),
        }  # fmt: skip
    last = stored.rounds[-1]
    pairings = [" – ".join(names[seat] for seat in each.seats) for each in last.pairings]
    byes = [names[index] for index in last.byes]
    return {
        "number": number, "running": running, "table": None, "pairings": pairings, "byes": byes,
    }  # fmt: skip


def _scores(report: Report) -> Table:
    rows = [
        {"rank": line.rank, "name": line.name, "score": line.score}
        for line in (report.table if report.counted else ())
    ]
    return Table(title="Standings after finished rounds", columns=SCORES, rows=rows)


def _staying(report: Report) -> list[str]:
    rulings = report.stored.rulings
    return [name for index, name in enumerate(report.names) if not has_left(rulings, index)]


def _late(site: Site, report: Report) -> list[str]:
    """Returns the bots that can enter late."""
    sent, house = bot_choices(site.registry, site.database, report.stored.summary.game)
    there = {f"{each.participant.name}@{each.participant.version}" for each in report.stored.field}
    there |= {*report.names}
    return [each.value for each in (*sent, *house) if each.value not in there]


def _organised(
    events: Events, token: Token, place: Place, shown: Shown, title: str, template: str,
    values: Mapping[str, object], below: tuple[str, ...] = (),
) -> View:  # fmt: skip
    entries = events.entries()

    def address(column: Column, row: Mapping[str, Any]) -> str:
        if column.names == "submission":
            return place.to("organise", "entries", row["file"], "letter")
        return place.to("b", row["bot"]) if row["state"] == "entered" else ""

    table = Table(title="Entries", columns=ENTRIES, rows=[each.row for each in entries])
    more = {
        "organiser": token.author, "log_out": place.to("logout"), "refused": shown.refused,
        "entries": drawn_table(table, address), "counts": _counts(entries),
        "upload": place.to("organise", "entries"), "here": place.to("organise", *below),
        "back": "/".join(below),
        "waiting": any(each.state in ("waiting", "qualifying") for each in entries),
        "home": place.to("organise"),
    }  # fmt: skip
    return _view(place, title, template, {**values, **more})


def _counts(entries: Sequence[Entry]) -> str:
    states = [each.state for each in entries]
    return ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))


def _view(place: Place, title: str, template: str, values: Mapping[str, object]) -> View:
    steps = [("Organise", place.to("organise"))] if title != "Organise" else []
    return View(
        title=title,
        description="For organisers: entries, settings, rounds and decisions of an event",
        template=f"organise_{template}",
        values=values,
        trail=trail(place, *steps, (title, "")),
        section="/organise",
        parts=True,
        styles=("organiser.css",),
    )
