"""Makes folders, links, pipes and sockets where files cannot be written. It plays on."""

import os
from pathlib import Path

from arena import Bot

WAYS = {
    "folder": os.mkdir,
    "link": lambda path: os.symlink("/etc", path),
    "pipe": os.mkfifo,
    "file": os.mknod,
    "nameless file": lambda path: os.open(path.parent, os.O_TMPFILE | os.O_RDWR),
}


class MakesNodes(Bot):
    def start(self, context):
        for folder in (Path("/tmp"), Path("/dev/shm"), Path(__file__).parent):
            for name, way in WAYS.items():
                try:
                    way(folder / f"arena-hostile-marker-{name}")
                except OSError:
                    continue
                raise RuntimeError(f"GOT: a {name} in {folder}")

    def act(self, observation):
        return observation.legal_actions[0]
