"""Kills its own process. It must lose by crash; or it plays on, where it may not signal itself."""

import contextlib
import os
import signal

from arena import Bot


class KillsItself(Bot):
    def act(self, observation):
        with contextlib.suppress(PermissionError):
            os.kill(os.getpid(), signal.SIGKILL)
        return observation.legal_actions[0]
