"""Asks an endpoint one question before the first match: key, model, and the form of its answers."""

from __future__ import annotations

import msgspec
import trio

from arena.core.errors import EndpointFailed
from arena.host.endpoints.client import EndpointClient
from arena.host.endpoints.exchange import Usage
from arena.host.endpoints.reply import read_reply
from arena.host.endpoints.request import request_body

MAX_ATTEMPTS = 3
"""Times that the question is sent to an endpoint that is too busy for it."""
RETRY_SECONDS = 1.0
"""Seconds until it is sent again, where the endpoint names no time."""
_QUESTION = ({"role": "user", "content": "Say in a few words which season you like best."},)
_WORDS = ("north", "south")
"""Words that only a server which keeps the form makes of the question."""


class Calibration(msgspec.Struct, frozen=True):
    """The findings of one question.

    Attributes:
        usage: Tokens of the question and its answer; what is ``None`` the endpoint never says.
        seconds: Time to the answer.
    """

    usage: Usage
    seconds: float


async def calibrate(client: EndpointClient) -> Calibration:
    """Asks an endpoint one question, which costs a part of a cent, and returns its findings.

    Raises:
        EndpointFailed: The endpoint cannot be asked, or does not keep the form of answers
            that its file wants; the line says what to change.
    """
    endpoint = client.endpoint
    body = request_body(endpoint, _QUESTION, _WORDS, "calibration")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            answer = await client.send(body)
            break
        except EndpointFailed as failed:
            if not failed.retry or attempt == MAX_ATTEMPTS:
                raise
            await trio.sleep(RETRY_SECONDS if failed.wait_seconds is None else failed.wait_seconds)
    reply = read_reply(answer, endpoint.answer)
    if reply.reading == "cut" and not reply.text.strip():
        raise EndpointFailed(
            f"{endpoint.model}: its reasoning alone took all of max_tokens = "
            f"{endpoint.max_tokens}; allow more",
            retry=False,
        )
    if not reply.in_form:
        raise EndpointFailed(
            f'{endpoint.model}: the server does not keep answer = "{endpoint.answer}"; '
            'write answer = "line"',
            retry=False,
        )
    return Calibration(reply.usage, answer.seconds)
