"""Stops its own process, which then neither runs nor ends.

Where it may signal itself it must lose by timeout; else it plays on.
"""

import contextlib
import signal

from arena import Bot


class StopsItself(Bot):
    def act(self, observation):
        with contextlib.suppress(PermissionError):
            signal.raise_signal(signal.SIGSTOP)
        return observation.legal_actions[0]
