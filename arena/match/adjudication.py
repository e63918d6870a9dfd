"""Adjudicates matches that a seat breaks, with the cause.

In most games the offender loses and the match is over. In games with ``Game.expels`` the offender
is eliminated and ranks last, and the match continues while two seats are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import msgspec

from arena.core.errors import HarnessFault
from arena.core.game import AnyGame, Ruleset
from arena.core.outcome import RULE_ENDINGS, WIN_OR_LOSS, Fault, Outcome, Termination
from arena.core.state import State


class Failure(msgspec.Struct, frozen=True):
    """The answer of a bot that gave none, which a host sends to the match loop.

    Attributes:
        cause: ``CRASH`` or ``TIMEOUT``.
        reason: One line for the record, free of paths and addresses.
        error: The bot's own traceback, for the measurement.
    """

    cause: Termination
    reason: str
    error: str = ""


def record_fault(game: AnyGame, state: State[Any], faults: list[Fault], fault: Fault) -> bool:
    """Records a fault, and eliminates the offender where the game can continue.

    Args:
        state: The match; it changes if the offender is eliminated.
        faults: The faults before; this one is added.

    Returns:
        Whether the match is over by it.

    Raises:
        HarnessFault: The game had asked a seat that was out.
    """
    if any(fault.seat == earlier.seat for earlier in faults):
        raise HarnessFault(f"seat {fault.seat} was asked again after it was taken out")
    faults.append(fault)
    if not game.expels:
        return True
    state.expel(fault.seat)
    return state.is_terminal()


def final_outcome(
    game: AnyGame, ruleset: Ruleset, state: State[Any], faults: Sequence[Fault], *, by_fault: bool
) -> Outcome:
    """Returns the outcome of a match that is over.

    Args:
        faults: Every fault, in order, as ``record_fault`` recorded them.
        by_fault: The result of ``record_fault`` for the last of them.

    Raises:
        HarnessFault: The match is not over, or its returns are not finite.
    """
    if not (by_fault or state.is_terminal()):
        raise HarnessFault("the dealer left a chance node unanswered")
    if not faults:
        return _ending(state)
    if not by_fault:
        return msgspec.structs.replace(_ending(state), expelled=tuple(faults))
    *before, last = faults
    if not game.expels:
        return forfeit(game, ruleset, last, state.scores())
    return msgspec.structs.replace(
        _ending(state),
        termination=last.cause,
        offender=last.seat,
        move=last.move,
        reason=last.reason,
        expelled=tuple(before),
    )


def _ending(state: State[Any]) -> Outcome:
    """Returns a finished match's own outcome, with returns as finite floats; hot path."""
    ending = state.outcome()
    for value in ending.returns:
        if type(value) is not float or not isfinite(value):
            break
    else:
        return ending
    returns = tuple(map(float, ending.returns))
    if not all(map(isfinite, returns)):
        raise HarnessFault(f"the game gave the returns {returns}")
    return msgspec.structs.replace(ending, returns=returns)


def forfeit(game: AnyGame, ruleset: Ruleset, fault: Fault, scores: tuple[int, ...]) -> Outcome:
    """Returns the outcome of a match ended by a fault: its seat gets the least that there is."""
    payoffs = game.amounts.payoffs(ruleset, len(scores)) or WIN_OR_LOSS
    returns = payoffs.forfeit(len(scores), fault.seat)
    return Outcome(
        returns, scores, fault.cause, offender=fault.seat, move=fault.move, reason=fault.reason
    )


def faults_of(outcome: Outcome) -> tuple[Fault, ...]:
    """Returns every fault of a match in order, the one that ended it last."""
    if outcome.termination in RULE_ENDINGS or outcome.offender is None or outcome.move is None:
        return outcome.expelled
    last = Fault(outcome.offender, outcome.termination, outcome.move, outcome.reason)
    return (*outcome.expelled, last)
