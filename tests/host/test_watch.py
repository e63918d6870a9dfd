"""The watchdog interrupts calls that take too long, and leaves no timer behind."""

from __future__ import annotations

import signal
import threading
import time
from time import perf_counter_ns, process_time_ns

import pytest

from arena.host.bot.watch import OutOfTime, Watch

MILLI = 1_000_000


def test_a_call_that_takes_too_long_is_interrupted():
    with Watch(20 * MILLI, 0.005) as watch:
        watch.began = began = perf_counter_ns()
        with pytest.raises(OutOfTime):
            time.sleep(60)
        watch.began = 0
    assert 20 <= (perf_counter_ns() - began) / MILLI < 50_000


def test_calls_in_time_and_code_outside_bots_are_not_interrupted():
    with Watch(100_000 * MILLI, 0.001) as watch:
        watch.began = perf_counter_ns()
        time.sleep(0.02)
    with Watch(20 * MILLI, 0.001):
        time.sleep(0.05)


def compute():
    while True:
        sum(range(8_000_000))  # a quarter of a second in C, where signals wait


def test_a_call_that_computes_where_no_signal_reaches_it_has_used_its_time():
    with Watch(20 * MILLI, 0.005) as watch:
        used = process_time_ns()
        watch.began = began = perf_counter_ns()
        try:
            compute()
        except OutOfTime:
            watch.began = 0  # at once: it comes again at every tick
        others = (perf_counter_ns() - began) - (process_time_ns() - used)
        assert watch.stood_still_ns(began) <= others


def test_a_call_in_which_the_process_stood_still_has_that_time_left():
    # It waits as a stopped process does: it takes no signals, and uses no processor.
    with Watch(150 * MILLI, 0.005) as watch:
        watch.began = began = perf_counter_ns()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(0.5)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        lost = watch.stood_still_ns(began)
        assert 400 * MILLI < lost <= perf_counter_ns() - began
        assert watch.stood_still_ns(began + 1) == 0
        with pytest.raises(OutOfTime):
            time.sleep(60)
        assert perf_counter_ns() - began - lost > 150 * MILLI
        watch.began = 0


def test_a_bot_that_swallows_an_interrupt_gets_another():
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


def test_no_timer_is_left_behind():
    with Watch(1, 0.001):
        assert signal.getitimer(signal.ITIMER_REAL)[1] == 0.001
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_the_former_signal_handler_is_restored():
    def mine(number, frame):
        raise AssertionError

    before = signal.signal(signal.SIGALRM, mine)
    try:
        with Watch(1, 0.001):
            assert signal.getsignal(signal.SIGALRM) is not mine
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_no_call_is_interrupted():
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
