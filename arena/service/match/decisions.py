"""The decisions of stored matches as rows: action, value, cost, best action."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

from arena_results.file.database import Database

from arena.core.record import MatchKey
from arena.core.table import Column, Table
from arena.plugins.registry import Registry
from arena.service.answers.rows import Row
from arena.service.match.analysis import MISTAKE, Decision
from arena.service.match.listing import Wanted, find_matches, has_name
from arena.service.match.replays import Match, replay_command, stored_match

COLUMNS = (
    Column("match", "match", names="match"),
    *(Column(key) for key in ("tournament", "round", "pairing", "leg")),
    Column("move", "move", right=True),
    Column("seat", "seat", right=True),
    Column("name", "bot", names="bot"),
    Column("action", "action"),
    Column("value", "value", right=True, unit="%", hint="win probability after it"),
    Column("given_away", "given away", right=True, unit="%", hint="win probability that it cost"),
    Column("better", "better"),
    Column("mistake", "mistake"),
    Column("replay"),
)  # fmt: skip
"""The columns of decisions."""
MATCHES = 200
"""Matches of which programs get the decisions unless they ask for more."""


def decision_table(
    registry: Registry,
    database: Database,
    wanted: Wanted,
    limit: int | None,
    mistakes: float = MISTAKE,
    *,
    learned: bool = True,
) -> tuple[Table, bool]:
    """Returns the decisions of matches, and whether there are more matches than the limit.

    Args:
        wanted: The matches; of one with a bot, only the decisions of that bot.
        limit: At most that many matches, the first ones; ``None`` for all.
        mistakes: Win probability that a mistake gives away at least.
        learned: Whether learned values may evaluate decisions, which takes seconds per match.

    Raises:
        BadInput: There is no such tournament, bot or round.
    """
    _, found = find_matches(database, wanted)
    rows: list[Row] = []
    with closing(found):
        for place in islice(found, limit):
            key = MatchKey(place["round"], place["pairing"], place["leg"])
            match = stored_match(registry, database, place["tournament"], key)
            rows += _rows(match, place["tournament"], key, wanted, mistakes, learned=learned)
        more = next(found, None) is not None
    return Table(title="Decisions", columns=COLUMNS, rows=rows), more


def _rows(
    match: Match, tournament: int, key: MatchKey, wanted: Wanted, mistakes: float, *, learned: bool
) -> Iterator[Row]:
    own = {
        seat
        for seat, player in enumerate(match.players)
        if not wanted.bot or has_name(player, wanted.bot)
    }
    analysis = match.known_analysis("all", mistakes, learned=learned)
    taken = analysis.decisions if analysis else tuple(_bare(match))
    for each in taken:
        if each.seat in own:
            yield {
                "match": match.number,
                "tournament": tournament,
                "round": key.round,
                "pairing": key.pairing,
                "leg": key.leg,
                "move": each.move,
                "seat": each.seat,
                "name": match.names[each.seat],
                "action": each.action,
                "value": each.value[each.seat] if each.value else None,
                "given_away": each.given_away,
                "better": each.better or None,
                "mistake": None if each.given_away is None else each.is_mistake(mistakes),
                "replay": replay_command(tournament, key, each.move),
            }


def _bare(match: Match) -> Iterator[Decision]:
    """Yields the decisions of a match of a game without win probabilities."""
    for step in match.states():
        if step.seat is not None and step.action is not None:
            yield Decision(step.move, step.seat, step.action.text, (), None, "")
