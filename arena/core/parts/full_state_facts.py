"""The contract of facts of full states, from which a value function is learned.

They are about hidden cards, too, so no bot can play by them: what a seat knows as numbers is
``arena.core.parts.view``. Each fact of a position (a total, a card in a hand) is the number of a
row of a table that a network learns, and the rows of all its facts are added up. Facts are of one
seat's side, so that what is learned in one seat holds in all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Generic, TypeAlias, TypeVar

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.scene import Scene
from arena.core.state import State

StateT = TypeVar("StateT", bound=State[Any])

Rows: TypeAlias = Sequence[int]
"""The facts of a position, as numbers of rows, 0..size-1; a fact may be there several times."""
Outcomes: TypeAlias = Sequence[tuple[Action, Fraction]]
"""The outcomes of a chance node with their probabilities."""
MAX_OUTCOMES = 64
"""Outcomes of a chance node above which its luck is not computed, unless a game says otherwise."""


class FullStateFacts(ABC, Generic[StateT]):
    """Gives the facts of positions under one ruleset: a pure function of their states.

    Attributes:
        name: The name with its version, such as ``"pazaak-positions 1"``: what was learned of one
            holds for no other.
        size: Number of rows.
    """

    name: str
    size: int

    def viewer(self, state: StateT) -> int | None:
        """Returns the seat from whose side alone a match of two is valued, as the seat to move.

        ``None``: it is valued from every seat's side, which takes as many times as long.
        """
        return None

    @abstractmethod
    def of(self, state: StateT, seat: int) -> Rows:
        """Returns the facts of a state, seen from a seat's side."""

    def after(
        self, node: StateT, outcomes: Outcomes, seat: int
    ) -> tuple[Rows, Sequence[Rows]] | None:
        """Returns the facts after each outcome of a chance node, in their order.

        Those that all outcomes share come first, then the others of each. A game may give them
        without applying the outcomes, which is faster. ``None``: what comes here counts as no
        luck; that has to follow from what came before.

        Args:
            outcomes: ``node.chance_outcomes()``.
        """
        if len(outcomes) > MAX_OUTCOMES:
            return None
        rows = []
        for action, _ in outcomes:
            after = node.clone()
            after.apply_action(action)
            rows.append(self.of(after, seat))
        return (), rows


class SceneFacts(FullStateFacts[StateT]):
    """Takes the facts from the table as everybody's friend sees it, for any game.

    Facts, cards and amounts of a scene with all hands open, or of all observations where a game has
    no scenes, are strings; the hash of a text is its row.

    Args:
        scene: ``Board.scene``.
        describe: ``Wire.describe``.
    """

    name = "scene 1"
    size = 4096

    def __init__(
        self,
        scene: Callable[[StateT, Sequence[int]], Scene],
        describe: Callable[[Any], Mapping[str, object]],
    ) -> None:
        self._scene, self._describe = scene, describe

    def of(self, state: StateT, seat: int) -> Rows:
        seats = len(state.scores())
        scene = self._scene(state, range(seats))
        if scene.zones or scene.facts:
            return [*map(_row, _facts(scene, seat, seats))]
        views = (state.observation(other) for other in range(seats))
        facts = [
            fact
            for other, view in enumerate(views)
            for fact in _leaves((other - seat) % seats, self._described(view))
        ]
        return [*map(_row, facts)]

    def _described(self, view: Observation) -> dict[str, object]:
        left_out = ("history", "legal_actions", "seat")
        return {key: value for key, value in self._describe(view).items() if key not in left_out}


def _facts(scene: Scene, seat: int, seats: int) -> Iterator[str]:

    def place(about: int | None) -> str:
        return "" if about is None else str((about - seat) % seats)

    yield f"title {scene.title}"
    yield f"turn {place(scene.turn)}"
    for fact in scene.facts:
        yield from _amounts(f"{fact.label} {place(fact.seat)}", fact.value)
    for zone in scene.zones:
        label = f"{zone.label} {place(zone.seat)}"
        yield f"{label} of {len(zone.cards)}"
        yield f"{label} worth {zone.worth}"
        for card in zone.cards:
            yield f"{label}: {card}"


def _leaves(path: object, value: object) -> Iterator[str]:
    """Yields the facts of an observation's data as strings; elements of lists are in no order."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(f"{path} {key}", part)
    elif isinstance(value, (list, tuple)):
        yield f"{path} of {len(value)}"
        for part in value:
            yield from _leaves(path, part)
    else:
        yield from _amounts(str(path), value)


def _amounts(label: str, value: object) -> Iterator[str]:
    yield f"{label} = {value}"
    if isinstance(value, int) and not isinstance(value, bool):
        yield f"{label} ~ {'-' if value < 0 else ''}{abs(value).bit_length()}"


@lru_cache(maxsize=1 << 16)
def _row(fact: str) -> int:
    return int.from_bytes(blake2b(fact.encode(), digest_size=4).digest()) % SceneFacts.size
