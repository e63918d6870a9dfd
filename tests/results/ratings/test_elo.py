from __future__ import annotations

import json
from pathlib import Path

import pytest
from arena_results.ratings.systems.elo import START, K, expected, gains
from hypothesis import given
from hypothesis import strategies as st

from arena.core.tournaments.rating import Duels, pairs
from tests.results.ratings.live_elo import elo
from tests.results.ratings.rated_tables import PLAYERS, finished, tables

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())


@pytest.mark.parametrize("case", PUBLISHED["elo_update"])
def test_expected_scores_give_the_published_update(case):
    total = sum(expected(case["rating"], opponent) for opponent in case["opponents"])
    assert round(case["rating"] + case["K"] * (sum(case["scores"]) - total)) == case["new"]


@pytest.mark.parametrize("case", PUBLISHED["multielo"]["finishing_order"])
def test_a_table_gives_the_published_update_with_k_by_opponents(case):
    before, seats = case["ratings"], len(case["ratings"])
    gained = gains(finished(tuple(range(seats)), tuple(range(seats))), before)
    # There 2 K / n a duel, here K / (n - 1).
    scale = PUBLISHED["multielo"]["K"] * 2 / seats * (seats - 1) / K
    ours = [rating + gain * scale for rating, gain in zip(before, gained, strict=True)]
    assert ours == pytest.approx(case["new"], abs=1e-8)


def test_400_points_are_odds_of_ten_to_one():
    assert expected(1900, 1500) == pytest.approx(10 / 11)


def test_a_first_win_at_equal_ratings_moves_half_of_k():
    assert elo([Duels((0, 1), (1.0,))], 3) == [1508.0, 1492.0, 1500.0]


def test_a_first_table_at_equal_ratings_moves_half_of_k_at_its_ends():
    table = finished((3, 1, 0, 2), (1, 2, 3, 4))
    assert elo([table], 5) == pytest.approx(
        [1500 - 8 / 3, 1500 + 8 / 3, 1492.0, 1508.0, 1500.0], abs=1e-9
    )


def test_later_matches_start_from_where_earlier_ones_ended():
    ratings = elo([Duels((0, 1), (1.0,)), Duels((1, 0), (1.0,))], 2)
    gain = K * (1 - 1 / (1 + 10 ** (16 / 400)))
    assert ratings == pytest.approx([1508 - gain, 1492 + gain])


def test_two_seats_are_elos_own_update_to_the_last_bit():
    seats = [(0, 1), (1, 2), (2, 0), (1, 0), (0, 2)] * 9
    played = [
        Duels(pair, (score,))
        for pair, score in zip(seats, (1.0, 0.5, 0.0, 1.0, 1.0) * 9, strict=True)
    ]
    ratings = [START] * 3
    for match in played:
        (first, second), (score,) = match.players, match.scores
        gain = K * (score - expected(ratings[first], ratings[second]))
        ratings[first] += gain
        ratings[second] -= gain
    assert elo(played, 3) == ratings


@given(st.lists(tables()))
def test_points_are_only_exchanged(played):
    assert sum(elo(played, PLAYERS)) == pytest.approx(PLAYERS * START)


@given(tables(), st.lists(tables(), max_size=5))
def test_no_match_moves_a_player_by_more_than_k(last, before):
    earlier, later = elo(before, PLAYERS), elo([*before, last], PLAYERS)
    moved = [abs(new - old) for new, old in zip(later, earlier, strict=True)]
    assert max(moved) < K
    assert {player for player, points in enumerate(moved) if points} <= set(last.players)


@given(st.lists(tables()), st.data())
def test_the_order_of_the_seats_does_not_matter(played, data):
    assert elo([reseated(match, data) for match in played], PLAYERS) == pytest.approx(
        elo(played, PLAYERS)
    )


def reseated(match: Duels, data: st.DataObject) -> Duels:
    """The same match with the players in other seats."""
    took = dict(zip(pairs(len(match.players)), match.scores, strict=True))
    order = data.draw(st.permutations(range(len(match.players))))
    scores = [
        took[order[one], order[other]]
        if order[one] < order[other]
        else 1 - took[order[other], order[one]]
        for one, other in pairs(len(order))
    ]
    return Duels(tuple(match.players[seat] for seat in order), tuple(scores))
