"""The monitor of bots' processes: overruns between requests, threads, page tables."""

from __future__ import annotations

import pytest

from arena.host.box.levels import Level
from arena.host.process.launch import Resources
from arena.host.process.monitor import Monitored
from tests.host.confined_plays import (
    breaker,
    match_settings,
    offences,
    play,
    records,
    schedule,
    untrusted,
    written,
)

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
CONFINING = pytest.mark.parametrize("level", [Level.CONFINED, Level.BOXED])


@CONFINING
def test_a_bot_has_as_many_threads_as_it_may_and_no_more(tmp_path, level_here):
    jobs, rules = schedule(2, deals=1), match_settings(level=level_here, threads=8)
    allowed = written(tmp_path, "allowed", THREADS.format(threads=8))
    assert offences(play(rules, [allowed, untrusted("random")], jobs)) == [(None, "rules")] * 2
    denied = written(tmp_path, "denied", THREADS.format(threads=9))
    played = play(rules, [denied, untrusted("random")], jobs)
    assert offences(played) == [(0, "crash"), (1, "crash")]
    assert "can't start new thread" in played[0].measurement.error


def test_without_a_limit_of_threads_too_many_lose_the_match(tmp_path):
    code = THREADS.format(threads=9).replace("return", "time.sleep(60)\n        return")
    many = written(tmp_path, "many", code)
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


@pytest.mark.thorough("threads are counted by the same monitor")
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
