"""A database of small tournaments: with faults, at tables, a knockout, two begun, one not begun."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

import arena

HOSTILE = "</title><script>alert(1)</script>"
"""A name that somebody gives a tournament."""


class Stands(arena.Bot):
    """Stands at a total; above another it breaks."""

    def __init__(self, at: int, breaks: int = 99) -> None:
        self.at, self.breaks = at, breaks

    def act(self, observation):
        if observation.total >= self.breaks:
            raise ValueError("<script>alert(2)</script>")
        end, stand, *_ = observation.legal_actions
        return stand if observation.total >= self.at else end


class Stopped(Exception):
    """Ends a run before its first match."""


def stop(progress: object) -> None:
    raise Stopped


def play(file: Path) -> None:
    bots = [
        arena.PythonBot(partial(Stands, at), name=f"stands-{at}", version="1")
        for at in (15, 16, 17, 18)
    ]
    broken = arena.PythonBot(partial(Stands, 18, 12), name="broken", version="2")
    with arena.open_database(file) as db:
        db.run([*bots, broken], format="swiss", rounds=3, games=2, seed=5, name=HOSTILE)
        tables = {"game": "sabacc", "ruleset": "imperial", "format": "tables", "seats": 3}
        db.run(
            ["target-total", "random", "cautious-folder"],
            games=6,
            seed=2,
            scoring="amount",
            **tables,
        )
        db.run([*bots, broken], format="knockout", games=2, seed=3)
        db.run(bots, format="swiss", rounds=3, games=2, pause_after_round=1)
        db.run(bots, format="swiss", rounds=3, games=2, seed=987654321, pause_after_round=1)
        with suppress(Stopped):
            db.run(bots, format="knockout", games=2, progress=stop)
