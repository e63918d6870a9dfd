"""The board of a match that a page shows first."""

from __future__ import annotations

from functools import partial

import msgspec
from arena_results.replays.views import PUBLIC
from markupsafe import Markup

from arena.pages.boards import Size
from arena.pages.replay import small_player
from arena.service.public.documents import public_match, quick_analysis, views
from arena.service.public.featured import featured_match
from arena.service.report.report import Report
from arena.web.site.lists import Place
from arena.web.site.site import Site


class Feature(msgspec.Struct, frozen=True):
    """A match that plays by itself.

    Attributes:
        board: Its board; empty where an open page has it, or gets it from the page.
        note: What is seen of it.
        page: Address of the page.
    """

    number: str
    board: Markup
    note: str
    page: str

    @property
    def anchor(self) -> str:
        """Its name on the page, by which an open page knows that it has it."""
        return f"board-{self.number.replace('.', '-')}"

    @property
    def light(self) -> Feature:
        """The same without the board, which is most of a page."""
        return msgspec.structs.replace(self, board=Markup())


def feature(site: Site, place: Place, report: Report, size: Size = "mini") -> Feature | None:
    """Returns the featured match of a tournament; ``None`` while there is none.

    Hands are open as soon as everybody may see them: when the tournament is finished.
    """
    key = featured_match(report)
    if key is None:
        return None
    number = f"{report.stored.summary.id}.{key}"
    status = report.stored.summary.status
    make = partial(_drawn, site, place, number, size)
    drawn, view = site.keep(("board", place.prefix, number, size, status), make)
    note = "finished" if view == PUBLIC else "finished, all hands open"
    return Feature(number, drawn, note, place.again())


def _drawn(site: Site, place: Place, number: str, size: Size) -> tuple[Markup, str]:
    match = public_match(site.registry, site.database, number)
    view = views(match)[-1]
    query = {} if view == PUBLIC else {"view": view}
    analysis = site.compute(quick_analysis, match.players, match.played, match.frozen, view)
    address = place.to("m", number, **query)
    return small_player(match, view, analysis=analysis, size=size, address=address), view
