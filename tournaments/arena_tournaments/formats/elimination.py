"""Pairs tournaments with a bracket: knockout, double elimination, ladder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option
from arena.core.tournaments.format import (
    PAIRS,
    Bout,
    Entrant,
    Format,
    Pairing,
    PairingResult,
    Round,
    RoundResult,
    Scoring,
    Tables,
    Wanted,
)
from arena_tournaments.pairing.brackets import (
    Bracket,
    Seed,
    Side,
    WinnerOf,
    double_elimination,
    knockout,
    ladder,
)
from arena_tournaments.scoring.scoring import ELIMINATION


class BracketFormat(Format, kw_only=True):
    """A format that plays a bracket round by round; the bracket is data (``brackets``).

    The initial order is the seeding. Of two who drew to the end, the one who is higher in it goes
    on; it has the first seat of every pairing, too.

    Attributes:
        make: Makes the bracket of that many entrants, with the format's options.
    """

    make: ClassVar[Callable[..., Bracket]]
    eliminates: bool = True
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "now", "lots"))

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds that the field needs; no other number can be requested."""
        if entrants < 2:
            raise BadInput(f"{self.name} needs at least 2 entrants, not {entrants}")
        needed = self._bracket(entrants).rounds
        if requested not in (None, needed):
            raise BadInput(f"{self.name} of {entrants} plays {needed} rounds, not {requested}")
        return needed

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of bouts in each round."""
        bouts = Counter(slot.round for slot in self._bracket(entrants).slots)
        return [bouts[number] for number in range(1, rounds + 1)]

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        number = len(played) + 1
        bracket, bouts = self._bracket(len(field)), self.bracket(len(field), played)
        pairings = [
            Pairing((min(one, other), max(one, other)))
            for one, other in (bout.entrants for bout in bouts if bout.round == number)
            if one is not None and other is not None
        ]
        resting = [_entrant(side, bouts) for round, side in bracket.byes if round == number]
        byes = tuple(index for index in resting if index is not None)
        return Round(number, tuple(pairings), byes) if pairings else None

    def scoring(self) -> Scoring:
        return ELIMINATION

    def bracket(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[Bout]:
        """Returns all bouts as they stand."""
        met = [
            {index: each for each in past.results for index in each.pairing.seats}
            for past in played
        ]
        bouts: list[Bout] = []
        for slot in self._bracket(entrants).slots:
            bout = Bout(
                name=slot.name,
                round=slot.round,
                entrants=(None, None),
                sides=(_words(slot.sides[0], bouts), _words(slot.sides[1], bouts)),
                winner_of=(None, None)
                if slot.decider
                else (_won(slot.sides[0]), _won(slot.sides[1])),
            )
            if not slot.decider or (bouts[-1].winner not in (None, bouts[-1].entrants[0])):
                one, other = (_entrant(side, bouts) for side in slot.sides)
                bout = msgspec.structs.replace(bout, entrants=(one, other))
                if one is not None and other is not None and slot.round <= len(met):
                    bout = _decided(bout, met[slot.round - 1][one])
            bouts.append(bout)
        return bouts

    def reached(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[float]:
        """Returns the level of each one's last bout; of those who are not out, of the next."""
        reached, losses = [0.0] * entrants, [0] * entrants
        slots = self._bracket(entrants).slots
        for slot, bout in zip(slots, self.bracket(entrants, played), strict=True):
            for index in bout.entrants:
                if index is None:
                    continue
                if bout.winner is None:
                    reached[index] = slot.level - losses[index] / 10
                else:
                    losses[index] += index != bout.winner
                    reached[index] = slot.level + (index == bout.winner) / 4
        return reached

    def _bracket(self, entrants: int) -> Bracket:
        options = {key: getattr(self, key) for key in self.options()}
        made: Bracket = type(self).make(entrants, **options)
        return made


def _decided(bout: Bout, result: PairingResult) -> Bout:
    """Returns a bout with its result: who forfeits has lost; a draw goes to the higher seed.

    Points are amounts, except where forfeited matches are awarded.
    """
    seats, forfeited = result.pairing.seats, result.forfeited
    values = result.points if forfeited else result.amounts or result.points
    taken = dict(zip(seats, values, strict=True))
    winner = min(seats, key=lambda index: (index in forfeited, -taken[index], index))
    one, other = (taken[index] for index in bout.entrants if index is not None)
    return msgspec.structs.replace(bout, points=(one, other), winner=winner, forfeited=forfeited)


def _entrant(side: Side, bouts: Sequence[Bout]) -> int | None:
    """Returns who has come to a side of a bout; ``None`` while that is open."""
    if isinstance(side, Seed):
        return side.index
    bout = bouts[side.bout]
    if bout.winner is None or isinstance(side, WinnerOf):
        return bout.winner
    return next(index for index in bout.entrants if index != bout.winner)


def _words(side: Side, bouts: Sequence[Bout]) -> str:
    if isinstance(side, Seed):
        return f"seed {side.index + 1}"
    which = "winner" if isinstance(side, WinnerOf) else "loser"
    return f"{which} of {bouts[side.bout].name}"


def _won(side: Side) -> int | None:
    return side.bout if isinstance(side, WinnerOf) else None


class Knockout(BracketFormat, kw_only=True):
    """Plays a knockout."""

    name: str = "knockout"
    summary: str = "who loses is out; seeded, the first have byes"
    make = staticmethod(knockout)
    third_place: Annotated[bool, Option("Play a match for third place.", flag="--third-place")] = (
        False
    )


class DoubleElimination(BracketFormat, kw_only=True):
    """Plays a double elimination."""

    name: str = "double-elimination"
    summary: str = "who loses twice is out"
    make = staticmethod(double_elimination)
    bracket_reset: Annotated[
        bool, Option("Make the lower bracket's winner win the final twice.", flag="--bracket-reset")
    ] = False

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> DoubleElimination:
        """Returns the format with its option; with it the last round may be without a bout."""
        made = msgspec.structs.replace(self, **options)
        return msgspec.structs.replace(made, ends_early=made.bracket_reset)


class Ladder(BracketFormat, kw_only=True):
    """Plays a ladder."""

    name: str = "ladder"
    summary: str = "king of the hill: from the last entrant up to the first"
    make = staticmethod(ladder)


FORMATS = (Knockout(), DoubleElimination(), Ladder())
"""All formats with a bracket."""
