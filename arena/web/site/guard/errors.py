"""The status and the one line with which the site answers an error."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException

from arena.core.errors import BadInput, BadStore, describe
from arena.core.text.printable import printable_line
from arena.service.answers.errors import DiskFull, known_error

MAX_LENGTH = 2_000
"""Characters of a message."""


class Problem(msgspec.Struct, frozen=True):
    """An answer to a request that cannot be fulfilled.

    Attributes:
        message: One printable line.
        retry_after: Seconds after which another try makes sense.
        detail: For the operator, not for visitors; it may name files.
        allow: The methods of the address, after another one.
    """

    status: int
    message: str
    retry_after: int | None = None
    detail: str = ""
    allow: str = ""

    @property
    def title(self) -> str:
        """The status in words."""
        return HTTPStatus(self.status).phrase

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer."""
        found = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        if self.allow:
            found["Allow"] = self.allow
        if self.status == HTTPStatus.UNAUTHORIZED:
            found["WWW-Authenticate"] = "Bearer"
        return found


class Refused(HTTPException):
    """Raised for a request that is refused as such, for any address."""

    def __init__(
        self, status: HTTPStatus, message: str, retry_after: int | None = None, allow: str = ""
    ) -> None:
        super().__init__(status, message)
        self.retry_after, self.allow = retry_after, allow


def unreadable(status: int) -> Problem:
    """Returns the answer to a request that cannot be read."""
    reasons = {
        400: "the request cannot be read: its address or one of its headers is malformed",
        431: "the head of the request is too large: address and headers together",
        501: "the request has an encoding that is not supported",
        505: "the request is of another version of HTTP; this site has 1.1 alone",
    }
    return Problem(status, reasons.get(status, "the request cannot be answered"))


def problem_of(error: Exception) -> Problem:
    """Returns the answer to an error: an address that names nothing is 404."""
    if isinstance(error, Refused):
        return Problem(error.status_code, error.detail, error.retry_after, allow=error.allow)
    if isinstance(error, HTTPException):
        return Problem(error.status_code, error.detail)
    if isinstance(error, MultiPartException):
        line = printable_line(f"this form cannot be read: {error.message}", MAX_LENGTH)
        return Problem(HTTPStatus.BAD_REQUEST, line)
    known = known_error(error)
    if isinstance(known, BadInput) and not isinstance(known, BadStore):
        return Problem(HTTPStatus.NOT_FOUND, printable_line(str(known), MAX_LENGTH))
    if isinstance(known, BadStore | DiskFull):
        message = "the results cannot be read or stored at the moment; try again later"
        return Problem(HTTPStatus.SERVICE_UNAVAILABLE, message, 10, printable_line(str(known)))
    detail = printable_line(str(known)) if known else describe(error)
    message = "the site failed at this; its operator finds the reason in its log"
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, message, None, detail)
