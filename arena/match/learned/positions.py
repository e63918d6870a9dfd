"""Positions of records as arrays of facts: before and after every answer of chance.

An event is an answer of chance, with its alternatives, or a decision without one, which has a
single outcome. In a match of two it is seen by the seat to move, otherwise by every seat: each view
is a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.core.actions import Action
from arena.core.game import AnyGame
from arena.core.outcome import utilities
from arena.core.parts.full_state_facts import FullStateFacts, Rows
from arena.core.record import MatchRecord
from arena.core.state import State
from arena.match.luck import nodes

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.floating[Any]]


class Event(msgspec.Struct, frozen=True, gc=False):
    """An answer of chance, or a decision.

    Attributes:
        seats: The seats that see it.
        facts: By seat: rows that all outcomes share, and the others of each outcome.
        odds: The probability of each outcome.
        came: Index of the real outcome.
    """

    seats: Sequence[int]
    facts: Sequence[tuple[Rows, Sequence[Rows]]]
    odds: Sequence[float]
    came: int


class Positions(msgspec.Struct, frozen=True):
    """The events of matches with one number of seats, as arrays.

    Attributes:
        results: By match and seat: its result, within -1..1.
        sides: Samples per event.
        match: By sample, as are ``seat``, ``shared``, ``came`` and ``count``: the number of its
            match.
        seat: The seat that sees it.
        shared: Rows of all outcomes, filled up with a blank one.
        own: By outcome, sample by sample: the other rows, filled up with a blank one.
        odds: By outcome: its probability.
        came: Index of the real outcome, among the outcomes of all samples.
        count: The number of outcomes.
    """

    results: Floats
    sides: int
    match: Ints
    seat: Ints
    shared: Ints
    own: Ints
    odds: Floats
    came: Ints
    count: Ints

    def luck(self, values: Floats) -> Floats:
        """Returns by event and seat the value of the real outcome less the mean of all."""
        return self.by_seat(values[self.came] - self.means(values))

    def means(self, values: Floats) -> Floats:
        """Returns by sample the mean value over all outcomes."""
        first = np.cumsum(self.count) - self.count
        means: Floats = np.add.reduceat(values * self.odds, first)
        return means

    def by_seat(self, of_samples: Floats) -> Floats:
        """Returns by event and seat what its samples say; the sum of all seats is 0."""
        if self.sides == 1:
            seats = np.arange(self.results.shape[1])
            table: Floats = of_samples[:, None] * np.where(self.seat[:, None] == seats, 1.0, -1.0)
        else:
            table = of_samples.reshape(-1, self.sides)
            table = table - table.mean(axis=1, keepdims=True)
        return table

    def luck_of_matches(self, values: Floats) -> Floats:
        """Returns by match and seat the sum of the luck of its events."""
        luck = np.zeros(self.results.shape)
        np.add.at(luck, self.match[:: self.sides], self.luck(values))
        return luck

    def continuations(self, values: Floats) -> Floats:
        """Returns by sample the result of its match for its seat, less all luck that came later."""
        match = self.match[:: self.sides]
        sums = np.cumsum(self.luck(values), axis=0)
        last = np.searchsorted(match, np.arange(len(self.results)), "right") - 1
        rest = self.results[match] - (sums[last][match] - sums)
        return np.repeat(rest, self.sides, axis=0)[np.arange(len(self.seat)), self.seat]

    def rows(self) -> Ints:
        """Returns by sample all rows of the position that came."""
        return np.concatenate((self.shared, self.own[self.came]), axis=1)


def events_of(game: AnyGame, facts: FullStateFacts[Any], record: MatchRecord) -> Iterator[Event]:
    """Yields the events of a record in order.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    led = False  # whether an answer of chance led here
    for _, state, came, _ in nodes(game, record):
        if came is None:
            if not led:
                yield still_event(facts, state)
            led = False
        elif event := chance_event(facts, state, came):
            led = True
            yield event


def chance_event(facts: FullStateFacts[Any], node: State[Any], came: Action) -> Event | None:
    """Returns the event of a chance node; ``None`` if it is not luck."""
    outcomes, seats = node.chance_outcomes(), sides(facts, node)
    found = [each for seat in seats if (each := facts.after(node, outcomes, seat)) is not None]
    if len(found) < len(seats):
        return None
    index = next(n for n, (action, _) in enumerate(outcomes) if action == came)
    odds = tuple([share.numerator / share.denominator for _, share in outcomes])
    return Event(seats, found, odds, index)


def still_event(facts: FullStateFacts[Any], state: State[Any]) -> Event:
    """Returns the event of a state that is valued as it is, without any chance."""
    seats = sides(facts, state)
    return Event(seats, [(facts.of(state, seat), ((),)) for seat in seats], (1.0,), 0)


def sides(facts: FullStateFacts[Any], state: State[Any]) -> Sequence[int]:
    """Returns the seats that value a state."""
    viewer = facts.viewer(state)
    return range(len(state.scores())) if viewer is None else (viewer,)


def results_of(returns: Sequence[float]) -> tuple[float, ...]:
    """Returns the result of each seat by the finishing order, whatever the returns are."""
    return utilities([-each for each in returns])


def positions(
    matches: Sequence[Sequence[Event]], results: Sequence[Sequence[float]], blank: int
) -> Positions:
    """Makes arrays of the events of matches with one number of seats.

    Args:
        results: By match: the result of each seat.
        blank: The number of a row of zeros.
    """
    events = [event for match in matches for event in match]
    lengths = [len(event.seats) for match in matches for event in match]
    whose = np.repeat(np.arange(len(matches)), [len(match) for match in matches])
    count = np.repeat([len(event.odds) for event in events], lengths).astype(np.int64)
    first = np.cumsum(count) - count
    samples = [facts for event in events for facts in event.facts]
    return Positions(
        results=np.array(results, dtype=float),
        sides=lengths[0] if lengths else 1,
        match=np.repeat(whose, lengths),
        seat=np.array([seat for event in events for seat in event.seats], dtype=np.int64),
        shared=_filled([shared for shared, _ in samples], blank),
        own=_filled([rows for _, own in samples for rows in own], blank),
        odds=np.array(
            [*chain.from_iterable(odds for e in events for odds in (e.odds,) * len(e.seats))]
        ),
        came=first + np.repeat([event.came for event in events], lengths).astype(np.int64),
        count=count,
    )


def _filled(rows: Sequence[Rows], blank: int) -> Ints:
    lengths = np.array([*map(len, rows)], dtype=np.int64)
    table = np.full((len(rows), int(lengths.max(initial=0))), blank, dtype=np.uint16)
    table[np.arange(table.shape[1]) < lengths[:, None]] = [*chain.from_iterable(rows)]
    return table


def stacked(tables: Sequence[Ints], blank: int) -> Ints:
    """Returns the lines of all tables as one table; shorter lines end with blanks."""
    columns = max(table.shape[1] for table in tables)
    return np.concatenate(
        [
            np.pad(table, ((0, 0), (0, columns - table.shape[1])), constant_values=blank)
            for table in tables
        ]
    )


def joined(parts: Sequence[Positions], blank: int) -> Positions:
    """Returns the positions of all parts as one; they have the same number of seats."""
    matches = np.cumsum([0, *(len(part.results) for part in parts)])
    outcomes = np.cumsum([0, *(len(part.odds) for part in parts)])

    return Positions(
        results=np.concatenate([part.results for part in parts]),
        sides=parts[0].sides,
        match=np.concatenate([part.match + n for part, n in zip(parts, matches, strict=False)]),
        seat=np.concatenate([part.seat for part in parts]),
        shared=stacked([part.shared for part in parts], blank),
        own=stacked([part.own for part in parts], blank),
        odds=np.concatenate([part.odds for part in parts]),
        came=np.concatenate([part.came + n for part, n in zip(parts, outcomes, strict=False)]),
        count=np.concatenate([part.count for part in parts]),
    )
