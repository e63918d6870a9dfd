"""Asks endpoints by HTTP: one client a run, with a gate and a number of questions for each bot.

Whatever goes wrong is one line without the key. The library's own errors are not passed on, as
their tracebacks hold the headers.
"""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from email.utils import parsedate_to_datetime
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

import trio

from arena.core.errors import BadInput, EndpointFailed, describe
from arena.core.text.printable import printable_line
from arena.host.endpoints.exchange import Answer
from arena.host.endpoints.gate import MAX_WAIT_SECONDS, Gate
from arena.host.endpoints.kept import kept_body
from arena.host.endpoints.reply import read_reply
from arena.plugins.endpoints.spec import Endpoint

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 1 << 20
"""Bytes of one answer, decompressed."""
MAX_FAILURES = 5
"""Failures of one question, while others are answered, after which its match is set aside."""
RETRY_SECONDS = 0.1
"""Wait before a question is asked again; twice as long after each further failure."""
BUSY_SECONDS = 1.0
"""The same, where the endpoint says that there are too many questions."""
CONNECT_SECONDS = 5.0
"""Time for a connection."""
POOL_CONNECTIONS = 8
"""Connections of one pool: for each request a pool looks at every idle one."""
_KEEPALIVE_SECONDS = 60.0
Send: TypeAlias = Callable[[], Awaitable[Answer]]
"""Sends a question once."""
_EXTRA = "language models need the extra models: pip install 'arena-harness[models]'"


class Key:
    """Holds the key of an endpoint; no traceback shows it, as ``repr`` does not."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "Key(...)"

    def headers(self) -> dict[str, str]:
        """Returns the headers of a request."""
        plain = {"content-type": "application/json", "accept": "application/json"}
        return {**plain, "authorization": f"Bearer {self._text}"} if self._text else plain

    def hidden_in(self, data: bytes) -> bytes:
        """Returns an answer without the key, which some servers repeat in their refusals."""
        return data.replace(self._text.encode(), b"[key]") if self._text else data


async def _plainly(send: Send) -> Answer:
    return await send()


class EndpointClient:
    """Asks one endpoint; ``open_clients`` makes it.

    Attributes:
        endpoint: Its parameters.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        key: Key,
        places: list[httpx2.AsyncClient],
        notice: Callable[[str], object],
    ) -> None:
        self.endpoint = endpoint
        self._key, self._places = key, places
        self._gate = Gate(endpoint.parallel, notice=notice)

    async def ask(
        self, body: bytes, charged: Callable[[Send], Awaitable[Answer]] = _plainly
    ) -> Answer:
        """Returns the answer of a model to the body of a request, however long the endpoint fails.

        At most ``parallel`` questions are under way at a time. While the endpoint fails, one
        question at a time tries again.

        Args:
            body: The body.
            charged: Sends a question by the function that it gets; called for each attempt.

        Raises:
            EndpointFailed: The endpoint fails on and on, or it fails this question; then the
                same question may be asked later (``retry``).
        """
        for failures in range(MAX_FAILURES):
            try:
                return await self._gate.through(lambda: charged(partial(self.send, body)))
            except EndpointFailed as failed:
                if not failed.retry or failures == MAX_FAILURES - 1:
                    raise
                first = BUSY_SECONDS if failed.busy else RETRY_SECONDS
                seconds = max(failed.wait_seconds or 0.0, first * 2**failures)
            await self._gate.wait(seconds)
        raise AssertionError

    def leave(self) -> None:
        """Lets no question wait for an endpoint that fails any more, as the run pauses."""
        self._gate.leave()

    async def send(self, body: bytes) -> Answer:
        """Sends a request once and returns the answer, which is a model's.

        Raises:
            EndpointFailed: The endpoint failed, or does not answer in time.
        """
        began = trio.current_time()
        seconds = self.endpoint.timeout_seconds
        found: tuple[int, bytes, float | None] | EndpointFailed
        with trio.move_on_after(seconds) as limit:
            found = await self._exchange(body)
        if limit.cancelled_caught:
            found = EndpointFailed(f"no answer within {seconds:g} s (timeout_seconds)", paid=True)
        if not isinstance(found, EndpointFailed):
            status, data, wait = found
            answer = Answer(status, kept_body(data), trio.current_time() - began)
            try:
                read_reply(answer, self.endpoint.answer, wait)
            except EndpointFailed as failed:
                found = failed
            else:
                return answer
        # Raised here, where no frame and no context holds what the library knew of the key.
        raise self._named(found)

    async def _exchange(self, body: bytes) -> tuple[int, bytes, float | None] | EndpointFailed:
        """Returns status, body and the wait that is asked for, or what failed."""
        place = self._places.pop()
        try:
            async with place.stream(
                "POST", self.endpoint.url, content=body, headers=self._key.headers()
            ) as response:
                if response.is_redirect:
                    return _redirected(self.endpoint.url, response.headers.get("location", ""))
                parts, size = [], 0
                with trio.CancelScope() as enough:  # its generators end only so before their time
                    async for part in response.aiter_bytes():
                        size += len(part)
                        if size > MAX_ANSWER_BYTES:
                            enough.cancel()
                        else:
                            parts.append(part)
                if size > MAX_ANSWER_BYTES:
                    return EndpointFailed(
                        f"the answer is longer than {MAX_ANSWER_BYTES} bytes", False, paid=True
                    )
                wait = wait_seconds(response.headers.get("retry-after", ""), time.time())
                return response.status_code, self._key.hidden_in(b"".join(parts)), wait
        except Exception as error:  # any of its errors would show the key
            return _failure(error, secure=self.endpoint.url.startswith("https"))
        finally:
            self._places.append(place)

    def _named(self, failed: EndpointFailed) -> EndpointFailed:
        place = urlsplit(self.endpoint.url).hostname
        reason = f"{self.endpoint.model} at {place}: {failed.reason}"
        return EndpointFailed(reason, failed.retry, failed.wait_seconds, failed.busy, failed.paid)


@asynccontextmanager
async def open_clients(
    endpoints: Sequence[Endpoint],
    environment: Mapping[str, str] = os.environ,
    notice: Callable[[str], object] = lambda line: None,
) -> AsyncIterator[list[EndpointClient]]:
    """Opens the clients of a run, one for each endpoint, and closes them.

    The keys are read now. The variable ``SSL_CERT_FILE`` may name certificates to be trusted
    instead of the system's.

    Args:
        endpoints: Their parameters.
        environment: The variables.
        notice: Takes a line for people while an endpoint fails.

    Raises:
        BadInput: The HTTP client is not installed, or a variable that has a key is missing.
    """
    _check_installed()
    keys = [_key_of(endpoint, environment) for endpoint in endpoints]
    trusted = _trusted(environment.get("SSL_CERT_FILE", ""))
    del environment  # a traceback shows what a frame holds
    async with AsyncExitStack() as stack:
        clients = []
        for endpoint, key in zip(endpoints, keys, strict=True):
            places: list[httpx2.AsyncClient] = []
            while len(places) < endpoint.parallel:
                size = min(POOL_CONNECTIONS, endpoint.parallel - len(places))
                pool = await stack.enter_async_context(_pool(size, endpoint.proxy, trusted))
                places += [pool] * size
            clients.append(EndpointClient(endpoint, key, places, notice))
        yield clients


def _pool(size: int, proxy: str, trusted: ssl.SSLContext) -> httpx2.AsyncClient:
    import httpx2

    return httpx2.AsyncClient(
        limits=httpx2.Limits(
            max_connections=size,
            max_keepalive_connections=size,
            keepalive_expiry=_KEEPALIVE_SECONDS,
        ),
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        proxy=proxy or None,
        verify=trusted,
        trust_env=False,
        follow_redirects=False,
    )


def _check_installed() -> None:
    if find_spec("httpx2") is None:
        raise BadInput(_EXTRA)


def _key_of(endpoint: Endpoint, environment: Mapping[str, str]) -> Key:
    name = endpoint.key_env
    if not name:
        return Key("")
    key = environment.get(name, "").strip()
    if not key:
        raise BadInput(f"{endpoint.model}: the variable {name} is not set; export {name}=KEY")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise BadInput(
            f"{endpoint.model}: the variable {name} holds what no key may: expected "
            "letters, digits and signs, without blanks"
        )
    return Key(key)


def _trusted(path: str) -> ssl.SSLContext:
    """Returns the certificates of a file, or the system's; all pools share them."""
    import httpx2

    try:
        return ssl.create_default_context(cafile=path) if path else httpx2.create_ssl_context()
    except (OSError, ValueError) as error:
        why = printable_line(getattr(error, "strerror", "") or describe(error))
        raise BadInput(f"SSL_CERT_FILE={path}: no certificates: {why}") from None


def wait_seconds(header: str, now: float) -> float | None:
    """Returns the wait that a header ``Retry-After`` asks for; ``None`` without one.

    Args:
        header: Seconds, or a date.
        now: Seconds since 1970.
    """
    try:
        asked = float(header)
    except ValueError:
        try:
            asked = parsedate_to_datetime(header).timestamp() - now
        except (ValueError, OverflowError):
            return None
    return min(max(asked, 0.0), MAX_WAIT_SECONDS) if asked == asked else None


def _redirected(url: str, target: str) -> EndpointFailed:
    place = urlsplit(url)
    try:
        there = urlsplit(target)
        address = f"{there.scheme or place.scheme}://{there.netloc or place.netloc}{there.path}"
        other = f"another host, {there.hostname}" if there.netloc else "another address"
    except ValueError:
        address, other = target, "another address"
    return EndpointFailed(
        f"it redirects to {other}, which is not followed; if that is right, write "
        f"url = {printable_line(address)!r}",
        retry=False,
    )


_OTHER_HOST = (62, 64)
"""OpenSSL's codes of certificates of another name or address."""


def _failure(error: Exception, *, secure: bool) -> EndpointFailed:
    """Returns an error of the HTTP client as one line; it has none of the request's headers.

    Args:
        secure: Whether the address of the endpoint begins with https.
    """
    import httpx2

    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = printable_line(cause.verify_message.removesuffix("."))
        advice = "" if cause.verify_code in _OTHER_HOST else "; SSL_CERT_FILE can name one to trust"
        return EndpointFailed(f"its certificate is not trusted: {why}{advice}", retry=False)
    if cause is not None:
        why = printable_line(str(cause.args[-1]))
        return EndpointFailed(
            f"no encrypted connection: {why}; if the server speaks plain http, write http:// in url"
        )
    if isinstance(error, httpx2.ConnectTimeout):
        return EndpointFailed(f"no connection within {CONNECT_SECONDS:g} s; is url right?")
    if isinstance(error, httpx2.ConnectError):
        return EndpointFailed(f"no connection: {printable_line(str(error))}")
    if isinstance(error, httpx2.DecodingError):
        return EndpointFailed("its answer cannot be decompressed", paid=True)
    if isinstance(error, httpx2.TransportError):
        why = printable_line(describe(error))
        hint = "" if secure else "; if the server speaks https, write https:// in url"
        return EndpointFailed(f"the connection broke: {why}{hint}", paid=True)
    return EndpointFailed(f"the request failed: {type(error).__name__}")
