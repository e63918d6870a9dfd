"""Our own games, registered like a stranger's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.plugins.hookspecs import hookimpl

if TYPE_CHECKING:
    from arena.core.game import AnyGame


@hookimpl
def arena_games() -> Iterable[AnyGame]:
    """Pazaak and Sabacc."""
    from arena.games.pazaak.game import Pazaak
    from arena.games.sabacc.game import Sabacc

    return [Pazaak(), Sabacc()]
