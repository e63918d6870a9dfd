"""A stored match asked again: one seat meets the decisions of a record, whatever it answers."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec import structs

from arena.core.actions import pack_ids
from arena.core.errors import IllegalAction
from arena.core.game import AnyGame
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchRecord, Measurement
from arena.core.state import State
from arena.match.adjudication import Failure, forfeit
from arena.match.clock import Clock
from arena.match.course import Course
from arena.match.limits import Limits
from arena.match.replay import replay
from arena.match.requests import Played, Seating, SeatRequest, TimedAnswer, View


def ask_again(
    game: AnyGame,
    record: MatchRecord,
    seat: int,
    limits: Limits,
    view: View | None = None,
    course: Course | None = None,
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Asks a seat each of its decisions in a record; the match goes on as it was recorded.

    The arguments are as in ``play_match``, and so are the requests: the seat is offered a loadout,
    but has the one of the record. A fault ends it, as it would end a match.

    Returns:
        The record with the seat's answers alone as its actions and, after a fault, with that as
        its outcome; and the measurement.
    """
    course = course or Course(limits, len(record.seats))
    clock, answers = course.clock, course.answers
    ruleset = game.ruleset(record.ruleset)
    answer, elapsed = yield Seating(seat, game.loadouts.offer(ruleset, seat))
    fault = _fault(clock, seat, 0, answer, elapsed)
    error = answer.error if isinstance(answer, Failure) else ""
    if fault is None:
        answers.append(answer)
        for step in replay(game, record):
            if step.seat != seat:
                continue
            state = step.state
            answer, elapsed = yield (seat, view(state, seat)) if view else state.observation(seat)
            fault = _fault(clock, seat, step.move, answer, elapsed, state)
            if fault is not None:
                error = answer.error if isinstance(answer, Failure) else fault.reason
                break
            answers.append(answer)
    outcome = record.outcome
    if fault is not None:
        outcome = forfeit(game, ruleset, fault, (0,) * len(record.seats))
    actions = pack_ids([answer.id for answer in answers[1:]])
    asked = structs.replace(record, actions=actions, outcome=outcome)
    return asked, Measurement(clock.nanoseconds, clock.requests, error=error)


def _fault(
    clock: Clock,
    seat: int,
    move: int,
    answer: object,
    elapsed: int,
    state: State[Any] | None = None,
) -> Fault | None:
    if isinstance(answer, Failure):
        return Fault(seat, answer.cause, move, answer.reason)
    overrun = clock.charge(seat, elapsed)
    if overrun:
        return Fault(seat, overrun, move, clock.reason(overrun, elapsed))
    if state is not None:
        try:
            state.clone().apply_action(answer)  # type: ignore[arg-type] # the state checks anything
        except IllegalAction as refusal:
            return Fault(seat, Termination.ILLEGAL_ACTION, move, str(refusal))
    return None
