"""Pairing by the FIDE Dutch system: processor seconds a round and memory, for fields of any size.

    python -m benchmarks.swiss [PLAYERS ...]        1000 and 4000 by default

Each field plays nine rounds with random results, a few absences and byes on request; every round
is written as a report, read and paired as ``arena pair`` does it. Then the seventh round of the
same field is paired after six rounds by lot, in which most players are due a colour.
"""

from __future__ import annotations

import sys
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import process_time

from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.report import Cell, Player, Report
from arena_tournaments.trf.writing import write_trf

ROUNDS = 9
REQUESTED = 0.01
"""Share of the field that asks for a half-point bye in a round."""


def play(players: int) -> None:
    rng = Random(players)
    cells: dict[int, tuple[Cell, ...]] = dict.fromkeys(range(1, players + 1), ())
    for round in range(1, ROUNDS + 1):
        byes = {(round, number): "H" for number in cells if rng.random() < REQUESTED}
        field = tuple(Player(number=number, cells=mine) for number, mine in cells.items())
        text = write_trf(Report(rounds=ROUNDS, players=field, byes=byes, initial_colour="w"))
        start = process_time()
        report = read_trf(text.encode())
        read = process_time()
        pairs = pair_next_round(report)
        paired = process_time()
        assert pairs is not None
        print(f"{players:6} {round:6} {read - start:8.2f} {paired - read:8.2f}", flush=True)
        for (_, number), result in byes.items():
            cells[number] += (Cell(result=result),)
        for white, black in pairs:
            if not black:
                cells[white] += (Cell(result="U"),)
                continue
            expected = 1 / (1 + 10 ** ((white - black) / (players / 2)))
            drawn, won = rng.random() < 0.3, rng.random() < expected
            results = "==" if drawn else "10" if won else "01"
            cells[white] += (Cell(black, "w", results[0]),)
            cells[black] += (Cell(white, "b", results[1]),)


def pair_after_lots(players: int) -> None:
    rng = Random(1)
    cells: dict[int, tuple[Cell, ...]] = dict.fromkeys(range(1, players + 1), ())
    for _ in range(6):
        drawn = rng.sample(sorted(cells), players)
        for white, black in zip(drawn[::2], drawn[1::2], strict=False):
            if any(cell.opponent == black for cell in cells[white]):
                cells[white] += (Cell(result="H"),)
                cells[black] += (Cell(result="H"),)
                continue
            results = rng.choice(("10", "01", "=="))
            cells[white] += (Cell(black, "w", results[0]),)
            cells[black] += (Cell(white, "b", results[1]),)
    field = tuple(Player(number=number, cells=mine) for number, mine in cells.items())
    start = process_time()
    assert pair_next_round(Report(rounds=ROUNDS, players=field, initial_colour="w")) is not None
    print(f"{players:6} by lot {'':8} {process_time() - start:8.2f}", flush=True)


def main() -> None:
    print("players round  read, s  pair, s")
    for players in map(int, sys.argv[1:] or ("1000", "4000")):
        play(players)
        pair_after_lots(players - players % 2)
        print(f"peak memory {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
