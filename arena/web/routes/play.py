"""The addresses of play: the choice of a match, tables, answers, and their streams of events."""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from secrets import token_urlsafe

import trio
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.core.errors import BadInput, BadStore
from arena.service.match.person import Request as Question
from arena.service.match.person import read_loadout
from arena.service.run.person.exhibition import Seats
from arena.web.routes.pages import draw_view, html, place_of, see_other, view_part
from arena.web.site.guard.errors import Refused, problem_of
from arena.web.site.hand import hand_of, using
from arena.web.site.lists import Place
from arena.web.site.live import COMMENT, HEARTBEAT, EventStream, SendEvent, event
from arena.web.site.site import Site
from arena.web.site.tables import NEXT_SECONDS, Table, Tables, Wish, chosen
from arena.web.views.picker import picked
from arena.web.views.play import choice_view
from arena.web.views.table import table_view
from arena.web.views.view import View

COOKIE = "__Host-arena-player"
"""Name of the cookie of a player; by its prefix browsers send it only to this host, by HTTPS."""
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)
CHOOSING = ("game", "ruleset", "bots", "hints", "cards")
"""Parameters of the page where a match is chosen."""
MAX_FIELDS = 128
"""Fields of a form."""
USES = "cards"
"""The choice of whatever action uses the chosen cards."""


def routes(site: Site, tables: Tables) -> list[Route]:
    """Returns the addresses of play."""
    rows = (
        ("GET", "/play", _choice),
        ("POST", "/play", _open),
        ("GET", "/play/{id}", _table),
        ("POST", "/play/{id}", _answer),
        ("POST", "/play/{id}/leave", _leave),
        ("POST", "/play/{id}/again", _again),
        ("GET", "/live/play/{id}", _live),
    )
    return [
        Route(path, partial(endpoint, site, tables), methods=[method])
        for method, path, endpoint in rows
    ]


def player_of(request: Request) -> str:
    """Returns the player by the cookie; empty for a visitor without one."""
    secret = request.cookies.get(COOKIE, "")
    return sha256(secret.encode()).hexdigest() if _SECRET.fullmatch(secret) else ""


def with_cookie(request: Request, answer: Response) -> Response:
    """Gives a visitor without the cookie of a player one with an answer."""
    if not player_of(request):
        answer.set_cookie(
            COOKIE, token_urlsafe(32), secure=True, httponly=True, samesite="strict", path="/"
        )
    return answer


def _see(site: Site, table: Table) -> Response:
    return see_other(site, f"/play/{table.id}")


async def _choice(site: Site, tables: Tables, request: Request) -> Response:
    place = place_of(site, request, CHOOSING)
    return with_cookie(request, await _chosen(site, tables, request, place))


async def _chosen(
    site: Site, tables: Tables, request: Request, place: Place, refused: str = ""
) -> Response:
    own = tuple(tables.of(player_of(request)))
    view = await site.work(partial(choice_view, refused=refused), site, tables, place, own)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return html(draw_view(site.settings, view), status)


async def form_of(request: Request) -> FormData:
    """Reads a form without files."""
    async with request.form(max_files=0, max_fields=MAX_FIELDS) as form:
        return form


def _refused(error: BadInput) -> Refused:
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, problem_of(error).message)


async def _open(site: Site, tables: Tables, request: Request) -> Response:
    player = player_of(request)
    if not player:
        message = "this browser keeps no cookie of this site: play over HTTPS, or on its machine"
        raise Refused(HTTPStatus.FORBIDDEN, message)
    form = await form_of(request)
    try:
        wish = await site.work(_wish, site, tables, form)
        return _see(site, await tables.open(wish, player, request.scope["visitor"]))
    except BadStore:  # nothing that the player chose: 503
        raise
    except BadInput as error:
        refused = _refused(error)
    except Refused as error:
        refused = error
    if refused.status_code != HTTPStatus.UNPROCESSABLE_ENTITY or not _offered(site, form):
        raise refused
    filled = Place(prefix=site.settings.prefix, path="/play", query=_filled(form))
    return await _chosen(site, tables, request, filled, refused.detail)


def _offered(site: Site, form: FormData) -> bool:
    return form.get("game") in {game.name for game in site.registry.games()}


def _filled(form: FormData) -> dict[str, str]:
    ruleset, options = (str(form.get(key, "")) for key in ("ruleset", "options"))
    bots = " ".join([str(bot) for bot in form.getlist("bot")])
    query = {"game": str(form.get("game")), "ruleset": f"{ruleset}({options})", "bots": bots}
    query |= {"cards": _loadout(form)}
    return query | ({"hints": "yes"} if form.get("hints") == "yes" else {})


def _wish(site: Site, tables: Tables, form: FormData) -> Wish:
    name = str(form.get("game", ""))
    game = site.registry.rated_game(name)
    row = chosen(str(form.get("ruleset", "")), list(game.rulesets), "ruleset")
    options = str(form.get("options", "")).strip()
    ruleset = game.ruleset(f"{row}({options})" if options else row).name
    known = {each.name: each for each in tables.opponents(game.name)}
    bots = [str(bot) for bot in form.getlist("bot") if bot]
    for bot in bots:
        chosen(bot, known, "opponent")
        if bots.count(bot) > 1:
            raise BadInput(f"{bot} is chosen for several seats: choose each bot once")
    seconds = site.settings.limits.think_seconds
    fits = form.get("cards-of") == ruleset  # else the cards are those of other rules: asked later
    loadout = _loadout(form) if fits else ""
    if loadout:
        read_loadout(game, game.ruleset(ruleset), loadout)
    return Wish(
        game=game.name,
        ruleset=ruleset,
        seats=Seats(bots=tuple(bots), seconds=seconds, loadout=loadout),
        hints=form.get("hints") == "yes",
        against=tuple([known[bot] for bot in bots]),
    )


def _loadout(form: FormData) -> str:
    cards = [str(card) for card in form.getlist("card")]
    return picked(cards, lambda card: str(form.get(f"copies:{card}", "")))


def _view(site: Site, table: Table, notice: str = "") -> View:
    """Draws a table; with the odds of its decision if the hints are open, for threads."""
    place, odds = _table_place(site, table), None
    if table.hints and table.wish.hints and (asked := table.shown.request) and not asked.offer:
        try:
            odds = table.odds(asked.number)
        except BadInput as error:
            notice = notice or problem_of(error).message
    game = site.registry.game(table.wish.game)
    return table_view(table, game, place, odds=odds, notice=notice)


async def _page(site: Site, request: Request, table: Table, notice: str = "") -> Response:
    place = _table_place(site, table)
    number = table.shown.number
    view = await site.work(_view, site, table, notice)
    if _by_script(request):
        return html(view_part(view))
    return html(draw_view(site.settings, view, f"{place.live}?seen={number}"))


def _table_place(site: Site, table: Table) -> Place:
    return Place(prefix=site.settings.prefix, path=f"/play/{table.id}")


def _by_script(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


def _found(tables: Tables, request: Request) -> Table:
    return tables.find(request.path_params["id"], player_of(request))


async def _table(site: Site, tables: Tables, request: Request) -> Response:
    place, table = place_of(site, request, ("odds",)), _found(tables, request)
    if "odds" not in place.query:
        return await _page(site, request, table)
    if not table.wish.hints:
        return await _page(site, request, table, "odds are shown where hints were chosen")
    table.hints = place.query["odds"] != "no"
    return await _page(site, request, table)


async def _answer(site: Site, tables: Tables, request: Request) -> Response:
    """Takes an action or a loadout, or leaves a scene; asks again after a refusal."""
    table, form = _found(tables, request), await form_of(request)
    if "held" in form:
        table.go_on(whole(form, "held"))
        return await _page(site, request, table) if _by_script(request) else _see(site, table)
    question = whole(form, "question")
    try:
        asked = table.shown.request
        if asked is not None and asked.number == question:
            table.answer(question, _text(asked, form))
    except BadInput as error:
        if not _by_script(request):
            raise _refused(error) from None
        return await _page(site, request, table, problem_of(error).message)
    await table.settled(NEXT_SECONDS)
    return await _page(site, request, table) if _by_script(request) else _see(site, table)


def _text(asked: Question, form: FormData) -> str:
    if asked.offer is not None:
        return str(form.get("loadout", "")).strip() or _loadout(form)
    number = _chosen_number(asked, form)
    if not 1 <= number <= len(asked.choices):
        raise BadInput(f"there is no action {number}: actions are 1 to {len(asked.choices)}")
    choice = asked.choices[number - 1]
    if choice.least is None or choice.most is None:
        return choice.text
    amount = whole(form, "amount")
    if not choice.least <= amount <= choice.most:
        raise BadInput(f"an amount from {choice.least} to {choice.most}, not {amount}")
    return choice.text.format(amount)


def _chosen_number(asked: Question, form: FormData) -> int:
    """Returns the number of the action: as sent, or that which uses the chosen cards."""
    if form.get("choice") != USES:
        return whole(form, "choice")
    sent = map(str, form.getlist("card"))
    places = [int(card) for card in sent if re.fullmatch("[0-9]{1,2}", card)]
    found = using(hand_of(asked, asked.scene), places)
    if len(found) != 1:
        why = "no action uses just the chosen cards" if not found else "say how to play the card"
        raise BadInput(f"{why}: press one of the buttons")
    return found[0]


def whole(form: FormData, name: str) -> int:
    """Returns a field that is a whole number; raises ``Refused``."""
    text = str(form.get(name, "")).strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        message = f"{name} {text[:12]!r}: expected a whole number"
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, message)
    return int(text)


async def _leave(site: Site, tables: Tables, request: Request) -> Response:
    table = _found(tables, request)
    table.leave()
    await table.settled(NEXT_SECONDS)
    return _see(site, table)


async def _again(site: Site, tables: Tables, request: Request) -> Response:
    table, form = _found(tables, request), await form_of(request)
    return _see(site, await tables.again(table, same_deal=form.get("deal") != "new"))


async def _live(site: Site, tables: Tables, request: Request) -> ASGIApp:
    """Sends a table's content after each change; its number is the id of the event."""
    table = _found(tables, request)
    seen = request.headers.get("last-event-id") or request.query_params.get("seen", "")

    async def send_events(send: SendEvent) -> None:
        number = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 10 else -1
        await send(COMMENT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_end, site, nursery)
            while True:
                with trio.move_on_after(HEARTBEAT) as waiting:
                    await table.changed(number)
                if waiting.cancelled_caught:
                    await send(COMMENT)
                    continue
                number = table.shown.number
                view = await site.work(_view, site, table)
                await send(event(str(number), view_part(view)))

    return EventStream(send_events, site.streams.one(request.scope["visitor"]))


async def _end(site: Site, nursery: trio.Nursery) -> None:
    await site.closing.wait()
    nursery.cancel_scope.cancel()
