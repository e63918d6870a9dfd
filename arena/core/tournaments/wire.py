"""Encodes jobs for worker processes and played matches on their way back as bytes."""

from __future__ import annotations

from typing import Literal

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin, HarnessFault, PlaceFailed
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job

encode = msgspec.msgpack.Encoder().encode
"""Encodes a list of jobs or of played matches."""
decode_jobs = msgspec.msgpack.Decoder(described(list[Job])).decode
decode_matches = msgspec.msgpack.Decoder(described(list[PlayedMatch])).decode


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The answer of a place to a chunk.

    Attributes:
        kind: ``"played"``; ``"bad"``, a bot that cannot be loaded there; ``"fault"``, a failure of
            the harness; or ``"place"``, a failure of the place, for which no match is to blame.
        body: The packed matches; for all other kinds one line, in UTF-8.
        place: Name of the place.
        speed: Speed of the place, as a share of the reference's (``arena.host.speed``).
    """

    kind: Literal["played", "bad", "fault", "place"]
    body: bytes
    place: str = ""
    speed: float = 1.0


_decode = msgspec.msgpack.Decoder(described(Answer)).decode


def decode_answer(data: bytes) -> bytes:
    """Returns the packed matches of a place's answer (``arena.host.place.Place.play``).

    The bytes may come from another machine: nothing of them is run, and all is checked.

    Raises:
        BadPlugin: A bot cannot be loaded there.
        HarnessFault: The harness failed there; the line names the place.
        PlaceFailed: The place failed, or sent something else than an answer.
    """
    try:
        answer = _decode(data)
    except msgspec.MsgspecError:
        raise PlaceFailed("", "sent something that is no answer") from None
    if answer.kind == "played":
        return answer.body
    line = " ".join(answer.body.decode(errors="replace").split())
    if answer.kind == "bad":
        raise BadPlugin(f"{answer.place}: {line}")
    if answer.kind == "fault":
        raise HarnessFault(f"{answer.place}: {line}")
    raise PlaceFailed(answer.place, line)
