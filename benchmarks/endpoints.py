"""Calls a second, and what they take, with 128 at a time to an endpoint that answers in 0.1 s.

python -m benchmarks.endpoints [GAMES]

First the client alone, then a tournament from the command line. Each is one process; the fake
endpoint is another one, on the same machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import NamedTuple

import msgspec
import trio

from arena.host.endpoints.client import open_clients
from arena.host.endpoints.request import request_body
from arena.host.prompts.trial import tried_messages
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.registry import Registry
from tests.endpoints.served import Served, served

PARALLEL = 128
DELAY_SECONDS = 0.1
GAMES = 600
CALLS = 3000
LOOK_SECONDS = 0.1
EDGES = 0.1
"""Share of the questions at the beginning and at the end that a rate leaves out."""


def client_alone(url: str) -> None:
    """Asks real questions through the client, and prints a row."""
    endpoint = Endpoint(url=url, model="stand", parallel=PARALLEL)
    game = Registry().game("pazaak")
    tried = tried_messages(endpoint, game, game.ruleset(), 2)
    bodies = [request_body(endpoint, messages, (), "bench") for messages in tried]

    async def ask_all() -> float:
        async with open_clients([endpoint]) as (client,):
            began = perf_counter()
            async with trio.open_nursery() as nursery:
                for call in range(CALLS):
                    nursery.start_soon(client.ask, bodies[call % len(bodies)])
            return perf_counter() - began

    began = process_time()
    seconds = trio.run(ask_all)
    used = process_time() - began
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(CALLS / seconds, 1000 * used / CALLS, resident)


def tournament(fake: Served, folder: Path, games: int) -> tuple[float, ...]:
    """Plays a tournament; returns calls a second, milliseconds of a call, and resident MB."""
    keys = {"kind": "endpoint", "url": fake.url, "model": "counter", "parallel": PARALLEL}
    lines = [f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in keys.items()]
    (folder / "gpt.toml").write_text("".join(lines))
    arena = str(Path(sys.executable).with_name("arena"))
    words = ["--bot", "gpt.toml", "--bot", "stand", "--games", str(games), "--db", "bench.db"]
    command = [arena, "tournament", "run", "--isolation", "trusted", "--seed", "7", *words]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        looks = list(_watched(process, fake))
    if process.returncode:
        raise SystemExit(process.returncode)
    steady = [each for each in looks if EDGES <= each.calls / looks[-1].calls <= 1 - EDGES]
    first, last = steady[0], steady[-1]
    calls = last.calls - first.calls
    used = 1000 * (last.used - first.used) / calls
    return calls / (last.time - first.time), used, max(each.megabytes for each in looks)


class Look(NamedTuple):
    """Holds the calls, the time and the memory of a process so far.

    Attributes:
        time: Seconds.
        calls: Requests.
        used: Seconds of processor time.
        megabytes: The most that was resident.
    """

    time: float
    calls: int
    used: float
    megabytes: float


def _watched(process: subprocess.Popen[bytes], fake: Served) -> Iterator[Look]:
    before = fake.stats()["requests"]
    folder = Path(f"/proc/{process.pid}")
    while process.poll() is None:
        times = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
        used = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
        peak = [
            line for line in (folder / "status").read_text().splitlines() if line[:5] == "VmHWM"
        ]
        megabytes = int(peak[0].split()[1]) / 1024 if peak else 0.0
        yield Look(perf_counter(), fake.stats()["requests"] - before, used, megabytes)
        sleep(LOOK_SECONDS)


def main() -> None:
    """Prints a table."""
    if sys.argv[1:2] == ["client"]:
        client_alone(sys.argv[2])
        return
    games = int(sys.argv[1]) if sys.argv[1:] else GAMES
    with served() as fake, TemporaryDirectory() as folder:
        fake.control(delay=DELAY_SECONDS)
        command = [sys.executable, "-m", "benchmarks.endpoints", "client", fake.url]
        alone = subprocess.run(command, check=True, capture_output=True, text=True)
        rows = {"the client alone": tuple(map(float, alone.stdout.split()))}
        print(f"load {os.getloadavg()[0]:.0f} before the tournament", file=sys.stderr)
        rows["a tournament of Pazaak"] = tournament(fake, Path(folder), games)
    print("| what | calls/s | processor ms a call | resident MB |\n|---|---|---|---|")
    for name, (calls, used, megabytes) in rows.items():
        print(f"| {name} | {calls:,.0f} | {used:.1f} | {megabytes:,.0f} |")
    print(f"\nLoad {os.getloadavg()[0]:.0f} at the end.")


if __name__ == "__main__":
    main()
