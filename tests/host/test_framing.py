"""A stream is cut into the same payloads however it arrives, and nothing grows beyond the limit."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.host.wire.framing import BadFrame, Frames, Lines

LIMIT = 12
KINDS = pytest.mark.parametrize("kind", [Frames, Lines])


def pieces_of(data: bytes, cuts: list[int]) -> list[bytes]:
    """The stream cut at these places."""
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


def outcome(reader: Frames | Lines, pieces: list[bytes]) -> tuple[list[bytes], bool]:
    """The payloads that are read, and true if the stream was refused."""
    read = []
    for piece in pieces:
        try:
            read += reader.feed(piece)
        except BadFrame:
            return read, True
        assert reader.held <= reader.limit + 4
    return read, False


lines = st.lists(st.binary(max_size=LIMIT).filter(lambda line: b"\n" not in line))
frames = st.lists(st.binary(max_size=LIMIT))
cuts = st.lists(st.integers(0, 10_000))


@given(frames, cuts)
def test_frames_come_out_however_the_stream_is_cut(payloads, cuts):
    stream = b"".join(map(Frames.wrap, payloads))
    assert outcome(Frames(LIMIT), pieces_of(stream, cuts)) == (payloads, False)


@given(lines, cuts)
def test_lines_come_out_however_the_stream_is_cut(payloads, cuts):
    stream = b"".join(map(Lines.wrap, payloads))
    assert outcome(Lines(LIMIT), pieces_of(stream, cuts)) == (payloads, False)


@KINDS
@given(data=st.data())
def test_any_bytes_are_read_or_refused_alike_however_they_are_cut(kind, data):
    small = st.sampled_from([b"\n", b"ab", bytes(4), b"\x05\0\0\0", b"\x0d\0\0\0", b"\xff" * 4])
    stream = b"".join(data.draw(st.lists(small, max_size=20)))
    _, refused = outcome(kind(LIMIT), pieces_of(stream, data.draw(cuts)))
    assert refused is outcome(kind(LIMIT), [stream])[1]


@KINDS
@given(data=st.data())
def test_a_payload_beyond_the_limit_is_refused_before_it_is_complete(kind, data):
    whole = kind.wrap(bytes(range(11, 11 + LIMIT + 1)))
    sent = whole[: LIMIT + 1] if kind is Lines else whole[:4]
    reader = kind(LIMIT)
    assert outcome(reader, pieces_of(sent, data.draw(cuts))) == ([], True)
    assert reader.held <= LIMIT + 1
    for more in (b"", b"x", whole):
        with pytest.raises(BadFrame):
            reader.feed(more)


@KINDS
def test_the_limit_may_change_between_exchanges(kind):
    reader = kind(3)
    reader.limit = 5
    assert reader.feed(kind.wrap(b"12345")) == [b"12345"]
    reader.limit = 4
    with pytest.raises(BadFrame, match="4"):
        reader.feed(kind.wrap(b"12345"))


@KINDS
def test_an_unfinished_payload_is_seen_to_wait(kind):
    reader = kind(100)
    reader.feed(kind.wrap(b"whole") + kind.wrap(b"half a message")[:-1])
    assert reader.held
    reader.feed(kind.wrap(b"half a message")[-1:])
    assert not reader.held


@KINDS
def test_a_slow_drip_costs_time_in_proportion_to_its_length(kind):
    size = 400_000
    stream = kind.wrap(b"x" * size)
    reader = kind(size)
    began = time.process_time()
    read = [payload for byte in stream for payload in reader.feed(bytes((byte,)))]
    # A reader that looks at all that it holds for every byte needs minutes.
    assert time.process_time() - began < 10
    assert read == [b"x" * size]
