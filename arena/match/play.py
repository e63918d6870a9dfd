"""The match loop: a generator without I/O that referees one match.

It yields requests to seats (a ``Seating`` before the deal, then an ``Observation`` per decision, or
another ``View``) and is sent the answer with its time, or a ``Failure``. So one loop serves tests,
a person at the keyboard, one process, and thousands of matches in lock-step.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeAlias

from arena.core.actions import pack_ids
from arena.core.chance.dealer import Dealer, SeatStreams
from arena.core.errors import HarnessFault, IllegalAction, IllegalLoadout
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchRecord, Measurement
from arena.match.adjudication import Failure, final_outcome, forfeit, record_fault
from arena.match.course import Course
from arena.match.limits import Limits
from arena.match.requests import Played, Seating, SeatRequest, TimedAnswer, View

_Offence: TypeAlias = tuple[Fault, str]
"""A fault for the record, and the bot's error for the measurement."""
_ILLEGAL = Termination.ILLEGAL_ACTION


def play_match(
    game: AnyGame,
    ruleset: Ruleset,
    seed: int,
    seats: Sequence[str],
    limits: Limits,
    dealer: Dealer | None = None,
    view: View | None = None,
    loadouts: Sequence[bytes | None] = (),
    course: Course | None = None,
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Referees one match from the first request to the record.

    Args:
        seed: Seed of the deal.
        seats: Key of the participant in each seat.
        limits: The limits of each seat.
        dealer: Answers chance; by default ``SeatStreams(seed)``.
        view: Makes the requests for decisions; by default observations.
        loadouts: The loadout of each seat, as ``accept_loadout`` returned it; ``None`` for a seat
            that is asked, which is the default.
        course: An empty course, which is stored up to date; by default the match has its own.

    Raises:
        HarnessFault: The game itself failed; the match is void.
    """
    course = course or Course(limits, len(seats))
    clock, answers = course.clock, course.answers
    clocks = clock.seats
    seat: int
    faults: list[Fault] = []
    handed = loadouts or (None,) * len(seats)
    try:
        accepted, offences = yield from _seat_everybody(game, ruleset, course, handed)
        seated = len(answers)
        for loadout in accepted:
            if not isinstance(loadout, bytes):  # compiled, it is an error before
                raise TypeError(f"bytes object expected; got {type(loadout).__name__}")
        if offences and not game.expels:
            outcome = forfeit(game, ruleset, offences[0][0], (0,) * len(seats))
        else:
            state = game.new_state(ruleset, accepted, dealer or SeatStreams(seed))
            over = any(record_fault(game, state, faults, fault) for fault, _ in offences)
            unhurried, requests = clock.unhurried_ns, limits.requests
            while not over:
                failure: Failure | None = None
                # The hot path stands here, not in a generator or calls of its own: for every
                # decision of every match these are too dear. ``Clock.charge`` is written out.
                while (seat := state.current_player()) >= 0:
                    if view:
                        answer, elapsed = yield seat, view(state, seat)
                    else:
                        answer, elapsed = yield state.observation(seat)
                    own = clocks[seat]
                    used = own.nanoseconds = own.nanoseconds + elapsed
                    count = own.requests = own.requests + 1
                    if used > unhurried or count > requests:
                        overrun = clock.overrun(seat, elapsed)
                        if overrun:
                            failure = _failure(answer, overrun, clock.reason(overrun, elapsed))
                            break
                    try:
                        state.apply_action(answer)  # the state checks anything
                    except IllegalAction as refusal:
                        failure = _failure(answer, _ILLEGAL, str(refusal))
                        break
                    answers.append(answer)
                if failure is None:
                    break
                offence = _offence(seat, len(_actions(answers, seated)), failure)
                answers.append(failure)
                offences.append(offence)
                over = record_fault(game, state, faults, offence[0])
            outcome = final_outcome(game, ruleset, state, faults, by_fault=over)
        actions = pack_ids(_actions(answers, seated))
    except (HarnessFault, GeneratorExit):
        raise
    except Exception as error:
        raise HarnessFault(f"{game.name} failed: {type(error).__name__}: {error}") from error
    record = MatchRecord(
        game.name, ruleset.name, game.version, seed,
        tuple(seats), tuple(accepted), actions, outcome,
    )  # fmt: skip
    return record, Measurement(clock.nanoseconds, clock.requests, error=_errors(offences))


def _seat_everybody(
    game: AnyGame, ruleset: Ruleset, course: Course, handed: Sequence[bytes | None]
) -> Generator[SeatRequest, TimedAnswer, tuple[list[bytes], list[_Offence]]]:
    """Starts every seat; returns the accepted loadouts and the offences of those that failed.

    Unless the game expels, the first failure ends the match. Otherwise a failed seat has the
    default loadout and is eliminated after the deal. The last seat left has won and is not asked.
    """
    clock, answers = course.clock, course.answers
    seats = len(clock.seats)
    loadouts: list[bytes] = []
    offences: list[_Offence] = []
    for seat in range(seats):
        if len(offences) == seats - 1:
            loadouts.append(game.loadouts.accept(ruleset, None))
            break
        own = handed[seat]
        offer = game.loadouts.offer(ruleset, seat) if own is None else None
        answer, elapsed = yield Seating(seat, offer)
        overrun = clock.charge(seat, elapsed)
        try:
            if not (overrun or type(answer) is Failure):
                if own is None:
                    own = game.loadouts.accept(ruleset, answer if offer else None)
                loadouts.append(own)
                answers.append(answer)
                continue
            why = clock.reason(overrun, elapsed) if overrun else ""
            failure = _failure(answer, overrun or Termination.CRASH, why)
        except IllegalLoadout as refusal:
            failure = _failure(answer, _ILLEGAL, str(refusal))
        offences.append(_offence(seat, 0, failure))
        answers.append(failure)
        if not game.expels:
            break
        loadouts.append(game.loadouts.accept(ruleset, None))
    return loadouts, offences


def _failure(answer: object, cause: Termination, reason: str) -> Failure:
    return answer if type(answer) is Failure else Failure(cause, reason)


def _offence(seat: int, move: int, failure: Failure) -> _Offence:
    fault = Fault(seat, failure.cause, move, failure.reason)
    return fault, failure.error or failure.reason


def _actions(answers: Sequence[Any], seated: int) -> list[int]:
    """Returns the ids of the actions: all answers after the seating except failures."""
    return [answer.id for answer in answers[seated:] if type(answer) is not Failure]


def _errors(offences: Sequence[_Offence]) -> str:
    """Returns the errors for the measurement; several offenders are named by seat."""
    if len(offences) == 1:
        return offences[0][1]
    return "\n".join(f"seat {fault.seat}: {error}" for fault, error in offences)
