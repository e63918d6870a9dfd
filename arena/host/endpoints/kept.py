"""Shortens long answers, so that no endpoint fills the disk."""

from __future__ import annotations

from typing import Any

import msgspec

MAX_KEPT_BYTES = 1 << 16
"""Bytes of an answer that is stored whole. A longer one is stored without its reasoning."""
MAX_TEXT_LENGTH = 1 << 13
"""Characters of each text of a longer answer that are stored, the last ones."""


def kept_body(body: bytes) -> bytes:
    """Returns the body of an answer as it is read and stored; a long one without its reasoning."""
    if len(body) <= MAX_KEPT_BYTES:
        return body
    try:
        whole = msgspec.json.decode(body)
        if whole.get("error") is not None:
            return body[:MAX_KEPT_BYTES]
        choice = whole["choices"][0]
        message = choice["message"]
        kept = {
            "choices": [
                {
                    "message": {key: _end(message.get(key)) for key in ("content", "refusal")}
                    | {"tool_calls": _calls(message.get("tool_calls"))},
                    "finish_reason": _end(choice.get("finish_reason")),
                }
            ],
            "usage": _numbers(whole.get("usage")),
        }
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # msgspec's, UTF-8's
        return body[:MAX_KEPT_BYTES]
    return msgspec.json.encode(kept)


def _end(value: Any) -> Any:  # noqa: ANN401 - JSON of a stranger
    if isinstance(value, list):  # the parts of a content
        texts = [each.get("text") for each in value if isinstance(each, dict)]
        value = "\n".join(text for text in texts if isinstance(text, str))
    return value[-MAX_TEXT_LENGTH:] if isinstance(value, str) else None


def _calls(value: Any) -> Any:  # noqa: ANN401 - as above
    function = value[0]["function"] if value else None
    if not function:
        return None
    given = function.get("arguments")
    if isinstance(given, dict):
        given = msgspec.json.encode(given).decode()
    return [{"function": {"arguments": _end(given)}}]


def _numbers(usage: Any) -> Any:  # noqa: ANN401 - as above
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    plain = {key: usage.get(key) for key in ("prompt_tokens", "completion_tokens")}
    found = {**plain, "cached_tokens": cached}
    known = {key: value for key, value in found.items() if isinstance(value, int)}
    cached = known.pop("cached_tokens", None)
    return {**known, "prompt_tokens_details": {"cached_tokens": cached}}
