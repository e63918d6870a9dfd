"""The contract of a match's state, in OpenSpiel's terms, with chance as a player."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Final, Generic, Self, TypeVar

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer
from arena.core.observation import Observation
from arena.core.outcome import Outcome

CHANCE: Final = -1
"""``current_player()`` at a chance node (OpenSpiel ``kChancePlayerId``)."""
TERMINAL: Final = -4
"""``current_player()`` when the match is over (OpenSpiel ``kTerminalPlayerId``)."""

ObservationT = TypeVar("ObservationT", bound=Observation)


class State(ABC, Generic[ObservationT]):
    """The full state of a match in progress, changed in place by ``apply_action``.

    With a dealer, chance is answered at once inside ``apply_action`` and ``CHANCE`` is never the
    current player. Without one, chance is a player whose outcomes are applied like actions.
    No I/O, no clock, no global randomness.
    """

    __slots__ = ()

    @abstractmethod
    def current_player(self) -> int:
        """Returns the seat to decide, or ``CHANCE``, or ``TERMINAL``."""

    @abstractmethod
    def legal_actions(self) -> tuple[Action, ...]:
        """Returns the current player's legal actions in a fixed order; none at the end."""

    @abstractmethod
    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        """Returns the outcomes of a chance node with exact probabilities, which sum to 1."""

    @abstractmethod
    def apply_action(self, action: Action) -> None:
        """Applies the current player's action (or chance's outcome).

        Raises:
            IllegalAction: It is not one of ``legal_actions()``; nothing has changed.
        """

    @abstractmethod
    def outcome(self) -> Outcome:
        """Returns the outcome of a match whose ``current_player()`` is ``TERMINAL``."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Returns the game's own amounts so far, one a seat (Pazaak: sets won)."""

    @abstractmethod
    def observation(self, seat: int) -> ObservationT:
        """Returns the observation of a seat, at any seat's decision."""

    @abstractmethod
    def clone(self, dealer: Dealer | None = None) -> Self:
        """Returns an independent copy in under a microsecond.

        The dealer answers chance in the copy; without one the copy has chance nodes. The original's
        dealer is never shared.
        """

    def expel(self, seat: int) -> None:
        """Takes a seat out of the match for a fault, at any decision; the others play on.

        Only for games with ``Game.expels``. The seat decides nothing more and ranks last, below
        those who were expelled after it. When one seat is left the match is over.

        Raises:
            IllegalAction: Nobody is to decide, or the seat is out already.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot go on without a seat")

    def is_terminal(self) -> bool:
        """Returns whether the match is over."""
        return self.current_player() == TERMINAL

    def returns(self) -> tuple[float, ...]:
        """Returns one utility a seat; only when the match is over."""
        return self.outcome().returns
