"""Reads tie-breaks with modifiers (``BH``, ``BH-C1``, ``SB:M1``, ``KS/L60``), and ranks by them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from arena.core.errors import ParseError, UnknownName
from arena_tournaments.scoring.scoring import History
from arena_tournaments.scoring.tiebreaks import TIE_BREAKS, Data, Modifiers, TieBreak, Value

_SPELLING = re.compile(
    r"([A-Z]+)((?:[:/#!-](?:[CM][1-9]\d{0,2}|[PF]|L(?:100|[1-9]\d?|[+-][1-9]\d?)|U\d{1,4}))*)", re.I
)
_MODIFIER = re.compile(r"([CMPFLU])([+-]?\d*)", re.I)


class Chosen(msgspec.Struct, frozen=True):
    """A tie-break with modifiers.

    Attributes:
        name: Its name as typed, which documents repeat.
    """

    name: str
    row: TieBreak
    modifiers: Modifiers

    @property
    def summary(self) -> str:
        """One line for people."""
        low, high = self.modifiers.cut_low, self.modifiers.cut_high
        cut = f", less {low} lowest" if low else ""
        return self.row.summary + cut + (f" and {high} highest" if high else "")

    def values(self, history: History, indices: Sequence[int]) -> Sequence[Value]:
        """Returns the values of some participants, in their order."""
        if self.modifiers.forfeits_played:
            history = _with_forfeits_played(history)
        return self.row.values(history, self.modifiers, indices)


def tie_break(text: str, without: Data = "matches") -> Chosen:
    """Reads the name of a tie-break; modifiers follow ``/``, ``:`` or ``-``.

    Args:
        without: Data that there are not; tie-breaks that need them are no choices.

    Raises:
        UnknownName: There is no such tie-break.
        ParseError: It does not take such a modifier.
    """
    typed = text.strip()
    found = _SPELLING.fullmatch(typed)
    name = re.split(r"[:/#!-]", typed.upper())[0]
    choices = [row.name for row in TIE_BREAKS.values() if not row.data or row.data != without]
    if name not in choices:
        raise UnknownName("tie-break", name or typed, choices)
    row = TIE_BREAKS[name]
    letters = [each[0].upper() for each in _MODIFIER.findall(found[2])] if found else []
    if found is None or not {*letters} <= {*row.modifiers}:
        forms = {"C": "C1", "M": "M1", "P": "P", "F": "F", "L": "L60", "U": "U1000"}
        takes = ", ".join(f"{name}/{forms[each]}" for each in row.modifiers) or "no modifier"
        raise ParseError(f"tie-break {typed[:40]!r}: {name} takes {takes}")
    modifiers = Modifiers()
    for letter, number in _MODIFIER.findall(found[2]):
        modifiers = replace(modifiers, **_modifier(letter.upper(), number))
    return Chosen(typed, row, modifiers)


def _modifier(letter: str, number: str) -> dict[str, int]:
    if letter in "PF":
        return {"forfeits_played" if letter == "P" else "fore": True}
    if letter == "L" and number[0] in "+-":
        return {"half_points": int(number)}
    cuts = {"C": ("cut_low",), "M": ("cut_low", "cut_high"), "L": ("percent",), "U": ("unrated",)}
    return dict.fromkeys(cuts[letter], int(number))


class Place(msgspec.Struct, frozen=True):
    """One participant's place in a ranking.

    Attributes:
        rank: 1 and up; shared by those whom no tie-break parts.
        index: Into the field.
        tie_breaks: Values by name as typed, in the order in which they count.
    """

    rank: int
    index: int
    tie_breaks: dict[str, Value]


def ranking(history: History, tie_breaks: Sequence[Chosen], *first: Sequence[float]) -> list[Place]:
    """Ranks everybody, the best first; equals stand in initial order.

    Args:
        first: Values by index that count before all tie-breaks, such as scores.
    """
    everybody = range(len(history.turns))
    values: list[dict[str, Value]] = [{} for _ in everybody]
    groups = [[*everybody]]
    for before in first:
        groups = [part for group in groups for part in split(group, before)]
    for chosen in tie_breaks:
        found: dict[int, Value] = {}
        for tied in groups if chosen.row.among_tied else [everybody]:
            found |= zip(tied, chosen.values(history, tied), strict=True)
        for index, value in found.items():
            values[index][chosen.name] = value
        ascending = chosen.row.ascending
        groups = [part for group in groups for part in split(group, found, ascending=ascending)]
    places: list[Place] = []
    for group in groups:
        rank = len(places) + 1
        places += [Place(rank, each, values[each]) for each in group]
    return places


def split(
    indices: Sequence[int],
    values: Sequence[float] | Mapping[int, Value],
    *,
    ascending: bool = False,
) -> list[list[int]]:
    """Splits some participants into groups of equal values, the best first."""
    groups: dict[Value, list[int]] = {}
    for index in sorted(indices):
        groups.setdefault(values[index], []).append(index)
    there = sorted((value for value in groups if value is not None), reverse=not ascending)
    return [groups[value] for value in (*there, *({None} & groups.keys()))]


def _with_forfeits_played(history: History) -> History:
    """Returns a history in which forfeited games count as played (14.5)."""
    turns = (
        tuple(replace(turn, played=True) if turn.opponents else turn for turn in mine)
        for mine in history.turns
    )
    return replace(history, turns=tuple(turns))
