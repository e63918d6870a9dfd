"""Settings of the site: its address, content and limits."""

from __future__ import annotations

import re

import msgspec

from arena.core.errors import BadInput
from arena.plugins.options import option
from arena.service.answers.defaults import HOST, PORT
from arena.service.league.league_file import MEGABYTE, LeagueSpec

LOOPBACK = (HOST, "localhost", "::1")
"""Hosts that only this machine reaches."""
UPLOADS = ("/submit", "/api/submissions")
"""Paths to which authors send bots."""
ENTRIES = "/organise/entries"
"""Path to which organisers send the bots of authors."""
UPLOAD_SECONDS = 60.0
"""Time for the body of such a request."""
FORM_BYTES = 4096
"""Bytes that a form adds to the file in it."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one visitor, and of all of them.

    Attributes:
        requests: Requests of an address per minute.
        unsafe: Requests of an address per minute that could change something.
        streams: Live pages of an address at once.
        all_streams: Live pages of all addresses.
        connections: Open connections of an address; behind a proxy all are the proxy's.
        all_connections: Open connections; fewer where the system allows fewer files.
        opened: New connections of an address per minute, with or without a request.
        head_bytes: Size of the head of a request.
        body_bytes: Size of the body of a request.
        seconds: Time for the head of a request, for its body, and for an idle connection.
        unread_seconds: Time in which a visitor takes a part of an answer (64 KiB).
        entries_mb: Size of the files that an organiser sends at once.
        answers: Answers of an address at tables per minute, and changes of organisers.
        matches: Matches that an address may begin per hour.
        tables: Tables in use at once.
        tables_of_address: Tables of an address.
        tables_of_player: Tables of a player.
        think_seconds: Time of a player for a decision; then the match is lost by time.
    """

    requests: int = 600
    unsafe: int = 10
    streams: int = 32
    all_streams: int = 2_000
    connections: int = 256
    all_connections: int = 4_096
    opened: int = 1_200
    head_bytes: int = 16 * 1024
    body_bytes: int = 64 * 1024
    seconds: float = 10.0
    unread_seconds: float = 20.0
    entries_mb: int = 200
    answers: int = 240
    matches: int = 60
    tables: int = 8
    tables_of_address: int = 4
    tables_of_player: int = 2
    think_seconds: float = 300.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``arena serve``.

    Attributes:
        db: Address of the database.
        host: Name or address at which it listens.
        port: Port; 0 for any that is free.
        prefix: Path under which a proxy shows the site, such as ``/arena``; empty for none.
        projector: Whether letters are large, and pages scroll by themselves.
        behind_proxy: Whether a proxy names the visitor (``X-Forwarded-For``,
            ``X-Forwarded-Proto``).
        league: The league to which authors may submit; ``None`` for a site that only shows.
        play: Whether visitors may play against bots; their matches are stored.
        organise: Folder of the organisers' files; ``None`` for a site without organisers.
        transcripts: Whether organisers see the transcripts of language models.
        interval: Least seconds between two updates of an open page.
        poll: Seconds between two checks of the database.
        prepared: Whether leaderboards and a match are drawn before they are asked for.
    """

    db: str
    host: str = HOST
    port: int = PORT
    prefix: str = ""
    projector: bool = False
    behind_proxy: bool = False
    limits: Limits = Limits()
    league: LeagueSpec | None = None
    play: bool = False
    organise: str | None = None
    transcripts: bool = False
    interval: float = 1.0
    poll: float = 0.5
    prepared: bool = False

    def __post_init__(self) -> None:
        if self.transcripts and self.organise is None:
            raise BadInput(
                f"{option('transcripts')}: only organisers see transcripts; add "
                f"{option('organise', ...)}"
            )

    def body_limits(self, path: str) -> tuple[int, float]:
        """Returns the bytes of a body that is sent to a path, and the seconds it may take."""
        if self.organise and path == ENTRIES:
            return self.limits.entries_mb * MEGABYTE + FORM_BYTES, UPLOAD_SECONDS
        if self.league and path in UPLOADS:
            return self.league.limits.packed_mb * MEGABYTE + FORM_BYTES, UPLOAD_SECONDS
        return self.limits.body_bytes, self.limits.seconds

    @property
    def local(self) -> bool:
        """True if only this machine reaches it."""
        return self.host in LOOPBACK


def plays(asked: bool | None, host: str, *, behind_proxy: bool) -> bool:
    """Returns whether visitors may play; by default only those of this machine."""
    return host in LOOPBACK and not behind_proxy if asked is None else asked


def checked_prefix(prefix: str) -> str:
    """Returns a path prefix in its usual form: ``/arena`` for ``arena``, ``/arena/`` and
    ``/arena``.

    Raises:
        BadInput: It is not a path of letters, digits, ``-``, ``_``, ``.`` and ``/``.
    """
    path = prefix.strip("/")
    if not path:
        return ""
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*", path, re.ASCII) or ".." in path.split("/"):
        raise BadInput(f"prefix {prefix!r}: expected a path such as /arena")
    return f"/{path}"


def below(settings: Settings, path: str) -> str:
    """Returns a path without the prefix, which a proxy may have taken off."""
    prefix = settings.prefix
    return path.removeprefix(prefix) if path.startswith(f"{prefix}/") else path
