"""Names itself so that a careless reader of /proc/PID/status finds a senseless line there.

Whoever counts its threads and its memory must not stumble over that; it plays on.
"""

import ctypes
import threading

from arena import Bot

LIBC = ctypes.CDLL(None)
PR_SET_NAME = 15


class NamesItself(Bot):
    def act(self, observation):
        LIBC.prctl(PR_SET_NAME, b"\rVmRSS: x", 0, 0, 0)
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
        return observation.legal_actions[0]
