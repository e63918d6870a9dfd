"""Ratings without luck beside those of a leaderboard, from kept sums."""

from math import log10

import pytest
from arena_results.boards.leaderboard import Asked, boards
from arena_results.ratings.systems.systems import Elo
from arena_results.store.luck_sums import keep_luck, luck_sums
from arena_results.store.queries import match_rows

FIXED = {"value_function": "values 1", "value_hash": "a" * 64}
GAINS = (1, 1, -1, 1, 1, -1, -1, -1, 1, 1, 1, -1)


@pytest.fixture
def cup(database, run, new, played):
    """Returns a function that stores a cup of two with the luck of its matches, if it is known."""

    def cup(share=None, **changes):
        sent = [
            played((1, 1, leg), (0, 1) if leg % 2 else (1, 0), gain)
            for leg, gain in enumerate(GAINS, 1)
        ]
        number = run(new(rounds=1, games=len(GAINS), **(FIXED | changes)), sent, (0, 1))
        if share is not None:
            rows = []
            for row in match_rows(database, number):
                points = [(1 + each) / 2 for each in row.returns]
                rows.append((row, points, [share * (each - 0.5) for each in points]))
            keep_luck(database, number, {(1, 1): luck_sums(rows, True)})
        return number

    return cup


def adjusted(database, **asked):
    (board,) = boards(database, Asked(**asked))
    return {row.participant.name: (row.adjusted, row.adjusted_error) for row in board.rows}


def plain(database):
    (board,) = boards(database, Asked())
    return {row.participant.name: (row.rating, row.error) for row in board.rows}


def test_without_any_luck_the_ratings_are_the_plain_ones(database, cup):
    cup(share=0.0)
    for name, (rating, error) in adjusted(database).items():
        assert rating == pytest.approx(plain(database)[name][0], abs=1)
        assert error == pytest.approx(plain(database)[name][1], rel=0.15)


def test_half_of_the_result_being_luck_halves_the_distance_and_its_error(database, cup):
    cup(share=0.5)
    found = sorted(adjusted(database).values())
    points = sum(gain > 0 if leg % 2 else gain < 0 for leg, gain in enumerate(GAINS, 1)) / 12
    mean = 0.5 + (points - 0.5) / 2
    assert found[1][0] - found[0][0] == pytest.approx(400 * abs(log10(1 / mean - 1)), abs=2)
    assert found[0][1] < 0.6 * plain(database)[next(iter(plain(database)))][1]


@pytest.mark.parametrize("share", [-40.0, -5.2])
def test_scores_that_no_rating_expects_leave_the_plain_ones_alone(database, cup, share):
    cup(share=share)
    assert set(adjusted(database).values()) == {(None, None)}
    assert all(error for _, error in plain(database).values())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"share": 0.5}, {}),
        ({"share": 0.5}, {"share": 0.5, "value_hash": "b" * 64}),
        ({"share": 0.5}, {"share": 0.5, "mirrored": False}),
        ({"share": 0.5, **dict.fromkeys(FIXED)}, {"share": 0.5, **dict.fromkeys(FIXED)}),
    ],
    ids=["luck that is not kept", "other values", "not mirrored", "none fixed"],
)
def test_there_are_none_unless_all_tournaments_fixed_the_same_values(database, cup, first, second):
    cup(**first)
    cup(**second)
    assert set(adjusted(database).values()) == {(None, None)}


def test_other_systems_and_anchored_boards_have_none(database, cup):
    cup(share=0.5)
    assert None not in {rating for rating, _ in adjusted(database).values()}
    assert set(adjusted(database, system=Elo()).values()) == {(None, None)}
    name = next(iter(adjusted(database)))
    assert set(adjusted(database, anchors={name: 1600.0}).values()) == {(None, None)}
