"""Computes tie-breaks by FIDE's regulations (C.07, as in force since 1 March 2026, and of 2023).

Each is a row of ``TIE_BREAKS`` under its acronym of C.07; "AMT", "MPTS" and "TOP" are ours. Our own
code, because our scores may be match points of any size. Halves add exactly, so equal values are
equal floats.

Unplayed rounds are handled as C.07, 16 says. As somebody's opponent, a participant counts with
an *adjusted* score: voluntary absences after its last round available to play count as draws
(16.3). For itself, an unplayed round counts as a game against a *dummy* with the participant's
own score, of at most the opponent's adjusted score if there was one (a forfeit, 16.4.1), else
of at most a draw in every round so far (16.4.2). Of values to cut, voluntarily unplayed rounds
go first (16.5). A bye in a round robin is not a round and counts nowhere.

At tables of more than two, what C.07 says of the opponent of a round holds for the average over
the round's opponents, so that a round weighs the same at tables of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from arena_tournaments.scoring.direct_encounter import direct_encounter
from arena_tournaments.scoring.performance import (
    average,
    perfect_performance,
    tournament_performance,
)
from arena_tournaments.scoring.scoring import History, Turn, tidy

Value: TypeAlias = float | None
"""The higher value stands higher; ``None`` is lower than any."""
Values: TypeAlias = Callable[[History, "Modifiers", Sequence[int]], Sequence[Value]]
"""The values of some participants (indices into the field), in their order."""
OneValue: TypeAlias = Callable[[History, "Modifiers", int], Value]
Data: TypeAlias = Literal["", "ratings", "matches"]
"""The data besides scores: ratings of a report, or matches of one of our tournaments."""
Where: TypeAlias = Literal["", "amounts", "match points", "tables", "pairs", "mean"]
"""The events in which a tie-break means something: amounts are not the score, match points are
not, tables have more than two seats, tables have two, or the mean amount is the score."""


class Modifiers(msgspec.Struct, frozen=True, kw_only=True):
    """The modifiers of a tie-break (C.07, 14).

    Attributes:
        cut_low: How many of the least significant values do not count (C, M).
        cut_high: How many of the most significant (M).
        forfeits_played: Whether forfeited games count as played (P).
        percent: Share of the points that Koya asks of opponents (L60).
        half_points: Half points more than that share (L+1, L-1).
        fore: Whether the last round's games count as drawn (F).
        unrated: Rating of players without one (U1000); 0 leaves them out.
    """

    cut_low: int = 0
    cut_high: int = 0
    forfeits_played: bool = False
    percent: int = 50
    half_points: int = 0
    fore: bool = False
    unrated: int = 0


class TieBreak(msgspec.Struct, frozen=True):
    """One tie-break of the regulations, or of ours.

    Attributes:
        modifiers: Letters of the modifiers that it takes.
        ascending: Whether the lower value stands higher.
        among_tied: Whether values depend on who is tied.
    """

    name: str
    summary: str
    values: Values
    modifiers: str = ""
    data: Data = ""
    where: Where = ""
    ascending: bool = False
    among_tied: bool = False


def _each(value: OneValue) -> Values:
    def values(history: History, modifiers: Modifiers, indices: Sequence[int]) -> list[Value]:
        found = [value(history, modifiers, index) for index in indices]
        return [None if each is None else tidy(each) for each in found]

    return values


def _of(value: Callable[[History, int], Value]) -> Values:
    return _each(lambda history, _, index: value(history, index))


def _sum(share: Callable[[Turn], float]) -> Values:
    return _of(lambda history, index: float(sum(map(share, history.turns[index]))))


def _with_last_round_drawn(history: History) -> History:
    """Returns a history in which all games of the tournament's last round are drawn (8.3)."""
    if not history.finished or not history.rounds:
        return history
    turns = (
        (*mine[:-1], _drawn(mine[-1], history.draw) if mine[-1].opponents else mine[-1])
        for mine in history.turns
    )
    return replace(history, turns=tuple(turns))


def _drawn(turn: Turn, draw: float) -> Turn:
    return replace(turn, score=turn.worth * draw, played=True, voluntary=False)


class _Part(msgspec.Struct, frozen=True):
    strength: float
    value: float
    voluntary: bool


class _Scores:
    """Scores of a history, each summed up once: everybody is the opponent of many.

    Attributes:
        own: Returns a participant's score.
        adjusted: Returns its score in its opponents' tie-breaks.
    """

    def __init__(self, history: History) -> None:
        self.own = cache(history.score)
        self.adjusted = cache(partial(adjusted_score, history))


def adjusted_score(history: History, index: int) -> float:
    """Returns a participant's score in its opponents' tie-breaks (16.3)."""
    turns = history.turns[index]
    available = max((n for n, turn in enumerate(turns, 1) if not turn.voluntary), default=0)
    return sum(
        turn.score if number <= available or turn.opponents else turn.worth * history.draw
        for number, turn in enumerate(turns, 1)
    )


def _met(history: History, scores: _Scores, index: int, turn: Turn) -> list[tuple[float, float]]:
    """Returns scores of, and against, each opponent in one round, or the dummy (16.4)."""
    own = scores.own(index)
    if not turn.played_against and not history.capped:
        return [(own, turn.score)]
    if not turn.opponents:
        draws = sum(past.worth for past in history.turns[index]) * history.draw
        return [(min(own, draws), turn.score)]
    strengths = [(scores.adjusted(opponent), score) for opponent, score in turn.encounters()]
    if turn.played:
        return strengths
    return [(min(own, strength), score) for strength, score in strengths]


def _over_opponents(share: Callable[[float], float], *, fore: bool = False) -> Values:
    """Returns a sum over the rounds of (opponent's score x share), without some lows and highs.

    The share is what counts of an opponent's score, from the score against it.
    """

    def value(history: History, scores: _Scores, modifiers: Modifiers, index: int) -> float:
        parts: list[_Part] = []
        for turn in history.turns[index]:
            if turn.worth:
                met = _met(history, scores, index, turn)
                strength = sum(theirs for theirs, _ in met) / len(met)
                shared = sum(theirs * share(score) for theirs, score in met) / len(met)
                absent = turn.voluntary and not turn.played_against
                parts.append(_Part(tidy(strength), tidy(shared), absent))
        for _ in range(min(modifiers.cut_low, len(parts))):
            parts.remove(_least(parts))
        for _ in range(min(modifiers.cut_high, len(parts))):
            parts.remove(max(parts, key=lambda part: (part.strength, part.value)))
        return sum((part.value for part in parts), 0.0)

    def values(history: History, modifiers: Modifiers, indices: Sequence[int]) -> list[Value]:
        counted = _with_last_round_drawn(history) if fore else history
        scores = _Scores(counted)
        return [tidy(value(counted, scores, modifiers, index)) for index in indices]

    return values


def _least(parts: Sequence[_Part]) -> _Part:
    """Returns the part that Cut-1 omits: the least value, a voluntary absence first (16.5)."""
    least = min(parts, key=lambda part: (part.strength, part.value))
    absences = [part for part in parts if part.voluntary]
    if not absences:
        return least
    absence = min(absences, key=lambda part: (part.value, part.strength))
    return absence if least.value <= absence.value else least


_BUCHHOLZ = _over_opponents(lambda score: 1.0)
_FORE_BUCHHOLZ = _over_opponents(lambda score: 1.0, fore=True)


def _opponents(history: History, index: int) -> list[int]:
    turns = history.turns[index]
    return [each for turn in turns if turn.played_against for each in turn.opponents]


def _average_of_buchholz(
    history: History, modifiers: Modifiers, indices: Sequence[int]
) -> list[Value]:
    buchholz = _FORE_BUCHHOLZ if modifiers.fore else _BUCHHOLZ
    sums = buchholz(history, modifiers, range(len(history.turns)))
    # As many decimals as keep unequal averages apart: two up to eight rounds, three up to 26.
    scale = 100 if history.rounds < 9 else 1000 if history.rounds < 27 else 10_000
    found: list[Value] = []
    for index in indices:
        met = [sums[opponent] or 0.0 for opponent in _opponents(history, index)]
        found.append((2 * scale * sum(met) // len(met) + 1) // 2 / scale if met else None)
    return found


def _rated(history: History, modifiers: Modifiers, index: int) -> tuple[list[int], float]:
    games: list[tuple[int, float]] = []
    for turn in history.turns[index]:
        if turn.played_against:
            rating = history.ratings[turn.opponents[0]] or modifiers.unrated
            if rating:
                games.append((rating, turn.standard))
    games.sort()
    games = games[modifiers.cut_low : len(games) - modifiers.cut_high]
    return [rating for rating, _ in games], sum(score for _, score in games)


def _standard_points(history: History, index: int) -> float:
    return sum(turn.standard for turn in history.turns[index] if turn.worth)


def _performance(history: History, modifiers: Modifiers, index: int) -> Value:
    return tournament_performance(*_rated(history, modifiers, index))


def _perfect(history: History, modifiers: Modifiers, index: int) -> Value:
    return perfect_performance(*_rated(history, modifiers, index))


def _average_of(value: OneValue) -> Values:
    def mean(history: History, modifiers: Modifiers, index: int) -> Value:
        theirs = [value(history, modifiers, opponent) for opponent in _opponents(history, index)]
        return average([each for each in theirs if each is not None])

    return _each(mean)


def _progressive(history: History, modifiers: Modifiers, index: int) -> float:
    total = so_far = 0.0
    for number, turn in enumerate(history.turns[index], 1):
        so_far += turn.score
        total += so_far if number > modifiers.cut_low else 0.0
    return total


def _koya(history: History, modifiers: Modifiers, indices: Sequence[int]) -> list[Value]:
    @cache
    def strong(opponent: int) -> bool:
        most = sum(turn.worth for turn in history.turns[opponent])
        asked = tidy(most * modifiers.percent / 100 + modifiers.half_points / 2)
        return history.score(opponent, bonus=True) >= asked

    def value(index: int) -> float:
        shares = [
            score / len(turn.opponents)
            for turn in history.turns[index]
            for opponent, score in turn.encounters()
            if strong(opponent)
        ]
        return tidy(sum(shares, 0.0))

    return [*map(value, indices)]


def _won(turn: Turn) -> bool:
    return turn.standard == 1.0


def _elected(turn: Turn) -> bool:
    """Returns whether the participant was ready to play (7.6)."""
    return bool(turn.worth) and not turn.voluntary


def _second(turn: Turn) -> bool:
    return turn.played_against and not turn.first


_POINTS = _of(lambda history, index: history.score(index, bonus=True))
_STANDARD = "standard points: 1 for a win, 1/2 for a draw, whatever they score here"
_RATING = _each(
    lambda history, modifiers, index: history.ratings[index] or modifiers.unrated or None
)
_ROWS = (
    TieBreak(
        "AMT", "mean amount per match", _of(History.mean_amount), data="matches", where="amounts"
    ),
    TieBreak(
        "MPTS",
        "match points; a bye counts half of its round's",
        _sum(lambda turn: turn.points),
        data="matches",
        where="match points",
    ),
    TieBreak(
        "TOP",
        "matches finished on top without a tie, at tables of more than two",
        _sum(lambda turn: turn.won),
        data="matches",
        where="tables",
    ),
    TieBreak("PTS", "points", _POINTS, where="mean"),
    TieBreak("STD", _STANDARD, _of(_standard_points)),
    TieBreak(
        "DE",
        "direct encounter: how many of the tied it leaves behind (6)",
        lambda history, _, tied: direct_encounter(history, tied),
        "P",
        among_tied=True,
    ),
    TieBreak("WIN", "rounds won, byes and forfeits included (7.1)", _sum(_won)),
    TieBreak(
        "WON",
        "rounds won against an opponent who played (7.2)",
        _sum(lambda turn: _won(turn) and turn.played_against),
    ),
    TieBreak(
        "BPG", "rounds played in the second seat, with Black (7.3)", _sum(_second), where="pairs"
    ),
    TieBreak(
        "BWG",
        "rounds won in the second seat, with Black (7.4)",
        _sum(lambda turn: _won(turn) and _second(turn)),
        where="pairs",
    ),
    TieBreak(
        "PS",
        "progressive scores: the sum of the scores after each round (7.5)",
        _each(_progressive),
        "C",
    ),
    TieBreak("REP", "rounds that the participant elected to play (7.6)", _sum(_elected)),
    TieBreak("GE", "games that the participant elected to play (7.6)", _sum(_elected)),
    TieBreak("BH", "Buchholz: the sum of the opponents' scores (8.1)", _BUCHHOLZ, "CMP"),
    TieBreak("AOB", "average of the opponents' Buchholz (8.2)", _average_of_buchholz, "CMPF"),
    TieBreak(
        "FB",
        "Fore Buchholz: Buchholz with the last round's games drawn (8.3)",
        _FORE_BUCHHOLZ,
        "CMP",
    ),
    TieBreak(
        "SB",
        "Sonneborn-Berger: opponents' scores times the score against them (9.1)",
        _over_opponents(lambda score: score),
        "CMP",
    ),
    TieBreak(
        "KS", "Koya: score against opponents with half of the points or more (9.2)", _koya, "L"
    ),
    TieBreak(
        "ARO",
        "average rating of the opponents (10.1)",
        _each(lambda *which: average(_rated(*which)[0])),
        "CMU",
        "ratings",
    ),
    TieBreak("TPR", "tournament performance rating (10.2)", _each(_performance), "CMU", "ratings"),
    TieBreak("PTP", "perfect tournament performance (10.3)", _each(_perfect), "CMU", "ratings"),
    TieBreak(
        "APRO",
        "average performance rating of the opponents (10.4)",
        _average_of(_performance),
        "U",
        "ratings",
    ),
    TieBreak(
        "APPO",
        "average perfect performance of the opponents (10.5)",
        _average_of(_perfect),
        "U",
        "ratings",
    ),
    TieBreak("RTNG", "rating (10.6)", _RATING, "U", "ratings"),
    TieBreak(
        "TPN",
        "starting number, the lower the better",
        _of(lambda history, index: history.numbers[index] if history.numbers else index + 1),
        ascending=True,
    ),
)
TIE_BREAKS: Mapping[str, TieBreak] = {row.name: row for row in _ROWS}
"""All tie-breaks by name."""
