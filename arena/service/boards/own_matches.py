"""The stored matches of one bot, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import EntryRow, MatchRow, Status, StoredTournament
from arena_results.store.queries import matches, tournament, tournaments

from arena.core.record import PlayedMatch
from arena.core.text.parsing import parse_call, split_loadout, split_version
from arena.service.answers.rows import Row
from arena.service.match.listing import FoundMatch, Wanted, is_named, match_line

SEARCHED = 10_000
"""Newest matches that are searched for the wanted ones."""


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

    @property
    def result(self) -> str:
        """``won``, ``drawn`` or ``lost``; at tables a bot wins by finishing first, unshared."""
        best = max(self.row.returns)
        if self.row.returns[self.seat] < best:
            return "lost"
        return "drawn" if self.row.returns.count(best) > 1 else "won"

    def fits(self, wanted: Wanted) -> bool:
        """Returns whether it is wanted: by its result, cause, opponent and tournament."""
        about, row = self.tournament.summary, self.row
        causes = {row.termination.value, *(fault.cause.value for fault in row.expelled)}
        return (
            wanted.tournament in (None, about.id)
            and wanted.result in ("", self.result)
            and (not wanted.cause or wanted.cause in causes)
            and (
                not wanted.against
                or any(
                    seat != self.seat and is_named(self.tournament.field[index], wanted.against)
                    for seat, index in enumerate(row.seats)
                )
            )
        )


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


def own_match_rows(
    database: Database, bot: str, wanted: Wanted, most: int, *, finished: bool = False
) -> list[Row]:
    """Returns the rows of a bot's newest rated matches that are wanted, as of ``arena matches``.

    Args:
        wanted: Result, cause, opponent and tournament; its bot does not matter.
        most: At most that many.
        finished: Only matches of finished tournaments.
    """
    every = own_matches(database, bot, finished=finished, rated=True)
    fitting = (each for each in islice(every, SEARCHED) if each.fits(wanted))
    chosen = [*{each.number: each for each in islice(fitting, most)}.values()]
    seats = max((len(each.row.seats) for each in chosen), default=2)
    return [
        match_line(FoundMatch(each.tournament, each.tournament.names, each.row, each.played), seats)
        for each in chosen
    ]


def is_bot(entry: EntryRow, bot: str) -> bool:
    """Returns whether an entry is a version of a bot, with any parameters."""
    name, version = split_version(bot)
    participant = entry.participant
    plain = parse_call(split_loadout(participant.name)[0])[0]
    return is_named(entry, bot) or (plain == name and version in ("", participant.version))
