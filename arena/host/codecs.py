"""How messages are written on their way to a bot: packed for our own runtime, or as text.

A codec is a row: what a message looks like in bytes, and what observations, offers, outcomes and
actions look like in a message. Nothing that comes from a bot is believed: it is decoded into its
type or refused as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypeVar

import msgspec

from arena.core.actions import Action
from arena.core.game import AnyGame
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome
from arena.host.framing import Frames, Lines, Reader
from arena.host.messages import Answer, Decide, Finish, Hello, Ready, Request, Start

SHOWN = 200
"""Most characters of a bad answer that are shown to its author."""

View: TypeAlias = Callable[[Observation], object]
OfferView: TypeAlias = Callable[[Offer], object]
T = TypeVar("T")


class BadAnswer(Exception):
    """What a bot sent is no answer.

    It is the bot's fault, so it is none of the project's errors: who reads answers catches it and
    blames the bot.

    Attributes:
        reason: One line that holds nothing the bot wrote, fit for a record.
        sent: How what it sent begins, in printable characters; for its author.
    """

    def __init__(self, reason: str, payload: bytes = b"") -> None:
        super().__init__(reason)
        self.reason = reason
        start = payload[:SHOWN].decode("utf-8", "backslashreplace")
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in start)
        self.sent = shown + ("..." if len(payload) > SHOWN else "")


class Codec(msgspec.Struct, frozen=True, kw_only=True):
    """One way of writing messages.

    Attributes:
        name: ``"packed"`` or ``"text"``.
        framing: How a stream is cut into payloads.
        encode: Requests as bytes ready to be sent; any number of them in one call.
        requests: The bot's side of it: the requests in a payload.
        encode_ready: The answer to ``Hello`` as bytes ready to be sent.
        ready: The answer to ``Hello`` in a payload; raises ``BadAnswer`` for anything else.
        encode_answers: Answers as bytes ready to be sent.
        answers: The answers in a payload; raises ``BadAnswer`` for anything else. How many they
            are, and to which requests, is still to be checked.
        whole: Whether the answers to all requests that were sent together come in one payload.
        view: How observations of a game stand in ``Decide``.
        offers: How its offers stand in ``Start``.
        outcome: How an outcome stands in ``Finish``.
        action_by: What names an action in an answer: its id or its text.
    """

    name: str
    framing: type[Frames] | type[Lines]
    encode: Callable[[Sequence[Request]], bytes]
    requests: Callable[[bytes], list[Request]]
    encode_ready: Callable[[Ready], bytes]
    ready: Callable[[bytes], Ready]
    encode_answers: Callable[[Sequence[Answer]], bytes]
    answers: Callable[[bytes], list[Answer]]
    whole: bool
    view: Callable[[AnyGame], View]
    offers: Callable[[AnyGame], OfferView]
    outcome: Callable[[Outcome], object]
    action_by: Literal["id", "text"]

    def reader(self, limit: int) -> Reader:
        """A new reader of a bot's answers.

        Args:
            limit: Most bytes of a payload.
        """
        return self.framing(limit)

    def action(self, game: AnyGame, answer: Answer) -> Action:
        """The action that the answer to a decision names; whether it is legal is not judged.

        Raises:
            BadAnswer: It names none, or not in the way of this codec.
            ParseError: The game has no such action.
        """
        named = answer.action
        if isinstance(named, str) and self.action_by == "text":
            return game.notation.action(named)
        if isinstance(named, int) and self.action_by == "id":
            return game.notation.action_of(named)
        raise BadAnswer(f"the answer to a decision needs an action by its {self.action_by}")


_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""All that decoding raises."""


def _strict(decode: Callable[[bytes], T]) -> Callable[[bytes], T]:
    """The same, but whatever cannot be decoded is a ``BadAnswer``."""

    def strictly(payload: bytes) -> T:
        try:
            return decode(payload)
        except _UNREADABLE as error:
            if isinstance(error, UnicodeDecodeError):
                reason = "the answer holds a text that is not UTF-8"
            elif isinstance(error, RecursionError):
                reason = "the answer is nested too deeply"
            else:
                reason = f"the answer cannot be read: {error}"
            raise BadAnswer(reason, payload) from None

    return strictly


_pack = msgspec.msgpack.Encoder().encode
_lines = msgspec.json.Encoder().encode_lines
_request_of_line = msgspec.json.Decoder(Hello | Start | Decide | Finish).decode
_answer_of_line = msgspec.json.Decoder(Answer).decode


def _frame(message: Ready | Sequence[Request] | Sequence[Answer]) -> bytes:
    return Frames.wrap(_pack(message))


def _named(outcome: Outcome) -> object:
    """An outcome by names: packed it is a bare list, which no author should have to count."""
    expelled = [msgspec.structs.asdict(fault) for fault in outcome.expelled]
    return {**msgspec.structs.asdict(outcome), "expelled": expelled}


PACKED = Codec(
    name="packed",
    framing=Frames,
    encode=_frame,
    requests=msgspec.msgpack.Decoder(list[Hello | Start | Decide | Finish]).decode,
    encode_ready=_frame,
    ready=_strict(msgspec.msgpack.Decoder(Ready).decode),
    encode_answers=_frame,
    answers=_strict(msgspec.msgpack.Decoder(list[Answer]).decode),
    whole=True,
    view=lambda game: game.pack,
    # Our runtime knows the game and asks it for the offer: it needs to know that there is one.
    offers=lambda game: lambda offer: True,
    outcome=lambda outcome: outcome,
    action_by="id",
)
"""For our own runtime: msgpack in frames. A frame holds a list of requests, and the frame that
answers it a list of answers; the answer to ``Hello`` is one ``Ready`` by itself."""

TEXT = Codec(
    name="text",
    framing=Lines,
    encode=_lines,
    requests=lambda payload: [_request_of_line(payload)],
    encode_ready=lambda ready: _lines([ready]),
    ready=_strict(msgspec.json.Decoder(Ready).decode),
    encode_answers=_lines,
    answers=_strict(lambda payload: [_answer_of_line(payload)]),
    whole=False,
    view=lambda game: game.describe,
    offers=lambda game: game.describe_offer,
    outcome=_named,
    action_by="text",
)
"""For programs in any language: JSON in UTF-8, one message a line (see docs/protocol.md)."""
