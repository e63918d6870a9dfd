"""Compares a submitted version of a bot with the version that was submitted before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena_results.bots.submissions import submissions
from arena_results.file.database import Database

from arena.service.boards.versions import VersionChange, unplayed_change, version_changes

if TYPE_CHECKING:
    from arena_results.boards.board_rows import Board


def submitted_changes(
    database: Database, name: str, version: str, boards: Callable[[], Sequence[Board]] = tuple
) -> tuple[VersionChange, ...]:
    """Compares a version with the last one before it; a first version with none.

    Args:
        boards: Computes the leaderboards, with a row for every version. A version that was just
            submitted is on none.
    """
    stored = [each for each in submissions(database, name) if each.name == name]
    numbers = [each.version for each in stored]
    if version not in numbers or not (place := numbers.index(version)):
        return ()
    if found := version_changes(boards(), name, version):
        return tuple(found)
    pair = numbers[place - 1], version
    return tuple([unplayed_change(game, "", name, pair) for game in stored[place].games])
