"""The web site of a database."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Annotated

import msgspec
from arena_results.file.database import Database

from arena.api.common.calls import awaitable, looped, public, quiet
from arena.service.answers.defaults import HOST, MAX_PORT, PORT


class SiteServer:
    """Serves a database as a web site; ``db.site`` is one.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @looped
    @public
    async def serve(
        self,
        *,
        host: str = HOST,
        port: Annotated[int, msgspec.Meta(le=MAX_PORT)] = PORT,
        prefix: str = "",
        behind_proxy: bool = False,
        projector: bool = False,
        league: str | PathLike[str] | None = None,
        play: bool | None = None,
        organise: str | PathLike[str] | None = None,
        transcripts: bool = False,
        started: Callable[[str], object] = quiet,
    ) -> None:
        """Serves the results until Ctrl-C; needs the extra ``web``.

        Args:
            host: Name or address at which it listens.
            port: Port; 0 for any that is free.
            prefix: Path under which a proxy shows it.
            behind_proxy: Whether to believe ``X-Forwarded-For`` and ``-Proto``, which a proxy sets.
            projector: Whether it has large letters, and pages that scroll by themselves.
            league: The file of a league that it runs; then authors may submit.
            play: Whether visitors may play; by default if only this machine reaches it.
            organise: The folder of entries and drafts; then organisers may run events.
            transcripts: Whether organisers see the transcripts of language models.
            started: Is given the address, when it listens there.

        Raises:
            BadInput: It cannot listen there, the extra is missing, or the league cannot be run.
        """
        from arena.web.site.extra import check_extra

        check_extra()
        from arena.service.league.league_file import read_league
        from arena.web.serving import serve
        from arena.web.site.guard.settings import Settings, checked_prefix, plays

        settings = Settings(
            db=self._database.url,
            host=host,
            port=port,
            prefix=checked_prefix(prefix),
            projector=projector,
            behind_proxy=behind_proxy,
            league=None if league is None else read_league(Path(league)),
            play=plays(play, host, behind_proxy=behind_proxy),
            organise=None if organise is None else str(organise),
            transcripts=transcripts,
        )
        await serve(settings, started)

    serve_async = awaitable(serve)
