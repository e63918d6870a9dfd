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
from arena.match.replay import Step, last_state, replay


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
    for step, state, shown in _chance_nodes(game, record):
        before = state.observation(0).history
        answer = _answer(game, state, step.state, values)
        if answer is None:
            continue
        lines = game.notation.events(state.observation(0).history[len(before) :])
        line = len(game.notation.events(before[shown:])) if lines else None
        yield ChanceEvent(step.move, line, lines[0] if lines else "", *answer)


def luck_by_seat(
    game: AnyGame, record: MatchRecord, values: ValueFunction[Any]
) -> tuple[float, ...]:
    """Returns the luck of each seat in a match: the sum over its chance events.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    end = last_state(game, record)
    if end is None:
        return (0.0,) * len(record.seats)
    return values.luck_until(end) or _summed(game, record, values)


def _summed(game: AnyGame, record: MatchRecord, values: ValueFunction[Any]) -> tuple[float, ...]:
    """Returns the luck of each seat by going through every chance node."""
    answers = [
        _answer(game, state, step.state, values) for step, state, _ in _chance_nodes(game, record)
    ]
    luck = [answer[0] for answer in answers if answer]
    return tuple(map(fsum, zip(*luck, strict=True))) or (0.0,) * len(record.seats)


def _chance_nodes(game: AnyGame, record: MatchRecord) -> Iterator[tuple[Step, State[Any], int]]:
    """Yields a state at each chance node of a record, where whoever iterates has to answer it.

    With it come the step of the next decision, and the length of the history at the one before.
    """
    if len(record.loadouts) < len(record.seats):  # a seat failed before the deal
        return
    game = game.at_version(record.engine)
    state = game.new_state(game.ruleset(record.ruleset), record.loadouts)
    shown = 0
    for step in replay(game, record):
        for seat in (*step.expelled, None):
            while state.current_player() == CHANCE:
                yield step, state, shown
            if seat is not None:
                state.expel(seat)
        shown = len(state.observation(0).history)
        if step.action is not None:
            state.apply_action(step.action)


def _answer(
    game: AnyGame, node: State[Any], later: State[Any], values: ValueFunction[Any]
) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Answers a chance node as the match did; returns luck and value by seat.

    ``None`` stands for an answer that was certain.
    """
    (first, _), *others = node.chance_outcomes()
    if not others:
        node.apply_action(first)
        return None
    came, mean = game.came(node, later), values.expectation(node)
    node.apply_action(came)
    value = values.value(node)
    return tuple([got - due for got, due in zip(value, mean, strict=True)]), value
