"""The part of the site to which authors submit: submissions, and the queue of a league."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from math import ceil

import msgspec
from arena_results.bots.authors import Revoked, Token
from arena_results.bots.uploads import TooMany, Upload, upload_numbered, uploads
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.core.errors import BadInput, BadStore, UnknownName
from arena.core.text.printable import printable_line
from arena.service.bots.author_logs import NotTheAuthor, author_logs
from arena.service.league.final import Closed
from arena.service.league.league_queue import accept_upload
from arena.service.public.documents import upload_row
from arena.web.routes.login import AFTER, bad_token, token_of
from arena.web.routes.pages import LISTED, draw_view, html, place_of, see_other
from arena.web.site.guard.errors import Refused
from arena.web.site.lists import Place
from arena.web.site.season import final_notice
from arena.web.site.security import report_fault
from arena.web.site.site import Site
from arena.web.views.league import (
    Closing,
    log_view,
    login_view,
    queue_view,
    submission_view,
    submit_view,
    upload_changes,
)

MAX_QUEUE = 1000
"""Submissions that a list shows, the latest."""


async def _known_author(site: Site, request: Request) -> Token:
    token = await token_of(site, request)
    if token is None:
        message = "authors submit with a token: log in, or send it as Authorization: Bearer TOKEN"
        raise Refused(HTTPStatus.UNAUTHORIZED, message)
    return token


def _json(value: object, status: int = 200, **headers: str) -> Response:
    kept = {"Cache-Control": "no-store"} | headers
    return Response(msgspec.json.encode(value), status, kept, "application/json")


async def _sender(site: Site, request: Request) -> Token:
    """Returns the author of a sent file, which is counted before it is received."""
    token = await _known_author(site, request)
    assert site.sent is not None
    site.sent.count(token.author, request.scope["visitor"])
    return token


async def _take(site: Site, token: Token, file: str, content: bytes) -> Upload:
    assert site.settings.league is not None
    assert site.sent is not None
    name = printable_line(file.replace("\\", "/").rpartition("/")[2])[:120]
    if not content or not name:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "no file was sent; choose one")
    try:
        async with site.sent.reading(token.author):
            return await accept_upload(
                site.database, site.settings.league, token, name, content, report_fault, site.clock
            )
    except Revoked:
        raise bad_token() from None
    except Closed as error:
        raise Refused(HTTPStatus.FORBIDDEN, str(error)) from None
    except TooMany as error:
        seconds = ceil(error.after.total_seconds())
        raise Refused(HTTPStatus.TOO_MANY_REQUESTS, str(error), seconds) from None
    except BadStore:  # the server's fault: 503, and what it says is for its operator
        raise
    except BadInput as error:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, printable_line(str(error))) from None


async def _send(site: Site, request: Request) -> Response:
    token = await _sender(site, request)
    file = request.query_params.get("file", "")
    upload = await _take(site, token, file, await request.body())
    address = f"{site.settings.prefix}/api/submissions/{upload.id}"
    return _json(upload_row(upload, own=True), HTTPStatus.CREATED, Location=address)


async def _list(site: Site, request: Request) -> Response:
    found = await site.work(_latest, site)
    return _json([upload_row(each) for each in found])


def _latest(site: Site) -> tuple[Upload, ...]:
    return uploads(site.database, last=MAX_QUEUE)[::-1]


async def _upload(site: Site, request: Request) -> tuple[Upload, bool]:
    number = request.path_params["number"]
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        raise UnknownName("submission", number, ("a number",))
    upload = await site.work(upload_numbered, site.database, int(number))
    token = await token_of(site, request)
    return upload, token is not None and token.author == upload.author


async def _document(site: Site, request: Request) -> Response:
    upload, own = await _upload(site, request)
    return _json(upload_row(upload, own=own))


async def _submit_page(site: Site, request: Request) -> Response:
    token, place = await token_of(site, request), place_of(site, request, (AFTER, *LISTED))
    assert site.settings.league is not None
    if token is None:
        final = await site.work(_closing, site)
        view = login_view(site.settings.league, place, final, forgotten=AFTER in place.query)
        return html(draw_view(site.settings, view))
    return await _form_of(site, token.author, place)


def _closing(site: Site) -> Closing:
    final = site.settings.league.final if site.settings.league else None
    return Closing(final_notice(site), final is not None and final.is_due(site.clock()))


async def _form_of(site: Site, author: str, place: Place, refused: str = "") -> Response:
    assert site.settings.league is not None
    own = await site.work(uploads, site.database, (), author, MAX_QUEUE)
    final = await site.work(_closing, site)
    view = submit_view(site.settings.league, author, own[::-1], place, final)
    view = msgspec.structs.replace(view, values={**view.values, "refused": refused})
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return html(draw_view(site.settings, view), status)


async def _submit_form(site: Site, request: Request) -> Response:
    token = await _sender(site, request)
    try:
        async with request.form(max_files=1, max_fields=4) as form:
            sent = form.get("file")
            if not isinstance(sent, UploadFile):
                raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "no file was sent; choose one")
            upload = await _take(site, token, sent.filename or "", await sent.read())
    except Refused as error:
        if error.status_code != HTTPStatus.UNPROCESSABLE_ENTITY:
            raise
        return await _form_of(site, token.author, place_of(site, request, LISTED), error.detail)
    return see_other(site, f"/s/{upload.id}")


async def _queue_page(site: Site, request: Request) -> Response:
    found = await site.work(_latest, site)
    return html(draw_view(site.settings, queue_view(found, place_of(site, request, LISTED))))


async def _submission_page(site: Site, request: Request) -> Response:
    upload, own = await _upload(site, request)
    changes = await site.work(upload_changes, site, upload)
    view = submission_view(upload, place_of(site, request, LISTED), own=own, changes=changes)
    return html(draw_view(site.settings, view))


async def _log_page(site: Site, request: Request) -> Response:
    token = await token_of(site, request)
    if token is None:
        message = "the log of a bot is its author's alone: log in at Submit"
        raise Refused(HTTPStatus.UNAUTHORIZED, message)
    bot = request.path_params["name"]
    try:
        logs = await site.work(author_logs, site.database, token.author, bot)
    except NotTheAuthor as error:
        raise Refused(HTTPStatus.FORBIDDEN, str(error)) from None
    return html(draw_view(site.settings, log_view(bot, logs, place_of(site, request, LISTED))))


def routes(site: Site) -> list[Route]:
    """Returns the addresses of a league."""
    rows = (
        ("POST", "/api/submissions", _send),
        ("GET", "/api/submissions", _list),
        ("GET", "/api/submissions/{number}", _document),
        ("GET", "/submit", _submit_page),
        ("POST", "/submit", _submit_form),
        ("GET", "/queue", _queue_page),
        ("GET", "/s/{number}", _submission_page),
        ("GET", "/b/{name}/log", _log_page),
    )
    return [
        Route(path, partial(endpoint, site), methods=[method]) for method, path, endpoint in rows
    ]
