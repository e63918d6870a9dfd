"""Starts threads with the smallest stack there is, until it gets no more.

It must not come to many, as all bots and the harness share the numbers of threads; it plays on.
"""

import _thread
import time

from arena import Bot

ENOUGH = 200


class ThreadFlood(Bot):
    count = 0

    def act(self, observation):
        _thread.stack_size(32_768)
        try:
            while ThreadFlood.count < ENOUGH:
                _thread.start_new_thread(time.sleep, (3600,))
                ThreadFlood.count += 1
        except RuntimeError:
            return observation.legal_actions[0]
        raise RuntimeError(f"GOT: {ENOUGH} threads")
