"""Compares a leaderboard that is stored (``boards``) with the one that the matches give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from math import isclose

import msgspec

from arena.core.described import described
from arena.core.tournaments.rating import RatingSystem
from arena_results.boards.board_rows import Board, LeaderboardRow
from arena_results.boards.boards import basis, is_kept, kept_rows
from arena_results.boards.leaderboard import Asked, chosen, computed
from arena_results.file.database import Database
from arena_results.store.queries import tournament

CLOSE = 1e-6
"""Share by which numbers may differ: another machine adds them up in another order."""
_ROUNDED = {"rating", "low", "high", "error", "score"}
"""Columns that are rounded to hundredths, of which equal ones may differ by one."""
_HUNDREDTH = 0.0101


def altered_board(
    database: Database, game: str, ruleset: str, systems: Iterable[RatingSystem]
) -> str:
    """Returns the first difference of the leaderboard that is stored of a game and ruleset.

    It is empty without one, or nothing is stored that one of the systems would show.
    """
    if not is_kept(database, game, ruleset):
        return ""
    asked = Asked(game=game, ruleset=ruleset)
    played = [tournament(database, each.id) for each in chosen(database, asked)]
    for system in systems:
        kept = kept_rows(database, game, ruleset, basis(played, system))
        if kept is not None:
            asked = msgspec.structs.replace(asked, system=system)
            return _difference(kept, computed(database, played, asked))
    return ""


def _difference(kept: bytes, board: Board) -> str:
    try:
        found = msgspec.msgpack.decode(kept, type=described(Board))
    except msgspec.DecodeError:  # a ValidationError is one, too
        return "its rows are not a leaderboard"
    pairs = zip_longest(found.rows, board.rows)
    changes = (change for ours, theirs in pairs for change in _changes(ours, theirs))
    for name in Board.__struct_fields__:
        if name != "rows" and not _same(getattr(found, name), getattr(board, name)):
            return next(changes, f"its {name} is not that of its matches")
    return next(changes, "")


def _changes(found: LeaderboardRow | None, right: LeaderboardRow | None) -> Iterator[str]:
    if found is None or right is None:
        row = found or right
        assert row is not None
        yield f"{_label(row)} {'has no match' if found else 'is missing'}"
    elif found.participant != right.participant:
        yield f"{_label(found)} is in the place of {_label(right)}"
    else:
        for name in LeaderboardRow.__struct_fields__:
            off = _HUNDREDTH if name in _ROUNDED else CLOSE
            if not _same(getattr(found, name), getattr(right, name), off):
                yield f"{name} of {_label(right)} is not that of its matches"


def _label(row: LeaderboardRow) -> str:
    return f"{row.participant.name}@{row.participant.version}"


def _same(one: object, other: object, off: float = CLOSE) -> bool:
    """Returns whether two values are equal, as far as machines compute alike."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=CLOSE, abs_tol=off)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other
