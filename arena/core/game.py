"""The contract of a game: nine members that every game has, and parts that it may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

from arena.core.chance.dealer import Dealer
from arena.core.errors import UnknownName
from arena.core.notation import Notation
from arena.core.parts import (
    Amounts,
    Board,
    ExactOdds,
    FullState,
    Loadouts,
    Luck,
    Moves,
    Positions,
    Search,
    Views,
    Wire,
    Words,
)
from arena.core.parts.part import ObservationT, RulesetT, StateT
from arena.core.ruleset import Ruleset as Ruleset
from arena.core.ruleset import find_ruleset

if TYPE_CHECKING:
    from random import Random


class Game(ABC, Generic[RulesetT, ObservationT, StateT]):
    """A game: stateless; every method is a pure function of its arguments.

    Every game has ``name``, ``summary``, ``version``, ``seats``, ``rulesets``, ``notation``,
    ``new_state``, ``resample`` and ``render``. All else has a default. A game replaces a part by
    its own class: ``search = cached_property(MySearch)``.
    """

    name: ClassVar[str]
    """The name people type, e.g. ``"pazaak"``."""
    summary: ClassVar[str]
    """One line for lists."""
    version: str
    """Version of the rules engine: a record replays under the version that made it."""
    seats: ClassVar[range]
    """The numbers of seats that can play."""
    rulesets: ClassVar[Mapping[str, Ruleset]]
    """The named rows; the first is the default."""
    notation: ClassVar[Notation]
    """Actions and events to text and back."""

    @abstractmethod
    def new_state(
        self, ruleset: RulesetT, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> StateT:
        """Creates the state of a match before the deal.

        Args:
            ruleset: The rules in force.
            loadouts: Each seat's loadout, as ``Loadouts.accept`` returned it; its length is
                the number of seats.
            dealer: Answers chance at once; without one chance is a player.
        """

    @abstractmethod
    def resample(self, observation: ObservationT, rng: Random) -> StateT:
        """Draws a full state from those that are possible to the seat of an observation.

        ``resample(o, rng).observation(o.seat) == o``, always. The state's dealer draws from
        ``rng``.
        """

    @abstractmethod
    def render(self, observation: ObservationT) -> str:
        """Draws the observation as plain text, for a person."""

    how_to_play: ClassVar[str] = ""
    """Its rules in ten lines or so of at most 80 columns, for ``arena rules NAME``."""
    deterministic: ClassVar[bool] = False
    """True if there is no chance in the game; else ``arena check game`` expects chance nodes."""
    expels: ClassVar[bool] = False
    """True if a seat that breaks the match is eliminated (``State.expel``) while the others play
    on. Otherwise its fault ends the match: it loses, and the others share the win."""

    former: ClassVar[Mapping[str, AnyGame]] = {}
    """The game as former versions of its rules play it, by version: it replays their records."""

    loadouts = cached_property[Loadouts[RulesetT]](Loadouts)
    amounts = cached_property[Amounts[RulesetT]](Amounts)
    wire = cached_property[Wire[RulesetT, ObservationT, StateT]](Wire)
    board = cached_property[Board[StateT]](Board)
    moves = cached_property[Moves[ObservationT]](Moves)
    words = cached_property[Words[RulesetT, ObservationT]](Words)
    search = cached_property[Search[StateT]](Search)
    odds = cached_property[ExactOdds[RulesetT, StateT]](ExactOdds)
    luck = cached_property[Luck[RulesetT, StateT]](Luck)
    full_state = cached_property[FullState[RulesetT, StateT]](FullState)
    view = cached_property[Views[RulesetT, ObservationT]](Views)
    positions = cached_property[Positions[RulesetT, StateT]](Positions)

    def at_version(self, version: str) -> AnyGame:
        """Returns the game as that version of its rules plays it, for records.

        Raises:
            UnknownName: It is neither its own version nor a former one.
        """
        versions = {**self.former, self.version: self}
        if version not in versions:
            raise UnknownName(f"version of the {self.name} engine", version, versions)
        return versions[version]

    def ruleset(self, spelling: str = "") -> RulesetT:
        """Finds a ruleset by its name, with options: ``"standard(flip=negate_positive)"``.

        An empty spelling takes the default row.

        Raises:
            UnknownName: No such row, or no such option.
            ParseError: The text, or an option's value, is not of the right form.
        """
        return find_ruleset(self.name, self.rulesets, spelling)  # type: ignore[return-value]


AnyGame: TypeAlias = Game[Any, Any, Any]
"""Some game, where it does not matter which."""
