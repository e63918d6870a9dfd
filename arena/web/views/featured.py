"""The board of a match that a page shows first."""

from __future__ import annotations

from functools import partial

import msgspec
from arena_results.replays.views import PUBLIC
from markupsafe import Markup

from arena.pages.boards import Size, board, draw_board
from arena.service.public.documents import public_match, views
from arena.service.public.featured import featured_match
from arena.service.report.report import Report
from arena.web.site.lists import Place
from arena.web.site.site import Site


class Feature(msgspec.Struct, frozen=True):
    """A match on its board: its names, what is seen of it, and where it is replayed."""

    board: Markup
    names: tuple[str, ...]
    note: str
    address: str


def feature(site: Site, place: Place, report: Report, size: Size = "mini") -> Feature | None:
    """Returns the featured match of a tournament; ``None`` while there is none.

    Hands are open as soon as everybody may see them: when the tournament is finished.
    """
    key = featured_match(report)
    if key is None:
        return None
    number = f"{report.stored.summary.id}.{key}"
    status = report.stored.summary.status
    make = partial(_drawn, site, number, size)
    drawn, names, view = site.keep(("board", number, size, status), make)
    note = "finished" if view == PUBLIC else "finished, all hands open"
    query = {} if view == PUBLIC else {"view": view}
    return Feature(drawn, names, note, place.to("m", number, **query))


def _drawn(site: Site, number: str, size: Size) -> tuple[Markup, tuple[str, ...], str]:
    match = public_match(site.registry, site.database, number)
    view = views(match)[-1]
    *_, last = match.moments(view)
    return draw_board(board(last.scene, match.names), size=size), match.names, view
