"""Jobs on their way to a worker process and played matches on their way back, as bytes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.record import PlayedMatch
from arena.core.tournament import Job

_encoder = msgspec.msgpack.Encoder()
_jobs = msgspec.msgpack.Decoder(list[Job])
_matches = msgspec.msgpack.Decoder(list[PlayedMatch])


def encode(items: Sequence[Job] | Sequence[PlayedMatch]) -> bytes:
    """Jobs or played matches as bytes."""
    return _encoder.encode(items)


def decode_jobs(data: bytes) -> list[Job]:
    """Jobs, as ``encode`` wrote them."""
    return _jobs.decode(data)


def decode_matches(data: bytes) -> list[PlayedMatch]:
    """Played matches, as ``encode`` wrote them."""
    return _matches.decode(data)
