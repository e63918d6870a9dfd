"""Re-executes a record through the engine: the same events, bit for bit, or a ``Divergence``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from arena.core.actions import Action, pack_ids, unpack_ids
from arena.core.chance.dealer import SeatStreams
from arena.core.errors import ArenaError, Divergence, UnknownName
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import RULE_ENDINGS, Fault, Termination
from arena.core.record import MatchRecord
from arena.core.state import State
from arena.match.adjudication import faults_of, final_outcome, forfeit, record_fault

FAULTS = frozenset(Termination) - RULE_ENDINGS - {Termination.HARNESS_FAULT}
"""The causes by which one seat can break a match."""

_Event: TypeAlias = Action | Fault
"""The result of one request of the match: a decision, or the seat's fault."""


class Step(msgspec.Struct, frozen=True):
    """A position of a replay.

    Attributes:
        move: Number of decisions taken before it, from 0.
        state: The state before the decision: an independent copy.
        seat: The seat that decides; ``None`` at the end.
        action: Its decision; ``None`` at the end.
        expelled: Seats that were eliminated since the step before, in order.
    """

    move: int
    state: State[Any]
    seat: int | None
    action: Action | None
    expelled: tuple[int, ...] = ()


def replay(game: AnyGame, record: MatchRecord) -> Iterator[Step]:
    """Yields a record's steps, decision by decision; the last one is the end.

    Args:
        game: The game that the record names, of any version.
        record: The match, replayed under the version that played it (``Game.at_version``).

    Raises:
        Divergence: The record does not re-execute to its contents; names the first difference.
    """
    walk = _walk(game, record)
    if walk is None:
        return
    state, reported = walk.state, 0
    for event in walk.events():
        if isinstance(event, Action):
            expelled, reported = walk.expelled_since(reported), len(walk.faults)
            yield Step(walk.move, state.clone(), state.current_player(), event, expelled)
    yield Step(walk.move, state, None, None, walk.expelled_since(reported))
    walk.check_end()


def verify(game: AnyGame, record: MatchRecord) -> int:
    """Re-executes a record like ``replay``; returns the number of decisions that were verified."""
    walk = _walk(game, record)
    if walk is None:
        return 0
    walk.run()
    return walk.move


def last_state(game: AnyGame, record: MatchRecord) -> State[Any] | None:
    """Re-executes a record like ``replay``; returns its last state, ``None`` without a deal."""
    walk = _walk(game, record)
    if walk is None:
        return None
    walk.run()
    return walk.state


def state_before(game: AnyGame, record: MatchRecord, fault: Fault) -> State[Any] | None:
    """Returns the state in which a seat failed, like ``replay``; ``None`` if there was no deal."""
    walk = _walk(game, record)
    return walk.state if walk and fault in walk.events() else None


class _Walk:
    def __init__(
        self, game: AnyGame, ruleset: Ruleset, record: MatchRecord, ids: tuple[int, ...]
    ) -> None:
        self._game, self._ruleset, self._record = game, ruleset, record
        self._over = False
        self._events: list[int | Fault] = list(ids)
        for fault in reversed(faults_of(record.outcome)):
            self._events.insert(fault.move, fault)
        self.state: State[Any] = game.new_state(ruleset, record.loadouts, SeatStreams(record.seed))
        self.faults: list[Fault] = []
        self.move = 0

    def events(self) -> Iterator[_Event]:
        for event in self._events:
            if self._over or self.state.is_terminal():
                raise Divergence(f"move {self.move}: the match is over, but the record goes on")
            if isinstance(event, Fault):
                self._check_blame(event)
                yield event
                self._over = record_fault(self._game, self.state, self.faults, event)
                continue
            seat = self.state.current_player()
            try:
                action = self._game.notation.action_of(event)
                yield action
                self.state.apply_action(action)
            except ArenaError as error:
                raise Divergence(f"move {self.move}, seat {seat}: {error}") from error
            self.move += 1

    def run(self) -> None:
        for _ in self.events():
            pass
        self.check_end()

    def expelled_since(self, faults: int) -> tuple[int, ...]:
        """Returns the seats that were eliminated after that many faults."""
        return tuple([fault.seat for fault in self.faults[faults:]]) if self._game.expels else ()

    def check_end(self) -> None:
        """Checks after the last event that the match is over, with the record's outcome."""
        if not (self._over or self.state.is_terminal()):
            raise Divergence(f"after move {self.move} the match goes on, but the record ends")
        ending = final_outcome(
            self._game, self._ruleset, self.state, self.faults, by_fault=self._over
        )
        if ending != self._record.outcome:
            raise Divergence(f"the outcome is {ending}, but the record says {self._record.outcome}")

    def _check_blame(self, fault: Fault) -> None:
        """Checks that a fault is of the seat to decide, or of one that failed before the deal."""
        decides = self.state.current_player()
        if fault.seat == decides:
            return
        so_far = [earlier.seat for earlier in self.faults] + [fault.seat]
        early = self._game.expels and self.move == 0 and sorted({*so_far}) == so_far
        if not early:
            raise Divergence(
                f"move {self.move}: seat {decides} was to decide, "
                f"but the record blames seat {fault.seat}"
            )
        default = self._game.loadouts.accept(self._ruleset, None)
        for seat in so_far:
            if self._record.loadouts[seat] != default:
                raise Divergence(f"seat {seat} failed at its seating, but has its own loadout")


def _walk(game: AnyGame, record: MatchRecord) -> _Walk | None:
    """Prepares a record's execution; ``None`` for a sound one that ended before the deal."""
    try:
        game = game.at_version(record.engine)
    except UnknownName as error:
        raise Divergence(
            f"the record was made by version {record.engine} of the {game.name} engine; this is "
            f"version {game.version}, which replays {' and '.join(error.choices)}"
        ) from None
    ids = _moves(record)
    _check_faults(game, record, len(ids))
    seats, loadouts = len(record.seats), len(record.loadouts)
    early = loadouts < seats and not game.expels
    try:
        ruleset = game.ruleset(record.ruleset)
        if seats not in game.seats:
            fewest, most = min(game.seats), max(game.seats)
            raise ValueError(f"{game.name} takes {fewest} to {most} seats, not {seats}")
        if not early and loadouts != seats:
            raise ValueError(f"{loadouts} loadouts for {seats} seats")
        walk = None if early else _Walk(game, ruleset, record, ids)
    except (ArenaError, ValueError, OverflowError) as error:
        raise Divergence(f"the match cannot be set up: {error}") from error
    if walk is None:
        _check_early_end(game, ruleset, record, ids)
    return walk


def _moves(record: MatchRecord) -> tuple[int, ...]:
    """Returns the ids of the record's decisions, which must have their canonical encoding."""
    try:
        ids = unpack_ids(record.actions)
    except ArenaError as error:
        raise Divergence(str(error)) from error
    if pack_ids(ids) != record.actions:
        raise Divergence("the record's actions are not written as pack_ids writes them")
    return ids


def _check_faults(game: AnyGame, record: MatchRecord, moves: int) -> None:
    if record.outcome.expelled and not game.expels:
        raise Divergence(f"{game.name} expels nobody, but the record does")
    offenders: set[int] = set()
    earliest = 0
    for fault in faults_of(record.outcome):
        where = f"the fault of seat {fault.seat} at move {fault.move}"
        if fault.cause not in FAULTS:
            raise Divergence(f"{where} has the cause {fault.cause}, which is not a seat's fault")
        if fault.seat in offenders or fault.seat not in range(len(record.seats)):
            raise Divergence(f"{where} is its second, or there is no such seat")
        if not earliest <= fault.move <= moves:
            raise Divergence(f"{where} is out of order: it must lie at {earliest} to {moves}")
        offenders.add(fault.seat)
        earliest = fault.move


def _check_early_end(
    game: AnyGame, ruleset: Ruleset, record: MatchRecord, ids: tuple[int, ...]
) -> None:
    seat, ending = len(record.loadouts), record.outcome
    fault = Fault(seat, ending.termination, 0, ending.reason)
    expected = forfeit(game, ruleset, fault, (0,) * len(record.seats))
    if ids or fault.cause not in FAULTS or ending != expected:
        raise Divergence(f"seat {seat} has no loadout, but the record says {ending}")
