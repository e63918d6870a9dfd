"""Matches that a bot plays on from a state, and the loadout that it chooses."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from arena.core.actions import Action
from arena.core.errors import IllegalAction, IllegalLoadout
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchRecord, Measurement
from arena.core.state import State
from arena.match.adjudication import Failure, forfeit
from arena.match.course import Course
from arena.match.limits import Limits
from arena.match.requests import Played, Seating, SeatRequest, TimedAnswer, View

Note: TypeAlias = Callable[[State[Any], Action], None]
"""Is told a state before a decision, and the action."""


def play_on(
    game: AnyGame,
    ruleset: Ruleset,
    state: State[Any],
    seats: int,
    limits: Limits,
    own: tuple[int, Callable[[State[Any]], Action]],
    note: Note | None,
    view: View | None = None,
    course: Course | None = None,
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Plays a state, which has a dealer, to its end; the first fault ends it.

    Args:
        own: A seat that is not asked, and what chooses its actions.
        note: Is told each state before an answer, as it is then, and the answer.
        view: As of ``play_match``, and so are ``limits`` and ``course``.

    Returns:
        A record without actions: its outcome is what counts.
    """
    course = course or Course(limits, seats)
    fault: Fault | None = None
    apart, choose = own
    for seat in range(seats):
        if seat == apart:
            continue
        answer, elapsed = yield Seating(seat, game.loadouts.offer(ruleset, seat))
        fault = fault or _fault(course, seat, answer, elapsed)
    while fault is None and (seat := state.current_player()) >= 0:
        if seat == apart:
            state.apply_action(choose(state))
            continue
        answer, elapsed = yield (seat, view(state, seat)) if view else state.observation(seat)
        fault = _fault(course, seat, answer, elapsed)
        if fault is None:
            before = state.clone() if note else None
            try:
                state.apply_action(answer)  # type: ignore[arg-type] # the state checks anything
            except IllegalAction as refusal:
                fault = Fault(seat, Termination.ILLEGAL_ACTION, 0, str(refusal))
            else:
                if note and before is not None:
                    note(before, answer)  # type: ignore[arg-type]  # it was legal
    scores = (0,) * seats
    end = forfeit(game, ruleset, fault, scores) if fault else state.outcome()
    return _record(game, ruleset, end, (b"",) * seats, course)


def ask_loadout(
    game: AnyGame,
    ruleset: Ruleset,
    seats: int,
    seat: int,
    limits: Limits,
    view: View | None = None,
    course: Course | None = None,
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Asks a seat for its loadout; the record has it in all seats.

    Arguments are as of ``play_on``.
    """
    course = course or Course(limits, seats)
    offer = game.loadouts.offer(ruleset, seat)
    answer, elapsed = yield Seating(seat, offer)
    fault, loadout = _fault(course, seat, answer, elapsed), b""
    if fault is None:
        try:
            loadout = game.loadouts.accept(ruleset, answer if offer else None)
        except IllegalLoadout as refusal:
            fault = Fault(seat, Termination.ILLEGAL_ACTION, 0, str(refusal))
    scores = (0,) * seats
    end = forfeit(game, ruleset, fault, scores) if fault else Outcome((0.0,) * seats, scores)
    return _record(game, ruleset, end, (loadout,) * seats, course)


def _fault(course: Course, seat: int, answer: object, elapsed: int) -> Fault | None:
    if isinstance(answer, Failure):
        return Fault(seat, answer.cause, 0, answer.reason)
    overrun = course.clock.charge(seat, elapsed)
    return Fault(seat, overrun, 0, course.clock.reason(overrun, elapsed)) if overrun else None


def _record(
    game: AnyGame, ruleset: Ruleset, end: Outcome, loadouts: tuple[bytes, ...], course: Course
) -> Played:
    names, clock = ("",) * len(loadouts), course.clock
    record = MatchRecord(game.name, ruleset.name, game.version, 0, names, loadouts, b"", end)
    return record, Measurement(clock.nanoseconds, clock.requests)
