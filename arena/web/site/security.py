"""Guards in front of every request: headers, hosts, limits, and requests made by other sites.

Each is an ASGI application around another one.
"""

from __future__ import annotations

import re
import sys
from http import HTTPStatus
from typing import NoReturn
from urllib.parse import urlsplit

import trio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.web.site.guard.errors import Refused
from arena.web.site.guard.limits import who
from arena.web.site.guard.settings import LOOPBACK, below
from arena.web.site.site import Site

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""Allows pages to load files of the site, and pictures within the page."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Headers of every answer; the web server also adds them to its own."""
SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
_ANSWER = re.compile(r"/play/[\w-]+|/organise/.*")
"""Paths to which players at tables send their answers, and organisers their changes."""


class Placed:
    """Sets the path prefix of the site, and behind a proxy the visitor's address and scheme."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._settings = app, site.settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address, scheme = (scope.get("client") or ("unknown",))[0], scope.get("scheme", "http")
        if self._settings.behind_proxy:
            headers = Headers(scope=scope)
            address = _last(headers, "x-forwarded-for") or address
            if _last(headers, "x-forwarded-proto").lower() == "https":
                scheme = "https"
        scope.update(root_path=self._settings.prefix, scheme=scheme, visitor=who(address))
        await self._app(scope, receive, send)


def _last(headers: Headers, name: str) -> str:
    """Returns the last value of a list, which the proxy added."""
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip()


class RightHost:
    """Refuses a site of this machine under another name, which a page elsewhere could have made."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._checks = site.settings.local and not site.settings.behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._checks:
            host = Headers(scope=scope).get("host", "")
            if _name(host) not in LOOPBACK:
                raise Refused(
                    HTTPStatus.MISDIRECTED_REQUEST,
                    f"host {host[:80]!r}: this site is for {', '.join(LOOPBACK)}; "
                    "behind a proxy it is started with --behind-proxy",
                )
        await self._app(scope, receive, send)


def bearer(headers: Headers) -> str | None:
    """Returns the token that a request sends; ``None`` without one, as with the scheme Basic."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Limited:
    """Limits the requests of an address per minute, and more so requests that change something.

    Answers at tables, of which a match has many, and changes of organisers have their own limit.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._site.allowance.spend(scope["visitor"])
        if scope["method"] not in SAFE:
            answer = _ANSWER.fullmatch(below(self._site.settings, scope["path"]))
            (self._site.answers if answer else self._site.unsafe).spend(scope["visitor"])
        await self._app(scope, receive, send)


class OwnPages:
    """Refuses changes that a page of another site sends (CSRF).

    Browsers say where a request comes from. A program that sends a token, or asks the API without a
    cookie, asks in nobody's name.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._settings = app, site.settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in SAFE:
            headers = Headers(scope=scope)
            path = below(self._settings, scope["path"])
            nobody = path.startswith("/api/") and "cookie" not in headers
            if bearer(headers) is None and not nobody:
                self._check(headers, scope["scheme"])
        await self._app(scope, receive, send)

    def _check(self, headers: Headers, scheme: str) -> None:
        site = headers.get("sec-fetch-site")
        own = f"{scheme}://{headers.get('host', '')}"
        if site == "same-origin" or (site is None and headers.get("origin") == own):
            return
        message = "this was not sent by a page of this site; open the page and try again there"
        raise Refused(HTTPStatus.FORBIDDEN, message)


class SmallBodies:
    """Limits the size of a request's body, and the time that it takes to arrive."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._settings = app, site.settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        most, seconds = self._settings.body_limits(below(self._settings, scope["path"]))
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > most:
            self._too_large(most)
        taken, whole, deadline = 0, False, trio.current_time() + seconds

        async def receiving() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()
            with trio.move_on_at(deadline):
                message = await receive()
                taken += len(message.get("body", b""))
                whole = not message.get("more_body", False)
                if taken > most:
                    self._too_large(most)
                return message
            late = f"the body did not arrive within {seconds:g} seconds"
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, late)

        await self._app(scope, receiving, send)

    def _too_large(self, most: int) -> NoReturn:
        message = f"the body of this request has at most {most} bytes"
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)


def report_fault(detail: str) -> None:
    """Writes what visitors are not shown to the operator's log."""
    sys.stderr.write(f"arena: {detail}\n")
    sys.stderr.flush()
