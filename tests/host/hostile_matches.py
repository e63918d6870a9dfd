"""Plays the hostile bot as a worker does, in this process."""

from collections.abc import Sequence
from pathlib import Path

from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Job
from arena.core.tournaments.wire import decode_matches, encode
from arena.host.play.worker import Setup, play_chunk
from arena.match.limits import Limits
from arena.plugins.registry import Registry

HOSTILE = Path(__file__).parent / "data" / "hostile.py"
REGISTRY = Registry()
JOBS = (Job(MatchKey(1, 1, 1), 7, 8, (0, 1)), Job(MatchKey(1, 1, 2), 7, 9, (1, 0)))

INTERRUPTED = ("loop", "sleep", "stubborn", "endless")
"""Failures that need the watchdog; only their limit is short, as a busy machine is slow."""


def hostile(how: str, when: str = "act", at: int = 2) -> str:
    return f"{HOSTILE}:Hostile(how='{how}',when={when},at={at})"


def setup_of(*bots: str, decision_ns: int = 0, ruleset: str = "standard") -> bytes:
    brief = any(f"how='{how}'" in bot for bot in bots for how in INTERRUPTED)
    decision_ns = decision_ns or (300_000_000 if brief else 30_000_000_000)
    sources = tuple(REGISTRY.resolve_bot(bot, ["hostile"]) for bot in bots)
    return Setup("pazaak", ruleset, sources, Limits(decision_ns=decision_ns)).to_bytes()


def played(*bots: str, jobs: Sequence[Job] = JOBS, **more: int) -> list[PlayedMatch]:
    return decode_matches(play_chunk(setup_of(*bots, **more), encode(jobs)))
