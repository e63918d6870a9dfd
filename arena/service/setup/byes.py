"""Byes on request as a spec has them, and what a format takes of an organiser's decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_tournaments.formats.stages import Staged
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, UnknownName
from arena.core.tournaments.format import Format
from arena.core.tournaments.rulings import Ruling, RulingKind
from arena.plugins.options import option
from arena.service.answers.defaults import HALF_POINT

_KEYS = ("bot", "round", "points")
_NAMES = {
    "add": "late entries",
    "bye": "byes on request",
    "withdraw": "withdrawals",
    "disqualify": "disqualifications",
    "void": "annulled results ({})",
    "now": "changes within a round ({})",
    "rest": "rests",
    "pair": "pairings by hand",
    "forbid": "forbidden pairs",
    "lots": "lots",
}


def check_takes(format: Format, what: str, entrants: int = 0, round: int = 0) -> None:
    """Raises ``BadInput`` if a format's field does not change in this way; names its choices.

    In stages a decision about a round goes by the stage of it, and a late entry can join the first
    one.

    Args:
        entrants: Of a decision about a round, the size of the field.
        round: Its round.
    """
    if isinstance(format, Staged) and round:
        stage = format.stage_of(round, entrants)
        if what == RulingKind.ADD and stage:
            raise BadInput(f"stage {stage + 1} has begun; late entries join the first stage")
        if what == RulingKind.ADD and format.lengths(entrants) != format.lengths(entrants + 1):
            raise BadInput(
                f"with {entrants + 1} entrants the stages would have other numbers of rounds; "
                "late entries join stages whose rounds are given"
            )
        format = format.stages[stage].format
    takes = format.rulings
    if what not in takes:
        names = {key: name.format(option(key, True)) for key, name in _NAMES.items()}
        choices = [name for key, name in names.items() if key in takes]
        if not choices:
            raise BadInput(f"{format.name} takes no changes of the field")
        raise BadInput(f"{format.name} takes no {names[what]}; it takes {', '.join(choices)}")


def byes_of(
    spec: TournamentSpec, format: Format, names: Sequence[str], rounds: int
) -> tuple[Ruling, ...]:
    """The byes that a spec asks for, as decisions.

    Raises:
        BadInput: The format knows none, or one is of nobody, of a wrong round or points.
    """
    found: dict[tuple[int, int], Ruling] = {}
    for given in spec.byes:
        bye = _bye(given, names, rounds)
        check_takes(format, RulingKind.BYE, len(names), bye.round)
        if (bye.entry, bye.round) in found:
            raise BadInput(f"{names[bye.entry]} has two byes in round {bye.round}")
        found[bye.entry, bye.round] = bye
    return tuple(found.values())


def _bye(given: Mapping[str, object] | str, names: Sequence[str], rounds: int) -> Ruling:
    row = dict(given) if isinstance(given, Mapping) else _read(given)
    if not {"bot", "round"} <= row.keys() <= {*_KEYS}:
        raise BadInput(
            "expected 'NAME | ROUND', 'NAME | ROUND | POINTS', or a table of bot, round and "
            f"points, not {given!r}"
        )
    name, round = str(row["bot"]), str(row["round"])
    if name not in names:
        raise UnknownName("bot of the tournament", name, names)
    if not (round.isascii() and round.isdecimal() and 1 <= int(round[:9]) <= rounds):
        raise BadInput(f"{name}: expected a round from 1 to {rounds}, not {round}")
    points = half_points(row.get("points", HALF_POINT))
    return Ruling(kind=RulingKind.BYE, entry=names.index(name), round=int(round), points=points)


def _read(text: str) -> dict[str, object]:
    parts = [part.strip() for part in text.split("|")]
    return dict(zip(_KEYS, parts, strict=False)) if len(parts) <= len(_KEYS) else {}


def half_points(points: object) -> float:
    """Points of a bye on request, or of a round that a late entry missed: a half, or nothing."""
    for value in (0.0, HALF_POINT):
        if str(points) in (str(value), f"{value:g}"):
            return value
    raise BadInput(f"points: expected 0 or 0.5, not {points!r}")
