"""The extension: games of OpenSpiel, and its bots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena_openspiel.game import SpielGame


def arena_games() -> Iterable[SpielGame]:
    """Returns the games of OpenSpiel that can be played; OpenSpiel itself is not imported."""
    from arena_openspiel.games import all_games

    return all_games()
