"""Asks an endpoint one question before the first match: key, model, and the form of its answers."""

from __future__ import annotations

import msgspec
import trio

from arena.core.errors import EndpointFailed
from arena.core.text.printable import printable_line
from arena.host.endpoints.client import EndpointClient
from arena.host.endpoints.exchange import Usage
from arena.host.endpoints.purse import worst_cost
from arena.host.endpoints.reply import TOO_LONG, Reply, cost_of, read_reply
from arena.host.endpoints.request import request_body
from arena.plugins.endpoints.spec import Endpoint

MAX_ATTEMPTS = 3
"""Times that the question is sent to an endpoint that is too busy for it."""
RETRY_SECONDS = 1.0
"""Seconds until it is sent again, where the endpoint names no time."""
MAX_SHOWN = 100
"""Characters of a refusal that a problem repeats."""
_QUESTION = ({"role": "user", "content": "Say in a few words which season you like best."},)
_WORDS = ("north", "south")
"""Words that only a server which keeps the form makes of the question."""


class Calibration(msgspec.Struct, frozen=True):
    """The findings of one question.

    Attributes:
        usage: Tokens of the question and its answer; what is ``None`` the endpoint never says.
        seconds: Time to the answer.
        cost: Price in dollars; ``None`` where prices or tokens are not known.
        unanswered: Number of calls before it that were not answered, but may be paid for.
        problem: Why there is no answer, in one sentence; empty if there is one.
    """

    usage: Usage
    seconds: float
    cost: float | None
    unanswered: int
    problem: str = ""


def worst_calibration(endpoint: Endpoint) -> float:
    """Returns the most that a calibration can cost, in dollars; 0 without prices."""
    return MAX_ATTEMPTS * worst_cost(endpoint, calibration_body(endpoint))


def calibration_body(endpoint: Endpoint) -> bytes:
    """Returns the body of the question."""
    return request_body(endpoint, _QUESTION, _WORDS, "calibration")


async def calibrate(client: EndpointClient) -> Calibration:
    """Asks an endpoint one question, which costs a part of a cent, and returns its findings.

    Raises:
        EndpointFailed: The endpoint cannot be asked, or does not keep the form of answers
            that its file wants; the line says what to change.
    """
    endpoint, unanswered = client.endpoint, 0
    body = calibration_body(endpoint)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            answer = await client.send(body)
            break
        except EndpointFailed as failed:
            if not failed.retry or attempt == MAX_ATTEMPTS:
                raise
            unanswered += failed.paid
            await trio.sleep(RETRY_SECONDS if failed.wait_seconds is None else failed.wait_seconds)
    reply = read_reply(answer, endpoint.answer)
    if reply.reading == "cut" and not reply.text.strip():
        raise EndpointFailed(
            f"{endpoint.model}: its reasoning alone took all of max_tokens = "
            f"{endpoint.max_tokens}; allow more",
            retry=False,
        )
    if reply.reading == "too long":
        raise EndpointFailed(f"{endpoint.model}: {TOO_LONG}: {reply.text}", retry=False)
    problem = _problem(reply)
    if not (reply.in_form or problem):
        raise EndpointFailed(
            f'{endpoint.model}: the server does not keep answer = "{endpoint.answer}"; '
            'write answer = "line"',
            retry=False,
        )
    cost = cost_of(endpoint, reply.usage)
    return Calibration(reply.usage, answer.seconds, cost, unanswered, problem)


def _problem(reply: Reply) -> str:
    if reply.reading == "refused":
        if reply.finish == "content_filter":
            return "a content filter stopped the answer"
        return f"the model refuses to answer: {printable_line(reply.text, MAX_SHOWN)}"
    return "the answer is empty" if reply.reading == "empty" else ""
