"""A bot that other processes kept from running does not lose by time; its own threads do count."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from arena.core.errors import HarnessFault
from arena.match.limits import Limits
from tests.host.confined_plays import SECOND, match_settings, offences, play, schedule, untrusted
from tests.sizes import volume

pytestmark = pytest.mark.serial  # it keeps a processor busy
HOGS = 12
SPIN = "import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
NEEDS = 0.05
"""Seconds of CPU time that the bot needs for a decision, ..."""
HURRIED = Limits(decision_ns=SECOND // 4, match_ns=60 * SECOND)
"""... of which it has, so that it never loses when it has a tenth of a processor or more."""
SHORT = Limits(decision_ns=2 * SECOND, match_ns=SECOND)
BOT = """
import ctypes, os, threading, time
from arena import Bot
os.sched_setaffinity(0, [{core}])

class Computes(Bot):
    asked = 0

    def act(self, observation):
        Computes.asked += 1
        if Computes.asked < 3:
            end = time.thread_time() + {needs}
            while time.thread_time() < end:
                pass
        return observation.legal_actions[0]
"""
SPINS = """
#include <pthread.h>
static void *spin(void *unused) { for (volatile long n = 0;; n++) ; return unused; }
void start(int threads) { pthread_t one; while (threads--) pthread_create(&one, 0, spin, 0); }
"""


def core() -> int:
    return min(os.sched_getaffinity(0))


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """Processes, each in a session of its own, that want all of one processor."""
    code = SPIN.format(core=core())
    running = [
        subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
        for _ in range(number)
    ]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def field(folder, code: str):
    file = folder / "computes.py"
    file.write_text(code)
    return [untrusted(str(file)), untrusted("random")]


@pytest.mark.thorough("the next test has the same processes, and a limit for the match")
def test_a_bot_that_others_keep_from_running_does_not_lose(tmp_path):
    bots = field(tmp_path, BOT.format(core=core(), needs=NEEDS))
    rules, jobs = match_settings(limits=HURRIED), schedule(2, deals=1)
    with hogs(HOGS), suppress(HarnessFault):  # a void match is played again, and is no loss
        assert offences(play(rules, bots, jobs)) == [(None, "rules")] * len(jobs)


def test_time_in_which_others_kept_a_bot_from_running_is_not_charged(tmp_path):
    bots = field(tmp_path, BOT.format(core=core(), needs=NEEDS))
    rules, jobs = match_settings(limits=SHORT), schedule(2, deals=1)[: volume(2, 1)]
    with hogs(HOGS), suppress(HarnessFault):
        assert offences(play(rules, bots, jobs)) == [(None, "rules")] * len(jobs)


def test_a_bot_whose_own_threads_keep_it_from_running_loses_by_time(tmp_path):
    (tmp_path / "spins.c").write_text(SPINS)
    library = tmp_path / "spins.so"
    command = ["cc", "-shared", "-fPIC", "-pthread", "-o", library, tmp_path / "spins.c"]
    subprocess.run(command, check=True)
    spinning = BOT.replace(
        "        Computes.asked += 1\n",
        f"        Computes.asked += 1\n        ctypes.CDLL({str(library)!r}).start({HOGS * 2})\n",
    )
    bots = field(tmp_path, spinning.format(core=core(), needs=NEEDS))
    played = play(match_settings(limits=HURRIED), bots, schedule(2, deals=1))
    assert offences(played) == [(0, "timeout"), (1, "timeout")]
