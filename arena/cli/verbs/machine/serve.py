"""``arena serve``: the web site of a database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.terminal.help import ORGANISERS
from arena.cli.terminal.signals import heeded
from arena.cli.terminal.wiring import DEFAULT_DB, DbOption
from arena.core.text.printable import printable_line
from arena.service.answers.defaults import HOST, MAX_PORT, PORT

if TYPE_CHECKING:
    from arena_results.bots.uploads import Upload

EPILOG = """\b
Examples:
  arena serve
  arena serve --db league.db --port 8080
  arena serve --host 0.0.0.0 --projector
  arena serve --prefix /arena --behind-proxy
  arena serve --league league.toml --db league.db
  arena serve --organise event --db event.db
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command("serve", rich_help_panel=ORGANISERS, epilog=EPILOG)(serve_command)


def serve_command(
    host: Annotated[str, typer.Option(metavar="HOST", help="Name or address to listen at.")] = HOST,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=MAX_PORT, help="Port, 0 for any free one.")
    ] = PORT,
    prefix: Annotated[
        str, typer.Option(metavar="PATH", help="Path prefix behind a proxy, such as /arena.")
    ] = "",
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy", help="Trust X-Forwarded-For and X-Forwarded-Proto of a proxy."
        ),
    ] = False,
    projector: Annotated[
        bool, typer.Option("--projector", help="Show large letters and scroll pages automatically.")
    ] = False,
    league: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="League file: authors submit, bots are rated."),
    ] = None,
    organise: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder of entries and drafts: organisers log in and run events."
        ),
    ] = None,
    transcripts: Annotated[
        bool,
        typer.Option("--transcripts", help="Show organisers the transcripts of language models."),
    ] = False,
    play: Annotated[
        bool | None,
        typer.Option(
            "--play/--no-play",
            help="Let visitors play against bots. [on this machine only]",
            show_default=False,
        ),
    ] = None,
    db: DbOption = DEFAULT_DB,
) -> None:
    """Serve the results as a web site.

    Ctrl-C or SIGTERM ends it. Pages have leaderboards, bots, tournaments and replays; those of a
    running tournament follow it, whoever plays it. The documents of -o json are at /api.

    Nobody is shown seeds or hidden cards before a tournament is finished, nor the
    log of another's bot. Without --host only this machine reaches it.

    With --league authors submit bots, by a token (arena token new) and a page, or
    arena submit --server. With --play visitors play against bots; their matches are
    stored as exhibitions. With --organise organisers qualify entries, run tournaments and
    decide on them, by a token (arena token new NAME --organiser). Without these three
    nothing can be changed by it.
    """
    from arena.web.site.extra import check_extra

    check_extra()
    from arena.service.league.league_file import read_league
    from arena.web.serving import run_until_signalled
    from arena.web.site.guard.settings import Settings, checked_prefix, plays

    settings = Settings(
        db=db,
        host=host,
        port=port,
        prefix=checked_prefix(prefix),
        projector=projector,
        prepared=True,
        behind_proxy=behind_proxy,
        league=None if league is None else read_league(league),
        play=plays(play, host, behind_proxy=behind_proxy),
        organise=None if organise is None else str(organise),
        transcripts=transcripts,
    )

    def started(address: str) -> None:
        print(f"{address} shows {db}; Ctrl-C ends it")
        sys.stdout.flush()

    run_until_signalled(settings, started, heeded(), _Lines() if league else None)


class _Lines:
    def decided(self, upload: Upload) -> None:
        what = f" as {upload.bot}" if upload.bot else ""
        self.changed(f"submission {upload.id} of {upload.author} is {upload.state}{what}")

    def changed(self, line: str) -> None:
        print(printable_line(line), flush=True)
