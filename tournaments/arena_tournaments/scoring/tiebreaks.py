"""Computes tie-breaks by FIDE's regulations (C.07, as in force since 1 March 2026).

Each is a row of ``TIE_BREAKS``: the acronym of C.07, what it is, and a function that gives the
values of those who are tied; the higher value stands higher. Our own code, because our scores
may be match points of any size. Halves add exactly, so equal values are equal floats.

Unplayed rounds are handled as C.07, 16 says. As somebody's opponent, a participant counts with
an *adjusted* score: voluntary absences after its last round available to play count as draws
(16.3). For itself, an unplayed round counts as a game against a *dummy* with the participant's
own score, of at most the opponent's adjusted score if there was one (a forfeit, 16.4.1), else
of at most a draw in every round so far (16.4.2). Of values to cut, voluntarily unplayed rounds
go first (16.5). A bye in a round robin is not a round and counts nowhere.

At tables of more than two, what C.07 says of the opponent of a round holds for the average over
the round's opponents, so that a round weighs the same at tables of any size; "TOP" is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from arena_tournaments.scoring.direct_encounter import direct_encounter
from arena_tournaments.scoring.scoring import History, Turn, tidy

Values: TypeAlias = Callable[[History, Sequence[int]], list[float]]
"""The values of those who are still tied (indices into the field), in their order."""


class TieBreak(msgspec.Struct, frozen=True):
    """One tie-break with its name and function.

    Attributes:
        name: The acronym, which standings show; C.07's where it has one.
        values: The values of the tied; the higher stands higher.
    """

    name: str
    summary: str
    values: Values


class _Part(msgspec.Struct, frozen=True):
    strength: float
    value: float
    voluntary: bool


def adjusted_score(history: History, index: int) -> float:
    """Returns a participant's score in its opponents' tie-breaks (16.3)."""
    turns = history.turns[index]
    available = max((n for n, turn in enumerate(turns, 1) if not turn.voluntary), default=0)
    return sum(
        turn.score if number <= available or turn.opponents else turn.worth * history.draw
        for number, turn in enumerate(turns, 1)
    )


def _each(value: Callable[[History, int], float]) -> Values:
    return lambda history, tied: [tidy(value(history, index)) for index in tied]


def _met(history: History, index: int, turn: Turn) -> list[tuple[float, float]]:
    """Returns scores of, and against, each opponent in one round, or the dummy (16.4)."""
    own = history.score(index)
    if not turn.played_against and not history.capped:
        return [(own, turn.score)]
    if not turn.opponents:
        draws = sum(past.worth for past in history.turns[index]) * history.draw
        return [(min(own, draws), turn.score)]
    strengths = [
        (adjusted_score(history, opponent), score) for opponent, score in turn.encounters()
    ]
    if turn.played:
        return strengths
    return [(min(own, strength), score) for strength, score in strengths]


def over_opponents(share: Callable[[float], float], cut_low: int = 0, cut_high: int = 0) -> Values:
    """Returns a sum over the rounds of (opponent's score x share), without some lows and highs.

    The share is what counts of an opponent's score, from the score against it.
    """

    def value(history: History, index: int) -> float:
        parts: list[_Part] = []
        for turn in history.turns[index]:
            if turn.worth:
                met = _met(history, index, turn)
                strength = sum(theirs for theirs, _ in met) / len(met)
                shared = sum(theirs * share(score) for theirs, score in met) / len(met)
                absent = turn.voluntary and not turn.played_against
                parts.append(_Part(tidy(strength), tidy(shared), absent))
        for _ in range(min(cut_low, len(parts))):
            parts.remove(_least(parts))
        for _ in range(min(cut_high, len(parts))):
            parts.remove(max(parts, key=lambda part: (part.strength, part.value)))
        return sum((part.value for part in parts), 0.0)

    return _each(value)


def _least(parts: Sequence[_Part]) -> _Part:
    """Returns the part that Cut-1 omits: the least value, a voluntary absence first (16.5)."""
    least = min(parts, key=lambda part: (part.strength, part.value))
    absences = [part for part in parts if part.voluntary]
    if not absences:
        return least
    absence = min(absences, key=lambda part: (part.value, part.strength))
    return absence if least.value <= absence.value else least


def whole(score: float) -> float:
    """Returns the share of Buchholz: an opponent's score counts whole."""
    return 1.0


def scored(score: float) -> float:
    """Returns the share of Sonneborn-Berger: an opponent's score counts by the score against it."""
    return score


def _match_points(history: History, index: int) -> float:
    return sum((turn.points for turn in history.turns[index]), 0.0)


def count(counts: Callable[[Turn], bool]) -> Values:
    """Returns a tie-break that counts the rounds of a kind."""
    return _each(lambda history, index: float(sum(map(counts, history.turns[index]))))


def won(turn: Turn) -> bool:
    """True for a round won, with or without an opponent."""
    return turn.score > turn.worth / 2


def _progressive(history: History, index: int) -> float:
    total = so_far = 0.0
    for turn in history.turns[index]:
        so_far += turn.score
        total += so_far
    return total


def _koya(history: History, index: int) -> float:
    def strong(opponent: int) -> bool:
        most = sum(turn.worth for turn in history.turns[opponent])
        return history.score(opponent) >= most / 2

    shares = [
        score / len(turn.opponents)
        for turn in history.turns[index]
        for opponent, score in turn.encounters()
        if strong(opponent)
    ]
    return sum(shares, 0.0)


TIE_BREAKS: Mapping[str, TieBreak] = {
    row.name: row
    for row in (
        TieBreak("AMT", "mean amount per match", _each(History.mean_amount)),
        TieBreak("MPTS", "match points; a bye counts half of its round's", _each(_match_points)),
        TieBreak(
            "DE", "direct encounter: how many of the tied it leaves behind (6)", direct_encounter
        ),
        TieBreak("WIN", "rounds won, byes included (7.1)", count(won)),
        TieBreak(
            "WON",
            "rounds won against an opponent (7.2)",
            count(lambda turn: won(turn) and turn.played_against),
        ),
        TieBreak(
            "TOP",
            "matches finished on top without a tie, at tables of more than two",
            _each(lambda history, index: float(sum(turn.won for turn in history.turns[index]))),
        ),
        TieBreak(
            "BPG",
            "rounds played in the second seat (7.3)",
            count(lambda turn: turn.played_against and not turn.first),
        ),
        TieBreak(
            "BWG",
            "rounds won in the second seat (7.4)",
            count(lambda turn: won(turn) and turn.played_against and not turn.first),
        ),
        TieBreak(
            "PS",
            "progressive scores: the sum of the scores after each round (7.5)",
            _each(_progressive),
        ),
        TieBreak("BH", "Buchholz: the sum of the opponents' scores (8.1)", over_opponents(whole)),
        TieBreak(
            "BH-C1",
            "Buchholz without the least significant opponent (8.1, 14.1)",
            over_opponents(whole, cut_low=1),
        ),
        TieBreak(
            "BH-M1",
            "Buchholz without the least and the most significant (8.1, 14.3)",
            over_opponents(whole, cut_low=1, cut_high=1),
        ),
        TieBreak(
            "SB",
            "Sonneborn-Berger: opponents' scores times the score against them (9.1)",
            over_opponents(scored),
        ),
        TieBreak(
            "SB-C1",
            "Sonneborn-Berger without the least significant opponent (9.1, 14.1)",
            over_opponents(scored, cut_low=1),
        ),
        TieBreak(
            "KS",
            "Koya: score against opponents with half of the points or more (9.2)",
            _each(_koya),
        ),
    )
}
"""All tie-breaks by name."""
