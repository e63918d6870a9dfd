"""Replaces the match host in worker processes: a setup is a behaviour, a place and a log file."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from arena.core.errors import BadPlugin, HarnessFault
from arena.core.outcome import Outcome
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Job
from arena.core.tournaments.wire import decode_jobs, encode

MATCH_SECONDS = 0.004
"""Time of a match by the clock that a chunk is measured with, however busy the machine is."""


def jobs(number: int) -> list[Job]:
    return [Job(MatchKey(1, 1, leg), leg, leg, (0, 1)) for leg in range(1, number + 1)]


def setup(log: Path, behaviour: str = "play", place: str = "") -> bytes:
    return f"{behaviour} {place or '-'} {log}".encode()


def start_worker() -> bool:
    return True


def play(setup: bytes, packed: bytes, seconds: float) -> bytes:
    behaviour, place, log = setup.decode().split(" ", 2)
    played: list[PlayedMatch] = []
    for job in decode_jobs(packed):
        with Path(log).open("a") as file:
            file.write(f"{job.key}\n")
        if str(job.key) == place:
            misbehave(behaviour, Path(log))
        time.sleep(MATCH_SECONDS)
        played.append(match(job))
        if len(played) * MATCH_SECONDS > seconds:
            break
    return encode(played)


def misbehave(behaviour: str, log: Path) -> None:
    if behaviour == "fault":
        raise HarnessFault("the dice are loaded")
    if behaviour == "plugin":
        raise BadPlugin("bot x of file y cannot be imported")
    if behaviour == "die":
        os._exit(3)
    if behaviour == "hang":
        time.sleep(60)
    if behaviour == "linger":
        threading.Thread(target=time.sleep, args=(60,)).start()
    if behaviour == "once" and not log.with_suffix(".once").exists():
        log.with_suffix(".once").touch()
        raise HarnessFault("the first time only")


def match(job: Job) -> PlayedMatch:
    outcome = Outcome((1.0, -1.0), (1, 0))
    record = MatchRecord("dice", "standard", "1", job.seed, ("a", "b"), (b"", b""), b"", outcome)
    return PlayedMatch(job.key, record, Measurement((1, 1), (os.getpid(), 1)))


def surroundings(setup: bytes, packed: bytes, seconds: float) -> bytes:
    """Reports the worker's hash seed and its main module as its only failure."""
    main = getattr(sys.modules["__main__"], "__file__", "")
    raise HarnessFault(f"seed {os.environ['PYTHONHASHSEED']}, main {main}")
