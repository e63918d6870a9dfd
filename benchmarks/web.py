"""Figures of the web site (make bench-web): many listeners, pages beside them, memory, the end.

python -m benchmarks.web [LISTENERS] [SECONDS]
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import trio
from arena_bots.pazaak.stand_at import StandAt
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament, Status
from arena_results.store.store import Store

import arena
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.pages.page import Page
from arena.pages.replay import replay_page
from arena.web.serving import run_until_signalled
from arena.web.site.guard.settings import Limits as Allowed
from arena.web.site.guard.settings import Settings

BOTS = 1_000
EVENTS = 5
"""Events a second of each listener."""


def play(place: MatchKey, field: list[Participant], seats: tuple[int, int]) -> PlayedMatch:
    """Plays one match of two threshold bots."""
    game = Pazaak()
    keys = [field[index].key for index in seats]
    seed = hash((place.round, place.pairing)) % 2**32
    made = play_inline(
        game, game.ruleset("standard"), seed, place.leg, [StandAt, StandAt], keys, Limits()
    )
    return PlayedMatch(place, *made)


async def begin(writer: Store, bots: int, rounds: int) -> tuple[int, list[Participant]]:
    """Creates a tournament in which neighbours meet, round after round."""
    field = [Participant(f"bot-{index:04}", "1.0", f"{index:012x}") for index in range(bots)]
    new = NewTournament(
        name="bench",
        game="pazaak",
        ruleset="standard" if bots > 4 else "table",
        engine=Pazaak.version,
        format="round-robin",
        games=2,
        mirrored=True,
        rounds=rounds,
        seed=7,
    )
    return await writer.create_tournament(new, [EntryRow(who) for who in field]), field


async def fill(database: str) -> None:
    """Stores a finished tournament of many bots, and an unfinished one of four."""
    with open_database(database) as results:
        writer = Store(results)
        number, field = await begin(writer, BOTS, 3)
        for step in (1, 2, 3):
            pairs = [(each, (each + step) % BOTS) for each in range(0, BOTS, 2 * step)]
            await writer.save_round(number, Round(step, tuple(map(Pairing, pairs))))
            await writer.sink(number).write(
                [
                    play(MatchKey(step, board, leg), field, pair if leg == 1 else pair[::-1])
                    for board, pair in enumerate(pairs, 1)
                    for leg in (1, 2)
                ]
            )
        await writer.set_status(number, Status.FINISHED)
        number, field = await begin(writer, 4, 1)
        await writer.save_round(number, Round(1, (Pairing((0, 1)),)))


async def write(database: str) -> None:
    """Stores a match of the unfinished tournament again and again."""
    field = [Participant(f"bot-{index:04}", "1.0", f"{index:012x}") for index in range(4)]
    with open_database(database) as results:
        sink, leg = Store(results).sink(2), 0
        while True:
            leg += 1
            await sink.write([play(MatchKey(1, 1, leg), field, (0, 1) if leg % 2 else (1, 0))])
            await trio.sleep(1 / EVENTS)


class Bench:
    """Listeners and visitors of a server.

    Attributes:
        events: Number of events that listeners got.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.events = 0

    async def ask(self, address: str) -> trio.SocketStream:
        """Sends a request on a connection of its own."""
        stream = await trio.open_tcp_stream("127.0.0.1", self._port)
        head = f"GET {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        await stream.send_all(head.encode())
        return stream

    async def listen(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Counts the events of a page that is open."""
        stream = await self.ask("/live/t/2")
        async with stream:
            while part := await stream.receive_some():
                if b"id: " in part:
                    self.events += part.count(b"\nid: ") + part.startswith(b"id: ")
                    task_status.started()
                    task_status = trio.TASK_STATUS_IGNORED

    async def seconds(self, address: str) -> float:
        """Returns how long a page takes."""
        begun = perf_counter()
        async with await self.ask(address) as stream:
            answer = b"".join([part async for part in stream])
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        return perf_counter() - begun


def shown(name: str, taken: list[float]) -> str:
    """Returns times in words; the first apart, as what it computed is kept."""
    first, *others = taken
    return (
        f"{name}: median {median(others) * 1e3:.1f} ms, "
        f"99 % {quantiles(others, n=100)[-1] * 1e3:.1f} ms of {len(others)}; "
        f"at first {first * 1e3:.0f} ms"
    )


def memory(process: int) -> int:
    """Returns the memory of a process in MB."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) // 1024


def memory_apart(process: int) -> int:
    """Returns the memory in MB that is that of the processes below a process alone."""
    found = 0
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with suppress(OSError):  # it has just ended
            text = Path(f"/proc/{child}/smaps_rollup").read_text()
            parts = re.findall(r"Private_\w+: +(\d+)", text)
            found += sum(map(int, parts)) // 1024 + memory_apart(int(child))
    return found


def used(process: int) -> tuple[str, float]:
    """Returns the state of a process, and its processor time in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drawing() -> str:
    """Times the page of a match without its analysis, in time of a processor."""
    match = arena.play_match("stand", "counter", seed=4)
    frame, taken = Page(title=""), []
    for _ in range(20):
        begun = process_time()
        replay_page(match, frame=frame)
        taken.append(process_time() - begun)
    return (
        f"page of a match, {len(match.moments())} positions: {median(taken) * 1e3:.0f} ms to draw"
    )


async def measure(database: str, port: int, process: int, listeners: int, seconds: float) -> None:
    """Prints the figures of pages beside listeners, and then those of large pages."""
    bench = Bench(port)
    print(f"memory at first: {memory(process)} MB")
    firsts = {address: [await bench.seconds(address)] for address in ("/b", "/m/1.1.1.1")}
    async with trio.open_nursery() as nursery:
        for _ in range(listeners):
            await nursery.start(bench.listen)
        nursery.start_soon(write, database)
        begun, before, worked = perf_counter(), bench.events, used(process)[1]
        while perf_counter() < begun + seconds:
            for address, times in firsts.items():
                times.append(await bench.seconds(address))
                await trio.sleep(0.02)
        spent = perf_counter() - begun
        rate = (bench.events - before) / spent / listeners
        busy = (used(process)[1] - worked) / spent
        print(f"{listeners} listeners: {rate:.1f} events a second each; {busy:.0%} of a processor")
        print(f"memory: {memory(process)} MB; {memory_apart(process)} MB of processes apart")
        for address, times in firsts.items():
            print(shown(f"{address} beside them", times))
        cold = await bench.seconds("/g/pazaak/standard")
        print(f"leaderboard that nobody asked for while matches came: {cold * 1e3:.0f} ms")
        await trio.sleep(5)
        large = [await bench.seconds("/g/pazaak/standard") for _ in range(50)]
        print(shown(f"leaderboard of {BOTS} bots beside them", large))
        begun, (_, worked) = perf_counter(), used(process)
        os.kill(process, signal.SIGTERM)
        while used(process)[0] != "Z":
            await trio.sleep(0.01)
        spent, worked = perf_counter() - begun, used(process)[1] - worked
        print(
            f"SIGTERM with {listeners} open streams: {spent:.2f} s, {worked:.2f} s of a processor"
        )
        nursery.cancel_scope.cancel()


def main() -> None:
    """Fills a database, starts a server, and measures it."""
    if sys.argv[1:2] == ["serve"]:
        limits = Allowed(requests=10**9, opened=10**9, streams=10_000, connections=10_000)
        settings = Settings(
            db=sys.argv[2], port=0, limits=limits, interval=1 / EVENTS, poll=0.05, prepared=True
        )
        run_until_signalled(settings, lambda address: print(address, flush=True), [signal.SIGTERM])
        return
    print(drawing())
    listeners = int(sys.argv[1]) if sys.argv[1:] else 500
    seconds = float(sys.argv[2]) if sys.argv[2:] else 10.0
    with TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/bench.db"
        trio.run(fill, database)
        command = [sys.executable, __file__, "serve", database]
        one = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # as the command itself does
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=one) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])
            trio.run(measure, database, port, server.pid, listeners, seconds)
        print(f"exit code {server.returncode}")


if __name__ == "__main__":
    main()
