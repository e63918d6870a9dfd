"""The pages of a league: login, submission, queue, and the decision on one submission."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from arena_results.bots.uploads import WAITING, Upload
from arena_results.store.logs import BotLog

from arena.core.table import Table
from arena.pages.drawing import drawn_table
from arena.pages.page import Link
from arena.pages.tables import Badge, Column, Row
from arena.plugins.archive_kinds import SENT
from arena.service.bots.qualification_rows import CHECKS, check_rows
from arena.service.league.league_file import LeagueSpec
from arena.service.public.documents import upload_row
from arena.web.lists import Place, Raw, listing
from arena.web.views.view import Fact, View, moment, trail

TONES = {"entered": "good", "refused": "bad", "failed": "warn", "qualifying": "warn"}
"""Tones of badges that show the state of a submission."""
QUEUE = (
    Column(key="id", head="#", number=True),
    Column(key="file", head="file", heading=True),
    Column(key="author", head="author"),
    Column(key="state", head="state"),
    Column(key="bot", head="bot"),
    Column(key="received", head="received, UTC"),
)
OWN = tuple(column for column in QUEUE if column.key != "author")
"""Columns of an author's own submissions."""


def login_view(league: LeagueSpec, place: Place, *, forgotten: bool = False) -> View:
    """Shows the form by which an author logs in with a token.

    Args:
        forgotten: Whether the browser logged in and did not keep the cookie of that.
    """
    return View(
        title=f"Submit to {league.name}",
        description=f"Authors with a token submit bots to {league.name}",
        template="login",
        values={"league": league, "action": place.to("login"), "forgotten": forgotten},
        trail=trail(place, ("Submit", "")),
        section="/submit",
    )


def submit_view(league: LeagueSpec, author: str, own: Sequence[Upload], place: Place) -> View:
    """Shows the form by which an author submits, and the author's submissions, the latest first."""
    rows = [_row(each) for each in own]
    return View(
        title=f"Submit to {league.name}",
        description=f"Authors with a token submit bots to {league.name}",
        template="submit",
        values={
            "league": league,
            "author": author,
            "action": place.to("submit"),
            "log_out": place.to("logout"),
            "accepted": SENT,
            "own": listing(
                "Your submissions", OWN, rows, lambda row: _cells(row, place), place,
                things="submissions",
            ),
        },
        trail=trail(place, ("Submit", "")),
        section="/submit",
    )  # fmt: skip


def queue_view(found: Sequence[Upload], place: Place) -> View:
    """Shows all submissions, the latest first."""
    rows = [_row(each) for each in found]
    waiting = any(each.state in WAITING for each in found)
    return View(
        title="Queue",
        description=f"{len(rows)} submissions",
        template="queue",
        values={
            "queue": listing(
                "Submissions", QUEUE, rows, lambda row: _cells(row, place), place,
                things="submissions",
            )
        },
        trail=trail(place, ("Queue", "")),
        section="/queue",
        polled=place.again() if waiting else "",
    )  # fmt: skip


def _row(upload: Upload) -> Raw:
    return {**upload_row(upload), "received": moment(upload.received_at)}


def _cells(row: Raw, place: Place) -> Row:
    bot = Link(row["bot"], place.to("b", row["bot"])) if row["bot"] else None
    return {
        **row,
        "file": Link(row["file"], place.to("s", row["id"])),
        "state": Badge(row["state"], TONES.get(row["state"], "")),
        "bot": bot,
    }


def log_view(bot: str, logs: Sequence[BotLog], place: Place) -> View:
    """Shows an author what a bot printed in its matches."""

    def match(log: BotLog) -> Link:
        number = f"{log.tournament}.{log.key}"
        return Link(number, place.to("m", number))

    address = place.to("b", bot)
    return View(
        title=f"Log of {bot}",
        description=f"What {bot} printed, for its author",
        template="log",
        values={
            "bot": Link(bot, address),
            "logs": [{"match": match(each), **msgspec.structs.asdict(each)} for each in logs],
        },
        trail=trail(place, ("Bots", place.to("b")), (bot, address), ("Log", "")),
        section="/b",
    )


def submission_view(upload: Upload, place: Place, *, own: bool) -> View:
    """Shows one submission; the reasons of a refusal to its author only.

    Args:
        own: Whether its author asks.
    """
    row = upload_row(upload, own=own)
    checks = [*check_rows(msgspec.json.decode(upload.document))] if upload.document else []
    facts = [Fact("author", upload.author), Fact("file", f"{upload.file}, {upload.size} bytes")]
    facts.append(Fact("received", f"{moment(upload.received_at)} UTC"))
    if upload.bot:
        facts.append(Fact("bot", Link(upload.bot, place.to("b", upload.bot))))
    if upload.bot and own:
        facts.append(Fact("log", Link("what it printed", place.to("b", upload.bot, "log"))))
    return View(
        title=f"Submission {upload.id}",
        description=f"{upload.file} by {upload.author}: {upload.state}",
        template="submission",
        values={
            "upload": row,
            "tone": TONES.get(upload.state, ""),
            "facts": facts,
            "own": own,
            "log_in": place.to("submit"),
            "text": upload.text if own or upload.state == "entered" else "",
            "checks": drawn_table(Table(title="Qualification", columns=CHECKS, rows=checks))
            if checks and (own or upload.state == "entered")
            else None,
        },
        trail=trail(place, ("Queue", place.to("queue")), (f"Submission {upload.id}", "")),
        section="/queue",
        polled=place.again() if upload.state in WAITING else "",
    )
