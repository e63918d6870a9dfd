"""Ignores and blocks every signal that can be, and loops. It must be killed: timeout."""

import contextlib
import signal

from arena import Bot


class IgnoresSignals(Bot):
    def act(self, observation):
        for number in signal.valid_signals():
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            pass
