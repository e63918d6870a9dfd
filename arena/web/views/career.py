"""The page of a visitor's career: the purse, the rivals, and the matches so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from arena.core.table import Table as Rows
from arena.service.run.person.career import (
    ending_of,
    level_of,
    match_table,
    open_rivals,
    rival_table,
)
from arena.service.run.person.career_file import Career
from arena.web.site.lists import Place
from arena.web.views.table import table_link
from arena.web.views.view import View

if TYPE_CHECKING:
    from arena.web.site.tables import Table


def career_view(
    place: Place, career: Career | None, tables: Sequence[Table], refused: str = ""
) -> View:
    """Shows a career, or the form that begins one.

    Args:
        career: The visitor's; ``None`` without one.
        tables: The visitor's tables at which a match of it is played.
        refused: Why the wish cannot be granted.
    """
    playing = [table_link(each, place) for each in tables]
    return View(
        title="Career",
        description="A career: a purse, wagers, and rivals of growing strength",
        template="career",
        values={
            "action": place.to("play", "career"),
            "file": place.to("play", "career", "file"),
            "new": place.to("play"),
            "career": career,
            "level": level_of(career) if career else 0,
            "ending": ending_of(career) if career else "",
            "open": open_rivals(career) if career else (),
            "tables": [rival_table(career), *_matches(career)] if career else [],
            "playing": playing[:1],
            "refused": refused,
        },
        section="/play",
        styles=("board.css", "play.css"),
    )


def _matches(career: Career) -> Iterator[Rows]:
    """Yields the table of the matches, the newest first, if there are any."""
    if career.matches:
        table = match_table(career)
        yield structs.replace(table, rows=[*table.rows][::-1])
