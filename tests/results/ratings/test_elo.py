from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.ratings.duels import Duel
from results.ratings.elo import K, elo, expected

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())


@pytest.mark.parametrize("case", PUBLISHED["elo_update"])
def test_expected_scores_give_the_published_update(case):
    total = sum(expected(case["rating"], opponent) for opponent in case["opponents"])
    assert round(case["rating"] + case["K"] * (sum(case["scores"]) - total)) == case["new"]


def test_400_points_are_odds_of_ten_to_one():
    assert expected(1900, 1500) == pytest.approx(10 / 11)


def test_a_first_win_among_equals_moves_half_of_k():
    assert elo([Duel(0, 1, 1.0)], 3) == [1508.0, 1492.0, 1500.0]


def test_later_duels_start_from_where_earlier_ones_ended():
    ratings = elo([Duel(0, 1, 1.0), Duel(1, 0, 1.0)], 2)
    gain = K * (1 - 1 / (1 + 10 ** (16 / 400)))
    assert ratings == pytest.approx([1508 - gain, 1492 + gain])


duels = st.lists(
    st.builds(
        Duel,
        first=st.integers(0, 1),
        second=st.integers(2, 3),
        score=st.sampled_from([0.0, 0.5, 1.0]),
    )
)


@given(duels)
def test_points_are_only_exchanged(played):
    assert sum(elo(played, 4)) == pytest.approx(4 * 1500)


@given(duels)
def test_it_does_not_matter_who_of_two_is_called_first(played):
    swapped = [Duel(duel.second, duel.first, 1 - duel.score) for duel in played]
    assert elo(swapped, 4) == pytest.approx(elo(played, 4))
