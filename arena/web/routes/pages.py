"""The pages of the site, a row for each address."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from itertools import chain
from typing import TypeAlias

import msgspec
from markupsafe import Markup
from msgspec import structs
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from arena.core.errors import UnknownName
from arena.pages import replay
from arena.pages.page import Asset, Link, Page
from arena.pages.templates import asset, render
from arena.web.site.guard.errors import Problem
from arena.web.site.guard.settings import Settings, below
from arena.web.site.lists import Place, parameters
from arena.web.site.live import Content
from arena.web.site.site import Site
from arena.web.views.bot import FILTERS, TAB, bot
from arena.web.views.bot import LISTS as BOT_LISTS
from arena.web.views.home import home
from arena.web.views.leaderboard import FINAL, board, season
from arena.web.views.match import match, match_with_transcript, stamp
from arena.web.views.overview import SHOW, bots, events, leaders
from arena.web.views.projector import projector
from arena.web.views.tournament import (
    DETAIL,
    charts,
    crosstable,
    matches,
    rounds,
    rulings,
    tournament,
    why,
)
from arena.web.views.view import View, moment

LISTED = parameters()
"""Parameters of every list."""
OWN_STYLES = (
    *("site.css", "home.css", "bot.css", "large.css", "projector.css", "play.css"),
    "organiser.css",
)
"""Style sheets of ``static``."""
OWN_SCRIPTS = ("table.js",)
"""Scripts of ``static`` that are ours."""
STYLES = ("style.css", "site.css")
"""Style sheets of every page but a match's."""
EVENT_STYLES = ("event.css",)
"""Style sheets of tournaments, which reports have as well."""
LIVE_SCRIPTS = ("htmx.min.js", "hx-sse.min.js")
"""Files of ``static`` that live pages load, in this order."""
FORMER = "boards"
"""Name that the list of leaderboards had on the first page."""
SEASON = "/league"
"""The page of a league's season, which a site without a league does not have."""
Make: TypeAlias = Callable[[Site, Place], View]
Draw: TypeAlias = Callable[[Site, Place, Page], str]


class PageRoute(msgspec.Struct, frozen=True):
    """One address of the site.

    Attributes:
        make: Makes its content; ``None`` for a page that is drawn as a whole.
        parameters: Allowed parameters of its query.
        live: Whether an open page is updated.
        ahead: Whether it is drawn after a change before visitors ask again.
        draw: Draws it as a whole, in the frame of the site.
        stamp: Returns its inputs, where that is faster than drawing it.
        moved: Returns where the content of an address is now; empty if it is here.
        private: Draws it as a whole for an organiser, with the transcripts of language models.
    """

    path: str
    make: Make | None
    parameters: tuple[str, ...] = ()
    live: bool = False
    ahead: bool = False
    draw: Draw | None = None
    stamp: Callable[[Site, Mapping[str, str]], object] | None = None
    moved: Callable[[Place], str] | None = None
    private: Draw | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The names of the variable parts of the path."""
        return tuple(re.findall(r"{(\w+)", self.path))


def moved(place: Place) -> str:
    """Returns the address of a list that was on the first page."""
    boards = {key: each for key, each in place.query.items() if key.startswith(f"{FORMER}-")}
    events = {key: each for key, each in place.query.items() if key not in boards}
    if events:
        return place.to("events", **events)
    own = {key.removeprefix(f"{FORMER}-"): each for key, each in boards.items()}
    return place.to("leaders", **own) if own else ""


PAGES = (
    PageRoute("/", home, (*LISTED, *parameters(FORMER), SHOW), live=True, ahead=True, moved=moved),
    PageRoute("/events", events, (*LISTED, SHOW), live=True),
    PageRoute("/leaders", leaders, LISTED, live=True),
    PageRoute("/g/{game}/{ruleset}", board, (*LISTED, "unit"), live=True, ahead=True),
    PageRoute(SEASON, season, (*LISTED, *parameters(FINAL)), live=True, ahead=True),
    PageRoute("/b", bots, LISTED),
    PageRoute(
        "/b/{name:path}",
        bot,
        (*LISTED, TAB, *FILTERS, *chain.from_iterable(map(parameters, BOT_LISTS))),
    ),
    PageRoute("/t/{id}", tournament, (*LISTED, DETAIL), live=True),
    PageRoute("/t/{id}/projector", projector, ("page",), live=True),
    PageRoute("/t/{id}/crosstable", crosstable, live=True),
    PageRoute("/t/{id}/rulings", rulings, live=True),
    PageRoute("/t/{id}/why", why, LISTED, live=True),
    PageRoute("/t/{id}/why/{name:path}", why),
    PageRoute("/t/{id}/rounds", rounds, LISTED, live=True),
    PageRoute("/t/{id}/matches", matches, (*LISTED, "bot", "against", "result", "cause", "round")),
    PageRoute("/t/{id}/charts", charts),
    PageRoute(
        "/m/{match}", None, ("view", "move"), draw=match, stamp=stamp, private=match_with_transcript
    ),
)


def place_of(site: Site, request: Request, known: tuple[str, ...]) -> Place:
    """Returns the place that a request asks for, with the known parameters.

    Raises:
        UnknownName: Its query has another parameter.
    """
    path = below(site.settings, request.scope["path"])
    return checked_place(site, path, request.path_params, dict(request.query_params), known)


def checked_place(
    site: Site,
    path: str,
    words: Mapping[str, str],
    query: Mapping[str, str],
    known: tuple[str, ...],
) -> Place:
    """Returns the place of a path and query; see ``place_of``."""
    for key in query:
        if key not in known:
            raise UnknownName("parameter of this page", key, known)
    return Place(prefix=site.settings.prefix, path=path, words=words, query=query)


def html(text: str, status: int = HTTPStatus.OK) -> Response:
    """Returns a page that no cache stores."""
    return Response(text, status, {"Cache-Control": "no-store"}, "text/html")


def see_other(site: Site, path: str) -> Response:
    """Returns a redirection to another page of the site."""
    return RedirectResponse(site.settings.prefix + path, HTTPStatus.SEE_OTHER)


def draw_part(site: Site, route: PageRoute, place: Place) -> Content:
    """Returns the live part of a page."""
    assert route.make is not None
    view = route.make(site, place)
    return Content(view_part(view, view.light), view.matches)


def view_part(view: View, other: Mapping[str, object] = {}) -> str:
    """Returns the content of a page, without the frame around it.

    Args:
        other: Values in place of its own.
    """
    return render(f"site/{view.template}.html.jinja", **{**view.values, **other})


def draw_page(site: Site, route: PageRoute, place: Place) -> str:
    """Returns a whole page."""
    if route.draw is not None:
        return route.draw(site, place, _frame_of_match(site.settings))
    assert route.make is not None
    return draw_view(site.settings, route.make(site, place), place.live if route.live else "")


def draw_private(site: Site, route: PageRoute, place: Place) -> str:
    """Returns a whole page for an organiser."""
    assert route.private is not None
    return route.private(site, place, _frame_of_match(site.settings))


def draw_twice(site: Site, route: PageRoute, place: Place) -> tuple[str, str]:
    """Returns a whole page with a stream of events, and the same with a note of when that was."""
    assert route.make is not None
    time = moment(datetime.now(UTC))
    view = route.make(site, place)
    body = Markup(view_part(view))  # drawn by a template of ours
    outdated = _around(site.settings, structs.replace(view, running=True), body, place.live, time)
    return _around(site.settings, view, body, place.live), outdated


def draw_view(settings: Settings, view: View, live: str = "") -> str:
    """Returns the whole page of a view.

    Args:
        live: The address of its stream of events; empty if it has none.
    """
    return _around(settings, view, Markup(view_part(view)), live)  # drawn by a template of ours


def _around(settings: Settings, view: View, body: Markup, live: str, time: str = "") -> str:
    used = LIVE_SCRIPTS if live else LIVE_SCRIPTS[:1] if view.polled or view.parts else ()
    scripts = (*used, *view.scripts)
    frame = _frame(settings, (*STYLES, *view.styles), scripts, view.section)
    return render(
        "site/page.html.jinja",
        page=structs.replace(
            frame, title=view.title, description=view.description, trail=view.trail
        ),
        body=body,
        time=time,
        live=live,
        polled=view.polled,
        parts=view.parts,
        refresh=view.running or bool(view.polled),
        next=view.next,
    )


def error_page(settings: Settings, problem: Problem) -> str:
    """Returns the page of an error."""
    page = structs.replace(_frame(settings, STYLES), title=problem.title)
    return render("site/error.html.jinja", page=page, problem=problem)


def _frame_of_match(settings: Settings) -> Page:
    return _frame(settings, replay.STYLES, replay.SCRIPTS)


def _frame(
    settings: Settings, styles: Sequence[str], scripts: Sequence[str] = (), section: str = ""
) -> Page:

    def own(path: str) -> str:
        return settings.prefix + path

    shown = {
        "Play": ("/play", settings.play),
        "Events": ("/events", True),
        "Leaders": ("/leaders", True),
        "League": (SEASON, bool(settings.league)),
        "Bots": ("/b", True),
        "Queue": ("/queue", bool(settings.league)),
        "Organise": ("/organise", settings.organise is not None),
    }
    links = [(text, path) for text, (path, there) in shown.items() if there]
    large = ("large.css",) if settings.projector and "projector.css" not in styles else ()
    return Page(
        title="Arena",
        home=own("/"),
        links=tuple([Link(text, own(path), path == section) for text, path in links]),
        below=(Link("API", own("/api")),),
        action=Link("Submit a bot", own("/submit")) if settings.league else None,
        styles=tuple([Asset(address=own(asset_address(name))) for name in (*styles, *large)]),
        scripts=tuple(
            [
                # htmx begins when the document is read: its extension has to be there by then
                Asset(address=own(asset_address(name)), deferred=name not in LIVE_SCRIPTS)
                for name in scripts
            ]
        ),
    )


@cache
def assets() -> Mapping[str, bytes]:
    """Returns the files that pages load, by name."""
    own = files("arena.web") / "static"
    found = {name: (own / name).read_bytes() for name in (*LIVE_SCRIPTS, *OWN_SCRIPTS, *OWN_STYLES)}
    shared = {*STYLES, *EVENT_STYLES, *replay.STYLES, *replay.SCRIPTS} - found.keys()
    return found | {name: asset(name).encode() for name in sorted(shared)}


@cache
def asset_address(name: str) -> str:
    """Returns the address of a file; of another content it is another one."""
    return f"/static/{name}?v={sha256(assets()[name]).hexdigest()[:12]}"
