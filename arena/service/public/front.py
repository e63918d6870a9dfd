"""Reads the first page's content: featured match, running events, the last champions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

import msgspec
from arena_bots.uniform_random import UniformRandom
from arena_results.file.database import Database
from arena_results.replays.views import replay_view, view_named
from arena_results.schema.rows import MatchRow, Status, TournamentSummary
from arena_results.store.queries import matches, tournament, tournaments

from arena.core.outcome import RULE_ENDINGS
from arena.core.record import PlayedMatch
from arena.core.scene import Scene
from arena.core.table import Table
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.registry import Registry
from arena.service.match.listing import decisions
from arena.service.public.documents import public_report
from arena.service.report.report import Report
from arena.service.report.tables.standings import short_table, standing_table, with_running

NEWEST = 200
"""Matches of which the closest is featured."""
TOURNAMENTS = 8
"""Finished tournaments at most in which these are looked for."""
CHAMPIONS = 3
"""Champions that are named."""
LEADING = ("rank", "name", "score", "mean_amount", "this_round")
"""Columns of the standings that the leaders of an event have."""


class Featured(msgspec.Struct, frozen=True, kw_only=True):
    """The match that is shown first.

    Attributes:
        match: Its number, ``TOURNAMENT.ROUND.PAIRING.MATCH``.
        why: Why it is this one, without its result.
    """

    match: str
    why: str
    tournament: int
    event: str
    round: int


class Champion(msgspec.Struct, frozen=True, kw_only=True):
    """The winner of a finished tournament; several names where the first place is shared."""

    names: tuple[str, ...]
    tournament: int
    event: str
    finished: datetime | None


def event_name(about: TournamentSummary) -> str:
    """Returns the name of a tournament for people."""
    return about.name or f"tournament {about.id}"


def newest(known: Sequence[TournamentSummary]) -> list[TournamentSummary]:
    """Returns the finished tournaments with matches that are rated, the newest first."""
    over = [each for each in known if each.status is Status.FINISHED and each.rated]
    played = [each for each in over if each.matches and each.finished_at]
    return sorted(played, key=lambda each: (each.finished_at, each.id), reverse=True)


def featured(database: Database) -> Featured | None:
    """Returns the closest of the newest matches that ended by the rules; ``None`` without one.

    They are of finished tournaments, of which all hands may be shown.

    That is the one with the smallest margin between the two best scores, as a share of all scores;
    of equals the one with the most decisions, and then the newest.
    """
    finished = newest(tournaments(database))
    found = [*islice(_newest_matches(database, finished), NEWEST)]
    ended = [each for each in found if each[1].termination in RULE_ENDINGS and not each[1].expelled]
    if not ended:
        return None
    about, row, _ = min(ended, key=_closeness)
    many = f"the last {len(found)} matches" if len(found) > 1 else "all matches"
    return Featured(
        match=f"{about.id}.{row.key}",
        why=f"The closest of {many}",
        tournament=about.id,
        event=event_name(about),
        round=row.key.round,
    )


def _newest_matches(
    database: Database, finished: Sequence[TournamentSummary]
) -> Iterator[tuple[TournamentSummary, MatchRow, PlayedMatch]]:
    """Yields matches of the newest tournaments, the last round first."""
    for about in finished[:TOURNAMENTS]:
        for made in reversed(tournament(database, about.id, matches=False).rounds):
            for row, played in matches(database, about.id, made.number):
                yield about, row, played


def _closeness(found: tuple[TournamentSummary, MatchRow, PlayedMatch]) -> tuple[float, int]:
    _, row, played = found
    best, second, *_ = sorted(row.scores, reverse=True)
    return (best - second) / (sum(map(abs, row.scores)) or 1), -decisions(played)


def opening(registry: Registry) -> tuple[Scene, tuple[str, ...]]:
    """Returns a table that has just been laid, as its first seat sees it, with the names there."""
    game = registry.games()[0]
    seats = min(game.seats)
    record, _ = play_inline(
        game, game.ruleset(), 1, 1, [UniformRandom] * seats, ["bot"] * seats, Limits()
    )
    first = replay_view(game, record, view_named("seat0", seats), "").moments[0]
    return first.scene, ("You", *("a bot" for _ in range(seats - 1)))


def champion(registry: Registry, database: Database, about: TournamentSummary) -> Champion:
    """Returns who won a finished tournament."""
    table = public_report(registry, database, about.id).table
    return Champion(
        names=tuple([line.name for line in table if line.rank == 1]),
        tournament=about.id,
        event=event_name(about),
        finished=about.finished_at,
    )


def leading(report: Report, most: int) -> Table:
    """Returns the first in the standings of a tournament, with the points of its round so far."""
    table = short_table(standing_table(with_running(report)))
    rows = [*table.rows][:most]
    own = {each.key: each for each in table.columns}
    columns = tuple([own[key] for key in LEADING if key in own])
    return Table(
        title=f"Leaders of {event_name(report.stored.summary)}", columns=columns, rows=rows
    )
