"""A stored match asked again: one seat meets the decisions of a record, whatever it answers."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from msgspec import structs

from arena.core.actions import pack_ids
from arena.core.errors import IllegalAction
from arena.core.game import AnyGame, Ruleset
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
    """Asks a seat for each of its decisions in a record, while the match continues as recorded.

    Arguments and requests are as in ``play_match``; the seat plays the loadout of the record. A
    fault ends it.

    Returns:
        The record with only the seat's answers as actions and, after a fault, its outcome; and the
        measurement.
    """
    course = course or Course(limits, len(record.seats))
    ruleset = game.ruleset(record.ruleset)
    own = ((step.move, step.state) for step in replay(game, record) if step.seat == seat)
    fault, error = yield from ask_seat(game, ruleset, seat, own, view, course)
    outcome = record.outcome
    if fault is not None:
        outcome = forfeit(game, ruleset, fault, (0,) * len(record.seats))
    actions = pack_ids([answer.id for answer in course.answers[1:]])
    asked, clock = structs.replace(record, actions=actions, outcome=outcome), course.clock
    return asked, Measurement(clock.nanoseconds, clock.requests, error=error)


def ask_seat(
    game: AnyGame,
    ruleset: Ruleset,
    seat: int,
    positions: Iterable[tuple[int, State[Any]]],
    view: View | None,
    course: Course,
) -> Generator[SeatRequest, TimedAnswer, tuple[Fault | None, str]]:
    """Seats a bot and asks it for decisions, none of which changes the next one.

    Args:
        positions: States at the seat's decisions, each with the number of moves before.
        view: As of ``play_match``.
        course: Gets the answers: the loadout, and the actions up to a fault.

    Returns:
        The fault that ended it, if there is one, and the bot's error.
    """
    clock, answers = course.clock, course.answers
    answer, elapsed = yield Seating(seat, game.loadouts.offer(ruleset, seat))
    fault = _fault(clock, seat, 0, answer, elapsed)
    if fault is not None:
        return fault, answer.error if isinstance(answer, Failure) else ""
    answers.append(answer)
    for move, state in positions:
        answer, elapsed = yield (seat, view(state, seat)) if view else state.observation(seat)
        fault = _fault(clock, seat, move, answer, elapsed, state)
        if fault is not None:
            return fault, answer.error if isinstance(answer, Failure) else fault.reason
        answers.append(answer)
    return None, ""


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
