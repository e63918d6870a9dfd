"""The single promises of the core contract, each as a function that raises ``Broken``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from inspect import signature
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled, SeatStreams
from arena.core.chance.seeding import generator
from arena.core.errors import BadInput, IllegalAction
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.core.outcome import WIN_OR_LOSS, Outcome, Payoffs
from arena.core.parts import Positions
from arena.core.state import State
from arena.testing.reasons import raised

if TYPE_CHECKING:
    from random import Random

Print: TypeAlias = tuple[int, tuple[int, ...], tuple[bytes, ...]]
"""The player, the legal actions (by identity), and the view of each seat (in bytes)."""

_TOLERANCE = 1e-9
_encode = msgspec.msgpack.Encoder().encode


class Broken(Exception):
    """A promise is broken; the message says which, and what differed."""


def demand(kept: bool, broken: str) -> None:
    """Raises ``Broken`` unless the promise was kept."""
    if not kept:
        raise Broken(broken)


def fingerprint(state: State[Any], seats: int) -> Print:
    """Everything that can be seen of a state, to be compared later."""
    seen = tuple(_encode(state.observation(seat)) for seat in range(seats))
    return state.current_player(), tuple(map(id, state.legal_actions())), seen


def difference(one: msgspec.Struct, other: msgspec.Struct) -> str:
    """The fields in which two views differ, in value or in bytes; empty for none."""
    if one == other and _encode(one) == _encode(other):
        return ""
    if type(one) is not type(other):
        return f"{type(one).__name__} and {type(other).__name__}"
    parts = []
    for field in one.__struct_fields__:
        mine, theirs = getattr(one, field), getattr(other, field)
        if mine != theirs or _encode(mine) != _encode(theirs):
            parts.append(f"{field} is {_short(mine)} or {_short(theirs)}")
    return "; ".join(parts) or "equal fields, but unequal values"


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value[:12]))})"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


class _Impostor:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def check_actions(state: State[Any], seen: Sequence[Action]) -> int:
    """Every legal action is taken; everything else is refused and changes nothing.

    Args:
        state: A state at a seat's decision; left as it is.
        seen: Actions that were legal somewhere, to be tried where they are not.
    """
    legal = state.legal_actions()
    demand(len({id(a) for a in legal}) == len(legal) > 0, "no legal action, or one twice")
    for action in legal:
        try:
            state.clone().apply_action(action)
        except IllegalAction as refusal:
            raise Broken(f"{action} is legal, but was refused: {refusal}") from refusal
    seats = len(state.scores())
    before = fingerprint(state, seats)
    allowed = {id(action) for action in legal}
    unknown = (None, 0, True, legal[0].id, legal[0].text, object(), _Impostor())
    wrong = [*(action for action in seen if id(action) not in allowed), *unknown]
    for thing in wrong:
        try:
            state.apply_action(thing)  # type: ignore[arg-type] # it must refuse anything else
        except IllegalAction:
            demand(fingerprint(state, seats) == before, f"{thing} was refused but changed things")
        else:
            raise Broken(f"{thing!r} is not legal, but was taken")
    return len(legal) + len(wrong)


def check_clone(state: State[Any], rng: Random) -> int:
    """Playing on with a clone does not change the original."""
    seats = len(state.scores())
    before = fingerprint(state, seats)
    twin = state.clone(Sampled(rng))
    demand(fingerprint(twin, seats) == before, "a clone differs from its original")
    for _ in range(12):
        if twin.is_terminal():
            break
        twin.apply_action(rng.choice(twin.legal_actions()))
    demand(fingerprint(state, seats) == before, "an action on a clone changed the original")
    return 1


def check_immutable(seen: Observation) -> int:
    """Observations and actions hash, and refuse every change."""
    hash(seen)
    hash(seen.information_state())
    things: tuple[Observation | Action, ...] = (seen, *seen.legal_actions)
    for thing in things:
        hash(thing)
        for field in thing.__struct_fields__:
            try:
                setattr(thing, field, getattr(thing, field))
            except (AttributeError, TypeError):
                continue
            raise Broken(f"{field} of {type(thing).__name__} can be changed")
    return len(things)


def check_unfinished(state: State[Any]) -> int:
    """Before the end there is no result."""
    demand(not state.is_terminal(), "the match is over, but somebody is to decide")
    try:
        state.returns()
    except Exception:
        return 1
    raise Broken("there are returns before the end")


def check_playout(game: AnyGame, state: State[Any], world: State[Any], seed: int) -> int:
    """The playout policy gives a legal action, by what the seat knows and the generator only.

    Args:
        state: A state at a seat's decision; left as it is.
        world: Another world that the seat to decide holds possible.
        seed: Seed of the policy's generator.
    """
    seats = len(state.scores())
    before = fingerprint(state, seats)
    playout_action = game.search.playout_action
    action = playout_action(state, generator(seed))
    legal = any(action is one for one in state.legal_actions())
    demand(legal, f"playout_action gives {action}, which is not legal")
    again = playout_action(state, generator(seed))
    demand(again is action, f"playout_action gives {action}, then {again} in the same state")
    other = playout_action(world, generator(seed))
    demand(
        other is action, f"playout_action looks at hidden things: {action}, but re-dealt {other}"
    )
    demand(fingerprint(state, seats) == before, "playout_action changes the state")
    return 1


def check_evaluation(game: AnyGame, state: State[Any]) -> int:
    """An unfinished match is worth one number within -1..1 to each seat, and they sum to 0."""
    seats = len(state.scores())
    before = fingerprint(state, seats)
    evaluate = game.search.evaluate
    worth = tuple(evaluate(state))
    demand(len(worth) == seats, f"evaluate gives {len(worth)} numbers for {seats} seats")
    demand(all(-1 <= each <= 1 for each in worth), f"evaluate gives {worth}, beyond -1..1")
    demand(abs(sum(worth)) < 1e-9, f"evaluate gives {worth}, which do not sum to 0")
    demand(tuple(evaluate(state)) == worth, "evaluate gives two answers in the same state")
    demand(fingerprint(state, seats) == before, "evaluate changes the state")
    return 1


def check_end(state: State[Any], seats: int) -> int:
    """At the end: one finite result, the same whenever asked, and nothing to do."""
    ending = state.outcome()
    demand(state.is_terminal(), "the loop ended, but the match is not over")
    demand(not state.legal_actions(), "there are legal actions after the end")
    demand(state.returns() == ending.returns, "returns() and outcome() disagree")
    demand(len(ending.returns) == seats, f"{len(ending.returns)} returns for {seats} seats")
    demand(all(map(isfinite, ending.returns)), f"the returns {ending.returns} are not finite")
    demand(state.scores() == ending.scores, "scores() and outcome() disagree")
    demand(state.clone().outcome() == ending, "a clone has another outcome")
    return 1


class ReturnsLaw:
    """Tests that the returns of all matches are what the game declares (``Amounts.payoffs``).

    Of a game that declares nothing they must have the same sum in all matches of as many seats.

    Attributes:
        advice: What the author should declare; empty if there is nothing.
    """

    def __init__(self, game: AnyGame, ruleset: Ruleset) -> None:
        self._game, self._ruleset = game, ruleset
        self._sums: dict[int, float] = {}
        self.advice = ""

    def look(self, returns: Sequence[float]) -> int:
        """Tests the returns of one match."""
        seats, total = len(returns), sum(returns)
        payoffs = self._game.amounts.payoffs(self._ruleset, seats)
        if payoffs is None:
            expected: float | None = self._sums.setdefault(seats, total)
            otherwise = (
                "as before: neither zero-sum nor constant-sum; a general-sum game declares "
                "payoffs() with total=None"
            )
            self._advise(min(returns))
        else:
            expected, otherwise = payoffs.total, "as payoffs() declares"
            _check_range(returns, payoffs)
        if expected is not None:
            same = abs(total - expected) <= _TOLERANCE * (1 + max(map(abs, returns)))
            demand(
                same, f"the returns {returns} sum to {total:g}, not to {expected:g}, {otherwise}"
            )
        return 1

    def _advise(self, least: float) -> None:
        if least < WIN_OR_LOSS.least - _TOLERANCE:
            self.advice = (
                f"returns such as {least:g} are less than the {WIN_OR_LOSS.least:g} of a match "
                "lost by a fault; declare the least in payoffs()"
            )


def _check_range(returns: Sequence[float], payoffs: Payoffs) -> None:
    least, most = payoffs.least, payoffs.most
    demand(isfinite(least) and isfinite(most) and least <= most, f"payoffs() is {payoffs}")
    within = all(least - _TOLERANCE <= each <= most + _TOLERANCE for each in returns)
    declared = f"{least:g} to {most:g}, as payoffs() declares"
    demand(within, f"the returns {returns} are not within {declared}")


class AmountsLaw:
    """Tests that what seats won or lost (``Amounts.of``) follows the returns of the matches."""

    def __init__(self, game: AnyGame, ruleset: Ruleset) -> None:
        self._game, self._ruleset = game, ruleset
        self._alike: tuple[float, ...] = ()
        self._differed = False

    def look(self, ending: Outcome) -> int:
        """Tests the amounts of one match."""
        returns, amounts = ending.returns, self._game.amounts.of(self._ruleset, ending)
        fits = len(amounts) == len(returns)
        demand(fits, f"amounts() gives {len(amounts)} numbers for {len(returns)} seats")
        demand(all(map(isfinite, amounts)), f"the amounts {amounts} are not finite")
        same = tuple(self._game.amounts.of(self._ruleset, ending)) == tuple(amounts)
        demand(same, "amounts() gives two answers for the same ending")
        by_return = [amount for _, amount in sorted(zip(returns, amounts, strict=True))]
        rising = all(low <= high + _TOLERANCE for low, high in itertools.pairwise(by_return))
        demand(rising, f"the amounts {amounts} are in another order than the returns {returns}")
        if min(returns) < max(returns):
            self._alike = amounts
            self._differed = self._differed or min(amounts) < max(amounts)
        return 1

    def close(self) -> None:
        """Raises ``Broken`` if seats had different returns, but never different amounts."""
        fine = self._differed or not self._alike
        demand(fine, f"amounts() gives all seats the same, such as {self._alike}, in every match")


def undescribed(game: AnyGame) -> str:
    """The reason why the game's ``position`` cannot be called by any caller; empty if it can be."""
    if type(game.positions) is Positions:
        return "the game has no position function"
    given = signature(game.positions.state).parameters.values()
    needed = [
        each.name for each in given if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
    return f"its position function needs {', '.join(needed)}" if needed else ""


def check_position(game: AnyGame, ruleset: Ruleset) -> int:
    """The position function gives a state that can be seen and cloned, or raises ``BadInput``."""
    try:
        state: State[Any] = game.positions.state(ruleset)
        seats = len(state.scores())
        same = fingerprint(state.clone(), seats) == fingerprint(state, seats)
    except BadInput:  # a situation must be described
        return 1
    except Exception as error:
        what = raised(error, game)
        raise Broken(f"position() does not raise BadInput, but {what}") from error
    demand(same, "a clone of the state that position() gives differs from it")
    return 1


def check_ranks(state: State[Any], out: Sequence[int]) -> int:
    """At the end: the seats eliminated rank below all others, the first of them last of all."""
    returns = state.returns()
    stayed = min(value for seat, value in enumerate(returns) if seat not in out)
    climbing = [*(returns[seat] for seat in out), stayed]
    rising = all(lower < higher for lower, higher in itertools.pairwise(climbing))
    demand(rising, f"the seats {_short(tuple(out))} were taken out, but the returns are {returns}")
    return 1


def check_text(game: AnyGame, state: State[Any], seats: int) -> int:
    """The views of every seat and onlooker can be written as text."""
    texts: list[object] = []
    for seat in range(seats):
        texts.append(game.render(state.observation(seat)))
        texts.append(game.board.text(state, (seat,)))
    texts.append(game.board.text(state, ()))
    texts.append(game.board.text(state, range(seats)))
    for text in texts:
        demand(isinstance(text, str), f"what a seat sees is written as {type(text).__name__}")
    return len(texts)


def check_seedless(
    game: AnyGame,
    ruleset: Ruleset,
    loadouts: Sequence[bytes],
    seed: int,
    ids: Sequence[int],
    end: Print,
) -> int:
    """Without chance nodes, another seed gives the same match.

    Args:
        seed: Seed of another deal.
        ids: The decisions of a match, from which its ``end`` followed.
    """
    other = game.new_state(ruleset, loadouts, SeatStreams(seed))
    try:
        for id in ids:
            other.apply_action(game.notation.action_of(id))
        same = fingerprint(other, len(loadouts)) == end
    except IllegalAction:
        same = False
    demand(same, "there is no chance node, but another seed gives another match")
    return 1
