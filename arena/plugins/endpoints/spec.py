"""The parameters of a bot that is an endpoint of a language model."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from arena.core.options import Option

AnswerForm: TypeAlias = Literal["line", "schema", "tool"]
"""A form of answers: a last line, a JSON schema, or a call of a tool."""

MAX_PARALLEL = 1000
"""Most questions at a time of one bot."""
MAX_TRIES = 20
"""Most attempts per decision."""
MAX_TIMEOUT_SECONDS = 3600.0
"""Longest time of one call that can be allowed."""

_Price: TypeAlias = Annotated[float, msgspec.Meta(ge=0)] | None


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of an endpoint that speaks the chat-completions form.

    All of them but the prices are part of the bot's content: with another one it is another
    version. The help of each explains it; ``template`` is the text of the file that the key
    ``prompt`` names, and empty for the default template.
    """

    url: Annotated[
        str,
        Option(
            "Address of the endpoint; of most servers it ends in `/chat/completions`.", longest=2000
        ),
    ]
    model: Annotated[str, Option("Name of the model, as the endpoint knows it.", longest=500)]
    key_env: Annotated[
        str,
        Option(
            "Name of the environment variable that has the key. The key itself stands in no file.",
            "no key is sent",
        ),
    ] = ""
    temperature: Annotated[
        Annotated[float, msgspec.Meta(ge=0, le=10)] | None,
        Option("Sampling temperature.", "left out of requests"),
    ] = None
    max_tokens: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=10_000_000)] | None,
        Option("Most tokens of an answer, with its reasoning.", "left out of requests"),
    ] = None
    token_field: Annotated[
        str,
        Option(
            "Field of the request that has `max_tokens`: newer models of OpenAI want "
            "`max_completion_tokens`.",
            longest=100,
        ),
    ] = "max_tokens"
    template: str = ""
    moves: Annotated[bool, Option("Whether the default prompt lists the legal moves.")] = True
    history: Annotated[
        Literal["position", "conversation"],
        Option("Whether each question is a fresh position, or continues the conversation."),
    ] = "position"
    answer: Annotated[
        AnswerForm,
        Option(
            "How the model is asked to answer: by a last line, a JSON schema, or a call of a tool. "
            "Not every server keeps the last two."
        ),
    ] = "line"
    tries: Annotated[
        int,
        msgspec.Meta(ge=1, le=MAX_TRIES),
        Option("Attempts per decision: after an illegal answer the model is told why."),
    ] = 3
    fallback: Annotated[
        Literal["lose", "first legal"],
        Option(
            "What follows the last attempt: the match is lost, or the first legal move is played "
            "for the bot, and counted."
        ),
    ] = "lose"
    parallel: Annotated[
        int, msgspec.Meta(ge=1, le=MAX_PARALLEL), Option("Questions at a time.")
    ] = 8
    price_in: Annotated[_Price, Option("Dollars for a million tokens of prompts.", "unknown")] = (
        None
    )
    price_cached: Annotated[
        _Price, Option("The same, of prompts that the endpoint had in its cache.", "`price_in`")
    ] = None
    price_out: Annotated[_Price, Option("The same, of answers.", "unknown")] = None
    timeout_seconds: Annotated[
        float,
        msgspec.Meta(gt=0, le=MAX_TIMEOUT_SECONDS),
        Option(
            "Longest time of one call. A longer one is the endpoint's fault, and loses nothing."
        ),
    ] = 120.0
    loadout: Annotated[
        str,
        Option(
            "Its choice before every match, such as a side deck, in the game's notation.",
            "the model is asked",
            longest=500,
        ),
    ] = ""
    proxy: Annotated[
        str,
        Option(
            "Address of a proxy. Variables such as `HTTPS_PROXY` are not read.",
            "none",
            longest=2000,
        ),
    ] = ""
    extra: Annotated[
        dict[str, Any],
        Option(
            'Further fields of the request. The value `"=NAME"` gives a field that Arena sends '
            'another name, and `"="` leaves it out.',
            "none",
            file_only=True,
        ),
    ] = {}

    @property
    def bounded(self) -> bool:
        """True if the cost of a call has a bound: prices and most tokens are known."""
        return None not in (self.price_in, self.price_out, self.max_tokens)
