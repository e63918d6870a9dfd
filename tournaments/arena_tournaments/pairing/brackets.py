"""Brackets as data: who meets whom in which round, by seeds and by results of earlier bouts."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from arena.core.errors import BadInput


class Seed(msgspec.Struct, frozen=True):
    """An entrant, by its index in the initial order."""

    index: int


class WinnerOf(msgspec.Struct, frozen=True):
    """The winner of an earlier bout of the bracket."""

    bout: int


class LoserOf(msgspec.Struct, frozen=True):
    """The loser of an earlier bout of the bracket."""

    bout: int


Side: TypeAlias = Seed | WinnerOf | LoserOf


class Slot(msgspec.Struct, frozen=True):
    """A bout that a bracket provides for.

    Attributes:
        round: 1 and up.
        level: How far its loser came; its winner came a little further.
        decider: Whether it is played only if the second side won the bout before it.
    """

    name: str
    round: int
    sides: tuple[Side, Side]
    level: float
    decider: bool = False


class Bracket(msgspec.Struct, frozen=True):
    """The bouts of a tournament, none before those that it follows from.

    Attributes:
        byes: Sides that rest in a round, and are not out: round, side.
    """

    slots: tuple[Slot, ...]
    byes: tuple[tuple[int, Side], ...]

    @property
    def rounds(self) -> int:
        """The number of rounds, with one that may turn out not to be needed."""
        return max(slot.round for slot in self.slots)


class _Builder:
    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.byes: list[tuple[int, Side]] = []

    def meet(
        self,
        name: str,
        round: int,
        one: Side | None,
        other: Side | None,
        level: float | None = None,
    ) -> tuple[Side | None, Side | None]:
        """Adds a bout; returns its winner and loser, ``None`` for nobody."""
        if one is None or other is None:
            rests = one or other
            if rests is not None:
                self.byes.append((round, rests))
            return rests, None
        self.slots.append(Slot(name, round, (one, other), level or round))
        return WinnerOf(len(self.slots) - 1), LoserOf(len(self.slots) - 1)

    def level(
        self, name: str, round: int, pairs: list[tuple[Side | None, Side | None]]
    ) -> tuple[list[Side | None], list[Side | None]]:
        """Adds a round of bouts; returns their winners and their losers."""
        made = [
            self.meet(f"{name} {number}" if len(pairs) > 1 else name, round, *pair)
            for number, pair in enumerate(pairs, 1)
        ]
        return [winner for winner, _ in made], [loser for _, loser in made]

    def bracket(self) -> Bracket:
        return Bracket(tuple(self.slots), tuple(self.byes))


def seeding(entrants: int) -> list[Side | None]:
    """Returns the seeds in the order of the first round: 1 and 2 can meet in the final only.

    The number of places is the next power of two; nobody sits against the first seeds.
    """
    order = [0]
    while len(order) < entrants:
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return [Seed(index) if index < entrants else None for index in order]


def _pairs(sides: list[Side | None]) -> list[tuple[Side | None, Side | None]]:
    return list(zip(sides[::2], sides[1::2], strict=True))


_LATE = {1: "final", 2: "semifinal", 4: "quarterfinal"}


def knockout(entrants: int, third_place: bool = False) -> Bracket:
    """Returns a knockout: who loses is out.

    Args:
        third_place: Whether the losers of the semifinals play for the third place.
    """
    if third_place and entrants < 4:
        raise BadInput(f"a third place needs 4 entrants, not {entrants}")
    builder, sides, round = _Builder(), seeding(entrants), 0
    losers: list[Side | None] = []
    while len(sides) > 1:
        round += 1
        bouts = len(sides) // 2
        if bouts == 1 and third_place:
            builder.meet("third place", round, losers[0], losers[1], level=round - 0.5)
        sides, losers = builder.level(_LATE.get(bouts, f"round {round}"), round, _pairs(sides))
    return builder.bracket()


def double_elimination(entrants: int, bracket_reset: bool = False) -> Bracket:
    """Returns a double elimination: who loses twice is out.

    Losers of the upper bracket go to the lower one, in reversed order every second time, so that
    they do not meet at once whom they met. The winners of both play the final.

    Args:
        bracket_reset: Whether the winner of the lower bracket has to win twice.
    """
    builder = _Builder()
    upper, lower = builder.level("upper 1", 1, _pairs(seeding(entrants)))
    number = 1
    while len(upper) > 1:
        number += 1
        upper, dropped = builder.level(f"upper {number}", number, _pairs(upper))
        at = 2 * number - 2
        lower, _ = builder.level(f"lower {at - 1}", at, _pairs(lower))
        meeting = dropped[::-1] if number % 2 == 0 else dropped
        lower, _ = builder.level(f"lower {at}", at + 1, list(zip(lower, meeting, strict=True)))
    last = 2 * number
    winner, loser = builder.meet("final", last, upper[0], lower[0])
    if bracket_reset and winner and loser:
        slot = Slot("second final", last + 1, (loser, winner), last + 1, decider=True)
        builder.slots.append(slot)
    return builder.bracket()


def ladder(entrants: int) -> Bracket:
    """Returns a king of the hill: who stands on it meets the next higher entrant.

    The last two of the initial order begin. The higher somebody is entered, the fewer will be
    beaten; the first has to win once.
    """
    builder = _Builder()
    king: Side | None = Seed(entrants - 1)
    for number, index in enumerate(range(entrants - 2, -1, -1), 1):
        name = f"challenge {number}" if index else "final"
        king, _ = builder.meet(name, number, Seed(index), king)
    return builder.bracket()
