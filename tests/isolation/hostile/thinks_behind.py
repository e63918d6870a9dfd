"""Answers at once and goes on computing in threads, on its opponents' time.

Its CPU time is charged, so that it may lose by timeout; and no other match may change.
"""

import threading

from arena import Bot


def spin():
    while True:
        pass


class ThinksBehind(Bot):
    started = False

    def act(self, observation):
        if not ThinksBehind.started:
            ThinksBehind.started = True
            for _ in range(2):
                threading.Thread(target=spin, daemon=True).start()
        return observation.legal_actions[0]
