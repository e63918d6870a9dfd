"""The leaderboard: a table of bot versions sorted by rating, one table a game and ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby

import msgspec

from arena.core.seeding import derive_seed
from arena.core.tournament import Participant
from results.database import Database
from results.purses import purses
from results.queries import field, matches, tournaments
from results.ratings.bootstrap import REPLAYS, elo_intervals
from results.ratings.duels import Unit, units
from results.ratings.elo import elo
from results.rows import TournamentSummary

INTERVAL_NOTE = (
    f"low-high: 2.5-97.5 % range of {REPLAYS} bootstrap replays of the stored matches "
    "(a mirrored pair is drawn as one); Elo, start 1500, K=16, in schedule order"
)
"""What the interval is, in one line for under the table."""


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot version's line.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset, with its options.
        rank: 1 and up within the game and ruleset.
        participant: The bot version.
        rating: Elo in points.
        low: Lower end of the rating's interval.
        high: Upper end of the rating's interval.
        games: Number of matches.
        score: Points taken: a won match 1, a drawn one 1/2.
        won: Matches won.
        drawn: Matches drawn.
        lost: Matches lost.
        credits: Credits won less credits lost over all tournaments with a stake; ``None`` if
            it played in none.
    """

    game: str
    ruleset: str
    rank: int
    participant: Participant
    rating: float
    low: float
    high: float
    games: int
    score: float
    won: int
    drawn: int
    lost: int
    credits: int | None


def leaderboard(
    database: Database, game: str | None = None, ruleset: str | None = None
) -> tuple[LeaderboardRow, ...]:
    """Rows sorted by game, ruleset and rank, over every match in the database.

    Matches count from the moment they are stored, whether their tournament is finished or not.
    Ratings and intervals are rounded to 1/100 of a point.

    Args:
        database: Where the results are.
        game: Only this game.
        ruleset: Only this ruleset.

    Raises:
        BadInput: A match has another number of seats than two.
    """
    chosen = [
        summary
        for summary in tournaments(database)
        if summary.matches and game in (None, summary.game) and ruleset in (None, summary.ruleset)
    ]
    boards = groupby(sorted(chosen, key=_board), key=_board)
    return tuple(chain.from_iterable(_rows(database, list(board)) for _, board in boards))


def _board(summary: TournamentSummary) -> tuple[str, str]:
    return summary.game, summary.ruleset


class _Results(msgspec.Struct):
    """What the tournaments of one game and ruleset hold, over a common list of players."""

    players: list[Participant]
    units: list[Unit]
    credits: dict[int, int]


def _rows(database: Database, summaries: Sequence[TournamentSummary]) -> list[LeaderboardRow]:
    results = _results(database, summaries)
    duels = [duel for unit in results.units for duel in unit]
    size = len(results.players)
    won, drawn, lost = [0] * size, [0] * size, [0] * size
    for duel in duels:
        for index, score in ((duel.first, duel.score), (duel.second, 1 - duel.score)):
            (won if score == 1 else drawn if score else lost)[index] += 1
    ratings = [round(rating, 2) for rating in elo(duels, size)]
    intervals = elo_intervals(results.units, size, _seed(summaries))
    played = [index for index in range(size) if won[index] + drawn[index] + lost[index]]
    # Players are sorted by key, and so are those with equal ratings.
    played.sort(key=lambda index: -ratings[index])
    return [
        LeaderboardRow(
            game=summaries[0].game,
            ruleset=summaries[0].ruleset,
            rank=rank,
            participant=results.players[index],
            rating=ratings[index],
            low=round(intervals[index][0], 2),
            high=round(intervals[index][1], 2),
            games=won[index] + drawn[index] + lost[index],
            score=won[index] + drawn[index] / 2,
            won=won[index],
            drawn=drawn[index],
            lost=lost[index],
            credits=results.credits.get(index),
        )
        for rank, index in enumerate(played, start=1)
    ]


def _results(database: Database, summaries: Sequence[TournamentSummary]) -> _Results:
    fields = [[entry.participant for entry in field(database, summary.id)] for summary in summaries]
    players = sorted(set(chain.from_iterable(fields)), key=lambda player: player.key)
    index_of = {player: index for index, player in enumerate(players)}
    results = _Results(players, [], {})
    for summary, entered in zip(summaries, fields, strict=True):
        indices = [index_of[player] for player in entered]
        played = matches(database, summary.id)
        results.units += units(played, summary.mirrored, indices)
        if summary.stake:
            held = purses(played, len(entered), summary.purse, summary.stake)
            for index, amount in zip(indices, held, strict=True):
                before = results.credits.get(index, 0)
                results.credits[index] = before + amount - summary.purse
    return results


def _seed(summaries: Sequence[TournamentSummary]) -> int:
    """The bootstrap's seed: from the seeds of all the tournaments, oldest first."""
    first, *others = (summary.seed for summary in summaries)
    return derive_seed(first, "bootstrap", *others)
