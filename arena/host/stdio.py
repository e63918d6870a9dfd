"""``python -m arena.host.stdio``: plays chunks of matches in its main thread.

The first frame on stdin is the setup, each further one a request, which has one answer on stdout.
The process ends when stdin does, even in the middle of a match.
"""

from __future__ import annotations

import os
import queue
import threading

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin, HarnessFault
from arena.core.tournaments.wire import Answer, encode
from arena.host.frames import read_frame, write_frame
from arena.host.play.worker import play_chunk, start_worker


class Request(msgspec.Struct, frozen=True, array_like=True):
    """Jobs to play: the arguments of ``play_chunk``."""

    jobs: bytes
    seconds: float


def main() -> None:
    """Serves until stdin ends."""
    source, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    start_worker()  # from here on output goes to stderr
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(source, frames), daemon=True).start()
    setup = frames.get()
    decode = msgspec.msgpack.Decoder(described(Request)).decode
    while True:
        request = decode(frames.get())
        write_frame(answers, encode(_played(setup, request)))


def _receive(source: int, frames: queue.SimpleQueue[bytes]) -> None:
    try:
        while True:
            frames.put(read_frame(source))
    except (EOFError, OSError):
        os._exit(0)  # whoever started this process is gone; a match might never end


def _played(setup: bytes, request: Request) -> Answer:
    try:
        return Answer("played", play_chunk(setup, request.jobs, request.seconds))
    except BadPlugin as error:
        return Answer("bad", str(error).encode())
    except HarnessFault as fault:
        return Answer("fault", str(fault).encode())


if __name__ == "__main__":
    main()
