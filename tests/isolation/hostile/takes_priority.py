"""Slows its parent down, pins it, and puts itself before everybody. It plays on."""

import os

from arena import Bot

PARENT = os.getppid()
WAYS = {
    "setpriority on its parent": lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19),
    "sched_setaffinity on its parent": lambda: os.sched_setaffinity(PARENT, {0}),
    "nice": lambda: os.nice(-5),
    "a real-time class": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "a lower class for its parent": lambda: os.sched_setscheduler(
        PARENT, os.SCHED_IDLE, os.sched_param(0)
    ),
}


class TakesPriority(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            try:
                way()
            except OSError:
                continue
            raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
