"""Time and processor time are charged to the bot that uses them."""

from __future__ import annotations

import msgspec
import pytest

from arena.host.box.levels import Level
from arena.match.limits import Limits
from tests.host.confined_plays import (
    SECOND,
    SWIFT,
    breaker,
    match_settings,
    offences,
    play,
    renamed,
    schedule,
    untrusted,
    written,
)

pytestmark = pytest.mark.serial  # it measures small times
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
EVERY_LEVEL = pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED, Level.BOXED])


def test_sleeping_is_wall_time_and_no_cpu_time(tmp_path):
    rules = match_settings(decision_cpu_ns=SECOND // 4)
    sleeps = written(tmp_path, "sleeps", SLEEPS.format(seconds=0.5))
    for seat, match in enumerate(play(rules, [sleeps, untrusted("random")], schedule(2, deals=1))):
        assert match.record.outcome.offender is None
        assert match.measurement.nanoseconds[seat] > SECOND // 2
        assert match.measurement.cpu_nanoseconds[seat] < SECOND // 4


def test_the_time_of_trusted_bots_in_other_matches_is_not_charged(tmp_path):
    """A batch is under way while the host calls trusted bots."""
    code = SLEEPS.format(seconds=0.02).replace("self.asked == 2", "self.asked < 9")
    slow = msgspec.structs.replace(written(tmp_path, "slow", code), trusted=True)
    limits = Limits(decision_ns=SECOND // 2, match_ns=60 * SECOND)
    rules = msgspec.structs.replace(match_settings(), limits=limits)
    jobs = schedule(2, deals=12)
    played = play(rules, [untrusted("random"), slow], jobs)
    assert not [match for match in played if match.record.outcome.offender is not None]
    quick_ns, slow_ns = (
        sum(
            match.measurement.nanoseconds[job.seats.index(bot)]
            for match, job in zip(played, jobs, strict=True)
        )
        for bot in (0, 1)
    )
    assert quick_ns < slow_ns / 4


@pytest.mark.thorough("the time of lost decisions is")
def test_the_cpu_time_of_a_thread_between_requests_is_charged():
    """The opponent takes its time; meanwhile the bot that thinks on has no request."""
    slow, jobs = renamed(breaker("burn", at=2), "slow"), schedule(2, deals=2)

    def burnt(bot):
        played = zip(play(match_settings(width=1), [bot, slow], jobs), jobs, strict=True)
        return sum(each.measurement.cpu_nanoseconds[job.seats.index(0)] for each, job in played)

    assert burnt(breaker()) < SECOND // 10
    assert burnt(breaker("burn behind")) > SECOND // 5


@EVERY_LEVEL
@pytest.mark.thorough("the other levels", everyday=["confined"])
def test_a_bot_without_a_request_does_not_compute(tmp_path, level_here):
    """Its opponent sleeps for four times a second, in which it could use as much."""
    bots = [
        written(tmp_path, "spins", SPINS.format(threads=2)),
        written(tmp_path, "sleeps", SLEEPS.format(seconds=1)),
    ]
    jobs = schedule(2, deals=2)
    played = play(match_settings(level=level_here, width=1), bots, jobs)
    assert offences(played) == [(None, "rules")] * len(jobs)
    used = sum(
        match.measurement.cpu_nanoseconds[job.seats.index(0)]
        for match, job in zip(played, jobs, strict=True)
    )
    assert used < SECOND


def test_the_time_of_a_lost_decision_is_charged():
    rules = match_settings(limits=SWIFT)
    (match, *_) = play(rules, [breaker("loop"), untrusted("random")], schedule(2, deals=1))
    limit = f"{SWIFT.decision_ns / 1e9:g} s"
    assert match.record.outcome.reason == f"over its time: more than {limit} for a decision"
    assert SWIFT.decision_ns <= match.measurement.nanoseconds[0] < 2 * SWIFT.decision_ns
