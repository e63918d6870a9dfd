"""The classes of the games, made when they are asked for: ``games.kuhn_poker``.

Other processes find a game by the name of its class in this module.
"""

from __future__ import annotations

from functools import cache, cached_property

from arena_openspiel.catalogue import catalogue
from arena_openspiel.facts import facts_of
from arena_openspiel.game import SpielGame
from arena_openspiel.notation import SpielNotation
from arena_openspiel.rules import standard_row
from arena_openspiel.tensors import tensor_of
from arena_openspiel.view import NoSpielViews, SpielViews


@cache
def game_class(name: str) -> type[SpielGame]:
    """Returns the class of the game of OpenSpiel with that name; raises ``KeyError``."""
    entry = catalogue()[name]
    tensor = tensor_of(name)
    least, most = entry.seats
    members = {
        "__module__": __name__,
        "__doc__": f"{entry.title}, as OpenSpiel plays it.",
        "name": name,
        "summary": f"OpenSpiel: {entry.title}",
        "seats": range(least, most + 1),
        "rulesets": {"standard": standard_row(name, entry)},
        "notation": SpielNotation(entry),
        "entry": entry,
        "tensor": tensor,
        "view": cached_property(NoSpielViews if tensor.missing else SpielViews),
        "facts": facts_of(name),
        "deterministic": not entry.chance,
    }
    return type(name, (SpielGame,), members)


def all_games() -> tuple[SpielGame, ...]:
    """Returns every game that is offered."""
    return tuple([game_class(name)() for name in catalogue()])


def __getattr__(name: str) -> type[SpielGame]:
    if name in catalogue():
        return game_class(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
