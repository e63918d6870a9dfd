"""Logins: by the token of an author or an organiser, or by the cookie of an earlier login."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus

from arena_results.bots.authors import SESSION, Token, author_of, log_in, log_out, logged_in
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.routes.pages import see_other
from arena.web.site.guard.errors import Refused
from arena.web.site.security import bearer
from arena.web.site.site import Site

COOKIE = "__Host-arena"
"""Name of the cookie of a login; by its prefix browsers send it only to this host, by HTTPS."""
AFTER = "after"
"""Parameter of the page after a login: without a login there, the browser refused the cookie."""


def _now() -> datetime:
    return datetime.now(UTC)


async def token_of(site: Site, request: Request) -> Token | None:
    """Returns the token of a request, sent with it or by the cookie of a login.

    Raises:
        Refused: The token that it sends is not accepted.
    """
    sent = bearer(request.headers)
    if sent is not None:
        token = await site.work(author_of, site.database, sent, _now())
        if token is None:
            raise bad_token()
        return token
    secret = request.cookies.get(COOKIE)
    return await site.work(logged_in, site.database, secret, _now()) if secret else None


async def is_organiser(site: Site, request: Request) -> bool:
    """Returns whether a request is an organiser's; see ``token_of``."""
    token = await token_of(site, request)
    return token is not None and token.organises


def bad_token() -> Refused:
    """Returns the refusal of a token."""
    message = "this token is not accepted: it may be revoked, or mistyped; ask the organiser"
    return Refused(HTTPStatus.UNAUTHORIZED, message)


def _home(site: Site, token: Token | None) -> str:
    """Returns the page of a login: an organiser's, where there is one, else an author's."""
    settings = site.settings
    organises = settings.league is None if token is None else token.organises
    return "/organise" if settings.organise and organises else "/submit"


async def _log_in(site: Site, request: Request) -> Response:
    async with request.form(max_files=0, max_fields=4) as form:
        secret = str(form.get("token", "")).strip()
    token = await site.work(author_of, site.database, secret, _now())
    if token is None:
        raise bad_token()
    if site.settings.league is None and not token.organises:
        message = f"{token.author} has the token of an author; events need one of an organiser"
        raise Refused(HTTPStatus.FORBIDDEN, message)
    cookie = await site.work(log_in, site.database, token, _now())
    answer = see_other(site, f"{_home(site, token)}?{AFTER}=login")
    answer.set_cookie(
        COOKIE, cookie, int(SESSION.total_seconds()), secure=True, httponly=True, samesite="strict"
    )
    return answer


async def _log_out(site: Site, request: Request) -> Response:
    token = await token_of(site, request)
    if secret := request.cookies.get(COOKIE):
        await site.work(log_out, site.database, secret)
    answer = see_other(site, _home(site, token))
    answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
    return answer


def routes(site: Site) -> list[Route]:
    """Returns the addresses of logins."""
    rows = (("/login", _log_in), ("/logout", _log_out))
    return [Route(path, partial(endpoint, site), methods=["POST"]) for path, endpoint in rows]
