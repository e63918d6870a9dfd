"""Every hook of the project. An extension implements those it wants, by name.

An extension is a module (or object) named by an entry point of the group ``arena``::

    [project.entry-points.arena]
    my-extension = "my_package.arena_plugin"

and has functions of the hooks' names::

    def arena_games():
        return [MyGame()]

Our own games, bots and formats come in the same way. Extensions run with the user's rights; a bot
by itself needs none of this, only an entry point of the group ``arena.bots``. An extension should
be cheap to import: it is loaded by every command, so it imports games and formats inside its hooks.
"""

# mypy: disable-error-code="empty-body"
# (a hook specification is its signature and its documentation)

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pluggy import HookspecMarker

if TYPE_CHECKING:
    from typer import Typer

    from arena.core.export import Exporter
    from arena.core.game import AnyGame
    from arena.core.parts.cases import DriverMaker
    from arena.core.record import PlayedMatch
    from arena.core.tournaments.executor import ExecutorKind
    from arena.core.tournaments.format import Format, RoundResult
    from arena.core.tournaments.rating import RatingSystem
    from arena.plugins.entries import BotEntry

hookspec = HookspecMarker("arena")


@hookspec
def arena_games() -> Iterable[AnyGame]:
    """Games to play, as ready objects; their names must be new."""


@hookspec
def arena_unrated_games() -> Iterable[AnyGame]:
    """Games for commands of the extension: listed nowhere, played in exhibition matches only."""


@hookspec
def arena_bots() -> Iterable[BotEntry]:
    """Bots that the operator trusts (built-in bots), by import path: listing them imports none."""


@hookspec
def arena_formats() -> Iterable[Format]:
    """Kinds of tournament, as ready objects; their names must be new."""


@hookspec
def arena_rating_systems() -> Iterable[RatingSystem]:
    """Ways to rate players (``arena leaderboard --rating NAME``, ``arena rate --model NAME``)."""


@hookspec
def arena_exporters() -> Iterable[Exporter]:
    """Kinds of document for lists (``-o NAME``), as ready objects."""


@hookspec
def arena_executors() -> Iterable[ExecutorKind[Any]]:
    """Places where matches are played (``arena tournament run --executor NAME``)."""


@hookspec
def arena_case_drivers() -> Iterable[tuple[str, DriverMaker]]:
    """Drivers of rule cases (``arena check cases``): pairs of a game's name and what makes one."""


@hookspec
def arena_commands(app: Typer) -> None:
    """Adds commands to the command line."""


@hookspec
def arena_play_pages() -> Iterable[object]:
    """Pages of the site for play, as ready objects: ``name``, ``title``, ``game``, ``path``, and
    ``routes(site, tables)``, which gives the addresses of Starlette.
    """


@hookspec
def arena_match_finished(tournament_id: int, match: PlayedMatch) -> None:
    """A match was played and stored.

    Its record's seed stays a secret until the tournament is finished: matches of the same deal may
    still be to be played.
    """


@hookspec
def arena_round_finished(tournament_id: int, result: RoundResult) -> None:
    """All matches of a round were played and stored."""


@hookspec
def arena_tournament_finished(tournament_id: int) -> None:
    """A tournament was played to its end."""
