"""Becomes another program, which would be free of what Python must obey. It plays on."""

import contextlib
import os

from arena import Bot


class Execs(Bot):
    def start(self, context):
        for program in ("/bin/sh", "/bin/true", "/proc/self/exe"):
            with contextlib.suppress(OSError):
                os.execv(program, [program, "-c", "true"])

    def act(self, observation):
        return observation.legal_actions[0]
