"""The games of OpenSpiel that Arena offers, known without OpenSpiel: ``catalogue.json``.

``python -m arena_openspiel.survey --write`` writes that file anew from the OpenSpiel that is
installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from arena.core.text.parsing import Value

FILE = Path(__file__).with_name("catalogue.json")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A game of OpenSpiel.

    Attributes:
        title: Its long name.
        seats: The least and the most players.
        players: Name of the parameter with the number of players; empty where it is fixed.
        options: The parameters that a ruleset may change, with their defaults.
        zero_sum: Whether the returns of all players sum to 0.
        count: Number of its actions.
        texts: The texts of all actions; the place of each is its id. Empty if they have none of
            their own.
        chance: Whether chance is a player in it.
        recalls: Whether OpenSpiel gives information states, or else observations.
    """

    title: str
    seats: tuple[int, int]
    players: str
    options: Mapping[str, Value]
    zero_sum: bool
    count: int
    texts: tuple[str, ...]
    chance: bool
    recalls: bool


@cache
def catalogue() -> Mapping[str, Entry]:
    """Returns the games that are offered, by name."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Entry])
