"""Tournament Report Files, up to the next round and the standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.writing import write_trf

from arena.service.report.filed.tournament_reports import next_round, standings
from tests.fuzz.fuzzing import Run, Target
from tests.tournaments.reports import DATA, play_report

CODES = b"""012 Cup
092 Round-Robin
142 5
152 B
162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0
192 FIDE_DUTCH_2025_BAKU
XXR 5
XXC white1 rank
XXS W=1 D=0.5 PAB=1
XXP 1 2
XXZ 3
XXA    1  1.0  0.5
BBW  1.0
240 H 003    1    2
250      01.0 001 003 0001 0004
260 001 003    1    2
299 W         1.0 000    1
001    1 wGM Name, First                        2500 NED     1000001 1990/01/01  1.0    1     2 w 1
001    2                                                                         0.0    2     1 b 0
001    3
001    4
"""
PIECES = (*(line + b"\r" for line in CODES.splitlines()), *(b"0000 - ", b"  12 w 1", b"9999"))
TIE_BREAKS = ["BH/C1", "AOB", "FB", "SB", "DE", "TPR", "PTP", "KS"]


def files() -> list[bytes]:
    return [
        CODES,
        (DATA / "swiss" / "dutch_2025_C5.input").read_bytes(),
        (DATA / "held_swiss_5.trf").read_bytes(),
        *(write_trf(play_report(size, 4, size)).encode() for size in (4, 7, 10)),
    ]


@contextmanager
def reports(folder: Path) -> Iterator[Run]:
    def run(data: bytes) -> None:
        report = read_trf(data)
        assert read_trf(write_trf(report).encode()).players
        standings(report, TIE_BREAKS, 2026)
        standings(report, TIE_BREAKS, 2023)
        paired = Counter(number for pair in next_round(Path("open.trf"), report) for number in pair)
        assert paired.keys() <= {player.number for player in report.players}
        assert set(paired.values()) <= {1}

    yield run


TARGETS = (Target(name="trf", seeds=files, open=reports, pieces=PIECES),)
