"""Tournament files, up to the point where the first match would begin."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_tournaments.spec.files import load_keys
from arena_tournaments.spec.keys import TournamentSpec

from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.setup.byes import byes_of
from arena.service.setup.resolve import resolve
from tests.fuzz.fuzzing import Run, Target

FILES = (
    b"""name = "Cantina Swiss"
game = "pazaak"
ruleset = "standard"
format = "swiss"
games = 20
rounds = 2
seed = 7
bots = ["random", "stand(at=17)", "counter"]
""",
    b"""bots = ["random", "stand(at=17)"]
decision_seconds = 0.5
memory_mb = 64
isolation = "auto"
seed_by = "rating"
trust = ["missing.py:Bot(at=3)", "y"]
stake = 50
purse = 100
mirrored = false
allow = []
""",
    b"""game = "sabacc"
ruleset = "old_republic"
format = "tables"
seats = 4
games = 12
bots = ["random", "target-total", "cautious-folder", "exact-drawer"]
[options]
mode = "chips"
hands = 6
""",
    b"""# One deck for all
bots = ['random', 'stand', "counter"]
format = 'round-robin'
[options]
deck = "+1 +2 -1 -2 \xc2\xb11 \xc2\xb12 \xc2\xb13 D \xc2\xb11T 2&4"
max_sets = 9
""",
)
PIECES = (
    *(b"[[", b"[a.b.c]", b"1979-05-27T07:32:00Z", b"0x_1", b"'''", b"\\u0000", b"\\ud800"),
    *(b"\\U00110000", b"[" * 3_000, b"{a=" * 1_500, b"a." * 2_000 + b"b = 1\n", b'"""\n'),
    *(b"[options]\n", b"bots = []\n", b"seed = 9007199254740992\n", b"games = 0\n", b"seats = 101"),
)


@contextmanager
def files(folder: Path) -> Iterator[Run]:
    file = folder / "cup.toml"
    with BotResolver(Registry()) as resolver:

        def read(data: bytes) -> None:
            file.write_bytes(data)
            resolve(resolver, load_keys(file), str(file))

        yield read


@contextmanager
def names(folder: Path) -> Iterator[Run]:
    """Files of bots, of whatever bytes; patterns are expanded."""
    file = folder / "bots.txt"
    with BotResolver(Registry()) as resolver:

        def read(data: bytes) -> None:
            file.write_bytes(data)
            resolve(resolver, {"bots_from": str(file), "game": "pazaak"})

        yield read


@contextmanager
def byes(folder: Path) -> Iterator[Run]:
    """Byes on request as they are typed."""
    format = Registry().format("swiss")

    def read(data: bytes) -> None:
        spec = TournamentSpec(bots=NAMED, byes=(os.fsdecode(data),))
        byes_of(spec, format, NAMED, 5)

    yield read


NAMED = ("random", "stand(at=17)")
BYES = (b"random | 2", b"stand(at=17) | 3 | 0.5", b"random|5|0")
NAMES = (b"random\nstand(at=17) # a comment\n\n", b"random\ns*\ncou?ter with hard\n")
TARGETS = (
    Target(name="tournament-files", seeds=lambda: FILES, open=files, pieces=PIECES),
    Target(name="files-of-bots", seeds=lambda: NAMES, open=names, pieces=(b"*", b"*?" * 40, b"@*")),
    Target(name="byes", seeds=lambda: BYES, open=byes, pieces=(b"|", b"0.5", b"-0", b"|||")),
)
