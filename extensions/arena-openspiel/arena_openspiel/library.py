"""OpenSpiel itself: the only module of the games that imports it, and only when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from arena.core.errors import BadInput, BadPlugin, describe
from arena.core.text.parsing import Value

NEEDED = "open_spiel"
"""Name of the distribution that has to be installed."""
VERSION = "2.0.2"
"""The version of OpenSpiel that the catalogue describes."""

SpielGame: TypeAlias = Any
"""A ``pyspiel.Game``; OpenSpiel ships no type information."""
SpielState: TypeAlias = Any
"""A ``pyspiel.State``."""


@cache
def library() -> Any:  # noqa: ANN401 - OpenSpiel ships no type information
    """Returns the module ``pyspiel``; raises ``BadPlugin`` where it is not installed."""
    try:
        import pyspiel
    except ImportError as error:
        raise BadPlugin(
            f"{NEEDED} cannot be imported ({describe(error)}); "
            f"install it with: pip install {NEEDED}=={VERSION}; "
            f"for bots that play in a sandbox also give --allow {NEEDED}"
        ) from None
    return pyspiel


def load_game(name: str, parameters: Mapping[str, Value]) -> SpielGame:
    """Loads a game of OpenSpiel.

    Raises:
        BadInput: OpenSpiel refuses the parameters.
        BadPlugin: OpenSpiel is not installed.
    """
    pyspiel = library()
    try:
        return pyspiel.load_game(name, dict(parameters))
    except pyspiel.SpielError as error:
        given = ", ".join(f"{key}={value}" for key, value in parameters.items()) or "no options"
        reason = " ".join(str(error).split())[:200]
        raise BadInput(f"{name}: OpenSpiel refuses {given}: {reason}") from None
