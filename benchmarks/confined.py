"""Measures the cost of confinement: the same matches in process, and by bots in confined processes.

Run by ``make bench``. Both ways of a row are played in turn in one run, at the default width of
256; quote ratios, as the machine may be shared. In process is one core; a host has its
bots on the other cores, so that bots that think are confined at a profit. On a busy machine the
processor time below each row says more: what a decision takes of the host, and of its bots.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import trio

from arena.host.box.levels import Level
from arena.host.box.probing.probe import probe
from arena.host.play.hosts import open_host
from arena.host.play.worker import COLLECT_AFTER
from arena.host.process.forkserver import ForkServer
from arena.host.process.launch import MatchSettings, Resources
from arena.host.process.process import BotProcess
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.registry import Registry
from arena.service.answers.engine import engine
from benchmarks.measuring import jobs_of_round, one_pairing
from benchmarks.timing import RUNS

THINKING = '''
from time import perf_counter_ns
from arena import Bot

class Thinking(Bot):
    """Stands at a total, after ten microseconds."""

    def __init__(self, at: int = 17) -> None:
        self.at = at

    def act(self, observation):
        end = perf_counter_ns() + 10_000
        end_turn, stand, *_ = observation.legal_actions
        action = stand if observation.total >= self.at else end_turn
        while perf_counter_ns() < end:
            pass
        return action
'''


def ratio(game_name: str, names: tuple[str, str], matches: int) -> None:
    """Prints what a pair of bots does in process and confined."""
    registry = Registry()
    game = registry.game(game_name)
    settings = MatchSettings(game, game.ruleset(), Limits(), Resources(), Level.CONFINED)
    bots = [registry.resolve_bot(name, ["thinking"]) for name in names]
    jobs = jobs_of_round(one_pairing(2), matches)
    apart = [msgspec.structs.replace(bot, trusted=False) for bot in bots]
    times: tuple[list[float], list[float]] = ([], [])
    used: tuple[list[float], list[float]] = ([], [])
    of_bots: list[float] = []
    decisions = 0
    with open_host(settings, bots) as inline, open_host(settings, apart) as confined:
        for _ in range(RUNS):
            for host, taken, spent in zip((inline, confined), times, used, strict=True):
                began, used_before = time.perf_counter(), time.process_time()
                played = host.play(jobs, float("inf"))
                taken.append(time.perf_counter() - began)
                spent.append(time.process_time() - used_before)
            of_bots.append(sum(sum(match.measurement.cpu_nanoseconds) for match in played) / 1e9)
        decisions = sum(sum(match.measurement.requests) - 2 for match in played)
    inside, outside = (min(taken) for taken in times)
    label = f"{game_name}, {names[0].rpartition('/')[2]} against {names[1].rpartition('/')[2]}"
    print(
        f"{label:62} {matches / inside:7,.0f} {matches / outside:7,.0f} matches/s "
        f"({outside / decisions * 1e6:5.2f} µs a decision): {inside / outside:.0%}"
    )
    own, host_own, bots_own = (min(seconds) / decisions * 1e6 for seconds in (*used, of_bots))
    print(
        f"  processor time of a decision: {own:.2f} µs in process; confined {host_own:.2f} µs of "
        f"the host ({own / host_own:.0%}) and {bots_own:.2f} µs of its bots' processes"
    )


async def respawn(game_name: str, bot: BotSource, level: Level) -> None:
    """Prints how long a killed process is missing."""
    registry = Registry()
    game = registry.game(game_name)
    settings = MatchSettings(game, game.ruleset(), Limits(), Resources(), level)
    times = []
    with ForkServer(settings, [bot]) as server:
        for _ in range(20):
            killed = BotProcess(server, bot)
            await killed.start()
            began = time.perf_counter()
            killed.stop()
            async with BotProcess(server, bot):
                times.append(time.perf_counter() - began)
    times.sort()
    median, slowest = times[len(times) // 2] * 1e3, times[-1] * 1e3
    print(
        f"respawn, {game_name}, {level}: killed and ready again in {median:.1f} ms "
        f"(median of {len(times)}; slowest {slowest:.1f})"
    )


def levels_here() -> list[Level]:
    """Returns the levels that this machine has, and prints what is left out for the others."""
    here = []
    for level in (Level.CONFINED, Level.BOXED):
        if why := probe(level).verdict:
            print(f"left out: all figures of bots that are {level}: {why}")
        else:
            here.append(level)
    return here


def main() -> None:
    """Prints every figure that can be had on this machine."""
    python = sys.version.split()[0]
    print(f"Python {python}, {engine()}, best of {RUNS} runs; in process, and confined:")
    levels = levels_here()
    if Level.CONFINED in levels:
        with TemporaryDirectory() as folder:
            file = Path(folder, "thinking.py")
            file.write_text(THINKING)
            ratio("pazaak", ("stand(at=17)", "stand(at=16)"), 6_000)
            ratio("sabacc", ("target-total(at=17)", "target-total(at=18)"), 1_500)
            ratio("pazaak", (f"{file}:Thinking(at=17)", f"{file}:Thinking(at=16)"), 2_000)
    registry = Registry()
    for game, name in (("pazaak", "stand(at=17)"), ("sabacc", "target-total")):
        for level in levels:
            bot = msgspec.structs.replace(registry.resolve_bot(name), trusted=False)
            trio.run(respawn, game, bot, level)


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 100)  # as in a worker
    main()
