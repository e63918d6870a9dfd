"""An executor built on nothing but its contract: places are processes, reached by pipes alone.

Run as a program it is one place: ``python far.py CACHE NAME``.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from arena.core.errors import BadInput, BadPlugin, PlaceFailed
from arena.core.options import Option
from arena.core.tournaments.executor import Work
from arena.core.tournaments.lanes import Chunk, Lanes
from arena.core.tournaments.wire import PlayedChunk, decode_answer
from arena.host.place import Place

Ask = tuple[bytes, float, float]
"""The arguments of ``Place.play``."""


class FarOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The folder of the places: each has one of its name there, the first on its path."""

    folder: Annotated[str, Option("Folder of the places.")]
    late: Annotated[float, Option("Seconds that an answer may be late.")] = 10.0


class FarExecutors:
    """The kind of executor; folders whose names begin with a dot are no places."""

    name, summary, options = "far", "processes of their own", FarOptions

    @asynccontextmanager
    async def open(self, work: Work, options: FarOptions) -> AsyncIterator[Lanes]:
        folder, cargo = Path(options.folder), work.cargo()
        names = sorted(each.name for each in folder.iterdir() if each.name[0] != ".")
        async with trio.open_nursery() as nursery:
            places = [_Process(folder, name, cargo, nursery) for name in names]
            async with trio.open_nursery() as starting:
                for place in places:
                    starting.start_soon(place.start)
            if not any(place.idle for place in places):
                raise BadInput("; ".join(f"{place.name}: {place.refused}" for place in places))
            player = _Player(places, options.late)
            yield Lanes(work, player.play, player.slots, 0.1, math.inf)
            nursery.cancel_scope.cancel()


class _Process:
    """A place as the executor sees it."""

    def __init__(self, folder: Path, name: str, cargo: bytes, nursery: trio.Nursery) -> None:
        self.folder, self.name, self.refused, self.idle = folder, name, "", False
        self._cargo, self._nursery = cargo, nursery

    async def start(self) -> None:
        """Returns when the place can play, or has refused; its process ends with the nursery."""
        command = [sys.executable, "-P", __file__, self.folder / ".cache", self.name]
        env = {**os.environ, "PYTHONPATH": str(self.folder / self.name)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        run = partial(trio.run_process, command, env=env, check=False, **pipes)
        self.process: trio.Process = await self._nursery.start(run)
        (self.folder / f".{self.name}.pid").write_text(str(self.process.pid))
        try:
            self.refused = (await self.ask(self._cargo)).decode()
        except trio.BrokenResourceError:
            self.refused = "it ended"
        self.idle = not self.refused

    async def ask(self, data: bytes) -> bytes:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        await self.process.stdin.send_all(len(data).to_bytes(8, "big") + data)
        got = b""
        while len(got) < 8 or len(got) < 8 + int.from_bytes(got[:8], "big"):
            more = await self.process.stdout.receive_some()
            if not more:
                raise trio.BrokenResourceError
            got += more
        return got[8:]

    async def play(self, chunk: Chunk, late: float) -> PlayedChunk:
        self.idle = False
        ask = msgspec.msgpack.encode((chunk.jobs, chunk.seconds, chunk.patience))
        try:
            with trio.fail_after(chunk.patience + late):
                answer = await self.ask(ask)
        except (trio.BrokenResourceError, trio.TooSlowError) as error:
            self.process.kill()
            self._nursery.start_soon(self.start)
            frozen = isinstance(error, trio.TooSlowError)
            raise PlaceFailed(self.name, "no answer" if frozen else "it is gone") from None
        self.idle = True
        return decode_answer(answer, self.name)


class _Player:
    """Has a chunk played by a place that is idle; waits for one that is not to be avoided."""

    def __init__(self, places: list[_Process], late: float) -> None:
        self._places, self._late = places, late

    def slots(self) -> int:
        return sum(not place.refused for place in self._places)

    async def play(self, chunk: Chunk) -> PlayedChunk:
        while fit := [place for place in self._places if not place.refused]:
            fit = [place for place in fit if place.name not in chunk.avoid] or fit
            if idle := [place for place in fit if place.idle]:
                return await idle[0].play(chunk, self._late)
            await trio.sleep(0.01)
        raise PlaceFailed("", "every place is gone")


def _serve(cache: Path, name: str) -> None:
    """Serves as one place, with one slot, until stdin ends."""
    try:
        place = Place(_received(), cache, name=name)
    except BadPlugin as refused:
        _send(str(refused).encode())
        return
    _send(b"")
    with place:
        while data := _received():
            _send(place.play(*msgspec.msgpack.decode(data, type=Ask)))


def _received() -> bytes:
    return sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(8), "big"))


def _send(data: bytes) -> None:
    sys.stdout.buffer.write(len(data).to_bytes(8, "big") + data)
    sys.stdout.flush()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2])
