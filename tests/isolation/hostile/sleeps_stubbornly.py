"""Sleeps, and goes on sleeping whatever is raised in it. It must lose by timeout."""

import contextlib
import time

from arena import Bot


class SleepsStubbornly(Bot):
    def act(self, observation):
        while True:
            with contextlib.suppress(BaseException):
                time.sleep(3600)
