"""An executor whose places are processes of their own, on pipes: of the core and ``Place`` alone.

Each process fails as its place in ``breaks`` says: the tests' failures of clusters, without one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from arena.core.errors import BadInput, BadPlugin, PlaceFailed
from arena.core.options import Option
from arena.core.tournaments.executor import Executor, Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import Answer, decode_answer, decode_jobs, encode
from arena.host.place import Place

LENGTH = 8
CHUNK_SECONDS = 0.1


class PipeOptions(msgspec.Struct, frozen=True):
    """The options of the executor.

    Attributes:
        breaks: What is wrong with each place, as ``break_place`` of ``tests.places.breaks`` has it.
    """

    cache: Annotated[str, Option("Folder of archives.")]
    breaks: Annotated[str, Option("What is wrong with each place.")] = "no:no"


class _PipedPlace:
    """A process with one place, from the executor's side; it starts again after it ended."""

    def __init__(self, name: str, cargo: bytes, cache: str, breaks: str) -> None:
        self.name, self._cargo = name, cargo
        self._command = [sys.executable, "-m", "tests.places.pipes", name, cache, breaks]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Starts the process; returns why it can play nothing, or an empty string."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
        _write(self._process.stdin, self._cargo)
        return _read(self._process.stdout).decode()

    def play(self, chunk: Chunk) -> bytes:
        try:
            if self._process is None and (refused := self.start()):
                raise PlaceFailed(self.name, refused)
            assert self._process is not None
            _write(self._process.stdin, encode((chunk.jobs, chunk.seconds, chunk.patience)))
            return _read(self._process.stdout)
        except (OSError, EOFError):
            self.end()
            raise PlaceFailed(self.name, "its process ended") from None

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class Pipes:
    """The kind of executor."""

    name, summary, options = "pipes", "places on pipes", PipeOptions

    def open(self, work: Work, options: PipeOptions) -> AbstractAsyncContextManager[Executor]:
        return _open(work, options)


@asynccontextmanager
async def _open(work: Work, options: PipeOptions) -> AsyncIterator[Executor]:
    breaks, cargo = options.breaks.split(":"), work.cargo()
    places = [
        _PipedPlace(f"place-{number}", cargo, options.cache, each)
        for number, each in enumerate(breaks, 1)
    ]
    idle: list[_PipedPlace] = []
    refused: dict[str, str] = {}
    for place in places:
        if reason := await trio.to_thread.run_sync(place.start):
            refused[place.name] = reason
        else:
            idle.append(place)
    if not idle:
        raise BadInput("; ".join(f"{name}: {reason}" for name, reason in refused.items()))
    slots, able = len(idle), [*idle]

    def usable(chunk: Chunk) -> Iterator[_PipedPlace]:
        good = [each for each in able if each.name not in chunk.avoid] or able
        return (each for each in good if each in idle)

    async def play_chunk(chunk: Chunk) -> bytes:
        while (place := next(usable(chunk), None)) is None:
            await trio.sleep(0.005)
        idle.remove(place)
        try:
            return decode_answer(await trio.to_thread.run_sync(place.play, chunk))
        finally:
            idle.append(place)

    try:
        yield Lanes(work, play_chunk, lambda: slots, CHUNK_SECONDS)
    finally:
        for place in places:
            place.end()


def arena_executors() -> Iterator[Pipes]:
    yield Pipes()


def _write(pipe, data: bytes) -> None:
    pipe.write(len(data).to_bytes(LENGTH, "little") + data)
    pipe.flush()


def _read(pipe) -> bytes:
    head = pipe.read(LENGTH)
    if len(head) < LENGTH:
        raise EOFError
    size = int.from_bytes(head, "little")
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(name: str, cache: str, breaks: str) -> None:
    """The place's process."""
    from tests.places.breaks import before_play, break_place

    break_place(breaks, Path(cache))
    try:
        place = Place(_read(sys.stdin.buffer), Path(cache), 1, name)
    except BadPlugin as refused:
        _write(sys.stdout.buffer, str(refused).encode())
        return
    _write(sys.stdout.buffer, b"")
    with place:
        while True:
            jobs, seconds, patience = msgspec.msgpack.decode(
                _read(sys.stdin.buffer), type=tuple[bytes, float, float]
            )
            failure = before_play(breaks, [str(job.key) for job in decode_jobs(jobs)])
            answer = (
                encode(Answer("place", failure.encode(), name))
                if failure
                else place.play(jobs, seconds, patience)
            )
            _write(sys.stdout.buffer, answer)


if __name__ == "__main__":
    try:
        serve(*sys.argv[1:])
    except EOFError:
        os._exit(0)
