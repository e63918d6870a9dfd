"""Outcomes of matches: an ending is a value with a reason (after python-chess)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

import msgspec


class Termination(StrEnum):
    """The cause for which a match ended: its rules, or an adjudication by the harness."""

    RULES = "rules"
    """The game's own ending."""
    CAP = "cap"
    """The game's own cap on length was reached (Pazaak: the set cap, rule book A18)."""
    ILLEGAL_ACTION = "illegal action"
    """A seat answered with something outside its legal actions: it loses."""
    TIMEOUT = "timeout"
    """A seat used more time than a decision or the match allows: it loses."""
    CRASH = "crash"
    """A seat's bot raised: it loses."""
    TOO_LONG = "too long"
    """A seat needed more decisions than the match allows it: it loses."""
    MEMORY = "out of memory"
    """A seat's bot needed more memory than it may use: it loses."""
    THREADS = "too many threads"
    """A seat's bot had more threads than it may, where none can be refused to it: it loses."""
    OUTPUT = "too much output"
    """A seat's bot wrote more to its log, or to the harness, than it may: it loses."""
    PROTOCOL = "protocol error"
    """A seat's process sent something that is not an answer to the request: it loses."""
    LEFT = "left"
    """A person left the table: the seat loses."""
    HARNESS_FAULT = "harness fault"
    """The harness failed: the match is void and is played again, never a loss."""


RULE_ENDINGS = frozenset({Termination.RULES, Termination.CAP})
"""Endings in which every seat played to the end."""


class Fault(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A breach of the match by one seat, for which it lost or was eliminated.

    Attributes:
        seat: The offender.
        cause: An adjudicated termination.
        move: Number of decisions taken in the match before the fault.
        reason: One line for people, free of paths, times and addresses.
    """

    seat: int
    cause: Termination
    move: int
    reason: str = ""


class Outcome(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The end of a match: returns, scores and cause.

    Attributes:
        returns: One utility a seat, any finite values: who has more finished higher. Often +1 won,
            0 drawn, -1 lost, at tables the finishing order (see ``utilities``), or an amount.
        scores: The game's own amounts a seat (Pazaak: sets won; Sabacc: chips or points).
        termination: Why it ended.
        offender: The seat whose fault ended it, for adjudicated endings.
        move: Number of decisions taken in the match before the fault, for adjudicated endings.
        reason: One line for people, e.g. ``"illegal action: 7 is not one of ..."``; free of
            paths, times and addresses, so that records are reproducible.
        expelled: Seats that were eliminated before while the others played on, in order
            (games with ``Game.expels``); they rank last, the first offender last of all.
    """

    returns: tuple[float, ...]
    scores: tuple[int, ...]
    termination: Termination = Termination.RULES
    offender: int | None = None
    move: int | None = None
    reason: str = ""
    expelled: tuple[Fault, ...] = ()


class Payoffs(msgspec.Struct, frozen=True, kw_only=True):
    """The returns that a game can give, in OpenSpiel's terms.

    Attributes:
        least: The least that a seat can get (``min_utility``). A seat whose fault ends the match
            gets it, so that no fault is better than playing on.
        most: The most that a seat can get (``max_utility``).
        total: The sum over all seats (``utility_sum``): 0 for zero-sum games, another number for
            constant-sum games, ``None`` for general-sum games.
    """

    least: float
    most: float
    total: float | None = 0.0

    def forfeit(self, seats: int, offender: int) -> tuple[float, ...]:
        """Returns the utilities of a match ended by a fault; the others share what is left."""
        left = self.most if self.total is None else (self.total - self.least) / (seats - 1)
        return tuple(self.least if seat == offender else left for seat in range(seats))


WIN_OR_LOSS = Payoffs(least=-1.0, most=1.0)
"""Payoffs of games that declare none."""


class Ending(Protocol):
    """The end of a match, as an outcome or a stored row has it."""

    @property
    def returns(self) -> tuple[float, ...]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def offender(self) -> int | None: ...
    @property
    def expelled(self) -> tuple[Fault, ...]: ...


Amounts: TypeAlias = Callable[[Ending], tuple[float, ...]]
"""Returns what each seat won or lost in a match, in the game's unit."""


def utilities(places: Sequence[float]) -> tuple[float, ...]:
    """Computes returns from a finishing order: the place of each seat, the best the lowest.

    A seat's return is the share of the opponents that it leaves behind, less the share that leaves
    it behind; equal places are shared. Zero-sum and within -1..1; for two seats +1, 0 and -1.
    Sorting by them gives the order back.
    """
    others = len(places) - 1
    return tuple(
        sum((place > mine) - (place < mine) for place in places) / others for mine in places
    )


def estimated_utilities(scores: Sequence[float]) -> tuple[float, ...]:
    """Estimates the utilities of an unfinished match from each seat's score so far.

    It is ``utilities`` with soft edges: a lead over an opponent counts in proportion to the largest
    score. Zero-sum and within -1..1; sorting by them gives the order of the scores.
    """
    scale = 1 + max(map(abs, scores))
    return tuple(
        sum((own - other) / (scale + abs(own - other)) for other in scores) / (len(scores) - 1)
        for own in scores
    )
