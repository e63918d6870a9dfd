"""Asks endpoints by HTTP: one client a run, with a gate and a number of questions for each bot.

Whatever goes wrong is one line without the key. The library's own errors are not passed on, as
their tracebacks hold the headers.
"""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import trio

from arena.core.errors import BadInput, EndpointFailed, describe
from arena.core.text.printable import printable_line
from arena.host.endpoints.exchange import Answer
from arena.host.endpoints.gate import MAX_WAIT_SECONDS, Gate
from arena.host.endpoints.reply import failure_of, read_reply
from arena.plugins.endpoints.spec import Endpoint

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 1 << 20
"""Bytes of one answer, decompressed."""
MAX_FAILURES = 5
"""Failures of one question, while others are answered, after which its match is set aside."""
CONNECT_SECONDS = 5.0
"""Time for a connection."""
POOL_CONNECTIONS = 8
"""Connections of one pool: for each request a pool looks at every idle one."""
_KEEPALIVE_SECONDS = 60.0
_EXTRA = "language models need the extra models: pip install 'arena-harness[models]'"


class EndpointClient:
    """Asks one endpoint; ``open_clients`` makes it.

    Attributes:
        endpoint: Its parameters.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        headers: Mapping[str, str],
        key: str,
        places: list[httpx2.AsyncClient],
    ) -> None:
        self.endpoint = endpoint
        self._headers, self._key, self._places = headers, key, places
        self._free = trio.CapacityLimiter(endpoint.parallel)
        self._gate = Gate()

    async def ask(self, body: bytes) -> Answer:
        """Returns the answer of a model to the body of a request, however long the endpoint fails.

        At most ``parallel`` questions are under way at a time. While the endpoint fails, one
        question at a time tries again.

        Raises:
            EndpointFailed: The endpoint fails on and on, or it fails this question; then the
                same question may be asked later (``retry``).
        """
        async with self._free:
            for _ in range(MAX_FAILURES - 1):
                try:
                    return await self._gate.through(lambda: self.send(body))
                except EndpointFailed as failed:
                    if not failed.retry:
                        raise
            return await self._gate.through(lambda: self.send(body))

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
            found = EndpointFailed(f"no answer within {seconds:g} s (timeout_seconds)")
        if isinstance(found, EndpointFailed):
            # Raised here, where no frame and no context holds what the library knew of the key.
            raise self._named(found)
        status, data, wait = found
        answer = Answer(status, data, trio.current_time() - began)
        if status != 200:
            raise self._named(failure_of(answer, wait))
        try:
            read_reply(answer, self.endpoint.answer)
        except EndpointFailed as failed:
            raise self._named(failed) from None
        return answer

    async def _exchange(self, body: bytes) -> tuple[int, bytes, float | None] | EndpointFailed:
        """Returns status, body and the wait that is asked for, or what failed."""
        place = self._places.pop()
        try:
            async with place.stream(
                "POST", self.endpoint.url, content=body, headers=self._headers
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
                        f"the answer is longer than {MAX_ANSWER_BYTES} bytes", retry=False
                    )
                wait = wait_seconds(response.headers.get("retry-after", ""), time.time())
                return response.status_code, self._without_key(b"".join(parts)), wait
        except Exception as error:  # any of its errors would show the key
            return _failure(error)
        finally:
            self._places.append(place)

    def _without_key(self, data: bytes) -> bytes:
        """Returns an answer without the key, which some servers repeat in their refusals."""
        return data.replace(self._key.encode(), b"[key]") if self._key else data

    def _named(self, failed: EndpointFailed) -> EndpointFailed:
        place = urlsplit(self.endpoint.url).hostname
        return EndpointFailed(
            f"{self.endpoint.model} at {place}: {failed.reason}", failed.retry, failed.wait_seconds
        )


@asynccontextmanager
async def open_clients(
    endpoints: Sequence[Endpoint], environment: Mapping[str, str] = os.environ
) -> AsyncIterator[list[EndpointClient]]:
    """Opens the clients of a run, one for each endpoint, and closes them.

    The keys are read now. The variable ``SSL_CERT_FILE`` may name certificates to be trusted
    instead of the system's.

    Raises:
        BadInput: The HTTP client is not installed, or a variable that has a key is missing.
    """
    _check_installed()
    keys = [_key_of(endpoint, environment) for endpoint in endpoints]
    trusted = _trusted(environment.get("SSL_CERT_FILE", ""))
    async with AsyncExitStack() as stack:
        clients = []
        for endpoint, key in zip(endpoints, keys, strict=True):
            places: list[httpx2.AsyncClient] = []
            while len(places) < endpoint.parallel:
                size = min(POOL_CONNECTIONS, endpoint.parallel - len(places))
                pool = await stack.enter_async_context(_pool(size, endpoint.proxy, trusted))
                places += [pool] * size
            clients.append(EndpointClient(endpoint, _headers(key), key, places))
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


def check_keys(endpoints: Iterable[Endpoint], environment: Mapping[str, str] = os.environ) -> None:
    """Refuses a run that could not ask its endpoints, before anything of it begins.

    Raises:
        BadInput: The HTTP client is not installed, or a variable that has a key is missing.
    """
    _check_installed()
    for endpoint in endpoints:
        _key_of(endpoint, environment)


def _check_installed() -> None:
    if find_spec("httpx2") is None:
        raise BadInput(_EXTRA)


def _key_of(endpoint: Endpoint, environment: Mapping[str, str]) -> str:
    name = endpoint.key_env
    if not name:
        return ""
    key = environment.get(name, "").strip()
    if not key:
        raise BadInput(f"{endpoint.model}: the variable {name} is not set; export {name}=KEY")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise BadInput(
            f"{endpoint.model}: the variable {name} holds what no key may: expected "
            "letters, digits and signs, without blanks"
        )
    return key


def _trusted(path: str) -> ssl.SSLContext:
    """Returns the certificates of a file, or the system's; all pools share them."""
    import httpx2

    try:
        return ssl.create_default_context(cafile=path) if path else httpx2.create_ssl_context()
    except (OSError, ValueError) as error:
        why = printable_line(describe(error))
        raise BadInput(f"SSL_CERT_FILE={path}: no certificates: {why}") from None


def _headers(key: str) -> dict[str, str]:
    plain = {"content-type": "application/json", "accept": "application/json"}
    return {**plain, "authorization": f"Bearer {key}"} if key else plain


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


def _failure(error: Exception) -> EndpointFailed:
    """Returns an error of the HTTP client as one line; it has none of the request's headers."""
    import httpx2

    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return EndpointFailed(
            f"its certificate is not trusted: {printable_line(cause.verify_message)}", retry=False
        )
    if cause is not None:
        why = printable_line(str(cause.args[-1]))
        return EndpointFailed(f"no encrypted connection: {why}; does the server speak https?")
    if isinstance(error, httpx2.ConnectTimeout):
        return EndpointFailed(f"no connection within {CONNECT_SECONDS:g} s; is url right?")
    if isinstance(error, httpx2.ConnectError):
        return EndpointFailed(f"no connection: {printable_line(str(error))}")
    if isinstance(error, httpx2.DecodingError):
        return EndpointFailed("its answer cannot be decompressed")
    if isinstance(error, httpx2.TransportError):
        return EndpointFailed(f"the connection broke: {printable_line(describe(error))}")
    return EndpointFailed(f"the request failed: {type(error).__name__}")
