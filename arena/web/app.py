"""The site as an ASGI application: its addresses, a row each, and answers to errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus

import msgspec
import trio
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.core.errors import UnknownName
from arena.core.text.printable import printable_line
from arena.core.tournaments.format import EXHIBITION
from arena.service.public.documents import tournament_rows
from arena.web.routes import league, login, organiser, play
from arena.web.routes.api import Answer, Pairs, Resource, answer, document, resources
from arena.web.routes.login import is_organiser
from arena.web.routes.pages import (
    PAGES,
    SEASON,
    PageRoute,
    asset_address,
    assets,
    checked_place,
    draw_page,
    draw_part,
    draw_private,
    draw_twice,
    error_page,
    html,
    place_of,
)
from arena.web.site.guard.errors import MAX_LENGTH, Problem, Refused, problem_of
from arena.web.site.guard.settings import below
from arena.web.site.live import EventStream, Live, SendEvent
from arena.web.site.security import (
    SAFE,
    Limited,
    OwnPages,
    Placed,
    RightHost,
    SmallBodies,
    report_fault,
)
from arena.web.site.site import Site, Stamp
from arena.web.site.tables import Tables

CHECKED = {"Cache-Control": "no-cache"}
"""Caches ask before each use whether their answer is still the same (ETag)."""
QUIET_SECONDS = 2.0
"""Seconds without a change after which everything is drawn that visitors ask for first."""
VISITED_SECONDS = 600.0
"""Seconds for which a leaderboard is drawn after every change because a visitor asked for it."""
KINDS = {"css": "text/css", "js": "text/javascript"}


def application(site: Site, live: Live) -> ASGIApp:
    """Returns the application that answers all requests."""
    routes = [Route("/static/{name}", _asset)]
    routes += [Route(each.path, partial(_document, site, each)) for each in resources(site)]
    if site.settings.league:  # before the pages: a bot's page takes all that follows its name
        routes += league.routes(site)
    if site.events:
        routes += organiser.routes(site, site.events)
    if site.settings.league or site.events:
        routes += login.routes(site)
    for page in PAGES:
        if page.path == SEASON and not site.settings.league:
            continue
        routes.append(Route(page.path, partial(_page, site, page)))
        if page.live:
            routes.append(Route("/live" + page.path, partial(_live, site, live, page)))
    if site.settings.play:
        tables = Tables(site, live)
        for each in site.registry.play_pages():  # before the tables, which take any name
            routes += each.routes(site, tables)
        routes += play.routes(site, tables)
    contents = OwnPages(SmallBodies(Router(routes, redirect_slashes=False), site), site)
    visitors = RightHost(Limited(Known(contents, routes, site), site), site)
    return Placed(Answered(visitors, site), site)


class Known:
    """Refuses addresses that name nothing, and methods that an address has not."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route], site: Site) -> None:
        self._app, self._routes, self._settings = app, routes, site.settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app, path, method = self._app, scope["path"], scope["method"]
        found = [each for each in self._routes if each.matches(scope)[0] is not Match.NONE]
        allowed = sorted({each for route in found for each in route.methods or ()})
        if not found and path == self._settings.prefix and method in SAFE:
            query = scope["query_string"].decode("latin-1")
            app = RedirectResponse(f"{path}/?{query}" if query else f"{path}/")
        elif not found:
            raise self._unknown(below(self._settings, path))
        elif method not in allowed:
            methods = ", ".join(allowed)
            line = printable_line(f"{method} {path}: this address has {methods}", MAX_LENGTH)
            raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, line, allow=methods)
        await app(scope, receive, send)

    def _unknown(self, path: str) -> UnknownName:
        paths = {each.path for each in self._routes if "GET" in (each.methods or ())}
        of_api = path.startswith("/api")
        choices = {each.replace(":path", "") for each in paths if each.startswith("/api") is of_api}
        hidden = ("/live", "/static")
        return UnknownName("page", path, [each for each in choices if not each.startswith(hidden)])


class Answered:
    """Answers what is raised: a page, or for the API a document with the one line."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            problem = problem_of(error)
            if problem.detail:
                report_fault(f"{scope['method']} {scope['path']}: {problem.detail}")
            if not begun:  # else the server cuts the answer, which has no end
                await self._answer(scope, problem)(scope, receive, send)

    def _answer(self, scope: Scope, problem: Problem) -> Response:
        headers = problem.headers | {"Cache-Control": "no-store"}
        if below(self._site.settings, scope["path"]).startswith("/api"):
            body = msgspec.json.encode({"error": problem.message})
            return Response(body, problem.status, headers, "application/json")
        text = error_page(self._site.settings, problem)
        return Response(text, problem.status, headers, "text/html")


async def _asset(request: Request) -> ASGIApp:
    name = request.path_params["name"]
    if name not in assets():
        raise UnknownName("file", name, assets())
    found = answer(assets()[name])
    kept = _kept(request, found, KINDS[name.rpartition(".")[2]])
    if asset_address(name).endswith(f"={request.query_params.get('v')}"):
        kept.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return kept


async def _document(site: Site, resource: Resource, request: Request) -> ASGIApp:
    found = await site.ask(document, resource, *_words(request))
    return _kept(request, found, "application/json")


async def _page(site: Site, route: PageRoute, request: Request) -> ASGIApp:
    if route.moved and request.query_params:
        place = place_of(site, request, route.parameters)
        return RedirectResponse(route.moved(place), HTTPStatus.PERMANENT_REDIRECT)
    if route.private and site.settings.transcripts and await is_organiser(site, request):
        place = place_of(site, request, route.parameters)
        return html(await site.work(draw_private, site, route, place))
    asked = route, request.scope["path"], *_words(request)
    if route.ahead and site.settings.prepared:
        found, outdated = await site.ask_at_once(_drawn, *asked)
    else:
        stamp = _stamp(route, request.path_params)
        found, outdated = await site.ask(_drawn, *asked, stamp=stamp), False
    return _kept(request, found.later if outdated and found.later else found, "text/html")


def _stamp(route: PageRoute, words: Mapping[str, str]) -> Stamp | None:
    give = route.stamp
    return (lambda site: give(site, words)) if give else None


def _drawn(site: Site, route: PageRoute, path: str, words: Pairs, query: Pairs) -> Answer:
    path = below(site.settings, path)
    place = checked_place(site, path, dict(words), dict(query), route.parameters)
    if route.ahead:
        return answer(*(each.encode() for each in draw_twice(site, route, place)))
    return answer(draw_page(site, route, place).encode())


async def draw_ahead(site: Site) -> None:
    """Draws leaderboards and matches before they are asked for, and leaderboards after changes.

    After a change it draws those of the last minutes; everything when nothing has changed for some
    seconds, or some minutes have passed. So a long tournament does not keep it busy.
    """
    with suppress(Exception):
        await prepare(site)
    seen, changed, drawn, last = -1, trio.current_time(), -1, trio.current_time()
    while True:
        now = trio.current_time()
        with suppress(Exception):  # what fails is left to the visitors
            version = site.version()
            if version != seen:
                seen, changed = version, now
            due = now >= changed + QUIET_SECONDS or now >= last + VISITED_SECONDS
            if version != drawn and due:
                last = now
                drawn = version if await prepare(site) else drawn
            await site.keep_current(_is_leaderboard, now - VISITED_SECONDS)
        await trio.sleep(site.settings.poll)


def _is_leaderboard(function: Callable[..., object], *args: object) -> bool:
    return function is _drawn and isinstance(args[0], PageRoute) and args[0].ahead


async def prepare(site: Site) -> bool:
    """Draws each leaderboard, and a match of each game; visitors will see failures.

    Returns whether all of them are current: slow ones are not drawn again at once.
    """
    rows = await site.work(tournament_rows, site.database)
    played = [row for row in rows if row["matches"] and row["format"] != EXHIBITION]
    boards = {(str(row["game"]), str(row["ruleset"])) for row in played}
    matches = {row["game"]: str(row["id"]) for row in played}
    wanted: list[tuple[str, Pairs]] = [(SEASON, ())] if site.settings.league else []
    wanted += [
        ("/g/{game}/{ruleset}", (("game", game), ("ruleset", rules)))
        for game, rules in sorted(boards)
    ]
    wanted.append(("/", ()))  # its leaders are of those boards
    wanted += [("/m/{match}", (("match", number),)) for number in matches.values()]
    routes = {route.path: route for route in PAGES}
    current = True
    for address, words in wanted:
        route = routes[address]
        path = site.settings.prefix + route.path.format(**dict(words))
        with suppress(Exception):
            stamp = _stamp(route, dict(words))
            current &= await site.prepare(_drawn, route, path, words, (), stamp=stamp)
    return current


async def _live(site: Site, live: Live, route: PageRoute, request: Request) -> ASGIApp:
    words, query = _words(request)
    path = below(site.settings, request.scope["path"]).removeprefix("/live")
    place = checked_place(site, path, dict(words), dict(query), route.parameters)
    seen = request.headers.get("last-event-id", "")
    draw = partial(draw_part, route=route, place=place)
    await site.work(draw, site)  # an address that names nothing is an answer, and no stream

    async def send_events(send: SendEvent) -> None:
        await live.send((path, words, query), draw, seen, send)

    return EventStream(send_events, site.streams.one(request.scope["visitor"]))


def _words(request: Request) -> tuple[Pairs, Pairs]:
    return tuple(request.path_params.items()), tuple(request.query_params.items())


def _kept(request: Request, answer: Answer, kind: str) -> Response:
    headers = CHECKED | {"ETag": answer.tag}
    if answer.tag in request.headers.get("if-none-match", ""):
        return Response(b"", HTTPStatus.NOT_MODIFIED, headers)
    return Response(answer.body, HTTPStatus.OK, headers, kind)
