"""The luck in a record: what each chance event was worth, by a value function."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Any

import msgspec

from arena.core.actions import Action
from arena.core.game import AnyGame
from arena.core.parts.value import ValueFunction
from arena.core.record import MatchRecord
from arena.core.state import CHANCE, State
from arena.match.replay import Step, last_state, replay


class ChanceEvent(msgspec.Struct, frozen=True):
    """An uncertain answer of chance in a match.

    Attributes:
        move: Number of decisions taken before it.
        line: Index of its public event in the position before that move; ``None`` if it was hidden
            (a hand that is dealt).
        event: That public event; empty without one.
        luck: By seat, the value after it less the mean over all alternatives.
        value: By seat, the value after it.
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
    places: list[tuple[int, int | None, str]] = []

    def answers() -> Iterator[tuple[State[Any], Action]]:
        for step, state, came, shown in nodes(game, record):
            if came is not None:
                places.append(_place(game, step.move, state, came, shown))
                yield state, came

    luck = list(values.luck(answers()))
    for place, (gained, value) in zip(places, luck, strict=True):
        yield ChanceEvent(*place, gained, value)


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
    answers = ((state, came) for _, state, came, _ in nodes(game, record) if came is not None)
    luck = [gained for gained, _ in values.luck(answers)]
    return tuple(map(fsum, zip(*luck, strict=True))) or (0.0,) * len(record.seats)


def nodes(
    game: AnyGame, record: MatchRecord
) -> Iterator[tuple[Step, State[Any], Action | None, int]]:
    """Yields the state at each decision of a record, and where chance may answer in several ways.

    With it come the next decision's step, the answer (``None`` at a decision), and the history's
    length at the decision before. The state changes with each further node.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    if len(record.loadouts) < len(record.seats):  # a seat failed before the deal
        return
    game = game.at_version(record.engine)
    state = game.new_state(game.ruleset(record.ruleset), record.loadouts)
    shown = 0
    for step in replay(game, record):
        for seat in (*step.expelled, None):
            while state.current_player() == CHANCE:
                came, *others = [action for action, _ in state.chance_outcomes()]
                if others:
                    came = game.luck.outcome(state, step.state)
                    yield step, state, came, shown
                state.apply_action(came)
            if seat is not None:
                state.expel(seat)
        shown = len(state.observation(0).history)
        if step.action is not None:
            yield step, state, None, shown
            state.apply_action(step.action)


def _place(
    game: AnyGame, move: int, node: State[Any], came: Action, shown: int
) -> tuple[int, int | None, str]:
    after = node.clone()
    after.apply_action(came)
    before = node.observation(0).history
    lines = game.notation.events(after.observation(0).history[len(before) :])
    line = len(game.notation.events(before[shown:])) if lines else None
    return move, line, lines[0] if lines else ""
