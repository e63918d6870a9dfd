"""Changes rights, owner, times and attributes of files, which Landlock lets pass.

It must fail, and it plays on.
"""

import os
from pathlib import Path

from arena import Bot

OWN = Path(__file__)
FILES = (OWN, OWN.parents[1] / "arena.db")
WAYS = {
    "chmod": lambda file: os.chmod(file, 0o600),
    "utime": lambda file: os.utime(file),
    "chown": lambda file: os.chown(file, os.getuid(), os.getgid()),
    "setxattr": lambda file: os.setxattr(file, "user.hostile", b"1"),
}


class ChangesMetadata(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            for file in FILES:
                try:
                    way(file)
                except OSError:
                    continue
                raise RuntimeError(f"GOT: {name} of {file.name}")

    def act(self, observation):
        return observation.legal_actions[0]
