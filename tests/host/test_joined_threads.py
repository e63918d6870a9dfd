"""Waits for the end of a thread take no processor time."""

from __future__ import annotations

import pytest

from arena.host.box.levels import Level
from tests.host.confined_plays import match_settings, offences, play, schedule, untrusted, written

JOINS = """
import ctypes, time
from arena import Bot

C = ctypes.CDLL(None)


class Joins(Bot):
    joined = False

    def act(self, observation):
        if not Joins.joined:
            Joins.joined = True
            thread = ctypes.c_ulong()
            began = time.monotonic(), time.process_time()
            assert C.pthread_create(ctypes.byref(thread), None, C.usleep, 800_000) == 0
            assert C.pthread_join(thread, None) == 0
            waited, used = time.monotonic() - began[0], time.process_time() - began[1]
            if waited < 0.8 or used > 0.4:
                raise RuntimeError(f"waited {waited} s and used {used} s")
        return observation.legal_actions[0]
"""


@pytest.mark.parametrize("level", [Level.CONFINED, Level.BOXED])
def test_to_wait_for_the_end_of_a_thread_takes_no_processor(tmp_path, level_here):
    """A C library that is refused at once asks again at once, and takes a whole core so."""
    bots = [written(tmp_path, "joins", JOINS), untrusted("random")]
    played = play(match_settings(level=level_here), bots, schedule(2, deals=1))
    assert offences(played) == [(None, "rules")] * 2, played[0].measurement.error
