"""Tie-breaks by their acronyms, with modifiers: ``BH``, ``BH/C1``, ``SB:M1``, ``KS/L60``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from arena.core.errors import ParseError, UnknownName
from arena_tournaments.c07.event import Event, with_forfeits_played, with_last_round_drawn
from arena_tournaments.c07.performance import average, perfect_performance, tournament_performance
from arena_tournaments.scoring.direct_encounter import direct_encounter
from arena_tournaments.scoring.scoring import History, Turn, tidy
from arena_tournaments.scoring.tiebreaks import over_opponents, scored, whole, won

_SPELLING = re.compile(
    r"([A-Z]+)((?:[:/#!-](?:[CM][1-9]\d{0,2}|[PF]|L(?:100|[1-9]\d?|[+-][1-9]\d?)|U\d{1,4}))*)", re.I
)
_MODIFIER = re.compile(r"([CMPFLU])([+-]?\d*)", re.I)

Value: TypeAlias = float | None
"""The higher value stands higher; ``None`` is lower than any."""
Values: TypeAlias = Callable[["Event", "Modifiers", Sequence[int]], list[Value]]
"""The values of those who are still tied (indices), in their order."""


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


class Acronym(msgspec.Struct, frozen=True, kw_only=True):
    """One tie-break: a row.

    Attributes:
        modifiers: Letters of the modifiers that it takes.
        ascending: Whether the lower value stands higher.
        among_tied: Whether values depend on who is tied.
    """

    name: str
    summary: str
    values: Values
    modifiers: str = ""
    ascending: bool = False
    among_tied: bool = False

    @property
    def of_ratings(self) -> bool:
        """True for those that go by ratings: they take a rating for players without one (U)."""
        return "U" in self.modifiers


class Chosen(msgspec.Struct, frozen=True):
    """A tie-break as somebody wrote it.

    Attributes:
        spelling: The text, which documents repeat.
    """

    spelling: str
    row: Acronym
    modifiers: Modifiers

    def values(self, event: Event, tied: Sequence[int]) -> list[Value]:
        """Returns the values of those who are still tied, in their order."""
        if self.modifiers.forfeits_played:
            event = msgspec.structs.replace(event, history=with_forfeits_played(event.history))
        return self.row.values(event, self.modifiers, tied)


def tie_break(text: str) -> Chosen:
    """Reads a tie-break as typed; modifiers follow ``/`` or ``:``.

    Raises:
        UnknownName: There is no such tie-break.
        ParseError: It does not take such a modifier.
    """
    spelling = text.strip()
    found = _SPELLING.fullmatch(spelling)
    name = re.split(r"[:/#!-]", spelling.upper())[0]
    if name not in ACRONYMS:
        raise UnknownName("tie-break", name or spelling, ACRONYMS)
    row = ACRONYMS[name]
    letters = [each[0].upper() for each in _MODIFIER.findall(found[2])] if found else []
    if found is None or not {*letters} <= {*row.modifiers}:
        forms = {"C": "C1", "M": "M1", "P": "P", "F": "F", "L": "L60", "U": "U1000"}
        takes = ", ".join(f"{name}/{forms[each]}" for each in row.modifiers) or "no modifier"
        raise ParseError(f"tie-break {spelling[:40]!r}: {name} takes {takes}")
    modifiers = Modifiers()
    for letter, number in _MODIFIER.findall(found[2]):
        modifiers = msgspec.structs.replace(modifiers, **_modifier(letter.upper(), number))
    return Chosen(spelling, row, modifiers)


def _modifier(letter: str, number: str) -> dict[str, int]:
    if letter in "PF":
        return {"forfeits_played" if letter == "P" else "fore": True}
    if letter == "L" and number[0] in "+-":
        return {"half_points": int(number)}
    cuts = {"C": ("cut_low",), "M": ("cut_low", "cut_high"), "L": ("percent",), "U": ("unrated",)}
    return dict.fromkeys(cuts[letter], int(number))


def _each(value: Callable[[Event, Modifiers, int], Value]) -> Values:
    return lambda event, modifiers, tied: [value(event, modifiers, index) for index in tied]


def _rounds(counts: Callable[[Turn], float]) -> Values:
    return _each(lambda event, _, index: float(sum(map(counts, event.history.turns[index]))))


def _over(
    share: Callable[[float], float], history: Callable[[Event], History]
) -> Callable[[Event, Modifiers, Sequence[int]], list[Value]]:

    def values(event: Event, modifiers: Modifiers, tied: Sequence[int]) -> list[Value]:
        summed = over_opponents(share, modifiers.cut_low, modifiers.cut_high)
        return [*summed(history(event), tied)]

    return values


def _as_it_is(event: Event) -> History:
    return event.history


_BUCHHOLZ = _over(whole, _as_it_is)
_FORE_BUCHHOLZ = _over(whole, with_last_round_drawn)


def _opponents(event: Event, index: int) -> list[int]:
    turns = event.history.turns[index]
    return [turn.opponents[0] for turn in turns if turn.played_against]


def _average_of_buchholz(event: Event, modifiers: Modifiers, tied: Sequence[int]) -> list[Value]:
    buchholz = _FORE_BUCHHOLZ if modifiers.fore else _BUCHHOLZ
    sums = buchholz(event, modifiers, range(len(event.numbers)))
    # As many decimals as keep unequal averages apart: two up to eight rounds, three up to 26.
    scale = 100 if event.rounds < 9 else 1000 if event.rounds < 27 else 10_000
    found: list[Value] = []
    for index in tied:
        met = [sums[opponent] or 0.0 for opponent in _opponents(event, index)]
        found.append((2 * scale * sum(met) // len(met) + 1) // 2 / scale if met else None)
    return found


def _rated(event: Event, modifiers: Modifiers, index: int) -> tuple[list[int], float]:
    games: list[tuple[int, float]] = []
    for turn in event.history.turns[index]:
        if turn.played_against:
            rating = event.ratings[turn.opponents[0]] or modifiers.unrated
            if rating:
                games.append((rating, _standard(event, turn)))
    games.sort()
    games = games[modifiers.cut_low : len(games) - modifiers.cut_high]
    return [rating for rating, _ in games], sum(score for _, score in games)


def _standard(event: Event, turn: Turn) -> float:
    draw = tidy(turn.worth * event.history.draw)
    return 1.0 if turn.score > draw else 0.5 if turn.score == draw else 0.0


def _standard_points(event: Event, index: int) -> Value:
    return sum(_standard(event, turn) for turn in event.history.turns[index] if turn.worth)


def _average_rating(event: Event, modifiers: Modifiers, index: int) -> Value:
    return average(_rated(event, modifiers, index)[0])


def _performance(event: Event, modifiers: Modifiers, index: int) -> Value:
    return tournament_performance(*_rated(event, modifiers, index))


def _perfect(event: Event, modifiers: Modifiers, index: int) -> Value:
    return perfect_performance(*_rated(event, modifiers, index))


def _average_of(value: Callable[[Event, Modifiers, int], Value]) -> Values:

    def mean(event: Event, modifiers: Modifiers, index: int) -> Value:
        theirs = [value(event, modifiers, opponent) for opponent in _opponents(event, index)]
        return average([each for each in theirs if each is not None])

    return _each(mean)


def _progressive(event: Event, modifiers: Modifiers, index: int) -> Value:
    total = so_far = 0.0
    for number, turn in enumerate(event.history.turns[index], 1):
        so_far += turn.score
        total += so_far if number > modifiers.cut_low else 0.0
    return tidy(total)


def _koya(event: Event, modifiers: Modifiers, index: int) -> Value:
    def asked(opponent: int) -> float:
        most = sum(turn.worth for turn in event.history.turns[opponent])
        return tidy(most * modifiers.percent / 100 + modifiers.half_points / 2)

    turns = [turn for turn in event.history.turns[index] if turn.opponents]
    strong = [turn for turn in turns if event.scores[turn.opponents[0]] >= asked(turn.opponents[0])]
    return tidy(sum((turn.score for turn in strong), 0.0))


def _elected(turn: Turn) -> bool:
    """True for a round that the participant was ready to play (7.6)."""
    return bool(turn.worth) and not turn.voluntary


def _encounters(event: Event, modifiers: Modifiers, tied: Sequence[int]) -> list[Value]:
    return [*direct_encounter(event.history, tied)]


_ROWS = (
    ("PTS", "points", _each(lambda event, _, index: event.scores[index]), ""),
    (
        "STD",
        "standard points: 1 for a win, 1/2 for a draw, whatever they score here",
        _each(lambda event, _, index: _standard_points(event, index)),
        "",
    ),
    ("WIN", "rounds won, byes and forfeits included (7.1)", _rounds(won), ""),
    (
        "WON",
        "games won over the board (7.2)",
        _rounds(lambda turn: won(turn) and turn.played_against),
        "",
    ),
    (
        "BPG",
        "games played with Black (7.3)",
        _rounds(lambda turn: turn.played_against and not turn.first),
        "",
    ),
    (
        "BWG",
        "games won with Black (7.4)",
        _rounds(lambda turn: won(turn) and turn.played_against and not turn.first),
        "",
    ),
    (
        "PS",
        "progressive scores: the sum of the scores after each round (7.5)",
        _each(_progressive),
        "C",
    ),
    ("REP", "rounds that the participant elected to play (7.6)", _rounds(_elected), ""),
    ("GE", "games that the participant elected to play (7.6)", _rounds(_elected), ""),
    ("BH", "Buchholz: the sum of the opponents' scores (8.1)", _BUCHHOLZ, "CMP"),
    ("AOB", "average of the opponents' Buchholz (8.2)", _average_of_buchholz, "CMPF"),
    (
        "FB",
        "Fore Buchholz: Buchholz with the last round's games drawn (8.3)",
        _FORE_BUCHHOLZ,
        "CMP",
    ),
    (
        "SB",
        "Sonneborn-Berger: opponents' scores times the score against them (9.1)",
        _over(scored, _as_it_is),
        "CMP",
    ),
    (
        "KS",
        "Koya: score against opponents with half of the points or more (9.2)",
        _each(_koya),
        "L",
    ),
    ("ARO", "average rating of the opponents (10.1)", _each(_average_rating), "CMU"),
    ("TPR", "tournament performance rating (10.2)", _each(_performance), "CMU"),
    ("PTP", "perfect tournament performance (10.3)", _each(_perfect), "CMU"),
    ("APRO", "average performance rating of the opponents (10.4)", _average_of(_performance), "U"),
    ("APPO", "average perfect performance of the opponents (10.5)", _average_of(_perfect), "U"),
    (
        "RTNG",
        "rating (10.6)",
        _each(lambda event, modifiers, index: event.ratings[index] or modifiers.unrated or None),
        "U",
    ),
)
ACRONYMS: Mapping[str, Acronym] = {
    **{
        name: Acronym(name=name, summary=summary, values=values, modifiers=modifiers)
        for name, summary, values, modifiers in _ROWS
    },
    "DE": Acronym(
        name="DE",
        summary="direct encounter: how many of the tied it leaves behind (6)",
        values=_encounters,
        modifiers="P",
        among_tied=True,
    ),
    "TPN": Acronym(
        name="TPN",
        summary="starting number, the lower the better",
        values=_each(lambda event, _, index: event.numbers[index]),
        ascending=True,
    ),
}
"""All tie-breaks by name."""
