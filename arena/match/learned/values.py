"""A learned value function, and the file that holds it.

The file is msgpack: a map with the fields of ``_File``. Weights are 16-bit floats in the order of
bytes ``<f2``; the hash is SHA-256 over everything from which values follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from math import prod
from typing import Any, NamedTuple

import msgspec
import numpy as np

from arena.core.actions import Action
from arena.core.errors import BadInput
from arena.core.features import Features
from arena.core.game import AnyGame, Ruleset
from arena.core.state import CHANCE, State
from arena.core.value import LEARNED, ValueFunction
from arena.match.learned.network import Network, Weights
from arena.match.learned.positions import (
    Event,
    chance_event,
    positions,
    results_of,
    still_event,
)

FORMAT = "arena value function 1"
WEIGHTS = ("rows", "bias1", "layer2", "bias2", "layer3", "bias3")
"""The names of the weights, in the order in which they are stored."""


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The game and the matches that a value function was learned for and from.

    Attributes:
        game: The game, its ruleset with options, and the version of its engine.
        ruleset: Name of the ruleset, with options.
        engine: Version of the rules' engine.
        features: Name of the features (``Features.name``).
        matches: Number of matches that it was learned from.
        positions: Number of their positions.
        rounds: Rounds of learning; likewise ``epochs`` and ``seed``.
        epochs: How often each round went through all positions.
        seed: What chance of the learning followed from.
    """

    game: str
    ruleset: str
    engine: str
    features: str
    matches: int
    positions: int
    rounds: int
    epochs: int
    seed: int


class _Array(msgspec.Struct, frozen=True):
    shape: tuple[int, ...]
    data: bytes


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    origin: Origin
    weights: dict[str, _Array]
    hash: str


class LearnedValues(ValueFunction[State[Any]]):
    """Values matches by a network over the facts of positions.

    Where the features say that what comes is no luck, its luck is 0. That follows from what came
    before, so that the luck of a match has mean zero all the same.

    Args:
        game: The game.
        ruleset: The rules in force.
        origin: What it was learned for.
        network: What was learned.
    """

    def __init__(self, game: AnyGame, ruleset: Ruleset, origin: Origin, network: Network) -> None:
        self.name = f"{game.name}{LEARNED}{origin.matches}"
        self.origin = origin
        self._features: Features[Any] = game.features(ruleset)
        self._network = network
        self.hash = _hash(origin, _packed(network.weights))

    def value(self, state: State[Any]) -> tuple[float, ...]:
        if state.is_terminal():
            return results_of(state.returns())
        if state.current_player() == CHANCE:
            return self.expectation(state)
        return self._computed([self._still(state)], len(state.scores()))[0].value

    def expectation(self, node: State[Any]) -> tuple[float, ...]:
        first, _ = node.chance_outcomes()[0]
        return self._computed([self._event(node, first)], len(node.scores()))[0].mean

    def luck(
        self, nodes: Iterable[tuple[State[Any], Action]]
    ) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
        """Returns luck and values of a match's chance nodes, all of them by one computation."""
        events, seats = [], 0
        for node, came in nodes:
            seats = len(node.scores())
            events.append(self._event(node, came))
        for found in self._computed(events, seats):
            yield found.luck, found.value

    def _event(self, node: State[Any], came: Action) -> Event:
        """Returns the event of a chance node; where what comes is no luck nothing changes by it."""
        return chance_event(self._features, node, came) or self._still(node)

    def _still(self, state: State[Any]) -> Event:
        return still_event(self._features, state)

    def _computed(self, events: Sequence[Event], seats: int) -> list[_Found]:
        """Returns what events are worth."""
        if not events:
            return []
        table = positions([events], [(0.0,) * seats], self._network.blank)
        values = self._network.values(table)
        after, mean = table.by_seat(values[table.came]), table.by_seat(table.means(values))
        return [
            _Found(tuple(luck), tuple(value), tuple(due))
            for luck, value, due in zip(
                (after - mean).tolist(), after.tolist(), mean.tolist(), strict=True
            )
        ]

    def to_bytes(self) -> bytes:
        """Returns the file of the value function."""
        weights = _packed(self._network.weights)
        file = _File(format=FORMAT, origin=self.origin, weights=weights, hash=self.hash)
        return msgspec.msgpack.encode(file)


class _Found(NamedTuple):
    """The worth of an event by seat: its luck, the value after it, and the mean value."""

    luck: tuple[float, ...]
    value: tuple[float, ...]
    mean: tuple[float, ...]


def origin_of(data: bytes) -> Origin:
    """Returns what the value function of a file was learned for; raises ``BadInput``."""
    return _read(data).origin


def read_values(game: AnyGame, ruleset: Ruleset, data: bytes) -> LearnedValues:
    """Reads the file of a value function.

    Raises:
        BadInput: It is none, was changed, or is for another game, ruleset or engine.
    """
    file = _read(data)
    features = game.features(ruleset)
    wanted = (game.name, ruleset.name, game.version, features.name)
    origin = file.origin
    of = (origin.game, origin.ruleset, origin.engine, origin.features)
    for what, theirs, ours in zip(
        ("game", "ruleset", "engine", "features"), of, wanted, strict=True
    ):
        if theirs != ours:
            raise BadInput(f"the value function is for the {what} {theirs!r}, not {ours!r}")
    wide, narrow = len(file.weights["bias1"].data) // 2, len(file.weights["bias2"].data) // 2
    shapes = {
        "rows": (features.size + 1, wide),
        "bias1": (wide,),
        "layer2": (wide, narrow),
        "bias2": (narrow,),
        "layer3": (narrow,),
        "bias3": (1,),
    }
    if {name: each.shape for name, each in file.weights.items()} != shapes:
        raise BadInput("the weights of the value function are not of the right sizes")
    weights = {
        name: np.frombuffer(each.data, dtype="<f2").reshape(each.shape).astype(np.float32)
        for name, each in file.weights.items()
    }
    return LearnedValues(game, ruleset, origin, Network(weights))


def _read(data: bytes) -> _File:
    try:
        file = msgspec.msgpack.decode(data, type=_File)
    except msgspec.MsgspecError:
        raise BadInput("this is no value function of arena learn-value") from None
    if file.format != FORMAT:
        raise BadInput(f"the value function has the format {file.format!r}, not {FORMAT!r}")
    if file.weights.keys() != set(WEIGHTS) or any(
        len(each.data) != 2 * prod(each.shape) for each in file.weights.values()
    ):
        raise BadInput("the weights of the value function are not whole")
    if file.hash != _hash(file.origin, file.weights):
        raise BadInput("the value function was changed: its hash is not that of its contents")
    return file


def _packed(weights: Weights) -> dict[str, _Array]:
    return {
        name: _Array(weights[name].shape, weights[name].astype("<f2").tobytes()) for name in WEIGHTS
    }


def _hash(origin: Origin, weights: dict[str, _Array]) -> str:
    return sha256(msgspec.msgpack.encode([FORMAT, origin, weights])).hexdigest()
