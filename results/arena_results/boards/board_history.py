"""Leaderboards as they were: after the events of a bot, and after the rounds of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arena_results.boards.board_rows import Board
from arena_results.boards.boards import LARGE
from arena_results.boards.leaderboard import Asked, chosen, computed, reads_matches
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_results.store.queries import tournament


class Played(msgspec.Struct, frozen=True):
    """A tournament of a leaderboard.

    Attributes:
        names: The names of its field, as they were entered.
        rounds: The rounds with stored matches, ascending.
        read: Number of its matches that are read for a board; 0 if its sums suffice.
    """

    tournament: int
    names: frozenset[str]
    rounds: tuple[int, ...]
    read: int


class Event(msgspec.Struct, frozen=True):
    """A time for which a leaderboard is computed.

    Attributes:
        label: ``T3`` is after tournament 3, ``R2`` after round 2, ``now`` after everything.
        tournaments: The numbers of the tournaments until then.
        rounds: The last counted round of the last tournament; ``None`` for all.
    """

    label: str
    tournaments: tuple[int, ...]
    rounds: int | None = None


def played(database: Database, asked: Asked) -> tuple[Played, ...]:
    """Returns the tournaments of one leaderboard, by number.

    Args:
        asked: With game and ruleset; tournaments that it rates by amount are left out.
    """
    found = []
    for each in chosen(database, asked):
        if asked.worth_of(each) is None:
            stored = tournament(database, each.id)
            names = frozenset([entry.participant.name for entry in stored.field])
            read = each.matches if reads_matches(stored) else 0
            found.append(Played(each.id, names, _rounds(stored), read))
    return tuple(found)


def _rounds(stored: StoredTournament) -> tuple[int, ...]:
    return tuple(sorted({round for round, _ in stored.sums}))


def events(of: Sequence[Played], name: str, most: int) -> list[Event]:
    """Returns the events of a bot.

    They are the tournaments that it entered, as ``T3``; of a single one its rounds, as ``R2``;
    the last is ``now`` if others have played since. Of many some are left out. There are none where
    too many matches would be read again for each.

    Args:
        name: The bot's, as it was entered.
        most: Events.
    """
    own = [place for place, each in enumerate(of) if name in each.names]
    if not own or sum(each.read for each in of) >= LARGE:
        return []
    numbers = tuple([each.tournament for each in of])
    found = []
    if len(own) == 1:
        until = numbers[: own[0] + 1]
        rounds = _thinned(of[own[0]].rounds, most)
        found += [Event(f"R{last}", until, last) for last in rounds]
    else:
        found += [Event(f"T{numbers[at]}", numbers[: at + 1]) for at in _thinned(own, most)]
    if own[-1] < len(of) - 1:
        found.append(Event("now", numbers))
    return found


def _thinned(numbers: Sequence[int], most: int) -> Sequence[int]:
    """Returns at most that many of these numbers, the last one among them."""
    return numbers[::-1][:: -(-len(numbers) // most)][::-1]


def boards_at(database: Database, asked: Asked, events: Iterable[Event]) -> list[Board]:
    """Returns the leaderboard at each of some events."""
    read: dict[int, StoredTournament] = {}
    found = []
    for event in events:
        for number in event.tournaments:
            if number not in read:
                read[number] = tournament(database, number)
        *before, last = [read[number] for number in event.tournaments]
        if event.rounds is not None:
            sums = {key: each for key, each in last.sums.items() if key[0] <= event.rounds}
            last = msgspec.structs.replace(last, sums=sums)
        found.append(computed(database, [*before, last], asked))
    return found
