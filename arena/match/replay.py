"""Re-executes a record through the engine: the same events, bit for bit, or a ``Divergence``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from arena.core.actions import Action, pack_ids, unpack_ids
from arena.core.dealer import SeatStreams
from arena.core.errors import ArenaError, Divergence
from arena.core.game import AnyGame
from arena.core.outcome import RULE_ENDINGS, Outcome, Termination
from arena.core.record import MatchRecord
from arena.core.state import State
from arena.match.adjudication import forfeit

FAULTS = frozenset(Termination) - RULE_ENDINGS - {Termination.HARNESS_FAULT}
"""Endings that one seat's fault can give a record."""


class Step(msgspec.Struct, frozen=True):
    """One moment of a replay.

    Attributes:
        move: Number of decisions taken before it, from 0.
        state: The state before the decision: an independent copy.
        seat: The seat that decides; ``None`` at the end.
        action: What it decided; ``None`` at the end.
    """

    move: int
    state: State[Any]
    seat: int | None
    action: Action | None


def replay(game: AnyGame, record: MatchRecord) -> Iterator[Step]:
    """Walks a record decision by decision; the last step is the end.

    Args:
        game: The game that the record names.
        record: What to replay.

    Raises:
        Divergence: The record does not re-execute to what it says; names the first difference.
    """
    if record.engine != game.version:
        raise Divergence(
            f"the record was made by version {record.engine} of the {game.name} engine; "
            f"this is version {game.version}"
        )
    ending = record.outcome
    ids = _moves(record)
    if len(record.loadouts) < len(record.seats):
        _check_early_end(record, ids)
        return
    try:
        ruleset, dealer = game.ruleset(record.ruleset), SeatStreams(record.seed)
        state = game.new_state(ruleset, record.loadouts, dealer)
    except (ArenaError, ValueError, OverflowError) as error:
        raise Divergence(f"the match cannot be set up: {error}") from error
    move = 0
    for move, number in enumerate(ids):
        seat = state.current_player()
        if seat < 0:
            raise Divergence(f"move {move}: the match is over, but the record goes on")
        try:
            action = game.notation.action_of(number)
            yield Step(move, state.clone(), seat, action)
            state.apply_action(action)
        except ArenaError as error:
            raise Divergence(f"move {move}, seat {seat}: {error}") from error
    yield Step(len(ids), state, None, None)
    if ending.termination in RULE_ENDINGS:
        if not state.is_terminal():
            raise Divergence(f"after move {move} the match goes on, but the record ends")
        if state.outcome() != ending:
            raise Divergence(f"the outcome is {state.outcome()}, but the record says {ending}")
    else:
        _check_forfeit(state, record, len(ids))


def verify(game: AnyGame, record: MatchRecord) -> int:
    """Re-executes a record; the number of decisions that were verified.

    Raises:
        Divergence: As ``replay``.
    """
    moves = 0
    for step in replay(game, record):
        moves = step.move
    return moves


def _moves(record: MatchRecord) -> tuple[int, ...]:
    """The ids of the record's decisions, if they are written the one way there is."""
    try:
        ids = unpack_ids(record.actions)
    except ArenaError as error:
        raise Divergence(str(error)) from error
    if pack_ids(ids) != record.actions:
        raise Divergence("the record's actions are not written as pack_ids writes them")
    return ids


def _check_early_end(record: MatchRecord, ids: tuple[int, ...]) -> None:
    """A match that ended before the deal has one offender and no moves."""
    offender, ending = len(record.loadouts), record.outcome
    if ids or ending != _forfeited(record, offender, (0,) * len(record.seats), 0):
        raise Divergence(f"seat {offender} brought nothing, but the record says {ending}")


def _check_forfeit(state: State[Any], record: MatchRecord, moves: int) -> None:
    ending = record.outcome
    if state.current_player() != ending.offender:
        raise Divergence(
            f"move {moves}: seat {state.current_player()} was to decide, "
            f"but the record blames seat {ending.offender}"
        )
    if ending != _forfeited(record, state.current_player(), state.scores(), moves):
        raise Divergence(
            f"after move {moves} the scores are {state.scores()}, but the record says {ending}"
        )


def _forfeited(record: MatchRecord, seat: int, scores: tuple[int, ...], moves: int) -> Outcome:
    """What the outcome must be when that seat's fault ended the match, as the record says."""
    cause = record.outcome.termination
    if cause not in FAULTS:
        raise Divergence(f"no seat's fault, but the match ended before its end: {cause}")
    return forfeit(seat, scores, cause, moves, record.outcome.reason)
