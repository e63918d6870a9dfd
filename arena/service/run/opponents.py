"""The bots that a person may play against, each with a difficulty from very easy to very hard.

The difficulty of a bot follows from its rating, where a leaderboard of the game knows it well
enough; else it is the one that the bot declares (``BotEntry.level``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from statistics import median

import msgspec
from arena_results.boards.board_rows import LeaderboardRow
from arena_results.boards.leaderboard import Asked
from arena_results.bots.submissions import SubmissionStatus, submissions
from arena_results.file.database import Database

from arena.core.errors import UnknownName
from arena.plugins.entries import LEVELS
from arena.plugins.registry import Registry
from arena.service.boards.kept import Boards

STEPS = (-150.0, -50.0, 50.0, 150.0)
"""Points above the median of the game's rated bots, between one difficulty and the next."""
MIN_RATED = 5
"""Rated bots from which on ratings make difficulties: fewer have no middle."""
WIDEST = 150.0
"""Points of an interval, to each side, beyond which a rating says too little."""


class Opponent(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that a person may play against.

    Attributes:
        name: Its name as typed.
        about: Its description in one line; empty without one.
        level: From 1, very easy, to 5, very hard; 0 if it is not known.
    """

    name: str
    about: str = ""
    level: int = 0

    @property
    def difficulty(self) -> str:
        """The level in words."""
        return LEVELS[self.level]


def opponents(
    registry: Registry, database: Database, boards: Boards, game: str, *, submitted: bool
) -> list[Opponent]:
    """Returns the built-in bots, and the enabled submitted bots, that play a game, easiest first.

    Args:
        boards: The leaderboards of the database.
        submitted: Whether submitted bots are among them.
    """
    rated = _rated(boards, game)
    found = [*_house(registry, game, rated)]
    if submitted:
        found += _submitted(database, game, rated)
    return sorted(found, key=lambda each: each.level or len(LEVELS))


def medium(found: list[Opponent]) -> Opponent | None:
    """Returns the opponent of a new player: of medium difficulty, or next to it."""
    return min(found, key=lambda each: abs((each.level or 9) - 3), default=None)


def _house(registry: Registry, game: str, rated: Mapping[str, int]) -> Iterator[Opponent]:
    for bot in registry.bots():
        if bot.is_opponent(game):
            level = rated.get(bot.name, bot.level)
            yield Opponent(name=bot.name, about=bot.summary, level=level)


def _submitted(database: Database, game: str, rated: Mapping[str, int]) -> Iterator[Opponent]:
    for each in submissions(database):
        if each.status is SubmissionStatus.ENABLED and game in each.games:
            about = f"by {each.author}" if each.author else ""
            level = rated.get(each.spelling, rated.get(each.name, 0))
            yield Opponent(name=each.spelling, about=about, level=level)


def _rated(boards: Boards, game: str) -> dict[str, int]:
    """Returns the levels of the bots of the game's largest leaderboard, by name and version."""
    try:
        found = boards.now(Asked(game=game), amounts=False)
    except UnknownName:  # no match of the game is stored
        return {}
    rows = max((board.rows for board in found), key=len, default=())
    known = [row for row in rows if row.high - row.low <= 2 * WIDEST and row.component == 1]
    if len(known) < MIN_RATED:
        return {}
    middle = median(row.rating for row in known)
    return dict(chain.from_iterable(_named(row, _level(row.rating - middle)) for row in known))


def _level(above: float) -> int:
    return 1 + sum(above > step for step in STEPS)


def _named(row: LeaderboardRow, level: int) -> Iterator[tuple[str, int]]:
    who = row.participant
    yield from ((name, level) for name in (who.name, f"{who.name}@{who.version}"))
