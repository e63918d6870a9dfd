"""The match loop: a generator without I/O that referees one match.

It yields requests to seats (an ``Offer`` before the deal, then one ``Observation`` a decision)
and is sent the answer with the time it took, or a ``Failure``. So the same loop serves tests,
a person at the keyboard, one process, and thousands of matches in lock-step.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, TypeAlias

from arena.core.actions import pack_ids
from arena.core.dealer import Dealer, SeatStreams
from arena.core.errors import HarnessFault, IllegalAction, IllegalLoadout
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import Fault, Termination
from arena.core.record import MatchRecord, Measurement
from arena.match.adjudication import Failure, final_outcome, forfeit, record_fault
from arena.match.clock import Clock
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
) -> Generator[SeatRequest, TimedAnswer, Played]:
    """Referees one match from the first request to the record.

    Args:
        seed: Seed of the deal.
        seats: Key of the participant in each seat.
        limits: The limits of each seat.
        dealer: Answers chance; by default ``SeatStreams(seed)``.
        view: Makes the requests to seats; by default their observations.
        loadouts: The loadout of each seat, as ``accept_loadout`` returned it; ``None`` for a
            seat that is asked, as all are by default.

    Raises:
        HarnessFault: The game itself failed; the match is void.
    """
    clock = Clock(limits, len(seats))
    spent, asked = clock.nanoseconds, clock.requests
    seat: int
    actions: list[Any] = []  # ids: compiled, a list of ints would have each checked
    faults: list[Fault] = []
    handed = loadouts or (None,) * len(seats)
    try:
        accepted, offences = yield from _seat_everybody(game, ruleset, clock, handed)
        for loadout in accepted:
            if not isinstance(loadout, bytes):  # compiled, it is an error before
                raise TypeError(f"bytes object expected; got {type(loadout).__name__}")
        if offences and not game.expels:
            outcome = forfeit(game, ruleset, offences[0][0], (0,) * len(seats))
        else:
            state = game.new_state(ruleset, accepted, dealer or SeatStreams(seed))
            over = any(record_fault(game, state, faults, fault) for fault, _ in offences)
            player: Callable[[], int] = state.current_player
            apply = state.apply_action
            observe = partial(view, state) if view else state.observation
            unhurried, requests = clock.unhurried_ns, limits.requests
            while not over:
                offence: _Offence | None = None
                # The hot path stands here, not in a generator or calls of its own: for every
                # decision of every match these are too dear. ``Clock.charge`` is written out.
                while (seat := player()) >= 0:
                    answer, elapsed = yield observe(seat)
                    used = spent[seat] = spent[seat] + elapsed
                    count = asked[seat] = asked[seat] + 1
                    if used > unhurried or count > requests:
                        overrun = clock.overrun(seat, elapsed)
                        if overrun:
                            why = clock.reason(overrun, elapsed)
                            offence = _offence(seat, len(actions), answer, overrun, why)
                            break
                    try:
                        apply(answer)  # the state checks anything
                    except IllegalAction as refusal:
                        offence = _offence(seat, len(actions), answer, _ILLEGAL, str(refusal))
                        break
                    actions.append(answer.id)  # type: ignore[attr-defined] # it was legal
                if offence is None:
                    break
                offences.append(offence)
                over = record_fault(game, state, faults, offence[0])
            outcome = final_outcome(game, ruleset, state, faults, by_fault=over)
    except (HarnessFault, GeneratorExit):
        raise
    except Exception as error:
        raise HarnessFault(f"{game.name} failed: {type(error).__name__}: {error}") from error
    record = MatchRecord(
        game.name, ruleset.name, game.version, seed,
        tuple(seats), tuple(accepted), pack_ids(actions), outcome,
    )  # fmt: skip
    return record, Measurement(tuple(spent), tuple(asked), error=_errors(offences))


def _seat_everybody(
    game: AnyGame, ruleset: Ruleset, clock: Clock, handed: Sequence[bytes | None]
) -> Generator[SeatRequest, TimedAnswer, tuple[list[bytes], list[_Offence]]]:
    """Starts every seat; returns the accepted loadouts and the offences of those that failed.

    Unless the game expels, the first failure ends the match. Otherwise a seat that failed has the
    default loadout and is taken out after the deal; the last seat, if all others failed, is asked
    nothing any more: it has won.
    """
    seats = len(clock.requests)
    loadouts: list[bytes] = []
    offences: list[_Offence] = []
    for seat in range(seats):
        if len(offences) == seats - 1:
            loadouts.append(game.accept_loadout(ruleset, None))
            break
        own = handed[seat]
        offer = game.offer(ruleset, seat) if own is None else None
        answer, elapsed = yield Seating(seat, offer)
        overrun = clock.charge(seat, elapsed)
        try:
            if not (overrun or type(answer) is Failure):
                if own is None:
                    own = game.accept_loadout(ruleset, answer if offer else None)
                loadouts.append(own)
                continue
            why = clock.reason(overrun, elapsed) if overrun else ""
            offences.append(_offence(seat, 0, answer, overrun or Termination.CRASH, why))
        except IllegalLoadout as refusal:
            offences.append(_offence(seat, 0, answer, _ILLEGAL, str(refusal)))
        if not game.expels:
            break
        loadouts.append(game.accept_loadout(ruleset, None))
    return loadouts, offences


def _offence(seat: int, move: int, answer: object, cause: Termination, reason: str) -> _Offence:
    """Returns a seat's fault and the error to keep; a host's ``Failure`` takes precedence."""
    if type(answer) is Failure:
        return Fault(seat, answer.cause, move, answer.reason), answer.error or answer.reason
    return Fault(seat, cause, move, reason), reason


def _errors(offences: Sequence[_Offence]) -> str:
    """Returns the errors for the measurement; those of several offenders name their seats."""
    if len(offences) == 1:
        return offences[0][1]
    return "\n".join(f"seat {fault.seat}: {error}" for fault, error in offences)
