"""Reads /proc of other processes: their environment, command and memory. It plays on."""

import os

from arena import Bot

PARTS = ("environ", "cmdline", "maps", "mem", "status", "fd/0")


class ReadsOtherProcesses(Bot):
    def start(self, context):
        for process in (os.getppid(), 1, *range(2, 400, 7)):
            for part in PARTS:
                try:
                    with open(f"/proc/{process}/{part}", "rb") as file:
                        file.read(1)
                except OSError:
                    continue
                raise RuntimeError(f"GOT: {part} of another process")

    def act(self, observation):
        return observation.legal_actions[0]
