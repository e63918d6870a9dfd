"""Starts other programs, by ``subprocess``, ``posix_spawn`` and the shell. It plays on."""

import os
import subprocess

from arena import Bot

TRUE = "/bin/true"
WAYS = {
    "subprocess": lambda: subprocess.run([TRUE], check=True),
    "posix_spawn": lambda: os.waitpid(os.posix_spawn(TRUE, [TRUE], {}), 0),
    "system": lambda: os.system(TRUE) == 0 or 1 / 0,
    "popen": lambda: os.popen("echo x").read() or 1 / 0,
}


class Spawns(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            try:
                way()
            except (OSError, subprocess.SubprocessError, ZeroDivisionError):
                continue
            raise RuntimeError(f"GOT: a program by {name}")

    def act(self, observation):
        return observation.legal_actions[0]
