"""The single promises of the core contract, each as a function that raises ``Broken``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.dealer import Sampled, SeatStreams
from arena.core.errors import IllegalAction
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.outcome import utilities
from arena.core.seeding import generator
from arena.core.state import CHANCE, State

if TYPE_CHECKING:
    from random import Random

Print: TypeAlias = tuple[int, tuple[int, ...], tuple[bytes, ...]]
"""The player, the legal actions (by identity), and the view of each seat (in bytes)."""

_encode = msgspec.msgpack.Encoder().encode


class Broken(Exception):
    """A promise is broken; the message says which, and what differed."""


def demand(kept: bool, broken: str) -> None:
    """Raises ``Broken`` unless the promise was kept."""
    if not kept:
        raise Broken(broken)


def fingerprint(state: State[Any], seats: int) -> Print:
    """All that can be seen of a state, to be compared later."""
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
    """Claims to equal everything."""

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
    """The playout policy gives a legal action, by what the seat knows and the generator alone.

    Args:
        state: A state at a seat's decision; left as it is.
        world: Another world that the seat to decide holds possible.
        seed: Seed of the policy's generator.
    """
    seats = len(state.scores())
    before = fingerprint(state, seats)
    action = game.playout_action(state, generator(seed))
    legal = any(action is one for one in state.legal_actions())
    demand(legal, f"playout_action gives {action}, which is not legal")
    again = game.playout_action(state, generator(seed))
    demand(again is action, f"playout_action gives {action}, then {again} in the same state")
    other = game.playout_action(world, generator(seed))
    demand(
        other is action, f"playout_action looks at hidden things: {action}, but re-dealt {other}"
    )
    demand(fingerprint(state, seats) == before, "playout_action changes the state")
    return 1


def check_evaluation(game: AnyGame, state: State[Any]) -> int:
    """An unfinished match is worth one number within -1..1 to each seat, and they sum to 0."""
    seats = len(state.scores())
    before = fingerprint(state, seats)
    worth = tuple(game.evaluate(state))
    demand(len(worth) == seats, f"evaluate gives {len(worth)} numbers for {seats} seats")
    demand(all(-1 <= each <= 1 for each in worth), f"evaluate gives {worth}, beyond -1..1")
    demand(abs(sum(worth)) < 1e-9, f"evaluate gives {worth}, which do not sum to 0")
    demand(tuple(game.evaluate(state)) == worth, "evaluate gives two answers in the same state")
    demand(fingerprint(state, seats) == before, "evaluate changes the state")
    return 1


def check_end(state: State[Any], seats: int) -> int:
    """At the end: one zero-sum result, the same whenever asked, and nothing to do."""
    ending = state.outcome()
    demand(state.is_terminal(), "the loop ended, but the match is not over")
    demand(not state.legal_actions(), "there are legal actions after the end")
    demand(state.returns() == ending.returns, "returns() and outcome() disagree")
    demand(len(ending.returns) == seats, f"{len(ending.returns)} returns for {seats} seats")
    demand(abs(sum(ending.returns)) < 1e-9, f"the returns {ending.returns} do not sum to 0")
    best_first = sorted({*ending.returns}, reverse=True)
    ordered = utilities([best_first.index(mine) for mine in ending.returns])
    same = all(abs(one - two) < 1e-9 for one, two in zip(ending.returns, ordered, strict=True))
    demand(same, f"the returns {ending.returns} are not the utilities {ordered} of their order")
    demand(state.scores() == ending.scores, "scores() and outcome() disagree")
    demand(state.clone().outcome() == ending, "a clone has another outcome")
    return 1


def check_ranks(state: State[Any], out: Sequence[int]) -> int:
    """At the end: the seats taken out rank below all others, the first of them last of all."""
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
        texts.append(game.render_table(state, (seat,)))
    texts.append(game.render_table(state, ()))
    texts.append(game.render_table(state, range(seats)))
    for text in texts:
        demand(isinstance(text, str), f"what a seat sees is written as {type(text).__name__}")
    return len(texts)


class ChanceLaw:
    """Tests that probabilities sum to 1 and that dealers deal by them.

    A dealer's answer is put at a random point of its own probability's stretch of [0, 1]; if
    dealers follow the odds, these points are uniform, whatever the odds were.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._bins = [0] * 10

    def look(self, state: State[Any]) -> None:
        """Tests the chance nodes from here on; none if a seat is to decide or the match is over."""
        node = state.clone()
        for _ in range(16):
            if node.current_player() != CHANCE:
                return
            odds = node.chance_outcomes()
            total = sum((odd for _, odd in odds), Fraction(0))
            demand(total == 1, f"the probabilities of chance sum to {total}")
            demand(all(odd > 0 for _, odd in odds), "chance lists what cannot happen")
            listed = tuple(action for action, _ in odds)
            demand(node.legal_actions() == listed, "chance's odds and legal actions differ")
            if len(odds) <= 16:
                self._compare(node, odds)
            node.apply_action(self._rng.choice(listed))

    def _compare(self, node: State[Any], odds: Sequence[tuple[Action, Fraction]]) -> None:
        """Places one dealer's answer; it is known by the public event that it makes."""
        before = node.observation(0).history
        after = []
        for action, _ in odds:
            child = node.clone()
            child.apply_action(action)
            after.append(child.observation(0).history)
        if len(odds) == 1 or len(set(after)) < len(after) or before in after:
            return
        dealer = (
            Sampled(self._rng)
            if self._rng.random() < 0.5
            else SeatStreams(self._rng.getrandbits(63))
        )
        dealt = node.clone(dealer).observation(0).history
        taken = [index for index, history in enumerate(after) if dealt.startswith(history)]
        demand(len(taken) == 1, f"{type(dealer).__name__} dealt what has no probability")
        below = sum((odd for _, odd in odds[: taken[0]]), Fraction(0))
        point = float(below) + self._rng.random() * float(odds[taken[0]][1])
        self._bins[min(int(point * 10), 9)] += 1

    def close(self) -> int:
        """The verdict over all answers placed; their number."""
        placed = sum(self._bins)
        if placed >= 200:
            expected = placed / 10
            square = sum((found - expected) ** 2 / expected for found in self._bins)
            # 9 degrees of freedom: beyond 50 once in 10 million honest checks.
            demand(square < 50, f"dealers do not follow the odds: {self._bins}")
        return placed
