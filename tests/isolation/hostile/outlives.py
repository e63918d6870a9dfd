"""Tries to leave the harness's reach: a session and a group of its own, no death with its parent.

Whatever of it works, nothing of it may be left after the run; it plays on.
"""

import contextlib
import ctypes
import os
import signal
import threading
import time

from arena import Bot

PR_SET_PDEATHSIG = 1


class Outlives(Bot):
    hidden = False

    def start(self, context):
        if Outlives.hidden:
            return
        Outlives.hidden = True
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
        with contextlib.suppress(OSError):
            os.setsid()
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        threading.Thread(target=time.sleep, args=(3600,)).start()

    def act(self, observation):
        return observation.legal_actions[0]
