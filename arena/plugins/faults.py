"""Checks what extensions give: the fault of an object in a few words, empty without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import get_origin

import msgspec

from arena.core.errors import describe
from arena.core.game import Game, Ruleset
from arena.core.options import Row
from arena.core.tournaments.format import Format, Scoring
from arena.core.tournaments.rating import RatingSystem
from arena.plugins.guards import MEMBERS

_GAME_MEMBERS = (
    *("name", "summary", "version", "seats", "rulesets", "notation"),
    *("new_state", "resample", "render"),
)
"""The members that every game has."""


def game_fault(item: object) -> str:
    """Returns the fault of a game: a member that it lacks, or one of another type."""
    if not isinstance(item, Game):
        return f"{item!r}, expected an arena Game"
    name = getattr(item, "name", "")
    game = f"the game {name!r}" if name and isinstance(name, str) else "a Game"
    if missing := [each for each in _GAME_MEMBERS if not hasattr(item, each)]:
        return f"{game} without {', '.join(missing)}"
    for fact in ("name", "summary", "version"):
        if not isinstance(value := getattr(item, fact), str):
            return f"{game} with {fact} {value!r}, expected a string"
    if not isinstance(item.seats, range) or not item.seats:
        return f"{game} with seats {item.seats!r}, expected a range such as range(2, 3)"
    rows = item.rulesets
    named = isinstance(rows, Mapping) and rows
    if not (named and all(isinstance(row, Ruleset) for row in rows.values())):
        return f"{game} with rulesets {rows!r}, expected a mapping of names to Rulesets"
    return ""


def case_driver_fault(item: object) -> str:
    """Returns the fault of a game's driver of rule cases."""
    match item:
        case (str(), make) if callable(make):
            return ""
    return f"{item!r}, expected a pair of a game's name and a callable"


def lacks(kind: str) -> Callable[[object], str]:
    """Returns the check of objects of a kind, by the members in ``guards.MEMBERS``."""

    def fault_of(item: object) -> str:
        missing = [name for name in MEMBERS[kind].split() if not hasattr(item, name)]
        what = f"a {type(item).__name__}, no {kind}: it has no {', '.join(missing)}"
        return what if missing else ""

    return fault_of


def format_fault(item: object) -> str:
    """Returns the fault of a format."""
    if fault := _wrong_facts(item, Format):
        return fault
    assert isinstance(item, Format)
    no_format = f"a {type(item).__name__}, no arena Format: its"
    if not item.seats or min(item.seats) < 2:
        return f"{no_format} seats are {item.seats!r}, no range of 2 and up"
    for method, arguments in ((item.rounds, 3), (item.next_round, 4)):
        try:
            signature(method).bind(*[None] * arguments)
        except TypeError:
            return f"{no_format} {method.__name__} takes no tables"
    return _wrong_answers(item, no_format, (("scoring", Scoring), ("options", Mapping)))


def rating_system_fault(item: object) -> str:
    """Returns the fault of a rating system."""
    no_system = f"a {type(item).__name__}, no arena RatingSystem: its"
    fault = _wrong_facts(item, RatingSystem)
    return fault or _wrong_answers(item, no_system, (("options", Mapping),))


def _wrong_facts(item: object, base: type[msgspec.Struct]) -> str:
    """The fault of an object that is none of its base class, or has a fact of another type."""
    if not isinstance(item, base):
        name = f"{base.__module__}.{base.__qualname__}"
        return f"a {type(item).__name__}, expected a subclass of {name}"
    for fact in msgspec.structs.fields(base):
        value, kind = getattr(item, fact.name), get_origin(fact.type) or fact.type
        if not isinstance(value, (int, float) if kind is float else kind):
            what = f"a {type(item).__name__}, no arena {base.__name__}: its {fact.name}"
            return f"{what} is {value!r}, not a {kind.__name__}"
    return ""


def _wrong_answers(item: object, what: str, answers: Iterable[tuple[str, type]]) -> str:
    """The fault of an object of which a method fails, or answers with another type."""
    for name, kind in answers:
        try:
            answer = getattr(item, name)()
        except Exception as error:
            return f"{what} {name} failed: {describe(error)}"
        if not isinstance(answer, kind):
            return f"{what} {name} returns a {type(answer).__name__}, not a {kind.__name__}"
        if isinstance(answer, Mapping) and not all(isinstance(row, Row) for row in answer.values()):
            return f"{what} options are not rows (arena.core.options)"
    return ""
