"""The page of a visitor's career: the purse, the rivals, and the matches so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from arena.web.site.lists import Place
from arena.web.views.table import table_link
from arena.web.views.view import View

if TYPE_CHECKING:
    from arena.web.site.tables import Table


def career_view(
    place: Place, document: Mapping[str, object] | None, tables: Sequence[Table], refused: str = ""
) -> View:
    """Shows a career, or the form that begins one.

    Args:
        document: The career as JSON values; ``None`` without one.
        tables: The visitor's tables of careers.
        refused: Why what was asked for cannot be done.
    """
    playing = [table_link(each, place) for each in tables if not each.shown.over]
    return View(
        title="Career",
        description="A career at Pazaak: a purse, wagers, and rivals of growing strength",
        template="career",
        values={
            "action": place.to("play", "career"),
            "file": place.to("play", "career", "file"),
            "new": place.to("play"),
            "career": document,
            "playing": playing[:1],
            "refused": refused,
        },
        section="/play",
        styles=("board.css", "play.css"),
    )
