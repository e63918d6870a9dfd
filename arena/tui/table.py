"""The table of a match against bots: who sits there, and how the match is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from arena_results.file.database import Database

from arena.plugins.registry import Registry
from arena.service.match.person import HumanSeat
from arena.service.match.replays import Match
from arena.service.run.person.exhibition import Exhibition, OnBegin, Seats

Playing: TypeAlias = Callable[[HumanSeat, OnBegin], Match]
"""Plays a match with a person, and returns it; it blocks until the match is over."""


@dataclass(frozen=True)
class Table:
    """The facts of a match to play, and to play again.

    Attributes:
        registry: Knows games and bots.
        database: Where it is stored.
        seats: The players by seat.
        keys: Keys of a tournament that concern one match; they name the game.
        hints: Whether the odds may be displayed.
        playing: Plays a match that is more than an exhibition match, once.
        note: The head line's title in place of game and ruleset.
    """

    registry: Registry
    database: Database
    seats: Seats
    keys: Mapping[str, object]
    hints: bool = False
    playing: Playing | None = None
    note: str = ""

    def play(self, person: HumanSeat, on_begin: OnBegin) -> Match:
        """Plays the match to its end."""
        if self.playing is not None:
            return self.playing(person, on_begin)
        exhibition = Exhibition(self.registry, self.database, self.seats, self.keys)
        return exhibition.play(person, on_begin)

    def turned(self, key: str | None) -> Table:
        """The same deal with the seats moved by one: of two they are swapped."""
        keys = {**self.keys} if key is None else {**self.keys, "key": key}
        return replace(self, seats=self.seats.turned(), keys=keys)
