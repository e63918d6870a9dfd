"""Starts threads until it gets no more.

It must lose by crash or memory, and never come to thousands of them.
"""

import threading
import time

from arena import Bot


class ThreadBomb(Bot):
    def act(self, observation):
        for _ in range(4_000):
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
        raise RuntimeError("GOT: four thousand threads")
