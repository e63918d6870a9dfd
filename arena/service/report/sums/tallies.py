"""Adds up the endings of a tournament's matches: who won how often, and who lost by which fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from arena_results.schema.rows import Ending, MatchRow, PairingSums, StoredTournament
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.rulings import ruled
from arena_tournaments.play.schedule import Counted, Schedule, counted_result, match_points
from arena_tournaments.play.volume import Fixed
from arena_tournaments.scoring.scoring import MATCH, history, tidy
from arena_tournaments.scoring.standings import Standing, Tally

from arena.core.record import MatchKey
from arena.core.tournaments.format import Round, RoundResult
from arena.service.setup.decoded import Decoded

Endings: TypeAlias = Sequence[tuple[MatchKey, Ending]]
"""The different endings of matches, each with the key of its first match, in schedule order."""


class FirstLoss(msgspec.Struct, frozen=True):
    """The first adjudicated loss of a bot by one cause, in schedule order.

    Attributes:
        entrant: The bot, by index into the field.
        move: Number of decisions taken in the match before the fault.
    """

    entrant: int
    cause: str
    key: MatchKey
    move: int


class TableTally(msgspec.Struct, frozen=True):
    """The record of one participant at tables of more than two.

    Attributes:
        average_place: The average of its places, 1 the best; who share places have their
            average. ``None`` before its first match.
        amount: The sum of the game's own amounts (chips, points, ...) over its matches.
    """

    average_place: float | None
    amount: int


def deals(sums: Iterable[PairingSums]) -> Counter[tuple[float, ...]]:
    """Counts what the first of two bots took from the matches of each deal, match by match."""
    found: Counter[tuple[float, ...]] = Counter()
    for each in sums:
        found.update(dict(each.deals))
        found.update(tuple([points for _, points in legs]) for _, legs in each.begun)
    return found


def tallies(endings: Endings, entries: int) -> tuple[Tally, ...]:
    """Matches won, drawn and lost; at tables: finished alone on top, shared the top, the rest."""
    found = [Counter[str]() for _ in range(entries)]
    for _, ending in endings:
        best = max(ending.returns)
        top = "drawn" if ending.returns.count(best) > 1 else "won"
        for index, utility in zip(ending.seats, ending.returns, strict=True):
            found[index][top if utility == best else "lost"] += ending.count
    return tuple(Tally(row["won"], row["drawn"], row["lost"]) for row in found)


def table_tallies(endings: Endings, entries: int) -> tuple[TableTally, ...]:
    """Average places and amounts at tables, by index into the field."""
    places = [0.0] * entries
    counts, amounts = [0] * entries, [0] * entries
    for _, ending in endings:
        others = len(ending.seats) - 1
        shares = match_points(ending.returns)
        for index, share, amount in zip(ending.seats, shares, ending.scores, strict=True):
            places[index] += ending.count * (1 + others * (1 - share))
            counts[index] += ending.count
            amounts[index] += amount
    return tuple(
        TableTally(tidy(total / count) if count else None, amount)
        for total, count, amount in zip(places, counts, amounts, strict=True)
    )


def losses(endings: Endings, entries: int) -> tuple[dict[str, int], ...]:
    """Adjudicated losses by cause, by index into the field."""
    found = [Counter[str]() for _ in range(entries)]
    for _, ending in endings:
        for seat, cause in ending.faults:
            found[ending.seats[seat]][cause.value] += ending.count
    return tuple(dict(sorted(row.items())) for row in found)


def first_losses(endings: Endings) -> tuple[FirstLoss, ...]:
    """The first adjudicated loss of each bot and cause."""
    found: dict[tuple[int, str], FirstLoss] = {}
    for key, ending in sorted(endings, key=lambda each: each[0]):
        for (seat, cause), move in zip(ending.faults, ending.moves, strict=True):
            entrant = ending.seats[seat]
            loss = FirstLoss(entrant, cause.value, key, move)
            found.setdefault((entrant, cause.value), loss)
    return tuple(found[key] for key in sorted(found))


def result_so_far(decoded: Decoded, made: Round) -> tuple[RoundResult, bool]:
    """Returns the result of a round, as far as it is played, and whether it is complete."""
    stored, schedule, by_luck = decoded.stored, decoded.schedule, decoded.spec.adjusted
    number, volume = made.number, schedule.volume(made.number)
    closed = bool(stored.heads and stored.heads[number - 1])  # it gets a head when it is complete
    if not by_luck and (made.away or schedule.amounts or not (closed or isinstance(volume, Fixed))):
        # It depends on the matches one by one.
        play = round_play(stored, schedule, made)
        return play.result(), not play.left
    boards = range(1, len(made.pairings) + 1)
    sums = [stored.sums.get((number, board), PairingSums()) for board in boards]
    ended = [[(each.seats, each.returns, each.count) for each in one.endings] for one in sums]
    complete = closed or (not by_luck and all(each.matches == volume.games for each in sums))
    return counted_result(made, ended, [0] * len(ended)), complete


def legs_so_far(decoded: Decoded, made: Round) -> tuple[int, ...]:
    """Returns the number of matches of each pairing of a round, as far as results decide it."""
    volume = decoded.schedule.volume(made.number)
    if isinstance(volume, Fixed) or decoded.spec.adjusted:
        return (volume.games,) * len(made.pairings)
    return round_play(decoded.stored, decoded.schedule, made).legs


def in_match_points(
    stored: StoredTournament, schedule: Schedule, played: Sequence[RoundResult]
) -> tuple[RoundResult, ...]:
    """The results of the same rounds, of which every match counts as won, drawn or lost."""
    numbers, found = {past.round.number for past in played}, []
    for made in stored.rounds:
        if made.number in numbers:
            legs = round_play(stored, schedule, made).legs
            matches: list[list[Counted]] = [[] for _ in legs]
            for row in _rows_of(stored, made):
                if row.key.leg <= legs[row.key.pairing - 1]:
                    matches[row.key.pairing - 1].append((row.seats, row.returns, 1))
            missing = [all - len(some) for all, some in zip(legs, matches, strict=True)]
            found.append(counted_result(made, matches, missing))
    return ruled(found, stored.rulings)


def with_match_points(
    table: Sequence[Standing],
    counted: Sequence[RoundResult],
    entries: int,
    stages: Sequence[Sequence[Standing]] = (),
) -> tuple[Standing, ...]:
    """The standings with the match points of these rounds, or of the stage that each reached."""
    past = history(entries, counted, MATCH)
    points = {line.index: past.match_points(line.index) for line in table}
    points |= {line.index: line.match_points for stage in stages for line in stage}
    return tuple(msgspec.structs.replace(line, match_points=points[line.index]) for line in table)


def round_play(stored: StoredTournament, schedule: Schedule, made: Round) -> RoundPlay:
    """Returns the matches of a round, planned and stored."""
    play = RoundPlay(schedule, made)
    for row in _rows_of(stored, made):
        play.add(row.key, schedule.values(row))
    play.extend()
    return play


def _rows_of(stored: StoredTournament, made: Round) -> Iterator[MatchRow]:
    return (row for key, row in stored.played.items() if key.round == made.number)
