"""Looks what there is: the root, homes, the folder that it lies in. It plays on."""

import os
from pathlib import Path

from arena import Bot

FOLDERS = ("/", "/etc", "/home", "/root", "/tmp", "/var", "/proc", Path(__file__).parent, ".")


class ListsFolders(Bot):
    def start(self, context):
        for folder in FOLDERS:
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            raise RuntimeError(f"GOT: {len(names)} names in {folder}")

    def act(self, observation):
        return observation.legal_actions[0]
