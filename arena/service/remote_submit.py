"""Submits a bot to a league over the network: sends it, and waits for the decision."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, build_opener

import msgspec

from arena.core.errors import BadInput
from arena.core.printable import printable_line
from arena.plugins.archives import folder_files, packed
from arena.plugins.submission import is_folder

POLL_SECONDS = 1.0
"""Time between two questions for the decision."""
ANSWER_SECONDS = 120.0
"""Time that the server has for one answer."""
DECIDED = ("entered", "refused", "failed")
LONGEST = 10_000_000
"""Bytes of an answer."""

Document = dict[str, Any]


def submit_to(
    server: str,
    path: str,
    token: str,
    changed: Callable[[Document], object] = lambda document: None,
    sleep: Callable[[float], object] = time.sleep,
) -> Document:
    """Submits a bot to a league and waits until it is decided.

    Args:
        server: Address of the site, such as ``https://arena.example/league``.
        path: A file, a zip archive, a wheel, or a folder, which is packed.
        token: The author's token.
        changed: Called with the document of the submission whenever its state is another one.

    Returns:
        The document of the decided submission, with its text.

    Raises:
        BadInput: It cannot be read, the server cannot be reached, or it refuses the submission;
            nothing was stored there then.
    """
    base = _checked(server)
    name, content = _contents(path)
    headers = {"Authorization": f"Bearer {token}"}
    found = _ask(f"{base}/api/submissions?file={quote(name)}", headers, content)
    changed(found)
    while found["state"] not in DECIDED:
        sleep(POLL_SECONDS)
        now = _ask(f"{base}/api/submissions/{found['id']}", headers)
        if now["state"] != found["state"]:
            changed(now)
        found = now
    return found


def _checked(server: str) -> str:
    """The address without what may follow; only these two schemes are asked."""
    try:
        parts = urlsplit(server)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"--server {server!r}: expected an address such as https://arena.example")
    return server.rstrip("/")


def _contents(path: str) -> tuple[str, bytes]:
    """The name and the bytes of what is sent."""
    if is_folder(path):
        folder = Path(path).resolve()
        return f"{folder.name}.zip", packed(folder_files(path, folder))
    try:
        return Path(path).name, Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None


def _ask(address: str, headers: dict[str, str], content: bytes | None = None) -> Document:
    request = Request(address, content, headers)
    if content is not None:
        request.add_header("Content-Type", "application/octet-stream")
    try:
        with build_opener().open(request, timeout=ANSWER_SECONDS) as answer:
            found = msgspec.json.decode(answer.read(LONGEST))
    except HTTPError as error:
        raise BadInput(f"the server refuses it ({error.code}): {_reason(error)}") from None
    except (URLError, OSError, HTTPException) as error:
        reason = printable_line(str(getattr(error, "reason", error)))
        raise BadInput(f"{address.partition('/api')[0]} cannot be reached: {reason}") from None
    except msgspec.DecodeError:
        raise BadInput(f"{address.partition('/api')[0]} is no league of Arena") from None
    if not isinstance(found, dict) or "state" not in found:
        raise BadInput(f"{address.partition('/api')[0]} is no league of Arena")
    return found


def _reason(error: HTTPError) -> str:
    try:
        return printable_line(str(msgspec.json.decode(error.read(LONGEST))["error"]))
    except (msgspec.DecodeError, KeyError, TypeError, OSError):
        return printable_line(str(error.reason))
