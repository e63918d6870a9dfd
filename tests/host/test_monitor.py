"""The monitor of bots' processes: CPU time between requests, threads, page tables."""

from __future__ import annotations

import pytest

from arena.host.box.levels import Level
from arena.host.box.probe import levels_available
from arena.host.launch import Resources
from arena.host.monitor import Monitored
from tests.host.confined_plays import (
    SECOND,
    breaker,
    match_settings,
    offences,
    play,
    records,
    schedule,
    untrusted,
)

SPINS = """
import threading
from arena import Bot

def spin():
    while True:
        pass

class Spins(Bot):
    started = False

    def act(self, observation):
        if not Spins.started:
            Spins.started = True
            for _ in range({threads}):
                threading.Thread(target=spin, daemon=True).start()
        return observation.legal_actions[0]
"""
SLEEPS = """
import time
from arena import Bot

class Sleeps(Bot):
    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 2:
            time.sleep({seconds})
        return observation.legal_actions[0]
"""
THREADS = """
import _thread, time
from arena import Bot

class Threads(Bot):
    count = 1

    def act(self, observation):
        while Threads.count < {threads}:
            _thread.start_new_thread(time.sleep, (3600,))
            Threads.count += 1
        return observation.legal_actions[0]
"""
EVERY_LEVEL = pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED, Level.BOXED])
CONFINING = pytest.mark.parametrize("level", [Level.CONFINED, Level.BOXED])


@pytest.fixture
def level_here(level: Level) -> Level:
    if level not in levels_available():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    return level


def bot(folder, name: str, code: str):
    file = folder / f"{name}.py"
    file.write_text(code)
    return untrusted(str(file))


@pytest.mark.serial
@EVERY_LEVEL
def test_a_bot_without_a_request_does_not_compute(tmp_path, level_here):
    """Its opponent sleeps for four times a second, in which it could use as much."""
    bots = [
        bot(tmp_path, "spins", SPINS.format(threads=2)),
        bot(tmp_path, "sleeps", SLEEPS.format(seconds=1)),
    ]
    jobs = schedule(2, deals=2)
    played = play(match_settings(level=level_here, width=1), bots, jobs)
    assert offences(played) == [(None, "rules")] * len(jobs)
    used = sum(
        match.measurement.cpu_nanoseconds[job.seats.index(0)]
        for match, job in zip(played, jobs, strict=True)
    )
    assert used < SECOND


@CONFINING
def test_a_bot_has_as_many_threads_as_it_may_and_no_more(tmp_path, level_here):
    jobs, rules = schedule(2, deals=1), match_settings(level=level_here, threads=8)
    allowed = bot(tmp_path, "allowed", THREADS.format(threads=8))
    assert offences(play(rules, [allowed, untrusted("random")], jobs)) == [(None, "rules")] * 2
    denied = bot(tmp_path, "denied", THREADS.format(threads=9))
    played = play(rules, [denied, untrusted("random")], jobs)
    assert offences(played) == [(0, "crash"), (1, "crash")]
    assert "can't start new thread" in played[0].measurement.error


def test_without_a_limit_of_threads_too_many_lose_the_match(tmp_path):
    code = THREADS.format(threads=9).replace("return", "time.sleep(60)\n        return")
    many = bot(tmp_path, "many", code)
    played = play(match_settings(threads=8), [many, untrusted("random")], schedule(2, deals=1))
    assert offences(played) == [(0, "too many threads"), (1, "too many threads")]


@pytest.fixture
def idle_overruns(monkeypatch) -> list[int]:
    """Every third time that a process has answered, it is found to have too much.

    Returns:
        One entry for each process that was lost by it.
    """
    rest, lost = Monitored.rest, []

    def rests(self):
        rest(self)
        self.answered = getattr(self, "answered", 0) + 1
        if self.answered == 3:
            self.look(Resources(memory=1))
            lost.append(self.process)

    monkeypatch.setattr(Monitored, "rest", rests)
    return lost


def test_an_overrun_without_a_request_costs_the_process_and_no_match(monkeypatch, idle_overruns):
    jobs, bots = schedule(2, deals=3), [breaker(), untrusted("random")]
    played = play(match_settings(incidents=1000), bots, jobs)
    assert len(idle_overruns) > 3
    monkeypatch.undo()
    assert records(played) == records(play(match_settings(), bots, jobs))


@pytest.mark.usefixtures("idle_overruns")
def test_after_too_many_such_losses_a_bot_forfeits_what_is_left():
    jobs, bots = schedule(2, deals=10), [breaker(), untrusted("stand(at=17)")]
    played = play(match_settings(incidents=1), bots, jobs)
    reasons = {match.record.outcome.reason for match in played}
    assert "forfeited after 1 lost processes; the last: it took more memory than it may" in reasons
