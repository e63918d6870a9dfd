"""The bytes that bots send: cut into messages, and messages read as answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.core.errors import BadInput
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.wire.codecs import PACKED, TEXT, BadAnswer, Codec
from arena.host.wire.framing import LENGTH, BadFrame, Frames
from arena.host.wire.messages import Answer, AnswerRun, Failed, Ready
from tests.fuzz.fuzzing import Run, Target

CODECS = (PACKED, TEXT)
GAMES = (Pazaak(), Sabacc())
LIMIT = 300
"""Most bytes of a message, so that short inputs go past it."""
ANSWERS = {
    PACKED: [Answer(1, action=3), Answer(2, action=2**40)],
    TEXT: [Answer(1, action="stand"), Answer(2, action="bet 20")],
}
LOADOUT = Answer(3, loadout="+1 -2 ±3 D")
FAILED = Answer(4, failed=Failed("crash", "ValueError: x", "Traceback\n x"))
READY = Ready(1, name="me", games=("pazaak",), batch=7)


def sent(codec: Codec) -> list[bytes]:
    """Returns what a bot may send to a codec's reader."""
    answers = ANSWERS[codec]
    return [
        codec.encode_ready(READY),
        codec.encode([*answers, LOADOUT, FAILED]),
        *(codec.encode([answer]) for answer in answers),
        *([codec.encode([[5, 0, 1, 2], LOADOUT])] if codec is PACKED else []),
    ]


def streams() -> list[bytes]:
    """Returns streams after a byte each that gives the codec and the size of the pieces."""
    return [
        bytes([2 * size + kind]) + b"".join(sent(codec))
        for kind, codec in enumerate(CODECS)
        for size in (1, 7, 100)
    ]


@contextmanager
def frames(folder: Path) -> Iterator[Run]:
    """Streams of frames and lines: read in pieces as they are as a whole, and never held beyond."""

    def read(data: bytes) -> None:
        kind, stream = (data[0], data[1:]) if data else (0, b"")
        codec, size = CODECS[kind % 2], kind // 2 + 1
        reader, whole, payloads = codec.reader(LIMIT), codec.reader(LIMIT), []
        try:
            for at in range(0, len(stream), size):
                payloads += reader.feed(stream[at : at + size])
                assert reader.held <= LIMIT + LENGTH
        except BadFrame as error:
            raise BadInput(str(error)) from None
        finally:
            assert reader.held <= LIMIT + LENGTH
            assert all(len(payload) <= LIMIT for payload in payloads)
        assert payloads == whole.feed(stream)
        assert reader.held == whole.held

    yield read


def payloads() -> list[bytes]:
    """Returns messages after a byte each that gives the codec."""
    return [
        bytes([kind]) + (message[LENGTH:] if codec is PACKED else message[:-1].split(b"\n")[-1])
        for kind, codec in enumerate(CODECS)
        for message in sent(codec)
    ]


@contextmanager
def messages(folder: Path) -> Iterator[Run]:
    """Messages as answers, and as the answer to the handshake."""

    def read(data: bytes) -> None:
        codec, payload = CODECS[data[0] % 2 if data else 0], data[1:]
        try:
            _name_actions(codec, codec.answers(payload))
        except BadAnswer as error:
            _check_line(error.reason + error.sent)
            try:
                codec.ready(payload)
            except BadAnswer as error:
                _check_line(error.reason + error.sent)
                raise BadInput(error.reason) from None

    yield read


def _check_line(text: str) -> None:
    assert text.isprintable(), text


def _name_actions(codec: Codec, answers: Sequence[Answer | AnswerRun]) -> None:
    """Finds the actions of answers; they are of either game, or refused as bad input is."""
    for answer in _singly(answers):
        for game in GAMES:
            try:
                codec.action(game, answer)
            except (BadAnswer, BadInput) as error:
                _check_line(str(error))


def _singly(answers: Sequence[Answer | AnswerRun]) -> Iterator[Answer]:
    for one in answers:
        if isinstance(one, Answer):
            yield one
        else:
            first, *actions = one
            yield from (Answer(first, action) for action in actions)


PIECES = (
    *(b'"id":', b'"action":', b'"loadout":', b'"failed":', b'"kind":', b"null", b"{}", b"[]"),
    *(b"\x94", b"\xdc\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc1", b"\xcf" + b"\xff" * 8, b"\xa5"),
    *(b"[" * 2_000, b"\x91" * 2_000, b"\x81\xa1x" * 700, Frames.wrap(b"x"), b"\xff\xff\xff\x7f"),
)
TARGETS = (
    Target(name="frames", seeds=streams, open=frames, pieces=PIECES),
    Target(name="messages", seeds=payloads, open=messages, pieces=PIECES),
)
