"""A tournament that is played step by step, in a process of its own: `python -m ... FILE`.

It writes the number of stored matches after every event, and goes on when it is sent a line.
"""

from __future__ import annotations

import sys
from functools import partial

import arena
from tests.pages.played import Stands


def step(progress: arena.Progress) -> None:
    print(progress.done, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    bots = [
        arena.PythonBot(partial(Stands, at), name=f"stands-{at}", version="1")
        for at in (15, 16, 17, 18)
    ]
    with arena.open_database(sys.argv[1]) as db:
        db.run(bots, format="swiss", rounds=3, games=20, seed=5, name="Stepped", progress=step)
