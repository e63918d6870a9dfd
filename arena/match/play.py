"""The match loop: a generator without I/O that referees one match.

It yields what a seat is asked (an ``Offer`` before the deal, then one ``Observation`` a decision)
and is sent the answer with the time it took, or how the bot failed. So the same loop serves tests,
a person at the keyboard, one process, and thousands of matches in lock-step.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeAlias

import msgspec

from arena.core.actions import pack_ids
from arena.core.dealer import Dealer, SeatStreams
from arena.core.errors import HarnessFault, IllegalAction, IllegalLoadout
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome, Termination
from arena.core.record import MatchRecord, Measurement
from arena.core.state import State
from arena.match.adjudication import Failure, forfeit
from arena.match.clock import OVERRUNS, Clock, Limits


class Seating(msgspec.Struct, frozen=True, gc=False):
    """Tells a seat that the match begins, and asks what it brings.

    Attributes:
        seat: The seat that is told.
        offer: What it may bring; ``None`` when there is nothing to choose (answer ``None``).
    """

    seat: int
    offer: Offer | None


Request: TypeAlias = Seating | Observation
Answer: TypeAlias = tuple[object, int]
"""The bot's answer (or a ``Failure``) and the nanoseconds it took."""
Played: TypeAlias = tuple[MatchRecord, Measurement]
_Fault: TypeAlias = tuple[Termination, str, str]
"""Cause, one-line reason, and what the measurement keeps."""


def play_match(
    game: AnyGame,
    ruleset: Ruleset,
    seed: int,
    seats: Sequence[str],
    limits: Limits,
    dealer: Dealer | None = None,
) -> Generator[Request, Answer, Played]:
    """Referees one match from the first request to the record.

    Args:
        game: The game.
        ruleset: The rules to play by.
        seed: Seed of the deal.
        seats: Key of the participant in each seat.
        limits: What each seat may use.
        dealer: Answers chance; by default ``SeatStreams(seed)``.

    Raises:
        HarnessFault: The game itself failed; the match is void.
    """
    clock = Clock(limits, len(seats))
    spent, asked = clock.nanoseconds, clock.requests
    actions: list[int] = []
    try:
        loadouts, outcome, error = yield from _seat_everybody(game, ruleset, clock)
        if outcome is None:
            state = game.new_state(ruleset, loadouts, dealer or SeatStreams(seed))
            player, observe, apply = state.current_player, state.observation, state.apply_action
            # The hot path stands here, not in a generator or calls of its own: for every
            # decision of every match these are too dear. ``Clock.charge`` is written out.
            unhurried, requests = clock.unhurried_ns, limits.requests
            fault: _Fault | None = None
            while (seat := player()) >= 0:
                answer, elapsed = yield observe(seat)
                used = spent[seat] = spent[seat] + elapsed
                count = asked[seat] = asked[seat] + 1
                if used > unhurried or count > requests:
                    overrun = clock.overrun(seat, elapsed)
                    if overrun:
                        fault = _fault(answer, overrun)
                        break
                try:
                    apply(answer)  # the state judges anything
                except IllegalAction as refusal:
                    fault = _fault(answer, Termination.ILLEGAL_ACTION, str(refusal))
                    break
                actions.append(answer.id)  # type: ignore[attr-defined] # it was legal
            outcome, error = _ending(state, seat, len(actions), fault)
    except (HarnessFault, GeneratorExit):
        raise
    except Exception as trouble:
        raise HarnessFault(f"{game.name} failed: {type(trouble).__name__}: {trouble}") from trouble
    brought, packed = tuple(loadouts), pack_ids(actions)
    record = MatchRecord(
        game.name, ruleset.name, game.version, seed, tuple(seats), brought, packed, outcome
    )
    return record, Measurement(tuple(clock.nanoseconds), tuple(clock.requests), error=error)


def _seat_everybody(
    game: AnyGame, ruleset: Ruleset, clock: Clock
) -> Generator[Request, Answer, tuple[list[bytes], Outcome | None, str]]:
    """Starts every seat and takes what it brings; an outcome when a seat fails at it."""
    seats = len(clock.requests)
    loadouts: list[bytes] = []
    for seat in range(seats):
        offer = game.offer(ruleset, seat)
        answer, elapsed = yield Seating(seat, offer)
        overrun = clock.charge(seat, elapsed)
        try:
            if not (overrun or type(answer) is Failure):
                loadouts.append(game.accept_loadout(ruleset, answer if offer else None))
                continue
            cause, reason, error = _fault(answer, overrun or Termination.CRASH)
        except IllegalLoadout as refusal:
            cause, reason, error = _fault(answer, Termination.ILLEGAL_ACTION, str(refusal))
        return loadouts, forfeit(seat, (0,) * seats, cause, 0, reason), error
    return loadouts, None, ""


def _ending(state: State[Any], seat: int, moves: int, fault: _Fault | None) -> tuple[Outcome, str]:
    """How a match ended after that many decisions, and what the measurement keeps."""
    if fault is not None:
        cause, reason, error = fault
        return forfeit(seat, state.scores(), cause, moves, reason), error
    if not state.is_terminal():
        raise HarnessFault("the dealer left a chance node unanswered")
    return state.outcome(), ""


def _fault(answer: object, cause: Termination, refusal: str = "") -> _Fault:
    """What a seat did wrong; a host's word comes first."""
    if type(answer) is Failure:
        return answer.cause, answer.reason, answer.error or answer.reason
    reason = refusal or OVERRUNS[cause]
    return cause, reason, reason
