"""A learned value function: a network over the facts of positions, made of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from arena.core.actions import Action
from arena.core.game import AnyGame, Ruleset
from arena.core.parts.full_state_facts import FullStateFacts
from arena.core.parts.value import ValueFunction
from arena.core.state import CHANCE, State
from arena.match.learned.decisions import LearnedDecisions
from arena.match.learned.file import Array, Origin, ValueFile, value_file
from arena.match.learned.network import Network
from arena.match.learned.positions import Event, chance_event, positions, results_of, still_event


class LearnedValues(ValueFunction[State[Any]]):
    """Values matches by a network over the facts of positions.

    Where the facts call an answer of chance no luck, its luck is 0. That depends only on the
    past, so the luck of a match has mean zero all the same.

    Attributes:
        file: Its file.

    Raises:
        BadInput: It is for another game, ruleset or engine.
    """

    def __init__(self, game: AnyGame, ruleset: Ruleset, file: ValueFile) -> None:
        file.check_fits(game, ruleset)
        self._game = game
        self.file, self.name, self.hash = file, file.name, file.hash
        self._facts: FullStateFacts[Any] = game.full_state.facts(ruleset)
        self._network = Network(
            {
                name: np.frombuffer(each.data, dtype="<f2").reshape(each.shape).astype(np.float32)
                for name, each in file.weights.items()
            }
        )

    def independent_of(self, deals: str) -> bool | None:
        return self.file.independent_of(deals)

    def value(self, state: State[Any]) -> tuple[float, ...]:
        if state.is_terminal():
            return results_of(state.returns())
        if state.current_player() == CHANCE:
            return self.expectation(state)
        return self._computed([self._still(state)], len(state.scores()))[0].value

    def expectation(self, node: State[Any]) -> tuple[float, ...]:
        first, _ = node.chance_outcomes()[0]
        return self._computed([self._event(node, first)], len(node.scores()))[0].mean

    def values_of(self, states: Sequence[State[Any]]) -> list[tuple[float, ...]]:
        """Returns the values of several states of one match by one computation; at chance nodes the
        mean.
        """
        events, found = [], []
        for state in states:
            over, chance = state.is_terminal(), state.current_player() == CHANCE
            found.append(results_of(state.returns()) if over else ())
            if chance:
                events.append(self._event(state, state.chance_outcomes()[0][0]))
            elif not over:
                events.append(self._still(state))
        seats = len(states[0].scores()) if states else 0
        computed = (each.mean for each in self._computed(events, seats))
        return [each or next(computed) for each in found]

    def decisions(self) -> LearnedDecisions:
        return LearnedDecisions(self._game, self.name, self.values_of)

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
        """Returns the event of a chance node, or one that changes nothing if it is not luck."""
        return chance_event(self._facts, node, came) or self._still(node)

    def _still(self, state: State[Any]) -> Event:
        return still_event(self._facts, state)

    def _computed(self, events: Sequence[Event], seats: int) -> list[_Found]:
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


class _Found(NamedTuple):
    luck: tuple[float, ...]
    value: tuple[float, ...]
    mean: tuple[float, ...]


def file_of(origin: Origin, network: Network) -> ValueFile:
    """Returns the file of a network that was learned."""
    weights = {
        name: Array(each.shape, each.astype("<f2").tobytes())
        for name, each in network.weights.items()
    }
    return value_file(origin, weights)
