"""The part of the site for organisers: drafts, entries, and tournaments that they start and rule.

Every address needs the token of an organiser. What is changed is changed by the verbs of
``arena.service``; a decision carries the name of the token.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import trio
from arena_results.bots.authors import Token
from arena_results.store.organising import request_pause
from arena_tournaments.spec.files import overrule
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.core.errors import BadInput, BadSpec, BadStore
from arena.core.text.printable import printable_line
from arena.service.answers.scratch import scratch_folder
from arena.service.report.sums.ruling_rows import Made
from arena.service.run.changes.rulings import Rulings
from arena.web.routes.login import AFTER, token_of
from arena.web.routes.pages import draw_view, html, place_of, see_other
from arena.web.site.downloads import KINDS, write_download
from arena.web.site.event.event_form import DraftForm, bot_choices, check_typed, typed_keys
from arena.web.site.event.events import Events
from arena.web.site.guard.errors import Refused
from arena.web.site.lists import Place
from arena.web.site.numbers import number, tournament_number
from arena.web.site.security import report_fault
from arena.web.site.site import Site
from arena.web.views.organiser import Shown, draft_view, event_view, events_view, login_view
from arena.web.views.view import View

MAX_FILES = 300
"""Files that are sent at once."""
MAX_FIELDS = 2_000
"""Fields of a form: each bot that can be chosen is one."""
MAX_LINE = 2_000
"""Characters of a problem, and of a line of the log."""
CHUNK = 64 * 1024
"""Bytes of a part of a download."""
PACES = {
    "pause": "pauses it after this round",
    "stop": "pauses it now",
    "resume": "resumes it",
    "round": "has the next round played",
    "finish": "finishes it",
}
"""Requests of an organiser to a tournament, and the words in which they are reported."""
Make: TypeAlias = Callable[[Site, Events, Token, Place, Shown], View]
Answer: TypeAlias = Callable[[Site, Events, Token, Request], Awaitable[Response]]


async def _organiser(site: Site, request: Request) -> Token:
    token = await token_of(site, request)
    if token is None:
        message = "organisers log in with their token, at /organise"
        raise Refused(HTTPStatus.UNAUTHORIZED, message)
    if not token.organises:
        message = f"{token.author} has the token of an author; events need one of an organiser"
        raise Refused(HTTPStatus.FORBIDDEN, message)
    return token


def _sign(events: Events, token: Token, change: str, number: int | None = None) -> None:
    """Reports a change in the server's log, and on the page of a tournament if it is about one.

    Args:
        change: What the organiser did, as ``pauses it now``.
        number: The tournament that was started or paused.
    """
    line = printable_line(f"{token.author} {change}", MAX_LINE)
    report_fault(line if number is None else f"tournament {number}: {line}")
    if number is not None:
        events.folder.sign(number, f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC: {line}")


async def _drawn(
    site: Site, events: Events, token: Token, request: Request, make: Make, shown: Shown
) -> Response:
    place = place_of(site, request, (AFTER,))
    view = await site.work(make, site, events, token, place, shown)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if shown.refused else HTTPStatus.OK
    return html(draw_view(site.settings, view), status)


async def _front(site: Site, events: Events, request: Request) -> Response:
    place = place_of(site, request, (AFTER,))
    if await token_of(site, request) is None:
        view = login_view(place, forgotten=AFTER in place.query)
        answer = html(draw_view(site.settings, view), HTTPStatus.UNAUTHORIZED)
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    token = await _organiser(site, request)
    return await _drawn(site, events, token, request, events_view, Shown())


async def _new(site: Site, events: Events, token: Token, request: Request) -> Response:
    async with request.form(max_files=0, max_fields=4) as form:
        title = str(form.get("title", ""))
    name = await site.work(events.folder.new_draft, title)
    _sign(events, token, f"makes draft {name}")
    return see_other(site, f"/organise/drafts/{name}")


def _draft_of(request: Request) -> Make:
    name = request.path_params["name"]
    return lambda site, events, token, place, shown: draft_view(
        site, events, token, place, shown, name
    )


async def _draft(site: Site, events: Events, token: Token, request: Request) -> Response:
    return await _drawn(site, events, token, request, _draft_of(request), Shown())


async def _settle(site: Site, events: Events, token: Token, request: Request) -> Response:
    """Saves a draft, and estimates or starts it if the button says so."""
    name = request.path_params["name"]
    async with request.form(max_files=0, max_fields=MAX_FIELDS) as form:
        asked, latest = str(form.get("do", "save")), str(form.get("latest", ""))
        keys, problem = await site.work(_saved, site, events, name, form)
    make, shown = _draft_of(request), Shown(keys=keys)
    try:
        if problem:
            raise problem
        _sign(events, token, f"saves draft {name}")
        seen = number({"latest": latest}, "latest") if latest else None
        if asked == "estimate":
            shown = Shown(estimate=await events.estimate(name))
        elif asked in ("start", "round"):
            stored = overrule(await site.work(events.folder.keys, name), {})
            begun = await events.begin(site.registry, site.database, stored, seen)
            make = _event_of(begun.number)
            if begun.new:
                one = asked == "round"
                _sign(events, token, f"starts it{' with round 1' * one}", begun.number)
                events.play(site.database, begun.number, one_round=one)
            return see_other(site, f"/organise/{begun.number}")
    except BadStore:
        raise
    except BadInput as error:  # what was typed stays
        shown = Shown(keys=keys, refused=_line(error))
    return await _drawn(site, events, token, request, make, shown)


def _saved(
    site: Site, events: Events, name: str, form: FormData
) -> tuple[dict[str, object], BadInput | None]:
    """Saves the typed keys if they are right; returns them, and else the problem."""
    before = events.folder.keys(name)
    rows = DraftForm(site.registry, site.database, before).options()
    typed = {key: value for key, value in form.items() if isinstance(value, str)}
    bots = [str(each) for each in form.getlist("bots")]
    more = [line.strip() for line in typed.get("more_bots", "").splitlines()]
    keys = typed_keys(typed, [*bots, *filter(None, more)], before, rows)
    other = DraftForm(site.registry, site.database, keys).options()
    keys = {key: value for key, value in keys.items() if key not in rows or key in other}
    try:
        check_typed(site.registry, site.database, keys, before, other)
        events.folder.write(name, keys, typed.get("version", ""))
    except BadInput as problem:
        return keys, problem
    return keys, None


async def _delete(site: Site, events: Events, token: Token, request: Request) -> Response:
    name = request.path_params["name"]
    await site.work(events.folder.delete, name)
    _sign(events, token, f"deletes draft {name}")
    return see_other(site, "/organise")


async def _receive(site: Site, events: Events, token: Token, request: Request) -> Response:
    async with request.form(max_files=MAX_FILES, max_fields=4) as form:
        back, game = _sent_game(site, form)
        problems: list[str] = []
        for sent in form.getlist("files"):
            if not isinstance(sent, UploadFile):
                continue
            try:
                content = await sent.read()
                file = await site.work(events.folder.receive, sent.filename or "", content, game)
                _sign(events, token, f"uploads {file}")
            except BadInput as error:
                problems.append(_line(error))
    if problems:
        raise BadInput("; ".join(problems))
    return _back(site, back)


def _sent_game(site: Site, form: FormData) -> tuple[str, str]:
    """Returns the page from which files were sent, and the game of those that do not say theirs."""
    back, game = (str(form.get(key, "")) for key in ("back", "game"))
    if game:
        site.registry.rated_game(game)
    return back, game


async def _again(site: Site, events: Events, token: Token, request: Request) -> Response:
    async with request.form(max_files=0, max_fields=4) as form:
        back, game = _sent_game(site, form)
    await site.work(events.folder.again, game)
    _sign(events, token, "has refused files checked again")
    return _back(site, back)


def _back(site: Site, back: str) -> Response:
    return see_other(site, f"/organise/{back}#entries" if _is_page(back) else "/organise#entries")


def _is_page(back: str) -> bool:
    return back.isdecimal() or (back.startswith("drafts/") and back.count("/") == 1)


async def _letter(site: Site, events: Events, token: Token, request: Request) -> Response:
    entry = await site.work(events.folder.entry, request.path_params["file"])
    text = entry.letter or f"{entry.file} is not decided yet\n"
    return Response(text, headers={"Cache-Control": "no-store"}, media_type="text/plain")


def _event_of(number: int) -> Make:
    return lambda site, events, token, place, shown: event_view(
        site, events, token, place, shown, number
    )


async def _number(site: Site, request: Request) -> int:
    return await site.work(tournament_number, site.database, request.path_params["id"])


async def _page_of(site: Site, request: Request) -> Make:
    """Returns the page on which a form is that was refused."""
    if "id" in request.path_params:
        return _event_of(await _number(site, request))
    return _draft_of(request) if "name" in request.path_params else events_view


async def _event(site: Site, events: Events, token: Token, request: Request) -> Response:
    make = _event_of(await _number(site, request))
    return await _drawn(site, events, token, request, make, Shown())


async def _play(site: Site, events: Events, token: Token, request: Request) -> Response:
    number = await _number(site, request)
    async with request.form(max_files=0, max_fields=4) as form:
        asked = str(form.get("do", ""))
    await site.work(_change_pace, site, events, number, asked)
    _sign(events, token, PACES[asked], number)
    return see_other(site, f"/organise/{number}")


def _change_pace(site: Site, events: Events, number: int, asked: str) -> None:
    if asked not in PACES:
        raise BadInput(f"{asked[:40]!r}: expected one of {', '.join(PACES)}")
    if asked in ("pause", "stop"):
        request_pause(site.database, number, "round" if asked == "pause" else "match")
    elif asked in ("resume", "round"):
        events.play(site.database, number, one_round=asked == "round")
    else:
        Rulings(site.registry, site.database, number).finish()


async def _rule(site: Site, events: Events, token: Token, request: Request) -> Response:
    number = await _number(site, request)
    async with request.form(max_files=0, max_fields=8) as form:
        typed = {key: value for key, value in form.items() if isinstance(value, str)}
    rulings = Rulings(site.registry, site.database, number, by=token.author)
    made = await site.work(_ruled, site, rulings, typed)
    report_fault(f"tournament {number}: {made}")
    return see_other(site, f"/organise/{number}#decided")


def _ruled(site: Site, rulings: Rulings, typed: dict[str, str]) -> Made:
    """Makes the decision that was sent by a form."""
    kind, bot, reason = (typed.get(key, "") for key in ("kind", "bot", "reason"))
    pair, points = f"{bot} | {typed.get('other', '')}", float(typed.get("points") == "0.5") / 2
    match kind:
        case "add":
            game = rulings.stored().summary.game
            choices = chain(*bot_choices(site.registry, site.database, game))
            if bot not in [each.value for each in choices]:
                raise BadInput(f"{bot!r} is neither a built-in nor a submitted bot of {game}")
            return rulings.add(bot, missed_points=points)
        case "withdraw":
            return rulings.withdraw(bot, now="now" in typed, reason=reason)
        case "disqualify":
            return rulings.disqualify(bot, reason, void="void" in typed)
        case "bye":
            return rulings.bye(bot, round=_round(typed.get("round", "")), points=points)
        case "pair":
            return rulings.pair([pair], reason=reason)
        case "swap":
            return rulings.swap(bot, typed.get("other", ""), reason=reason)
        case "forbid":
            return rulings.forbid(pair, reason=reason)
        case "lots":
            return rulings.lots(reason=reason)
    raise BadInput(f"{kind[:40]!r} is no decision")


def _round(typed: str) -> int | None:
    if not typed.strip():
        return None
    if not (typed.isascii() and typed.strip().isdecimal() and len(typed) < 6 and int(typed)):
        raise BadInput(f"round {typed[:20]!r}: expected a number from 1")
    return int(typed)


async def _export(site: Site, events: Events, token: Token, request: Request) -> Response:
    number, name = await _number(site, request), request.path_params["name"]
    written = scratch_folder()
    path = Path(written.__enter__()) / "export"
    try:
        await site.work(write_download, site, number, name, path)
    except BaseException:
        written.__exit__(None, None, None)
        raise

    async def parts() -> AsyncIterator[bytes]:
        with path.open("rb") as file:
            written.__exit__(None, None, None)  # the open file is enough
            while part := await trio.to_thread.run_sync(file.read, CHUNK):
                yield part

    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{number}-{name}"',
    }
    kind = KINDS.get(name.rpartition(".")[2], "text/plain")
    return StreamingResponse(parts(), HTTPStatus.OK, headers, kind)


def _line(error: BadInput) -> str:
    text = "; ".join(error.problems) if isinstance(error, BadSpec) else str(error)
    return printable_line(text, MAX_LINE)


def routes(site: Site, events: Events) -> list[Route]:
    """Returns the addresses of organisers."""
    draft, event = "/organise/drafts/{name}", "/organise/{id}"
    rows: tuple[tuple[str, str, Answer], ...] = (
        ("POST", "/organise/drafts", _new),
        ("GET", draft, _draft),
        ("POST", draft, _settle),
        ("POST", f"{draft}/delete", _delete),
        ("POST", "/organise/entries", _receive),
        ("POST", "/organise/entries/again", _again),
        ("GET", "/organise/entries/{file}/letter", _letter),
        ("GET", event, _event),
        ("POST", f"{event}/play", _play),
        ("POST", f"{event}/rulings", _rule),
        ("GET", f"{event}/export/{{name}}", _export),
    )

    async def answer(endpoint: Answer, request: Request) -> Response:
        token = await _organiser(site, request)
        try:
            return await endpoint(site, events, token, request)
        except BadStore:
            raise
        except BadInput as error:
            if request.method != "POST":
                raise
            make, shown = await _page_of(site, request), Shown(refused=_line(error))
            return await _drawn(site, events, token, request, make, shown)

    own = [
        Route(path, partial(answer, endpoint), methods=[method]) for method, path, endpoint in rows
    ]
    return [Route("/organise", partial(_front, site, events), methods=["GET"]), *own]
