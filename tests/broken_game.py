"""Games for tests with some methods replaced: of the state, of the game, or of one of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from arena.core.actions import Action

PARTS = (
    "loadouts", "amounts", "wire", "board", "search", "odds", "luck", "view", "positions",
)  # fmt: skip
"""The names of the optional parts of which methods are replaced."""


def equally(actions: Sequence[Action]) -> tuple[tuple[Action, Fraction], ...]:
    """The outcomes of a chance node whose actions are equally likely."""
    odd = Fraction(1, len(actions))
    return tuple([(action, odd) for action in actions])


def with_parts(game: type, **methods: object) -> type:
    """A kind of game with methods of its parts replaced: ``wire_unpack`` is that of its wire."""
    changed: dict[str, dict[str, object]] = {}
    for name, value in methods.items():
        part, _, method = name.partition("_")
        changed.setdefault(part, {})[method] = value
    parts = {}
    for part, replaced in changed.items():
        kind = type(getattr(game(), part))
        parts[part] = cached_property(type(kind.__name__, (kind,), replaced))
    return type(game.__name__, (game,), parts)


def broken_game(game: type, state: type, methods: dict[str, object]) -> object:
    """A game with its state's methods replaced, its own (``game_x``), or a part's (``wire_x``)."""
    of_parts = {name: methods.pop(name) for name in [*methods] if name.split("_")[0] in PARTS}
    of_game = {name[5:]: methods.pop(name) for name in [*methods] if name.startswith("game_")}
    of_game["state"] = type("BrokenState", (state,), methods)
    return type(f"Broken{game.__name__}", (with_parts(game, **of_parts),), of_game)()
