"""The worst decisions of each bot of a tournament, found in a sample of its lost matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_results.store.queries import matches

from arena.core.errors import UnknownName
from arena.core.record import MatchKey
from arena.match.decisions import assessed_steps
from arena.plugins.registry import Registry
from arena.service.boards.history import BadDecision
from arena.service.match.analysis import evaluator_of

OnSearch: TypeAlias = Callable[[int], object]
"""Called before a search, with the number of matches."""
WORST = 3
"""Decisions that a letter has."""


class Searched(msgspec.Struct, frozen=True):
    """The search for the worst decisions of one bot.

    Attributes:
        lost: Number of its lost matches.
        searched: Number of them that were searched.
        worst: The decisions that gave away most, the worst first.
    """

    lost: int
    searched: int
    worst: tuple[BadDecision, ...]


def worst_decisions(
    registry: Registry, database: Database, stored: StoredTournament, most: int, searching: OnSearch
) -> dict[int, Searched]:
    """Searches lost matches for the decisions that gave away most win probability.

    Only the game's own evaluation of decisions is used, by what the bot knew; without one nothing
    is found.

    Args:
        most: Lost matches that are searched of each bot, evenly spread over the tournament.
        searching: Called before the search.

    Returns:
        By index into the field.
    """
    lost = _lost(stored)
    wanted: dict[MatchKey, list[int]] = {}
    for index, keys in lost.items():
        for key in _spread(keys, most):
            wanted.setdefault(key, []).append(index)
    searching(len(wanted))
    found: dict[int, list[BadDecision]] = {index: [] for index in lost}
    counts = dict.fromkeys(lost, 0)
    boards = {(key.round, key.pairing) for key in wanted}
    with suppress(UnknownName):  # the game, or this version of its engine, is not installed
        game = registry.game(stored.summary.game)
        for row, played in matches(database, stored.summary.id, boards=boards):
            for index in wanted.get(row.key, ()):
                evaluator = evaluator_of(game, played.record)
                if evaluator is None:
                    continue
                counts[index] += 1
                seat = row.seats.index(index)
                for step, given in assessed_steps(game, played.record, evaluator, {seat}):
                    if given is None or step.action is None or given.given_away <= 0:
                        continue
                    found[index].append(BadDecision.of(stored.summary.id, row.key, step, given))
    return {
        index: Searched(len(keys), counts[index], _worst(found[index]))
        for index, keys in lost.items()
    }


def _lost(stored: StoredTournament) -> Mapping[int, list[MatchKey]]:
    found: dict[int, list[MatchKey]] = {}
    for key, row in stored.played.items():
        best = max(row.returns)
        for index, utility in zip(row.seats, row.returns, strict=True):
            if utility < best:
                found.setdefault(index, []).append(key)
    return found


def _spread(keys: Sequence[MatchKey], most: int) -> list[MatchKey]:
    """Returns keys evenly spread, ``most`` of them at most."""
    if len(keys) <= most:
        return [*keys]
    return [keys[number * len(keys) // most] for number in range(most)]


def _worst(found: Sequence[BadDecision]) -> tuple[BadDecision, ...]:
    return tuple(sorted(found, key=lambda each: -each.given_away)[:WORST])
