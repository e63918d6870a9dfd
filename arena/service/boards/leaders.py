"""The best of a leaderboard, with how their ratings have changed since its last event."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from arena_results.boards.board_history import Event, Played
from arena_results.boards.board_rows import Board
from arena_results.boards.boards import LARGE
from arena_results.boards.leaderboard import Asked

from arena.core.table import Change, Column, Row, Table, known_values
from arena.service.boards.kept import Boards
from arena.service.boards.table import board_columns, board_row

LEADERS = 5
"""Bots that are leaders."""
LATELY = 4
"""Changes of a leaderboard of one tournament are over the last quarter of its rounds."""
KEYS = ("rank", "name", "rating")
"""Columns of a leaderboard that leaders have, too."""


class Since(msgspec.Struct, frozen=True):
    """The time since which changes of ratings are shown.

    Attributes:
        event: The leaderboard as it was then.
        head: Heading of the changes.
        hint: The same in full.
    """

    event: Event
    head: str
    hint: str


def leaders_table(boards: Boards, board: Board, asked: Asked, most: int = LEADERS) -> Table:
    """Returns the best of a leaderboard; changes that are not known are left out.

    Args:
        asked: The request for this leaderboard.
    """
    since = None if board.unit else since_last(boards.played(asked))
    before = {}
    if since is not None:
        (then,) = boards.at(asked, [since.event])
        before = {row.participant: row for row in then.rows if not row.few and row.component == 1}
    rows: list[Row] = []
    for each in board.rows[:most]:
        old = None if each.few or each.component > 1 else before.get(each.participant)
        change = None if old is None else round(each.rating) - round(old.rating)
        rows.append(board_row(each) | {"change": change})
    own = {each.key: each for each in board_columns(rows) if each.key in KEYS}
    own["rank"] = msgspec.structs.replace(own["rank"], cell=None)
    if not board.unit:
        own["rating"] = msgspec.structs.replace(own["rating"], digits=0)
    columns = [own[key] for key in KEYS]
    if since is not None:
        columns.append(change_column(since.head, since.hint))
    return Table(title=f"{board.game}, {board.ruleset}: leaders", columns=(*columns,), rows=rows)


def change_column(head: str, hint: str) -> Column:
    """Returns the column of changes of ratings."""

    def cell(row: Row) -> Change | None:
        return None if row["change"] is None else Change(row["change"])

    when = known_values("change")
    return Column("change", head, right=True, type="integer", hint=hint, cell=cell, when=when)


def since_last(of: Sequence[Played]) -> Since | None:
    """Returns the time before the last event of a leaderboard.

    That is its last tournament; of a single one, the last of its rounds. There is none if it has
    had one event only, or too many matches would be read again.
    """
    if not of or sum(each.read for each in of) >= LARGE:
        return None
    *earlier, last = of
    if earlier:
        event = Event(f"T{earlier[-1].tournament}", tuple([each.tournament for each in earlier]))
        return Since(event, "last event", f"change by tournament {last.tournament}")
    if len(last.rounds) < 2:
        return None
    lately = max(1, len(last.rounds) // LATELY)
    before = last.rounds[-lately - 1]
    event = Event(f"R{before}", (last.tournament,), before)
    rounds = f"change by the last {lately} rounds" if lately > 1 else "change by the last round"
    return Since(event, "lately", rounds)
