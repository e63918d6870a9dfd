"""The parameters of a bot that is an endpoint of a language model."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

AnswerForm: TypeAlias = Literal["line", "schema", "tool"]
"""How a model is asked to answer: a last line, a JSON schema, or a call of a tool."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of an endpoint that speaks the chat-completions form.

    All of them are part of the bot's content: with another one it is another version.

    Attributes:
        url: Address of the endpoint, to ``/chat/completions``.
        model: Name of the model, as the endpoint knows it.
        key_env: Name of the environment variable that has the key; empty without a key.
        temperature: Sampling temperature; left out of requests if ``None``.
        max_tokens: Most tokens of an answer; left out of requests if ``None``.
        token_field: Name of the field that has ``max_tokens``.
        template: Text of the prompt's template; empty for the default. In a file it is the key
            ``prompt``, the path of a template.
        moves: Whether the default template lists the legal moves.
        history: Whether the whole conversation is sent, or each position afresh.
        answer: How the model is asked to answer.
        tries: Attempts per decision.
        fallback: What follows the last illegal attempt: the match is lost, or the first legal
            move is played for the bot, and counted.
        parallel: Questions at a time.
        price_in: Dollars for a million tokens of prompts.
        price_cached: The same, of cached prompts; ``price_in`` if ``None``.
        price_out: The same, of answers.
        timeout_seconds: Longest time of one call.
        loadout: What it brings to every match, in the game's notation; asked for if empty.
        proxy: Address of a proxy; environment variables are not read.
        extra: Further fields of the request; ``None`` removes a field, ``"=name"`` renames it.
    """

    url: str
    model: str
    key_env: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    token_field: str = "max_tokens"
    template: str = ""
    moves: bool = True
    history: Literal["position", "conversation"] = "position"
    answer: AnswerForm = "line"
    tries: int = 3
    fallback: Literal["lose", "first legal"] = "lose"
    parallel: int = 8
    price_in: float | None = None
    price_cached: float | None = None
    price_out: float | None = None
    timeout_seconds: float = 120.0
    loadout: str = ""
    proxy: str = ""
    extra: dict[str, Any] = {}
