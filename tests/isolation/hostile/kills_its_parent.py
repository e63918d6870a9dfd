"""Kills its parent, then its process group, then everybody. It must fail, and it plays on."""

import os
import signal

from arena import Bot


class KillsItsParent(Bot):
    def start(self, context):
        parent = os.getppid()
        deeds = [(-1, 0), (1, 0)]  # whom it cannot be allowed to hit, it only asks
        deeds += [(parent, number) for number in (0, signal.SIGTERM, signal.SIGKILL) if parent > 1]
        for whom, number in deeds:
            try:
                os.kill(whom, number)
            except OSError:
                continue
            raise RuntimeError(f"GOT: signal {int(number)} to {whom if whom < 2 else 'its parent'}")

    def act(self, observation):
        return observation.legal_actions[0]
