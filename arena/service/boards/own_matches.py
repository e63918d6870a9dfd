"""The stored matches of one bot, the newest first."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import EntryRow, MatchRow, Status, StoredTournament
from arena_results.store.queries import matches, tournament, tournaments

from arena.core.record import PlayedMatch
from arena.core.text.parsing import parse_call, split_loadout, split_version
from arena.service.match.listing import is_named


class OwnMatch(msgspec.Struct, frozen=True):
    """A match of a bot, once for each seat that it had.

    Attributes:
        tournament: Its tournament, without matches.
    """

    tournament: StoredTournament
    seat: int
    row: MatchRow
    played: PlayedMatch

    @property
    def number(self) -> str:
        """The number of the match, with its tournament."""
        return f"{self.tournament.summary.id}.{self.row.key}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return tuple([self.tournament.names[index] for index in self.row.seats])


def own_matches(
    database: Database, bot: str, *, finished: bool = False, rated: bool = False
) -> Iterator[OwnMatch]:
    """Yields the matches of a bot, the newest tournaments, rounds and matches first.

    Args:
        bot: ``NAME`` or ``NAME@VERSION``, with any parameters and loadout.
        finished: Only rated matches of finished tournaments, which are public.
        rated: Only rated matches, which exhibitions are not.
    """
    for summary in reversed(tournaments(database)):
        if (finished or rated) and not summary.rated:
            continue
        if finished and summary.status is not Status.FINISHED:
            continue
        stored = tournament(database, summary.id, matches=False)
        own = {index for index, entry in enumerate(stored.field) if is_bot(entry, bot)}
        boards = [
            (made.number, number)
            for made in stored.rounds
            for number, pairing in enumerate(made.pairings, 1)
            if not own.isdisjoint(pairing.seats)
        ]
        if not boards:
            continue
        for row, played in matches(database, summary.id, boards=boards, newest=True):
            for seat, index in enumerate(row.seats):
                if index in own:
                    yield OwnMatch(stored, seat, row, played)


def is_bot(entry: EntryRow, bot: str) -> bool:
    """Returns whether an entry is a version of a bot, with any parameters."""
    name, version = split_version(bot)
    participant = entry.participant
    plain = parse_call(split_loadout(participant.name)[0])[0]
    return is_named(entry, bot) or (plain == name and version in ("", participant.version))
