"""The promises of scenes: their form, and in what two of them differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, get_args

from msgspec.structs import replace

from arena.core.parts.board import verdict_of
from arena.core.scene import MATCH, Colour, Face, Fact, Role, Scene, Zone
from arena.core.state import State
from arena.testing.probes import Broken, demand, difference

_COLOURS, _ROLES = get_args(Colour), get_args(Role)
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE.,+\s-]*")
"""The characters of an SVG path."""


def check_form(scene: Scene, view: str) -> None:
    """Looks, signs and labels are those that every board can draw; raises ``Broken``."""
    for kind, things in (("zones", scene.zones), ("facts", scene.facts)):
        names = [(thing.label, thing.seat) for thing in things]
        if len({*names}) < len(names):
            (label, seat), count = Counter(names).most_common(1)[0]
            raise Broken(f"the {view} has {count} {kind} {_named(label, seat)}")
    for fact in scene.facts:
        if fact.role not in _ROLES:
            at = f"in the {view}, fact {_named(fact.label, fact.seat)}"
            raise Broken(f"{at}: role is {fact.role!r}, not one of {_listed(_ROLES)}")
    for zone in scene.zones:
        for number, card in enumerate(zone.cards, 1):
            if (card.colour or card.sign) and (wrong := _wrong_look(card)):
                at = f"in the {view}, zone {_named(zone.label, zone.seat)}, card {number}"
                raise Broken(f"{at}: {wrong}")


def _wrong_look(card: Face) -> str:
    """Returns what no board can draw of a card; empty for nothing."""
    if card.colour not in _COLOURS:
        return f"colour is {card.colour!r}, not one of {_listed(_COLOURS)}"
    if isinstance(card.sign, str) and _is_path(card.sign):
        return ""
    return f"sign is {card.sign!r:.60}, not the path of an SVG"


@lru_cache(1024)  # a deck has few signs, and each is seen again and again
def _is_path(sign: str) -> bool:
    return _PATH.fullmatch(sign) is not None


def check_held(held: Sequence[Scene], seats: int, overs: set[str], end: State[Any] | None) -> None:
    """Each end has one scene, with a verdict that agrees with the returns of a match.

    Args:
        overs: The names of earlier ends of the match; later ones are added.
        end: The match's last state; ``None`` before the end.
    """
    for scene in held:
        demand(isinstance(scene, Scene), f"what is held is a {type(scene).__name__}, not a Scene")
        verdict = scene.verdict
        demand(verdict is not None, "a held scene has no verdict")
        assert verdict is not None
        check_form(scene, f"held scene of {verdict.over}")
        demand(scene.turn is None, f"in the held scene of {verdict.over} turn is {scene.turn}")
        demand(verdict.over not in overs, f"two scenes are held of {verdict.over}")
        overs.add(verdict.over)
        known = sorted({*verdict.winners} & {*range(seats)}) == list(verdict.winners)
        demand(known, f"the winners of {verdict.over} are {verdict.winners}: name seats, ascending")
    if end is None:
        ended = any(map(of_match, held))
        demand(not ended, "the held scenes say that the match is over, but it goes on")
        return
    closed = bool(held) and of_match(held[-1])
    demand(closed, "the last scene that is held is not that of the match")
    best = verdict_of(end.outcome()).winners
    said = held[-1].verdict.winners if held[-1].verdict else ()
    demand(said == best, f"the held scene says that {said} won the match, the returns say {best}")


def of_match(scene: Scene) -> bool:
    """Returns whether a scene shows the end of the match."""
    return scene.verdict is not None and scene.verdict.over == MATCH


def scene_difference(one: Scene, other: Scene) -> str:
    """Returns the first place in which two scenes differ, with both values; empty for none."""
    if not (found := difference(one, other)):
        return ""
    if one.verdict and other.verdict and (said := difference(one.verdict, other.verdict)):
        return f"verdict: {said}"
    return (
        _first_difference("zone", one.zones, other.zones)
        or _first_difference("fact", one.facts, other.facts)
        or difference(replace(one, zones=(), facts=()), replace(other, zones=(), facts=()))
        or found
    )


def _first_difference(kind: str, ones: Sequence[Zone | Fact], others: Sequence[Zone | Fact]) -> str:
    for number, (one, other) in enumerate(zip(ones, others, strict=False), 1):
        mine, theirs = (_named(each.label, each.seat) for each in (one, other))
        if mine != theirs:
            return f"{kind} {number} is {mine} or {theirs}"
        if isinstance(one, Zone) and isinstance(other, Zone) and (cards := _cards(one, other)):
            return f"{kind} {mine}, {cards}"
        if found := difference(one, other):
            return f"{kind} {mine}: {found}"
    for more in (ones[len(others) :], others[len(ones) :]):
        if more:
            return f"{kind} {_named(more[0].label, more[0].seat)} is in one of them only"
    return ""


def _cards(one: Zone, other: Zone) -> str:
    if len(one.cards) != len(other.cards):
        return f"{len(one.cards)} or {len(other.cards)} cards"
    for number, (mine, theirs) in enumerate(zip(one.cards, other.cards, strict=True), 1):
        if found := difference(mine, theirs):
            return f"card {number}: {found}"
    return ""


def _named(label: str, seat: int | None) -> str:
    return repr(label) if seat is None else f"{label!r} of seat {seat}"


def _listed(choices: Sequence[str]) -> str:
    return ", ".join(filter(None, choices))
