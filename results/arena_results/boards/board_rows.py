"""Defines the rows of leaderboards, and ranks them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from math import sqrt

import msgspec

from arena.core.tournaments.format import Participant
from arena_results.ratings.fits.remarks import FEW_DEALS, FEW_MATCHES
from arena_results.store.exchange_sums import ExchangeSums

MATCHES_PRICED = 100
"""Number of matches that a gain in rating is divided by the cost of."""


class Earlier(msgspec.Struct, frozen=True):
    """An earlier version of a bot on the same board.

    Attributes:
        error: Standard error of the difference from the later version's rating. Only the last
            version has one, and only where the two can be compared.
        games: Number of its matches.
    """

    version: str
    rating: float
    content: str
    error: float | None = None
    games: int = 0


EXACT, ESTIMATE, BOUND = EXPLOITABILITY_KINDS = ("exact", "estimate", "lower bound")
"""The kinds of exploitabilities, the best known first."""


class Exploitability(msgspec.Struct, frozen=True, kw_only=True):
    """The exploitability of one bot version at a ruleset and a size of table, as it was computed.

    Attributes:
        bot: Key of the participant: name, version and hash of its code.
        seats: Number of seats at the table.
        kind: One of ``EXPLOITABILITY_KINDS``.
        exploitability: NashConv for each seat per match, in the game's unit; of a lower bound its
            value.
        answers: Number of the bot's answers that it rests on, for a lower bound of matches.
        won: The gain of the best response in a match, per match.
        error: Half of the 95 % interval of ``won``; ``None`` if all deals were alike.
    """

    game: str
    ruleset: str
    bot: str
    seats: int
    kind: str
    exploitability: float
    answers: int
    won: float
    error: float | None


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot version's line on a leaderboard.

    Attributes:
        ruleset: Name of the ruleset, with its options.
        rank: 1 and up within the board, or its group.
        low: Lower end of the rating's interval.
        high: Upper end of the rating's interval.
        error: Standard error of the rating; ``None`` where the system has none.
        ranks: The first and the last rank that it may have, as far as 95 % intervals of the
            differences of each two show; ``None`` without standard errors.
        component: Number of its group, 1 and up: groups never met, and each has ranks of its own.
        better: The chance that its rating is truly higher than that of the next row of its group;
            ``None`` for the last one, and where it is not known.
        adjusted: The rating by luck-adjusted results; ``None`` where it is not known.
        adjusted_error: Its standard error.
        flags: What the rating cannot say (``arena.core.tournaments.rating.FLAGS``).
        unit: The unit of amounts, in the plural, where the rating is the mean amount per match.
        deals: Number of independent observations they are: matches of one deal count as one.
        seats: Numbers of seats of the tables at which it played, ascending.
        score: Points taken: for each match the share of its opponents that it left behind,
            those level with it counting half. Of two seats: a won match 1, a drawn one 1/2.
        firsts: Matches that it finished alone on top.
        won: Head-to-head results won: opponents left behind, summed over its matches (two seats:
            matches won).
        drawn: Head-to-head results drawn: opponents level with it.
        lost: Head-to-head results lost: opponents that left it behind.
        credits: Credits won less credits lost over all tournaments with a stake; ``None`` if
            it played in none.
        isolation: Where it ran, over all its matches: ``trusted``, ``confined``, ...
        history: The earlier versions of the same name on this board, the latest first; only
            ``with_history`` fills it.
        exploited: Its exploitability; ``None`` if it was not computed.
        exchanges: The sums over its questions, if it is an endpoint; ``with_history`` fills them.
        rating_per_dollar: See ``with_exchanges``.
    """

    game: str
    ruleset: str
    rank: int
    participant: Participant
    rating: float
    low: float
    high: float
    games: int
    deals: int
    seats: tuple[int, ...]
    score: float
    firsts: int
    won: int
    drawn: int
    lost: int
    credits: int | None
    isolation: tuple[str, ...] = ()
    history: tuple[Earlier, ...] = ()
    error: float | None = None
    ranks: tuple[int, int] | None = None
    component: int = 1
    better: float | None = None
    flags: tuple[str, ...] = ()
    unit: str = ""
    adjusted: float | None = None
    adjusted_error: float | None = None
    exchanges: ExchangeSums | None = None
    exploited: Exploitability | None = None
    rating_per_dollar: float | None = None

    @property
    def few(self) -> bool:
        """True if the matches are too few to show anything."""
        return self.games < FEW_MATCHES or self.deals < FEW_DEALS


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The leaderboard of a game and ruleset.

    Attributes:
        rows: The best first, group after group.
        covariance: Of the ratings, in the order of the rows; ``None`` where the system has none.
        notes: Sentences about what the ratings say, or cannot.
        unit: As in the rows.
    """

    game: str
    ruleset: str
    unit: str
    rows: tuple[LeaderboardRow, ...]
    covariance: Sequence[Sequence[float]] | None
    notes: tuple[str, ...]


def latest(board: Board, age: Mapping[Participant, tuple[int, int]], every: bool) -> Board:
    """Returns a board with the latest version of each name: see ``leaderboard.with_history``."""
    named: dict[str, list[LeaderboardRow]] = {}
    at = {row.participant: place for place, row in enumerate(board.rows)}
    for row in sorted(board.rows, key=lambda row: age[row.participant], reverse=True):
        named.setdefault(row.participant.name, []).append(row)
    rows, places = [], []
    for place, row in enumerate(board.rows):
        versions = named[row.participant.name]
        if not every and row is not versions[0]:
            continue
        earlier = versions[versions.index(row) + 1 :]
        history = tuple(
            [
                Earlier(
                    each.participant.version,
                    each.rating,
                    each.participant.content,
                    _error_between(board, place, at[each.participant]) if not number else None,
                    each.games,
                )
                for number, each in enumerate(earlier)
            ]
        )
        rows.append(msgspec.structs.replace(row, history=history))
        places.append(place)
    if len(rows) == len(board.rows):
        return msgspec.structs.replace(board, rows=tuple(rows))
    covariance = board.covariance and part(board.covariance, places)
    ranked = tuple(placed(rows, covariance))
    return msgspec.structs.replace(board, rows=ranked, covariance=covariance)


def _error_between(board: Board, one: int, other: int) -> float | None:
    """Returns the standard error of the difference of two ratings, by the places of their rows."""
    spread, rows = board.covariance, (board.rows[one], board.rows[other])
    if spread is None or any(row.few for row in rows) or rows[0].component != rows[1].component:
        return None
    variance = spread[one][one] + spread[other][other] - 2 * spread[one][other]
    return round(sqrt(max(variance, 0.0)), 2)


def with_exchanges(board: Board, sums: Mapping[str, ExchangeSums]) -> Board:
    """Returns a board with the sums of endpoints, by the keys of their participants.

    Each gets its gain per dollar: its rating above the lowest one of the group, divided by the
    cost of 100 matches. Ratings have no zero of their own, so those above 0 would say nothing. It
    is ``None`` where the matches are too few for a rating, and where they cost nothing or their
    cost is not known.
    """
    lowest: dict[int, float] = {}
    for row in board.rows:
        if not row.few:
            lowest[row.component] = min(row.rating, lowest.get(row.component, row.rating))
    rows = []
    for row in board.rows:
        own, gain = sums.get(row.participant.key), None
        if own is not None and own.cost_per_match and not row.few:
            gain = (row.rating - lowest[row.component]) / (MATCHES_PRICED * own.cost_per_match)
            gain = round(gain, 1)
        rows.append(msgspec.structs.replace(row, exchanges=own, rating_per_dollar=gain))
    return msgspec.structs.replace(board, rows=tuple(rows))


def part(matrix: Sequence[Sequence[float]], places: Sequence[int]) -> list[list[float]]:
    """The rows and columns of a matrix at these places, in their order."""
    return [[matrix[row][column] for column in places] for row in places]


def placed(
    rows: Sequence[LeaderboardRow], covariance: Sequence[Sequence[float]] | None
) -> list[LeaderboardRow]:
    """Returns the rows with their ranks, the best first, group after group."""
    counts: Counter[int] = Counter()
    ranked = []
    for row in rows:
        counts[row.component] += 1
        ranked.append(msgspec.structs.replace(row, rank=counts[row.component]))
    if covariance is None:
        return ranked
    # Here: numpy takes long to load.
    from arena_results.ratings.intervals.ranking import errors_between, rank_ranges

    errors = errors_between(covariance)
    ranges = rank_ranges(
        [row.rating for row in rows],
        errors,
        [row.component for row in rows],
        [row.few for row in rows],
    )
    following = zip(rows, rows[1:], errors.diagonal(1).tolist(), strict=False)
    better = [better_chance(*each) for each in following]
    return [
        msgspec.structs.replace(row, ranks=ranks, better=chance)
        for row, ranks, chance in zip_longest(ranked, ranges, better)
    ]


def better_chance(one: LeaderboardRow, other: LeaderboardRow, error: float) -> float | None:
    """Returns the chance that a bot is truly better than another one on its board.

    It is ``None`` where they have never met, or the matches are too few.

    Args:
        error: The standard error of the difference of their ratings.
    """
    from arena_results.ratings.intervals.ranking import chance

    if one.few or other.few or one.component != other.component:
        return None
    return round(chance(one.rating - other.rating, error), 4)
