"""Plays matches of bots in processes of their own, with a host in this process."""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from arena.core.chance.seeding import private_seeds
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Job
from arena.host.bot.inline import play_inline
from arena.host.box.levels import Level
from arena.host.play.hosts import open_host
from arena.host.process.launch import MatchSettings, Resources
from arena.match.limits import Limits
from arena.plugins.entries import BotSource
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from tests.preloaded import SERVE

BREAKERS = Path(__file__).parent / "data" / "breakers.py"
REGISTRY = Registry()
SECOND = 1_000_000_000
PATIENT = Limits(decision_ns=5 * SECOND, match_ns=60 * SECOND)
SWIFT = Limits(decision_ns=SECOND // 4, match_ns=60 * SECOND)


def untrusted(spelling: str) -> BotSource:
    """A bot, or a house bot, without trust."""
    return msgspec.structs.replace(REGISTRY.resolve_bot(spelling), trusted=False)


def written(folder: Path, name: str, code: str) -> BotSource:
    """Writes the code of an untrusted bot to a file."""
    file = folder / f"{name}.py"
    file.write_text(code)
    return untrusted(str(file))


def breaker(does: str = "", kind: str = "Random", **parameters: object) -> BotSource:
    """A bot of ``data/breakers.py``."""
    given = {"does": does, **parameters} if does else parameters
    spelled = ",".join(f"{key}='{value}'" if isinstance(value, str) else f"{key}={value}"
                       for key, value in given.items())  # fmt: skip
    return untrusted(f"{BREAKERS}:{kind}({spelled})" if spelled else f"{BREAKERS}:{kind}")


def renamed(bot: BotSource, name: str) -> BotSource:
    """The same under another name."""
    participant = msgspec.structs.replace(bot.participant, name=name)
    return msgspec.structs.replace(bot, participant=participant)


def match_settings(
    game: str = "pazaak",
    level: Level = Level.PROCESS,
    width: int = 256,
    limits: Limits = PATIENT,
    **resources: int,
) -> MatchSettings:
    found = REGISTRY.game(game)
    return MatchSettings(found, found.ruleset(), limits, Resources(**resources), level, width)


def schedule(field: int, seats: int = 2, deals: int = 4, first: int = 0) -> list[Job]:
    """Mirrored groups: every choice of that many of the field, each deal from every seat."""
    return [
        Job(
            MatchKey(1, pairing, leg + 1),
            1000 * pairing + first + leg // seats,
            77_000 * pairing + first + leg,
            (*who[leg % seats :], *who[: leg % seats]),
        )
        for pairing, who in enumerate(combinations(range(field), seats), start=1)
        for leg in range(deals * seats)
    ]


def play(
    settings: MatchSettings, bots: Sequence[BotSource], jobs: Sequence[Job]
) -> list[PlayedMatch]:
    """Plays all matches with a host that is closed afterwards."""
    with open_host(settings, bots) as host:
        return host.play(jobs, math.inf)


def inline(settings: MatchSettings, bots: Sequence[BotSource], jobs: Sequence[Job]) -> list[bytes]:
    """The records of the same matches with all bots called in this process."""
    makers = [load_bot(bot) for bot in bots]
    keys = [bot.participant.key for bot in bots]
    return [
        play_inline(
            settings.game, settings.ruleset, job.seed, job.bot_seed,
            [makers[who] for who in job.seats], [keys[who] for who in job.seats], settings.limits,
        )[0].to_bytes()
        for job in jobs
    ]  # fmt: skip


def records(played: Sequence[PlayedMatch]) -> list[bytes]:
    return [match.record.to_bytes() for match in played]


def seeds(job: Job) -> tuple[int, ...]:
    """The bots' private seeds in that match, by seat."""
    return tuple(private_seeds(job.bot_seed, len(job.seats)))


def breaks_in(job: Job, who: int, every: int) -> bool:
    """True if a bot of that index is to break that match."""
    return who in job.seats and seeds(job)[job.seats.index(who)] % every == 0


def offences(played: Sequence[PlayedMatch]) -> list[tuple[int | None, str]]:
    """The offender of each match, as an index into the seats, and the cause."""
    return [(match.record.outcome.offender, str(match.record.outcome.termination))
            for match in played]  # fmt: skip


def _families() -> dict[int, list[int]]:
    """Running processes by the number of the one that started them."""
    found = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(parent)].append(int(stat.parent.name))
    return found


def _is_of_the_suite(process: int) -> bool:
    """True for a helper that other tests have started: Python's tracker, or a loaded process."""
    try:
        line = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"multiprocessing.resource_tracker" in line or SERVE.encode() in line


def children_of(process: int) -> list[int]:
    """Processes that it started and that still run; but for helpers of other tests."""
    return [child for child in _families()[process] if not _is_of_the_suite(child)]


def descendants(process: int = 0) -> list[int]:
    """All processes below one, by default below this one; see ``children_of``."""
    families = _families()
    found, queue = [], [process or os.getpid()]
    while queue:
        more = [child for child in families[queue.pop()] if not _is_of_the_suite(child)]
        found += more
        queue += more
    return found


def until(what: Callable[[], bool], seconds: float) -> bool:
    """Waits until a condition is true; false if it is not within that time."""
    end = time.monotonic() + seconds
    while not (true := what()) and time.monotonic() < end:
        time.sleep(0.01)
    return true
