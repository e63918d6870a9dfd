"""Has the kernel send SIGKILL to its parent whenever something comes on the wire (SIGIO).

It must fail at naming another process, and it plays on.
"""

import fcntl
import os
import stat

from arena import Bot

F_SETSIG, F_SETOWN_EX = 10, 15


class SignalsByInput(Bot):
    def start(self, context):
        for number in range(256):
            try:
                mode = os.fstat(number).st_mode
            except OSError:
                continue
            if not (stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)):
                continue
            for command in (fcntl.F_SETOWN, F_SETSIG):
                try:
                    fcntl.fcntl(number, command, os.getppid() if command != F_SETSIG else 9)
                except OSError:
                    continue
                raise RuntimeError(f"GOT: fcntl {command}")

    def act(self, observation):
        return observation.legal_actions[0]
