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
    """

    kind: Literal["played", "bad", "fault", "place"]
    body: bytes


_decode = msgspec.msgpack.Decoder(described(Answer)).decode


class PlayedChunk(msgspec.Struct, frozen=True):
    """Matches that were played, packed, and where.

    Attributes:
        place: Name of the place; empty for this machine.
    """

    matches: bytes
    place: str = ""


def decode_answer(data: bytes, place: str) -> PlayedChunk:
    """Returns the matches of a place's answer (``arena.host.place.Place.play``).

    The bytes may come from another machine: nothing of them is run, and all is checked.

    Args:
        place: Name of the place that was asked; what an answer says of itself is not believed.

    Raises:
        BadPlugin: A bot cannot be loaded there.
        HarnessFault: The harness failed there; the line names the place.
        PlaceFailed: The place failed, or sent something else than an answer.
    """
    try:
        answer = _decode(data)
    except msgspec.MsgspecError:
        raise PlaceFailed(place, "sent something that is no answer") from None
    if answer.kind == "played":
        return PlayedChunk(answer.body, place)
    line = " ".join(answer.body.decode(errors="replace").split())
    if answer.kind == "bad":
        raise BadPlugin(f"{place}: {line}")
    if answer.kind == "fault":
        raise HarnessFault(f"{place}: {line}")
    raise PlaceFailed(place, line)
