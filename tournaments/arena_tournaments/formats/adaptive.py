"""Pairs by information: adaptive tournaments, and others that continue until ranks are separated.

Whoever may still change a rank meets those of whom most is learned: the pairings of a round are the
matching with the most information about undecided ranks (``separation``). The standings go by
strength, since who plays more matches takes more points.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any

import msgspec

from arena.core.errors import BadInput, BadKey
from arena.core.options import Option
from arena.core.tournaments.format import (
    PAIRS,
    Entrant,
    EstimateStrengths,
    Format,
    Neighbours,
    Pairing,
    Round,
    RoundResult,
    Scoring,
    Strengths,
    Tables,
    Wanted,
)
from arena.core.tournaments.scored import Scored
from arena_tournaments.play.schedule import USUAL_GAMES
from arena_tournaments.scoring.scoring import STRENGTH

CONFIDENCE = 95.0
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
ConfidenceRow = Annotated[
    Annotated[float, msgspec.Meta(ge=51, le=99.99)],
    Option("Confidence at which ranks separate.", group="Length", metavar="PERCENT"),
]
GAMES = 4
"""Matches of an adaptive pairing: two mirrored sets."""
ROUNDS = 250
"""Rounds of an adaptive tournament, at most, when nobody says how many."""
LONGER = 10
"""The most matches until ranks separate, in multiples of those of the rounds of its own."""
WINDOW = 8
"""The most ranks between two who meet; of further ones little is learned."""


def nothing_known(entrants: int, played: Sequence[RoundResult]) -> Strengths:
    """Returns equal strengths of which nothing is known: the estimate until there is one."""
    rows = tuple(tuple([float(a == b) for b in range(entrants)]) for a in range(entrants))
    return Strengths((0.0,) * entrants, rows)


class ByStrength(Format, kw_only=True):
    """The base of formats whose standings go by strength, and which play until it is known.

    Attributes:
        confidence: Chance, in percent, that no neighbours are ever called separated wrongly.
        games: Matches of a pairing.
        estimate: Estimates the strengths.
    """

    confidence: float = CONFIDENCE
    games: int = GAMES
    estimate: EstimateStrengths = nothing_known
    ends_early: bool = True
    by_strength: bool = True

    def configured(self, options: Mapping[str, Any], wanted: Wanted) -> Format:
        return msgspec.structs.replace(self, **options, games=wanted.games or self.games)

    def estimated_by(self, estimate: EstimateStrengths) -> Format:
        return msgspec.structs.replace(self, estimate=estimate)

    def scoring(self) -> Scoring:
        return STRENGTH

    def reached(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[float]:
        """Returns the strengths."""
        # Imported here and below: it brings numpy, which no other format has to wait for.
        from arena_tournaments.pairing import separation

        values = self.estimate(entrants, played).values
        return [round(value, separation.DIGITS) for value in values]

    def neighbours(self, entrants: int, played: Sequence[RoundResult]) -> Sequence[Neighbours]:
        """Returns the neighbours in the order of strength, but for those who have left for good."""
        from arena_tournaments.pairing import separation

        gone = {each.index for each in played[-1].round.absent if each.gone} if played else set()
        here = [index for index in range(entrants) if index not in gone]
        estimate = self.estimate(entrants, played)
        return separation.neighbours(separation.ordered(estimate, here, self.confidence))


class Adaptive(ByStrength, kw_only=True):
    """Pairs whom it learns most from, until all ranks are separated or the matches are used up.

    Whose rank is decided rests. Of the others nobody rests twice in a row, and where they are odd
    one rests who rested least.

    Attributes:
        matches: The most matches in all; ``None`` for as many as the rounds hold.
    """

    confidence: ConfidenceRow = CONFIDENCE
    matches: Annotated[
        Count | None, Option("Matches at most, in all.", group="Length", default="250 rounds")
    ] = None
    name: str = "adaptive"
    summary: str = "pairs whom it learns most from, until ranks separate; --matches, --confidence"
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "add", "bye", "now"))

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns ``requested``, or as many as it takes to play the matches one by one pairing."""
        if entrants < 2:
            raise BadInput(f"an adaptive tournament needs at least 2 entrants, not {entrants}")
        if self.matches is None:
            return requested or ROUNDS
        pairings = entrants // 2
        if self.matches < pairings * self.games:
            raise BadInput(
                f"matches = {self.matches} do not hold one round: {pairings} pairings of "
                f"{self.games} matches"
            )
        most = self.matches // self.games
        return min(most, requested or most)

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round, as if nobody rested."""
        return _filled([entrants // 2] * rounds, self.matches, self.games)

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        present = [index for index, each in enumerate(field) if not each.absent]
        if len(played) >= rounds or self.ending(field, played):
            return None
        if len(present) < 2:
            return Round(len(played) + 1, (), tuple(present))
        from arena_tournaments.pairing import separation

        order = separation.ordered(self.estimate(len(field), played), present, self.confidence)
        room = _room(played, self.matches, self.games)
        if not order.undecided or room == 0:
            return None
        places, rested = _playing(order.members, order.undecided, played)
        near = [
            pair for pair in _near(places) if order.spare[pair] < 0 or not rested.isdisjoint(pair)
        ]
        if not near:  # of three the middle one was left out, and the others are separated
            near = [(rank, rank + 1) for rank in order.undecided]
        pairs = separation.best_matching(separation.gains(order, self.games), near, rested)
        return balanced_round(order.members, pairs[:room], played)

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why nobody can be paired any more: one is left; empty while there are two."""
        left = [each.name for each in field if not each.gone]
        if len(left) > 1:
            return ""
        return f"{left[0]} is the only one left" if left else "nobody is left"


UntilRow = Annotated[
    str,
    Option("Rule 'separated(95%)': play on until ranks separate.", group="Length", metavar="RULE"),
]
"""The option of formats that continue until ranks are separated."""
MatchesRow = Annotated[
    Count | None,
    Option("Matches at most, in all.", group="Length", default="10 times those of the rounds"),
]


def until_separated(format: Format, until: str, matches: int | None, wanted: Wanted) -> Format:
    """Returns a format with the options ``until`` and ``matches``, if it has them."""
    if not until:
        if matches is not None:
            raise BadInput("matches needs until")
        return format
    if isinstance(format, Scored) and (format.own_points or format.tiebreaks):
        key = "tiebreaks" if format.tiebreaks else "points"
        raise BadKey(key, "not available with until, which ranks by strength; leave it out")
    games, confidence = wanted.games or USUAL_GAMES, until_confidence(until)
    return UntilSeparated(
        format=format, requested=wanted.rounds, confidence=confidence, matches=matches, games=games
    )


def until_confidence(text: str) -> float:
    """The confidence, in percent, of ``"separated(95%)"``; ``"separated"`` is that."""
    found = _UNTIL.fullmatch(text.strip())
    confidence = float(found[1] or CONFIDENCE) if found else 0.0
    if not 51 <= confidence <= 99.99:
        raise BadKey("until", f"expected 'separated(95%)', 51 to 99.99 %, not {text!r}")
    return confidence


_UNTIL = re.compile(r"separated(?:\(\s*(\d{1,2}(?:\.\d{1,4})?)\s*%\s*\))?", re.ASCII)


class UntilSeparated(ByStrength, kw_only=True):
    """A format with rounds of its own, after which undecided neighbours play on.

    Attributes:
        format: It: a round robin or a Swiss.
        requested: The rounds (or cycles) of it that were asked for.
        matches: The most matches in all; ``None`` for ten times those of its own rounds.
    """

    format: Format
    requested: int | None
    matches: int | None
    rulings: frozenset[str] = frozenset(("withdraw", "disqualify", "now"))

    def __post_init__(self) -> None:
        self.name, self.summary = self.format.name, self.format.summary

    def rounds(self, entrants: int, requested: int | None, tables: Tables = PAIRS) -> int:
        """Returns the rounds of its own, and as many as can be needed to play the matches."""
        own = self.format.rounds(entrants, requested, tables)
        matches = own * (entrants // 2) * self.games
        if self.matches is None:
            return own + (LONGER - 1) * matches // self.games
        if self.matches < matches:
            raise BadInput(
                f"matches = {self.matches} do not hold the {own} rounds of the {self.name}, which "
                f"are {matches} matches"
            )
        return own + (self.matches - matches) // self.games

    def check_field(self, names: Sequence[str]) -> None:
        self.format.check_field(names)

    def pairings(self, entrants: int, rounds: int, tables: Tables = PAIRS) -> Sequence[int]:
        """Returns the number of pairings of each round, as if all stayed undecided."""
        return _filled([entrants // 2] * rounds, self._most(entrants), self.games)

    def _most(self, entrants: int) -> int:
        own = self.format.rounds(entrants, self.requested) * (entrants // 2) * self.games
        return LONGER * own if self.matches is None else self.matches

    def next_round(
        self,
        field: Sequence[Entrant],
        played: Sequence[RoundResult],
        rounds: int,
        tables: Tables = PAIRS,
    ) -> Round | None:
        own = self.format.rounds(len(field), self.requested, tables)
        if len(played) < own:
            return self.format.next_round(field, played, own, tables)
        present = [index for index, each in enumerate(field) if not each.absent]
        room = _room(played, self._most(len(field)), self.games)
        if len(played) >= rounds or len(present) < 2 or not room:
            return None
        from arena_tournaments.pairing import separation

        order = separation.ordered(self.estimate(len(field), played), present, self.confidence)
        doubts = order.doubts()
        places = sorted({*chain.from_iterable(doubts)})
        near = [pair for pair in _near(places) if order.spare[pair] < 0]
        gains = separation.gains(order, self.games)
        pairs = separation.best_matching(gains, [*doubts, *near])
        return balanced_round(order.members, pairs[:room], played) if pairs else None

    def ending(
        self, field: Sequence[Entrant], played: Sequence[RoundResult], tables: Tables = PAIRS
    ) -> str:
        """Returns why the rounds of its format cannot be paired any more; empty while they can."""
        own = self.format.rounds(len(field), self.requested, tables)
        return "" if len(played) >= own else self.format.ending(field, played, tables)


def _filled(pairings: Iterable[int], matches: int | None, games: int) -> list[int]:
    """Returns the pairings of each round as far as the matches go."""
    found, left = [], matches
    for count in pairings:
        fits = count if left is None else min(count, left // games)
        left = None if left is None else left - fits * games
        found.append(fits)
    return found


def _room(played: Sequence[RoundResult], matches: int | None, games: int) -> int | None:
    """Returns how many pairings are left to be played; ``None`` for any number."""
    if matches is None:
        return None
    return max(0, matches // games - sum(len(past.round.pairings) for past in played))


def _near(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields the pairs of ranks that are not far apart, of those who play."""
    for at, one in enumerate(places):
        for other in places[at + 1 :][:WINDOW]:
            yield one, other


def _playing(
    members: Sequence[int], undecided: Sequence[int], played: Sequence[RoundResult]
) -> tuple[list[int], set[int]]:
    """Returns the undecided ranks, an even number of them, and those of them that rested last.

    One is left out who did not rest last, of those the one who rested least.
    """
    rests = Counter(chain.from_iterable(past.round.byes for past in played))
    last = frozenset(played[-1].round.byes) if played else frozenset[int]()
    places = {rank + step for rank in undecided for step in (0, 1)}
    if len(places) % 2:
        key = {rank: (members[rank] in last, rests[members[rank]], -rank) for rank in places}
        places.remove(min(places, key=key.__getitem__))
    return sorted(places), {rank for rank in places if members[rank] in last}


def balanced_round(
    members: Sequence[int], pairs: Sequence[tuple[int, int]], played: Sequence[RoundResult]
) -> Round:
    """Returns the next round: of two, who had the first seat less often has it.

    Args:
        members: Those who may be seated, by rank.
        pairs: Who meets, by rank; all others rest.
    """
    firsts = Counter(pairing.seats[0] for past in played for pairing in past.round.pairings)
    pairings = []
    for pair in pairs:
        upper, lower = (members[rank] for rank in pair)
        seats = (lower, upper) if firsts[lower] < firsts[upper] else (upper, lower)
        pairings.append(Pairing(seats))
    seated = {*chain.from_iterable(pairing.seats for pairing in pairings)}
    resting = tuple(sorted({*members} - seated))
    return Round(len(played) + 1, tuple(pairings), resting)
