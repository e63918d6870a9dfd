"""OpenSpiel itself: the only module of the games that imports it, and only when it is used."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

from arena.core.errors import BadInput, BadPlugin, describe
from arena.core.text.parsing import Value

NEEDED = "open_spiel"
"""Name of the distribution that has to be installed."""
VERSION = "2.0.2"
"""The version of OpenSpiel that the catalogue describes."""

_PLACE = re.compile(r"^/\S+:\d+ ")
"""The file and line of OpenSpiel's source with which some errors begin."""

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
        with _errors_unprinted():
            return pyspiel.load_game(name, dict(parameters))
    except pyspiel.SpielError as error:
        reason = _PLACE.sub("", " ".join(str(error).split()))[:200]
        given = changed(name, parameters) or "no options"
        raise BadInput(f"{name}: OpenSpiel refuses {given}: {reason}") from None


def changed(name: str, parameters: Mapping[str, Value]) -> str:
    """Returns the parameters of a game that are not OpenSpiel's own, as text."""
    kinds = {kind.short_name: kind for kind in library().registered_games()}
    own = kinds[name].parameter_specification if name in kinds else {}
    return ", ".join(f"{key}={value}" for key, value in parameters.items() if value != own.get(key))


@contextmanager
def _errors_unprinted() -> Iterator[None]:
    """Silences stderr, where OpenSpiel prints each error before it raises it."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)
