"""Rulesets of OpenSpiel's games: a row of parameters, and the game that OpenSpiel makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from arena.core.errors import BadInput
from arena.core.ruleset import Ruleset
from arena.core.text.parsing import Value
from arena_openspiel.catalogue import Entry, catalogue
from arena_openspiel.facts import facts_of
from arena_openspiel.library import SpielGame, SpielState, changed, load_game

CHOICES: Mapping[str, tuple[str, ...]] = {
    "bidding_rule": ("reset-face", "reset-quantity"),
    "obstype": ("reveal-nothing", "reveal-numturns"),
}
"""The values of those options whose values are words, which OpenSpiel does not declare."""


class SpielRules(Ruleset, frozen=True, kw_only=True):
    """A ruleset of one game; a game with options has a subclass with a field for each."""

    def parameters(self) -> dict[str, Value]:
        """Returns the options as OpenSpiel takes them."""
        return {
            field: getattr(self, field)
            for field in self.__struct_fields__
            if field not in SpielRules.__struct_fields__
        }


def standard_row(name: str, entry: Entry) -> SpielRules:
    """Returns the ruleset with OpenSpiel's own parameters."""
    kind: Any = SpielRules
    if entry.options:
        fields = [(key, _kind(key, value), value) for key, value in entry.options.items()]
        kind = msgspec.defstruct(
            f"Rules_{name}", fields, bases=(SpielRules,), frozen=True, kw_only=True
        )
    row: SpielRules = kind(name="standard", source=f"OpenSpiel, {name}")
    return row


def _kind(option: str, value: Value) -> Any:  # noqa: ANN401 - a type
    literal: Any = Literal
    return literal[CHOICES[option]] if option in CHOICES else type(value)


@cache
def loaded(name: str, rules: SpielRules, seats: int) -> SpielGame:
    """Returns the game that OpenSpiel plays under a ruleset.

    Raises:
        BadInput: OpenSpiel refuses the options.
        BadPlugin: OpenSpiel is not installed.
    """
    return load_game(name, _parameters(name, rules, seats))


def _parameters(name: str, rules: SpielRules, seats: int) -> dict[str, Value]:
    players = catalogue()[name].players
    table = {players: seats, **facts_of(name).by_seats(seats)} if players else {}
    return rules.parameters() | table


@cache
def _start(name: str, rules: SpielRules, seats: int) -> SpielState:
    return loaded(name, rules, seats).new_initial_state()


def started(name: str, rules: SpielRules, seats: int) -> SpielState:
    """Returns a state before the deal, a copy, which in some games costs far less than a new one.

    Raises as ``loaded`` does.
    """
    return _start(name, rules, seats).clone()


@cache
def try_deal(name: str, rules: SpielRules, seats: int) -> None:
    """Deals one match under a ruleset, as a check of its options.

    Raises:
        BadInput: OpenSpiel refuses the options, or has too few cards for them.
        BadPlugin: OpenSpiel is not installed.
    """
    spiel = started(name, rules, seats)
    while spiel.is_chance_node():
        ids = spiel.legal_actions()
        if not ids:
            given = changed(name, _parameters(name, rules, seats))
            raise BadInput(f"{name}: OpenSpiel cannot deal {given} to {seats} seats")
        spiel.apply_action(ids[0])
