"""Bots' processes in control groups, and the same bots where this machine has none."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from arena.host.box.cgroups import layout_here, try_groups
from arena.host.play.hosts import open_host
from arena.host.process.launch import MEBIBYTE
from arena.match.limits import Limits
from tests.host.confined_plays import SECOND, match_settings, offences, play, schedule, untrusted

pytestmark = pytest.mark.serial  # it counts what all processes share
SLOW = Limits(decision_ns=60 * SECOND, match_ns=1_000 * SECOND)
CONTROLLERS = try_groups().controllers
CHILDREN = """
import os, time
from arena import Bot

class Children(Bot):
    asked = 0

    def act(self, observation):
        self.asked += 1
        children = []
        for _ in range({children}):
            child = os.fork()
            if not child:
                if self.asked == 1:
                    held = b"x" * ({megabytes} << 20)
                    time.sleep({seconds})
                os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        return observation.legal_actions[0]
"""


@pytest.fixture
def bot_with(tmp_path):
    def write(**what: float):
        file = tmp_path / "children.py"
        file.write_text(CHILDREN.format(**what))
        return untrusted(str(file))

    return write


def left() -> list[Path]:
    """The present control groups of hosts of this process."""
    layout = layout_here()
    parents = {layout.top, layout.own, os.path.dirname(layout.own)} if layout else set()
    return [path for parent in parents for path in Path(parent).glob(f"arena-bots-{os.getpid()}-*")]


def test_memory_of_all_processes_of_a_bot_counts_in_control_groups(bot_with):
    """Each of its processes holds less than it may, all of them together hold more."""
    bot = bot_with(children=3, megabytes=50, seconds=1)
    jobs, rules = schedule(2, deals=1), match_settings(limits=SLOW, memory=128 * MEBIBYTE)
    played = play(rules, [bot, untrusted("random")], jobs)
    if "memory" in CONTROLLERS:
        assert offences(played) == [(0, "out of memory"), (1, "out of memory")]
    else:
        assert offences(played) == [(None, "rules")] * 2


def test_processes_of_a_bot_count_as_threads_in_control_groups(bot_with):
    allowed = bot_with(children=3, megabytes=0, seconds=0)
    jobs, rules = schedule(2, deals=1), match_settings(threads=4)
    assert offences(play(rules, [allowed, untrusted("random")], jobs)) == [(None, "rules")] * 2
    played = play(match_settings(threads=3), [allowed, untrusted("random")], jobs)
    if "pids" in CONTROLLERS:
        assert offences(played) == [(0, "crash"), (1, "crash")]
        assert "Resource temporarily unavailable" in played[0].measurement.error
    else:
        assert offences(played) == [(None, "rules")] * 2


def test_no_group_of_a_closed_host_is_left(bot_with):
    bots = [bot_with(children=1, megabytes=0, seconds=0), untrusted("random")]
    with open_host(match_settings(), bots) as host:
        host.play(schedule(2, deals=1), math.inf)
        assert bool(left()) == bool(CONTROLLERS)
    assert left() == []
