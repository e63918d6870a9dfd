"""Rounds of random tournaments as the library gacrux pairs them, which was written apart from ours.

``TOURNAMENTS`` is their number; ``make soak`` plays 2,000.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.tournaments.reports import expected_of, pairs_of_the_library, play_report, report_at

TOURNAMENTS = int(os.environ.get("TOURNAMENTS", "12"))
MAX_PLAYERS = 24 if TOURNAMENTS <= 12 else 40


@pytest.mark.parametrize("part", range(4))
def test_c0403_pairs_and_colours_of_every_round_are_those_of_the_library(part):
    """With late entries, absences, byes on request, withdrawals and forfeits."""
    rounds = 0
    for seed in range(part, TOURNAMENTS, 4):
        rng = Random(seed)
        report = play_report(rng.randint(4, MAX_PLAYERS), rng.randint(3, 9), seed)
        for number in range(1, report.played_rounds + 1):
            pairs = pairs_of_the_library(report_at(report, number), number)
            assert pairs == expected_of(report, number), f"seed {seed}, round {number}"
            rounds += 1
    assert rounds > TOURNAMENTS // 4
