"""Looks at the numbers of its process and threads, which are given out in turn to all.

One process starts threads or does not, another sees the gap. Alone, its numbers are 2, 3, 4. It
must not see a greater one, and plays on.
"""

import os
import threading

from arena import Bot


class ColludesByNumbers(Bot):
    def act(self, observation):
        numbers = []
        thread = threading.Thread(target=lambda: numbers.append(threading.get_native_id()))
        thread.start()
        thread.join()
        if os.getpid() > 2:
            raise RuntimeError(f"GOT: process {os.getpid()}, thread {numbers[0]}")
        return observation.legal_actions[0]
