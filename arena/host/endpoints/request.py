"""Writes the body of a question to an endpoint, in the chat-completions form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from arena.plugins.endpoints.spec import Endpoint

Message: TypeAlias = msgspec.Struct | Mapping[str, str]
"""One message of a conversation: its ``role`` and its ``content``."""

MOVE = "move"
"""The field of a structured answer that has the move."""
TOOL = "play"
"""The tool that a model calls to answer."""


def request_body(
    endpoint: Endpoint, messages: Sequence[Message], words: Sequence[str], tag: str
) -> bytes:
    """Returns the body of a question; the same arguments always give the same bytes.

    Args:
        messages: The conversation, the question last.
        words: The words that a structured answer may be; empty for any text.
        tag: Stands for the match and the seat, without names. Providers keep prompts in their
            caches by it.
    """
    body: dict[str, Any] = {"model": endpoint.model, "messages": list(messages), "user": tag}
    if endpoint.temperature is not None:
        body["temperature"] = endpoint.temperature
    if endpoint.max_tokens is not None:
        body[endpoint.token_field] = endpoint.max_tokens
    body |= _answer_form(endpoint, words)
    for field, value in endpoint.extra.items():
        if isinstance(value, str) and value.startswith("="):
            held = body.pop(field, None)
            if value != "=" and held is not None:
                body[value[1:]] = held
        else:
            body[field] = value
    return msgspec.json.encode(body, order="deterministic")


def _answer_form(endpoint: Endpoint, words: Sequence[str]) -> dict[str, Any]:
    move: dict[str, Any] = {"type": "string"}
    if words:
        move["enum"] = list(words)
    schema = {
        "type": "object",
        "properties": {MOVE: move},
        "required": [MOVE],
        "additionalProperties": False,
    }
    if endpoint.answer == "schema":
        named = {"name": TOOL, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if endpoint.answer == "tool":
        function = {"name": TOOL, "description": "Plays one move.", "parameters": schema}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": "required"}
    return {}
