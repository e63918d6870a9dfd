"""Leaderboards as they were: after the events of a bot, and after the rounds of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena_results.board_rows import Board
from arena_results.boards import LARGE
from arena_results.database import Database
from arena_results.leaderboard import Asked, chosen, computed, reads_matches
from arena_results.queries import tournament


def boards_in_time(
    database: Database, asked: Asked, name: str, most: int
) -> Iterator[tuple[str, Board]]:
    """Yields the boards of one game and ruleset after the events of a bot, with their names.

    Events are the tournaments that it entered, as ``T3``; of a single one its rounds, as ``R2``;
    the last is ``now`` if others have played since. Of many some are left out. There are none where
    too many matches would be read again for each.

    Args:
        asked: With game and ruleset; tournaments that it rates by amount are left out.
        name: The bot's, as it was entered.
        most: Boards.
    """
    stored = [
        tournament(database, each.id)
        for each in chosen(database, asked)
        if asked.worth_of(each) is None
    ]
    read = sum(each.summary.matches for each in stored if reads_matches(each))
    own = [
        place
        for place, each in enumerate(stored)
        if any(entry.participant.name == name for entry in each.field)
    ]
    if not own or read >= LARGE:
        return
    for place in _thinned(own, most) if len(own) > 1 else ():
        yield f"T{stored[place].summary.id}", computed(database, stored[: place + 1], asked)
    if len(own) == 1:
        before, only = stored[: own[0]], stored[own[0]]
        for last in _thinned(sorted({round for round, _ in only.sums}), most):
            sums = {key: each for key, each in only.sums.items() if key[0] <= last}
            until = msgspec.structs.replace(only, sums=sums)
            yield f"R{last}", computed(database, [*before, until], asked)
    if own[-1] < len(stored) - 1:
        yield "now", computed(database, stored, asked)


def _thinned(numbers: Sequence[int], most: int) -> Sequence[int]:
    """Returns at most so many of these numbers, the last one among them."""
    return numbers[::-1][:: -(-len(numbers) // most)][::-1]


def board_by_round(database: Database, asked: Asked, rounds: Iterable[int]) -> Iterator[Board]:
    """Yields the board of one tournament after each of these rounds, by finishing orders.

    Args:
        asked: With its number.
        rounds: Each is one after which matches are stored.
    """
    assert asked.tournament is not None
    stored = tournament(database, asked.tournament)
    for last in rounds:
        sums = {key: each for key, each in stored.sums.items() if key[0] <= last}
        yield computed(database, [msgspec.structs.replace(stored, sums=sums)], asked)
