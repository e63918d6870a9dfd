"""Reads the answers of endpoints: the text of a model, its tokens and cost, and errors.

HTTP 200 does not prove an answer: some servers report their errors in such a body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from arena.core.errors import EndpointFailed
from arena.core.text.printable import printable_line
from arena.host.endpoints.exchange import Answer, Reading, Usage
from arena.host.endpoints.request import MOVE
from arena.plugins.endpoints.spec import AnswerForm, Endpoint

_TRANSIENT = frozenset({408, 409, 425, 429})
"""Statuses below 500 after which the same question may be answered later."""
_OVERFLOW = re.compile(
    "context.length|exceed_context_size|context window|(prompt|input) is too long"
    "|input token count",
    re.I,
)
TOO_LONG = (
    "the prompt is longer than the model's context; give the model more, write a shorter prompt, "
    'or leave history = "position"'
)
_FILTERED = re.compile("content_filter|content_policy_violation")
"""Codes of a refusal, with which some servers answer instead of a model's own words."""
_PAID = frozenset({504, 524})
"""Statuses of a server that has waited for the model: its answer may have to be paid for."""
_NO_CREDIT = re.compile("insufficient_quota|insufficient_credit|billing", re.I)
_HINTS = (
    (
        re.compile("max_completion_tokens"),
        '; write token_field = "max_completion_tokens" in the file of the bot',
    ),
    (re.compile("temperature"), "; leave temperature out of the file of the bot"),
    (
        re.compile("response_format|json_schema|tool_choice|tools"),
        '; write answer = "line" in the file of the bot',
    ),
    (re.compile(r"\buser\b"), """; write extra = { user = "=" } in the file of the bot"""),
)
"""Changes of a file after a refused request, by a word of the refusal."""
_MEANINGS = {
    401: "the key is wrong; check the variable that key_env names",
    402: "the account has no credit",
    403: "the key is not allowed to use this model",
    404: "no such address or model; check url and model",
    413: "the request is too long",
}
_MAX_MESSAGE_LENGTH = 300


class Reply(msgspec.Struct, frozen=True):
    """The answer of a model, read.

    Attributes:
        text: Its words, to be read for a move; of a call of a tool, its arguments as JSON.
        finish: Why the endpoint ended the answer, in its own word; empty if it does not say.
        usage: The tokens of the question and the answer.
        reading: ``"refused"``, ``"too long"``, ``"cut"`` or ``"empty"`` where there is no move to
            be read; ``None`` for all others.
        in_form: Whether the answer has the form that was asked for.
    """

    text: str
    finish: str
    usage: Usage
    reading: Reading | None
    in_form: bool


def read_reply(answer: Answer, form: AnswerForm, wait_seconds: float | None = None) -> Reply:
    """Returns what a model answered.

    A prompt that is too long, and a refusal by a filter of contents, are no failures of the
    endpoint: the same prompt has no other answer.

    Args:
        answer: The answer.
        form: The form that was asked for.
        wait_seconds: How long the endpoint asks to wait, of the header ``Retry-After``.

    Raises:
        EndpointFailed: No model answered: the status or the body reports an error, or the body
            has another form than chat completions.
    """
    body = _decoded(answer)
    if answer.status != 200 or _error_of(body) is not None:
        return _of_error(answer, wait_seconds)
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise EndpointFailed(
            "the answer is not of the chat-completions form: it has no choices[0].message; check "
            f"url: {_shown(answer.body)}",
            paid=True,
        )
    finish = _line(choice.get("finish_reason"))
    if finish == "error":
        raise EndpointFailed("the endpoint ended its answer by an error", paid=True)
    called = _call_of(message)
    content = _content_of(message)
    text = called or content if form == "tool" else content or called
    reading: Reading | None = None
    if finish == "content_filter" or (_text(message.get("refusal")) and not text):
        reading = "refused"
        text = text or _text(message.get("refusal"))
    elif finish == "length":
        reading = "cut"
    elif not text.strip():
        if message.get("content") is None:
            raise EndpointFailed("the answer has no content", paid=True)
        reading = "empty"
    structured = {"line": None, "schema": content, "tool": called}[form]
    return Reply(
        text, finish, _usage_of(body), reading, structured is None or _has_move(structured)
    )


def _of_error(answer: Answer, wait_seconds: float | None) -> Reply:
    """Returns the refusal that an answer reports by its status or in its body; it costs nothing.

    Raises:
        EndpointFailed: It reports anything else.
    """
    try:
        error = _error_of(_decoded(answer))
    except EndpointFailed:
        error = None
    status, said = answer.status, _shown(answer.body)
    kind = ""
    if isinstance(error, Mapping):
        said = _line(error.get("message")) or said
        kind = f"{_line(error.get('code'))} {_line(error.get('type'))}"
        if status == 200:
            code = error.get("code")
            status = code if isinstance(code, int) and 400 <= code < 600 else _status_of(kind)
    elif isinstance(error, str) and error:
        said = _line(error)
    if status == 200:
        status = 500
    reading: Reading | None = None
    if status != 429 and _OVERFLOW.search(f"{kind} {said}"):
        reading = "too long"
    elif _FILTERED.search(kind):
        reading = "refused"
    if reading is None:
        raise _classified(status, kind, said, wait_seconds)
    return Reply(said, kind.strip(), Usage(0, 0, 0), reading, in_form=True)


def _classified(status: int, kind: str, said: str, wait_seconds: float | None) -> EndpointFailed:
    words = f"{kind} {said}"
    about = f": {said}" if said else ""
    if _NO_CREDIT.search(words):
        return EndpointFailed(f"HTTP {status}, {_MEANINGS[402]}{about}", retry=False)
    if status in _TRANSIENT or status >= 500:
        return EndpointFailed(
            f"HTTP {status}{about}", True, wait_seconds, busy=status == 429, paid=status in _PAID
        )
    meaning = f", {_MEANINGS[status]}" if status in _MEANINGS else ""
    hint = ""
    if status in (400, 422):
        hint = next((hint for pattern, hint in _HINTS if pattern.search(said)), "")
    return EndpointFailed(f"HTTP {status}{meaning}{about}{hint}", retry=False)


def _status_of(kind: str) -> int:
    """Returns the status that fits the code or type of an error in a body."""
    numbers = re.findall(r"\b[45]\d\d\b", kind)
    if numbers:
        return int(numbers[0])
    if "rate_limit" in kind:
        return 429
    if "invalid_api_key" in kind or "authentication" in kind:
        return 401
    return 404 if "not_found" in kind else 400 if "invalid_request" in kind else 500


def cost_of(endpoint: Endpoint, usage: Usage) -> float | None:
    """Returns the price of an exchange in dollars; ``None`` if prices or tokens are not known."""
    prices, tokens = (endpoint.price_in, endpoint.price_out), (usage.prompt, usage.completion)
    (price_in, price_out), (prompt, completion) = prices, tokens
    if price_in is None or price_out is None or prompt is None or completion is None:
        return None
    cached = min(usage.cached or 0, prompt)
    price_cached = price_in if endpoint.price_cached is None else endpoint.price_cached
    total = (prompt - cached) * price_in + cached * price_cached + completion * price_out
    return total / 1_000_000


def _decoded(answer: Answer) -> Any:  # noqa: ANN401 - JSON of a stranger
    try:
        return msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        if answer.status != 200:
            return None
        why = f"the answer is no JSON: {_shown(answer.body)}"
        raise EndpointFailed(why, paid=True) from None


def _error_of(body: object) -> object:
    """Returns the error in a body, also of servers that give a list of one; ``None`` without."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    return body.get("error") if isinstance(body, dict) else None


def _content_of(message: Mapping[str, object]) -> str:
    """Returns the content of a message, be it one text or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(text for text in texts if isinstance(text, str))
    return _text(content)


def _call_of(message: Mapping[str, object]) -> str:
    """Returns the arguments of the first tool that was called, as the model wrote them."""
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else None
    function = first.get("function") if isinstance(first, dict) else None
    given = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(given, dict):  # servers that decode them
        return msgspec.json.encode(given).decode()
    return _text(given)


def _has_move(text: str) -> bool:
    try:
        found = msgspec.json.decode(text.encode(errors="replace"))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get(MOVE), str)


def _usage_of(body: Mapping[str, object]) -> Usage:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Usage(
        _count(usage.get("prompt_tokens")), _count(cached), _count(usage.get("completion_tokens"))
    )


def _count(value: object) -> int | None:
    plain = isinstance(value, int) and not isinstance(value, bool)
    return value if plain and 0 <= value < 2**53 else None  # type: ignore[operator, return-value]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(value: object) -> str:
    return printable_line(str(value), _MAX_MESSAGE_LENGTH) if isinstance(value, str | int) else ""


def _shown(body: bytes) -> str:
    return printable_line(body[:2000].decode(errors="replace"), 100) if body else "an empty body"
