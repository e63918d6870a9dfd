"""Encodes jobs for worker processes and played matches on their way back as bytes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.core.record import PlayedMatch
from arena.core.tournament import Job

_encoder = msgspec.msgpack.Encoder()
_jobs = msgspec.msgpack.Decoder(list[Job])
_matches = msgspec.msgpack.Decoder(list[PlayedMatch])


def encode(items: Sequence[Job] | Sequence[PlayedMatch]) -> bytes:
    """Encodes jobs or played matches as bytes."""
    return _encoder.encode(items)


def decode_jobs(data: bytes) -> list[Job]:
    """Decodes the jobs of ``encode``."""
    return _jobs.decode(data)


def decode_matches(data: bytes) -> list[PlayedMatch]:
    """Decodes the played matches of ``encode``."""
    return _matches.decode(data)
