"""Makes a file in memory, which no limit of files or memory would count. It plays on."""

import os

from arena import Bot


class FillsMemoryFiles(Bot):
    def start(self, context):
        try:
            number = os.memfd_create("hostile")
        except OSError:
            return
        os.close(number)
        raise RuntimeError("GOT: a file in memory")

    def act(self, observation):
        return observation.legal_actions[0]
