"""The pages of a league: login, submission, queue, and the decision on one submission."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from arena_results.boards.leaderboard import Asked
from arena_results.bots.uploads import WAITING, Upload
from arena_results.store.logs import BotLog

from arena.core.table import Column, Table, minus
from arena.core.text.parsing import split_version
from arena.pages.drawing import drawn_table
from arena.pages.page import Fact, Link
from arena.plugins.submissions.archive_kinds import SENT
from arena.service.boards.versions import VersionChange
from arena.service.bots.qualification_rows import CHECKS, check_rows
from arena.service.bots.version_changes import submitted_changes
from arena.service.league.league_file import LeagueSpec
from arena.service.public.documents import upload_row
from arena.web.site.lists import Place, listing
from arena.web.site.site import Site
from arena.web.views.view import View, moment, trail

TONES = {"entered": "good", "refused": "bad", "failed": "warn", "qualifying": "warn"}
"""Tones of badges that show the state of a submission."""
QUEUE = (
    Column("id", "#", right=True),
    Column("file", "file", names="submission"),
    Column("author", "author"),
    Column("state", "state", tone=lambda row: TONES.get(row["state"], "")),
    Column("bot", "bot", names="bot"),
    Column("received", "received", unit="UTC"),
)


def _uploads(title: str, found: Sequence[Upload], columns: Sequence[Column] = QUEUE) -> Table:
    rows = [{**upload_row(each), "received": moment(each.received_at)} for each in found]
    return Table(title=title, columns=tuple(columns), rows=rows)


def upload_changes(site: Site, upload: Upload) -> tuple[VersionChange, ...]:
    """Compares the version of an entered submission with the last one."""
    if upload.state != "entered" or not upload.bot:
        return ()
    boards = partial(site.boards.now, Asked(), all_versions=True, amounts=False)
    return submitted_changes(site.database, *split_version(upload.bot), boards)


class Closing(msgspec.Struct, frozen=True):
    """The state of the final: a sentence, and whether submissions are closed."""

    text: str = ""
    closed: bool = False


def login_view(
    league: LeagueSpec, place: Place, final: Closing, *, forgotten: bool = False
) -> View:
    """Shows the form by which an author logs in with a token.

    Args:
        forgotten: Whether the browser logged in and did not keep the cookie of that.
    """
    return View(
        title=f"Submit to {league.name}",
        description=f"Authors with a token submit bots to {league.name}",
        template="login",
        values={
            "league": league,
            "action": place.to("login"),
            "final": final,
            "forgotten": forgotten,
        },
        trail=trail(place, ("Submit", "")),
        section="/submit",
    )


def submit_view(
    league: LeagueSpec, author: str, own: Sequence[Upload], place: Place, final: Closing
) -> View:
    """Shows the form by which an author submits, and the author's submissions, the latest first."""
    columns = [each for each in QUEUE if each.key != "author"]
    submitted = _uploads("Your submissions", own, columns)
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
            "own": listing(submitted, place, things="submissions"),
            "final": final,
        },
        trail=trail(place, ("Submit", "")),
        section="/submit",
    )


def queue_view(found: Sequence[Upload], place: Place) -> View:
    """Shows all submissions, the latest first."""
    waiting = any(each.state in WAITING for each in found)
    return View(
        title="Queue",
        description=f"{len(found)} submissions",
        template="queue",
        values={"queue": listing(_uploads("Submissions", found), place, things="submissions")},
        trail=trail(place, ("Queue", "")),
        section="/queue",
        polled=place.again() if waiting else "",
    )


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


def submission_view(
    upload: Upload, place: Place, *, own: bool, changes: Sequence[VersionChange] = ()
) -> View:
    """Shows one submission; the reasons of a refusal to its author only.

    Args:
        changes: Its version compared with the last one.
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
            "changes": [minus(each.text) for each in changes],
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
