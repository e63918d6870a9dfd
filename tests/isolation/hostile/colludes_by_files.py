"""Leaves word for its other processes in files, and looks for theirs. It plays on."""

import os
from pathlib import Path

from arena import Bot

PLACES = (Path("/tmp"), Path("/dev/shm"), Path(__file__).parent)


class ColludesByFiles(Bot):
    def start(self, context):
        for place in PLACES:
            name = place / "arena-hostile-marker-word"
            try:
                if name.exists():
                    raise RuntimeError(f"GOT: word in {place}")
                with open(name, "a") as file:
                    file.write(f"{os.getpid()} {context.seed}\n")
            except OSError:
                continue
            raise RuntimeError(f"GOT: a place to leave word, {place}")

    def act(self, observation):
        return observation.legal_actions[0]
