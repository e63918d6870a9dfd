"""Writes to the database, cuts it off, moves and removes it.

It must fail, and it plays on.
"""

import os
from pathlib import Path

from arena import Bot

DATABASE = Path(__file__).parents[1] / "arena.db"


def append():
    with open(DATABASE, "ab") as file:
        file.write(b"x")


WAYS = {
    "append": append,
    "truncate": lambda: os.truncate(DATABASE, 0),
    "rename": lambda: os.rename(DATABASE, f"{DATABASE}.gone"),
    "link": lambda: os.link(DATABASE, DATABASE.with_name("arena-hostile-marker-link")),
    "remove": lambda: os.remove(DATABASE),
}


class DamagesDatabase(Bot):
    def start(self, context):
        for name, way in WAYS.items():
            try:
                way()
            except OSError:
                continue
            raise RuntimeError(f"GOT: {name}")

    def act(self, observation):
        return observation.legal_actions[0]
