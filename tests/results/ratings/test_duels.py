from __future__ import annotations

import pytest

from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.core.record import Place
from results.ratings.duels import Duel, units
from results.rows import MatchRow


def match(place: tuple[int, int, int], seats: tuple[int, ...], returns: tuple[float, ...]):
    scores = (0,) * len(seats)
    return MatchRow(Place(*place), seats, 1, returns, scores, Termination.RULES, None, None)


MATCHES = [
    match((1, 1, 1), (0, 1), (1.0, -1.0)),
    match((1, 1, 2), (1, 0), (0.0, 0.0)),
    match((1, 1, 3), (0, 1), (-1.0, 1.0)),
    match((1, 2, 1), (2, 0), (1.0, -1.0)),
    match((1, 2, 2), (0, 2), (1.0, -1.0)),
    match((2, 2, 2), (0, 2), (-1.0, 1.0)),
]
DUELS = [
    Duel(7, 5, 1.0),
    Duel(5, 7, 0.5),
    Duel(7, 5, 0.0),
    Duel(6, 7, 1.0),
    Duel(7, 6, 1.0),
    Duel(7, 6, 0.0),
]


def test_the_legs_of_a_mirrored_pair_are_one_unit_and_a_leg_alone_is_another():
    a, b, c, d, e, f = DUELS
    assert units(MATCHES, True, [7, 5, 6]) == [(a, b), (c,), (d, e), (f,)]


def test_without_mirroring_each_match_is_a_unit():
    assert units(MATCHES, False, [7, 5, 6]) == [(duel,) for duel in DUELS]


def test_other_tables_than_two_seats_are_refused():
    with pytest.raises(BadInput, match=r"ratings are for two seats; match 1\.1\.1 has 3"):
        units([match((1, 1, 1), (0, 1, 2), (1.0, -1.0, 0.0))], False, [0, 1, 2])
