"""Computes leaderboards: bot versions sorted by rating, one table a game and ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, groupby

import msgspec

from arena.core.errors import BadStore
from arena.core.rating import Duels, RatingSystem, Unit, pairs
from arena.core.seeding import derive_seed
from arena.core.tournament import Participant
from arena_results.boards import LARGE, basis, keep_rows, kept_rows
from arena_results.database import Database
from arena_results.purses import purses
from arena_results.queries import ages, each_match, field, tournament, tournaments
from arena_results.ratings.duels import units
from arena_results.ratings.systems import Elo
from arena_results.rows import Ending, TournamentSummary

ELO = Elo()
"""The rating system of leaderboards, unless another is asked for."""


def table_note(system: RatingSystem = ELO) -> str:
    """Explains the numbers of a leaderboard with tables of more than two seats, in one line."""
    return (
        f"tables of n seats: a match is a duel with each opponent by finishing order"
        f"{system.table_note}; + = - counts duels, points their mean in each match, 1st the "
        "matches finished alone on top; tables of all sizes count together"
    )


class Earlier(msgspec.Struct, frozen=True):
    """An earlier version of a bot on the same board."""

    version: str
    rating: float


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot version's line on a leaderboard.

    Attributes:
        ruleset: Name of the ruleset, with its options.
        rank: 1 and up within the game and ruleset.
        low: Lower end of the rating's interval.
        high: Upper end of the rating's interval.
        deals: Number of independent observations they are: matches of one deal count as one.
        seats: Numbers of seats of the tables at which it played, ascending.
        score: Points taken: for each match the share of its opponents that it left behind,
            those level with it counting half. Of two seats: a won match 1, a drawn one 1/2.
        firsts: Matches that it finished alone on top.
        won: Duels won: opponents left behind, summed over its matches (two seats: matches won).
        drawn: Duels drawn: opponents level with it.
        lost: Duels lost: opponents that left it behind.
        credits: Credits won less credits lost over all tournaments with a stake; ``None`` if
            it played in none.
        isolation: Where it ran, over all its matches: ``trusted``, ``confined``, ...
        history: The earlier versions of the same name on this board, the latest first; only
            ``with_history`` fills it.
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


def leaderboard(
    database: Database,
    game: str | None = None,
    ruleset: str | None = None,
    system: RatingSystem = ELO,
) -> tuple[LeaderboardRow, ...]:
    """Returns rows sorted by game, ruleset and rank, over every match in the database.

    Matches count from the moment they are stored, whether their tournament is finished or not.
    Different games or rulesets never share a board; tables of all sizes of one ruleset do, for
    one field makes tables of several sizes when it does not divide. Ratings, intervals and scores
    are rounded to 1/100 of a point.

    Raises:
        BadInput: A tournament with a stake has tables of more than two seats.
    """
    chosen = [
        summary
        for summary in tournaments(database)
        if summary.matches and game in (None, summary.game) and ruleset in (None, summary.ruleset)
    ]
    boards = groupby(sorted(chosen, key=_board), key=_board)
    return tuple(
        chain.from_iterable(_board_rows(database, list(board), system) for _, board in boards)
    )


def with_history(
    database: Database, rows: Iterable[LeaderboardRow], *, every_version: bool = False
) -> tuple[LeaderboardRow, ...]:
    """Returns a leaderboard with one row a name: its latest version that has played there.

    Ratings stay with versions: the latest begins anew. Names with other parameters are other names.
    Versions go by the order in which they were submitted, or first entered. With ``every_version``
    earlier ones keep rows of their own.
    """
    age = ages(database)
    shown: list[LeaderboardRow] = []
    for _, board in groupby(rows, key=lambda row: (row.game, row.ruleset)):
        named: dict[str, list[LeaderboardRow]] = {}
        ranked = list(board)
        for row in sorted(ranked, key=lambda row: age[row.participant], reverse=True):
            named.setdefault(row.participant.name, []).append(row)
        rank = 0
        for row in ranked:
            versions = named[row.participant.name]
            if not every_version and row is not versions[0]:
                continue
            rank += 1
            earlier = versions[versions.index(row) + 1 :]
            history = tuple(Earlier(each.participant.version, each.rating) for each in earlier)
            shown.append(msgspec.structs.replace(row, rank=rank, history=history))
    return tuple(shown)


def _board(summary: TournamentSummary) -> tuple[str, str]:
    return summary.game, summary.ruleset


class _Results(msgspec.Struct):
    """The matches of one game and ruleset, over a common list of players."""

    players: list[Participant]
    units: list[Unit]
    credits: dict[int, int]
    levels: dict[int, set[str]]


class _Tally(msgspec.Struct):
    """The sums of one player over all matches of a board; see ``LeaderboardRow``."""

    games: int = 0
    deals: int = 0
    firsts: int = 0
    score: float = 0.0
    seats: set[int] = msgspec.field(default_factory=set)
    duels: Counter[float] = msgspec.field(default_factory=Counter)

    def add(self, scores: Sequence[float]) -> None:
        """Counts one match by the points taken from each opponent."""
        self.games += 1
        self.firsts += min(scores) == 1
        self.score += sum(scores) / len(scores)
        self.seats.add(len(scores) + 1)
        self.duels.update(scores)


def _board_rows(
    database: Database, board: Sequence[TournamentSummary], system: RatingSystem
) -> list[LeaderboardRow]:
    """Returns the rows of a board, those of a large one as they are kept."""
    if type(system) is not Elo or sum(summary.matches for summary in board) < LARGE:
        return _rows(database, board, system)
    key, found = _board(board[0]), basis(database, board, system)
    kept = kept_rows(database, *key, found)
    if kept is not None:
        return msgspec.msgpack.decode(kept, type=list[LeaderboardRow])
    rows = _rows(database, board, system)
    with suppress(BadStore):  # a file that can only be read
        keep_rows(database, *key, found, msgspec.msgpack.encode(rows))
    return rows


def _rows(
    database: Database, summaries: Sequence[TournamentSummary], system: RatingSystem
) -> list[LeaderboardRow]:
    results = _results(database, summaries)
    size = len(results.players)
    tallies = _tallies(results.units, size)
    # The seed comes from facts that are public while a tournament is running.
    rated = system.rate(results.units, size, derive_seed(0, "bootstrap", *_board(summaries[0])))
    ratings = [round(rating.value, 2) for rating in rated]
    played = [index for index in range(size) if tallies[index].games]
    # Players are sorted by key, and so are those with equal ratings.
    played.sort(key=lambda index: -ratings[index])
    return [
        LeaderboardRow(
            game=summaries[0].game,
            ruleset=summaries[0].ruleset,
            rank=rank,
            participant=results.players[index],
            rating=ratings[index],
            low=round(rated[index].low, 2),
            high=round(rated[index].high, 2),
            games=tallies[index].games,
            deals=tallies[index].deals,
            seats=tuple(sorted(tallies[index].seats)),
            score=round(tallies[index].score, 2),
            firsts=tallies[index].firsts,
            won=tallies[index].duels[1.0],
            drawn=tallies[index].duels[0.5],
            lost=tallies[index].duels[0.0],
            credits=results.credits.get(index),
            isolation=tuple(sorted(results.levels.get(index, ()))),
        )
        for rank, index in enumerate(played, start=1)
    ]


def _tallies(units: Iterable[Unit], players: int) -> list[_Tally]:
    tallies = [_Tally() for _ in range(players)]
    for unit in units:
        for player in unit[0].players:
            tallies[player].deals += 1
        for match in unit:
            for player, scores in zip(match.players, _taken(match), strict=True):
                tallies[player].add(scores)
    return tallies


def _taken(match: Duels) -> list[list[float]]:
    """Returns the points of each seat of a match against each of its opponents."""
    taken: list[list[float]] = [[] for _ in match.players]
    for (one, other), score in zip(pairs(len(taken)), match.scores, strict=True):
        taken[one].append(score)
        taken[other].append(1 - score)
    return taken


def _results(database: Database, summaries: Sequence[TournamentSummary]) -> _Results:
    fields = [[entry.participant for entry in field(database, summary.id)] for summary in summaries]
    players = sorted(set(chain.from_iterable(fields)), key=lambda player: player.key)
    index_of = {player: index for index, player in enumerate(players)}
    results = _Results(players, [], {}, {})
    for summary, entered in zip(summaries, fields, strict=True):
        indices = [index_of[player] for player in entered]
        results.units += units(each_match(database, summary.id), summary.mirrored, indices)
        stored = tournament(database, summary.id)
        for entrant, levels in _levels(ending for _, ending in stored.endings).items():
            results.levels.setdefault(indices[entrant], set()).update(levels)
        if summary.stake:
            played = each_match(database, summary.id)
            held = purses(played, len(entered), summary.purse, summary.stake)
            for index, amount in zip(indices, held, strict=True):
                before = results.credits.get(index, 0)
                results.credits[index] = before + amount - summary.purse
    return results


def _levels(played: Iterable[Ending]) -> dict[int, set[str]]:
    """Returns the levels at which the bots of a tournament ran, by index into the field."""
    levels: dict[int, set[str]] = {}
    for seats, isolation in {(match.seats, match.isolation) for match in played}:
        each = isolation.split(",")
        if len(each) == 1:
            each *= len(seats)
        for entrant, level in zip(seats, each, strict=True):
            levels.setdefault(entrant, set()).add(level)
    return levels
