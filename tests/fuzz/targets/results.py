"""Results from elsewhere, CSV and PGN, up to the ratings of every model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.plugins.registry import Registry
from arena.service.rating.rate import rate
from tests.fuzz.fuzzing import Run, Target

TWO = b"""player1,player2,score,pair,period
a,b,1,1,may
b,a,0.5,1,may
"c ""x"" d",a,1/2,,june
b,a,0.25,2,june
"""
ORDERS = b"""game,player,rank,pair
1,a,1,x
1,b,2,x
1,c,2,x
2,c,1,
2,a,3,
"""
PGN = b"""[Event "one"]
[White "a \\"x\\""]
[Black "b"]
[Result "1-0"]

1. e4 {a comment} 1-0

[White "b"]
[Black "c"]
[Result "1/2-1/2"]
[White "b"]
[Black "c"]
[Result "*"]
"""
TANGLED = b"""% exported
{ before [White "x"] } [White "a"] [Black "b"] [Result "*"] ; [Black "y"]

1. e4 (1. d4 {x (} 1-0) $3 {
[White "Z"]
} 1/2 1. c4 0-1
[Event "The "Big" One"]
[White "b"]
[Black "c"]
[Result "0-0"]
[White "c"] [Black "a"] 1. f4 1-0
"""
SHEET = "sep=;\nPlayer 1;PLAYER2;Score;;\na;b;0,5;;\n;;;;\nb;c;1-0;;\nc;a;½\n".encode("utf-16")
PIECES = (
    *(
        b"{",
        b"}",
        b"(",
        b")",
        b";",
        b"%",
        b"*",
        b"\n",
        b"0-0",
        b'[White "',
        b'"]',
        b"sep=;\n",
        b"\t",
    ),
    *(b"a,b,1,1,may\n", b"1,a,1,x\n", b'[Result "0-1"]\n', b'[White "c"]\n'),
    *(b"1/2", b"1e308", b"\xef\xbb\xbf"),
)


def files() -> list[bytes]:
    return [TWO, ORDERS, PGN, TANGLED, SHEET]


@contextmanager
def results(folder: Path) -> Iterator[Run]:
    file, registry = folder / "results", Registry()

    def run(data: bytes) -> None:
        file.write_bytes(data)
        for model in ("pl", "elo", "openskill"):
            found = rate(registry, file, model, len)
            assert len({each.name for each in found.players}) == len(found.players) > 1
        rate(registry, file, "glicko2", len)

    yield run


TARGETS = (Target(name="results", seeds=files, open=results, pieces=PIECES),)
