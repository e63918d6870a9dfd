"""Encodes jobs for worker processes and played matches on their way back as bytes."""

from __future__ import annotations

import msgspec

from arena.core.described import described
from arena.core.record import PlayedMatch
from arena.core.tournaments.format import Job

encode = msgspec.msgpack.Encoder().encode
"""Encodes a list of jobs or of played matches."""
decode_jobs = msgspec.msgpack.Decoder(described(list[Job])).decode
decode_matches = msgspec.msgpack.Decoder(described(list[PlayedMatch])).decode
