"""The watchdog interrupts whatever takes too long, and leaves no timer behind."""

from __future__ import annotations

import signal
import threading
import time
from time import perf_counter_ns

import pytest

from arena.host.watch import OutOfTime, Watch

MILLI = 1_000_000


def test_it_interrupts_what_began_too_long_ago():
    with Watch(20 * MILLI, 0.005) as watch:
        watch.began = began = perf_counter_ns()
        with pytest.raises(OutOfTime):
            time.sleep(60)
        watch.began = 0
    assert 20 <= (perf_counter_ns() - began) / MILLI < 50_000


def test_it_leaves_alone_what_is_in_time_and_what_is_no_bot():
    with Watch(100_000 * MILLI, 0.001) as watch:
        watch.began = perf_counter_ns()
        time.sleep(0.02)
    with Watch(20 * MILLI, 0.001):
        time.sleep(0.05)


def test_it_interrupts_again_who_swallowed_the_first():
    caught = 0
    with Watch(5 * MILLI, 0.005) as watch:
        watch.began = perf_counter_ns()
        while caught < 3:
            try:
                time.sleep(60)
            except OutOfTime:
                caught += 1
        watch.began = 0
    assert caught == 3


def test_it_takes_its_timer_along():
    with Watch(1, 0.001):
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 0.001
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_it_gives_the_signal_back_to_whoever_had_it():
    def mine(number, frame):
        raise AssertionError

    before = signal.signal(signal.SIGALRM, mine)
    try:
        with Watch(1, 0.001):
            assert signal.getsignal(signal.SIGALRM) is not mine
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_it_interrupts_nobody():
    def work():
        with Watch(1, 0.001) as watch:
            watch.began = 1
            timers.append(signal.getitimer(signal.ITIMER_REAL))
            watch.began = 0

    timers = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert timers == [(0.0, 0.0)]
