"""Codecs write messages as bytes for one kind of bot, and read the answers.

Our own runtime gets packed messages, programs get lines of JSON. An answer is decoded into its type
or refused as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import msgspec

from arena.core.actions import Action
from arena.core.described import described
from arena.core.errors import HarnessFault
from arena.core.game import AnyGame
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome
from arena.host.wire.framing import Frames, Lines, Reader
from arena.host.wire.messages import (
    Answer,
    AnswerRun,
    Decide,
    Decides,
    Finish,
    Hello,
    Ready,
    Request,
    Start,
)
from arena.plugins.entries import BotSource

SHOWN = 200
"""Most characters of a bad answer that are shown to its author."""

T = TypeVar("T")


class BadAnswer(Exception):
    """Raised for bytes from a bot that cannot be read as an answer; the reader blames the bot.

    Attributes:
        reason: One line for the record, without anything that the bot wrote.
        sent: The beginning of the answer in printable characters; for its author.
    """

    def __init__(self, reason: str, payload: bytes = b"") -> None:
        super().__init__(reason)
        self.reason = reason
        start = payload[:SHOWN].decode("utf-8", "backslashreplace")
        shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in start)
        self.sent = shown + ("..." if len(payload) > SHOWN else "")


class Codec(Protocol):
    """A way of writing messages; ``requests`` and ``encode_ready`` are the bot's side.

    Attributes:
        name: ``"packed"`` or ``"text"``.
        whole: Whether one payload answers all requests that were sent together.
    """

    name: str
    whole: bool

    def reader(self, limit: int) -> Reader:
        """Returns a new reader that cuts a stream into payloads of at most ``limit`` bytes."""

    def encode(self, messages: Sequence[Request | Answer | AnswerRun]) -> bytes:
        """Writes any number of requests or of answers, ready to be sent."""

    def decides(
        self, first_id: int, matches: list[int], observations: list[object]
    ) -> Sequence[Request]:
        """Returns requests for decisions with consecutive ids; at least one."""

    def requests(self, payload: bytes) -> Sequence[Request]:
        """Reads the requests in a payload."""

    def encode_ready(self, ready: Ready) -> bytes:
        """Writes the answer to ``Hello``, ready to be sent."""

    def ready(self, payload: bytes) -> Ready:
        """Reads the answer to ``Hello``; raises ``BadAnswer`` for anything else."""

    def answers(self, payload: bytes) -> Sequence[Answer | AnswerRun]:
        """Reads the answers in a payload, without comparing them with requests.

        Raises:
            BadAnswer: It contains anything else.
        """

    def observation(self, game: AnyGame, observation: Observation) -> object:
        """Returns an observation as it stands in ``Decide``, unless the match has written it."""

    def offer(self, game: AnyGame, offer: Offer) -> object:
        """Returns an offer as it stands in ``Start``."""

    def outcome(self, outcome: Outcome) -> object:
        """Returns an outcome as it stands in ``Finish``."""

    def action(self, game: AnyGame, answer: Answer) -> Action:
        """Returns the action that the answer to a decision names, legal or not.

        Raises:
            BadAnswer: It names none, or not in the way of this codec.
            ParseError: The game has no such action.
        """


DEBUG_OUTPUT = "; a program's stdout is for messages alone, debug output belongs on stderr"


def _read(decode: Callable[[bytes], T], payload: bytes, hint: str = "") -> T:
    """Decodes a payload or raises ``BadAnswer``; the hint follows what is not a message at all."""
    try:
        return decode(payload)
    except UnicodeDecodeError:
        reason = "the answer holds a text that is not UTF-8"
    except RecursionError:
        reason = "the answer is nested too deeply"
    except msgspec.MsgspecError as error:
        reason = f"the answer cannot be read: {error}"
        if not isinstance(error, msgspec.ValidationError):
            reason += hint
    raise BadAnswer(reason, payload)


class PackedCodec:
    """Writes msgpack in frames, for our own runtime.

    A frame is a list of requests, with its decisions in columns, and is answered by a frame: a list
    of answers and runs of answers. ``Hello`` is answered by one ``Ready``. ``Wire.packer`` writes
    observations, match by match; actions are ids.
    """

    name = "packed"
    whole = True
    _pack = staticmethod(msgspec.msgpack.Encoder().encode)
    _ready = staticmethod(msgspec.msgpack.Decoder(described(Ready)).decode)
    _answers = staticmethod(msgspec.msgpack.Decoder(described(list[Answer | AnswerRun])).decode)
    _requests = staticmethod(
        msgspec.msgpack.Decoder(described(list[Hello | Start | Decides | Finish])).decode
    )

    def reader(self, limit: int) -> Reader:
        return Frames(limit)

    def encode(self, messages: Sequence[Request | Answer | AnswerRun]) -> bytes:
        return Frames.wrap(self._pack(messages))

    def decides(
        self, first_id: int, matches: list[int], observations: list[object]
    ) -> Sequence[Request]:
        return [Decides(first_id, matches, observations)]

    def requests(self, payload: bytes) -> Sequence[Request]:
        return self._requests(payload)

    def encode_ready(self, ready: Ready) -> bytes:
        return Frames.wrap(self._pack(ready))

    def ready(self, payload: bytes) -> Ready:
        return _read(self._ready, payload)

    def answers(self, payload: bytes) -> Sequence[Answer | AnswerRun]:
        return _read(self._answers, payload)

    def observation(self, game: AnyGame, observation: Observation) -> object:
        """Raises ``HarnessFault``: the match itself has them written, by its ``Wire.packer``."""
        raise HarnessFault("an observation for our runtime is packed by its match")

    def offer(self, game: AnyGame, offer: Offer) -> object:
        """Returns ``True``: our runtime knows the game, and asks it for the offer."""
        return True

    def outcome(self, outcome: Outcome) -> object:
        return outcome

    def action(self, game: AnyGame, answer: Answer) -> Action:
        if isinstance(answer.action, int):
            return game.notation.action_of(answer.action)
        raise BadAnswer("the answer to a decision needs an action by its id")


class TextCodec:
    """Writes JSON in UTF-8, one message per line, for programs; see docs/reference/protocol.md.

    ``Wire.describe`` writes observations; actions are strings.
    """

    name = "text"
    whole = False
    _write = staticmethod(msgspec.json.Encoder().encode_lines)
    _ready = staticmethod(msgspec.json.Decoder(described(Ready)).decode)
    _answer = staticmethod(msgspec.json.Decoder(described(Answer)).decode)
    _request = staticmethod(msgspec.json.Decoder(described(Hello | Start | Decide | Finish)).decode)

    def reader(self, limit: int) -> Reader:
        return Lines(limit)

    def encode(self, messages: Sequence[Request | Answer | AnswerRun]) -> bytes:
        return self._write(messages)

    def decides(
        self, first_id: int, matches: list[int], observations: list[object]
    ) -> Sequence[Request]:
        return [
            Decide(id, match, observation)
            for id, (match, observation) in enumerate(
                zip(matches, observations, strict=True), first_id
            )
        ]

    def requests(self, payload: bytes) -> Sequence[Request]:
        return [self._request(payload)]

    def encode_ready(self, ready: Ready) -> bytes:
        return self._write([ready])

    def ready(self, payload: bytes) -> Ready:
        return _read(self._ready, payload, DEBUG_OUTPUT)

    def answers(self, payload: bytes) -> Sequence[Answer | AnswerRun]:
        return [_read(self._answer, payload, DEBUG_OUTPUT)]

    def observation(self, game: AnyGame, observation: Observation) -> object:
        return game.wire.describe(observation)

    def offer(self, game: AnyGame, offer: Offer) -> object:
        return game.loadouts.describe(offer)

    def outcome(self, outcome: Outcome) -> object:
        """Returns the outcome by names: a bare list no author should have to count."""
        expelled = [msgspec.structs.asdict(fault) for fault in outcome.expelled]
        return {**msgspec.structs.asdict(outcome), "expelled": expelled}

    def action(self, game: AnyGame, answer: Answer) -> Action:
        if isinstance(answer.action, str):
            return game.notation.action(answer.action)
        raise BadAnswer("the answer to a decision needs an action by its text")


PACKED: Codec = PackedCodec()
TEXT: Codec = TextCodec()


def codec_for(bot: BotSource) -> Codec:
    """Chooses the codec of a bot: programs read text, and our runtime packed messages."""
    return TEXT if bot.command else PACKED
