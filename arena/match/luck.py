"""The luck in a record: what each chance event was worth, by a value function."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Any

import msgspec

from arena.core.game import AnyGame
from arena.core.record import MatchRecord
from arena.core.state import CHANCE, State
from arena.core.value import ValueFunction
from arena.match.replay import Step, replay


class ChanceEvent(msgspec.Struct, frozen=True):
    """One answer of chance in a match; answers that were certain are none.

    Attributes:
        move: Number of decisions taken before it.
        line: Index of its public event among those of the moment before that move; ``None`` if
            nobody else could see what came (a hand that is dealt).
        event: That public event; empty without one.
        luck: By seat, the value after what came less its mean over all that could have come.
        value: By seat, the value after what came.
    """

    move: int
    line: int | None
    event: str
    luck: tuple[float, ...]
    value: tuple[float, ...]


def chance_events(
    game: AnyGame, record: MatchRecord, values: ValueFunction[Any]
) -> Iterator[ChanceEvent]:
    """Yields the chance events of a record in order.

    Args:
        game: The game that the record names, of any version.
        values: A value function of the record's ruleset.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    if len(record.loadouts) < len(record.seats):  # a seat failed before the deal
        return
    game = game.at_version(record.engine)
    state = game.new_state(game.ruleset(record.ruleset), record.loadouts)
    shown = 0
    for step in replay(game, record):
        yield from _until_decision(game, state, step, values, shown)
        for seat in step.expelled:
            state.expel(seat)
            yield from _until_decision(game, state, step, values, shown)
        shown = len(step.state.observation(0).history)
        if step.action is not None:
            state.apply_action(step.action)


def _until_decision(
    game: AnyGame, state: State[Any], step: Step, values: ValueFunction[Any], shown: int
) -> Iterator[ChanceEvent]:
    """Takes a state through chance nodes to the next decision, as the match went."""
    while state.current_player() == CHANCE:
        (first, _), *others = state.chance_outcomes()
        if not others:
            state.apply_action(first)
            continue
        came, mean = game.came(state, step.state), values.expectation(state)
        before = state.observation(0).history
        state.apply_action(came)
        value, after = values.value(state), state.observation(0).history
        lines = game.notation.events(after[len(before) :])
        yield ChanceEvent(
            step.move,
            len(game.notation.events(before[shown:])) if lines else None,
            lines[0] if lines else "",
            tuple([got - due for got, due in zip(value, mean, strict=True)]),
            value,
        )


def luck_by_seat(
    game: AnyGame, record: MatchRecord, values: ValueFunction[Any]
) -> tuple[float, ...]:
    """Returns the luck of each seat in a match: the sum over its chance events."""
    events = [event.luck for event in chance_events(game, record, values)]
    return tuple(map(fsum, zip(*events, strict=True))) or (0.0,) * len(record.seats)
