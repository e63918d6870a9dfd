"""Closes its own stdout and stderr: nothing that matters goes through them, so it plays on."""

import contextlib
import os
import sys

from arena import Bot


class ClosesItsStreams(Bot):
    def start(self, context):
        sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None
        for stream in (0, 1, 2):
            with contextlib.suppress(OSError):  # done in an earlier match
                os.close(stream)

    def act(self, observation):
        return observation.legal_actions[0]
