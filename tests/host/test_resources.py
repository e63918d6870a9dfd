"""Limits of a bot's process: CPU time, memory, output, and the time to get ready."""

from __future__ import annotations

import pytest

from arena.host.box.levels import Level
from arena.match.limits import Limits
from tests.host.confined_plays import (
    PATIENT,
    SECOND,
    breaker,
    breaks_in,
    match_settings,
    offences,
    play,
    records,
    renamed,
    schedule,
    untrusted,
)
from tests.host.levels import levels_here

BOTH = [(0, "timeout"), (1, "timeout")]


def test_cpu_time_of_one_decision_is_limited():
    rules = match_settings(decision_cpu_ns=SECOND // 10)
    played = play(rules, [breaker("burn"), untrusted("random")], schedule(2, deals=1))
    assert offences(played) == BOTH
    assert {match.record.outcome.reason for match in played} == {
        "over its CPU time: more than 0.1 s for a decision"
    }
    assert min(match.measurement.cpu_nanoseconds[seat] for seat, match in enumerate(played)) >= (
        SECOND // 10
    )


def test_cpu_time_of_a_match_is_limited():
    rules = match_settings(match_cpu_ns=SECOND // 10)
    played = play(rules, [breaker("burn"), untrusted("random")], schedule(2, deals=1))
    assert offences(played) == BOTH


@pytest.mark.thorough("the time of each decision is charged to its match")
def test_a_slow_match_is_not_charged_to_quick_ones_of_its_batch():
    """Its time is exact once slow batches may have used an eighth of it."""
    match_ns, nap_ns, every = 6 * SECOND // 10, SECOND // 10, 20
    rules = match_settings(limits=Limits(decision_ns=5 * SECOND, match_ns=match_ns))
    jobs = schedule(2, deals=60)
    slow = [index for index, job in enumerate(jobs) if breaks_in(job, 0, every)]
    played = play(rules, [breaker(kind="Dawdles", every=every), untrusted("random")], jobs)
    late = 0
    for match, job in ((played[index], jobs[index]) for index in slow):
        seat = job.seats.index(0)
        if offences([match]) == [(seat, "timeout")]:
            late += 1
        naps = match.measurement.requests[seat] - 1
        assert naps * nap_ns <= match_ns * 9 // 8 + 2 * nap_ns
    assert late >= 2


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED])
@pytest.mark.thorough("the other level", everyday=["confined"])
def test_a_bot_that_takes_all_memory_loses_by_memory(level):
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    rules = match_settings(level=level, memory=200 << 20)
    other, jobs = renamed(breaker(), "other"), schedule(2, deals=4)
    tame = records(play(rules, [renamed(breaker(), "hoarder"), other], jobs))
    played = play(rules, [renamed(breaker("hoard", every=3), "hoarder"), other], jobs)
    for match, job, record in zip(played, jobs, tame, strict=True):
        if breaks_in(job, 0, 3):
            assert offences([match]) == [(job.seats.index(0), "out of memory")]
        else:
            assert match.record.to_bytes() == record
    assert 1 < sum(breaks_in(job, 0, 3) for job in jobs) < len(jobs)


@pytest.mark.thorough("memory is limited by the same means")
def test_the_memory_of_a_match_that_is_over_can_be_used_again():
    """It hoards in every match, and loses each; the process goes on."""
    rules = match_settings(memory=200 << 20)
    played = play(rules, [breaker("hoard"), untrusted("random")], schedule(2, deals=6))
    assert {cause for _, cause in offences(played)} == {"out of memory"}
    assert {match.record.outcome.reason for match in played} == {"MemoryError"}


def test_output_is_limited_by_request_however_many_go_together():
    rules, jobs = match_settings(output=300_000), schedule(2, deals=8)
    bots = [breaker("flood"), untrusted("random")]
    assert {seat for seat, _ in offences(play(rules, bots, jobs))} == {None}
    rules = match_settings(output=100_000)
    assert {cause for _, cause in offences(play(rules, bots, jobs))} == {"too much output"}


def test_output_for_one_request_does_not_count_for_the_next(tmp_path):
    file = tmp_path / "chatty.py"
    file.write_text(
        "from arena import Bot\nclass Chatty(Bot):\n    def act(self, observation):\n"
        "        print('x' * 50_000)\n        return observation.legal_actions[0]\n"
    )
    rules = match_settings(output=51_000, width=1)
    played = play(rules, [untrusted(str(file)), untrusted("random")], schedule(2, deals=2))
    assert {seat for seat, _ in offences(played)} == {None}


def test_a_bot_that_starts_too_slowly_loses_every_match(tmp_path):
    file = tmp_path / "tardy.py"
    file.write_text(
        "import time\nfrom arena import Bot\ntime.sleep(5)\nclass Tardy(Bot):\n    pass\n"
    )
    rules = match_settings(startup_ns=SECOND // 20, limits=PATIENT, incidents=2)
    played = play(rules, [untrusted(str(file)), untrusted("random")], schedule(2, deals=2))
    assert {cause for _, cause in offences(played)} == {"timeout"}
