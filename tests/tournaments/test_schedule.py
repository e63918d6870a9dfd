from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations, product

from arena_tournaments.play.schedule import balanced_games
from hypothesis import given
from hypothesis import strategies as st

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.record import MatchKey
from arena.core.tournaments.format import Pairing, Round
from tests.tournaments.plays import jobs_of_round

SEVEN = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()
ROUND = Round(3, (Pairing((4, 1)), Pairing((0, 2))), (3,))


def test_every_match_has_its_place_from_one():
    jobs = jobs_of_round(ROUND, SEVEN, 2)
    assert [job.key for job in jobs] == [
        MatchKey(3, 1, 1), MatchKey(3, 1, 2), MatchKey(3, 2, 1), MatchKey(3, 2, 2),
    ]  # fmt: skip


def test_mirrored_legs_share_their_deal_and_swap_seats():
    one, two, three, four = jobs_of_round(Round(1, (Pairing((4, 1)),)), SEVEN, 4)
    assert [job.seats for job in (one, two, three, four)] == [(4, 1), (1, 4), (4, 1), (1, 4)]
    assert one.seed == two.seed
    assert three.seed == four.seed
    assert one.seed != three.seed


def test_an_odd_last_leg_has_a_deal_of_its_own():
    jobs = jobs_of_round(Round(1, (Pairing((4, 1)),)), SEVEN, 3)
    assert len({job.seed for job in jobs}) == 2
    assert jobs[2].seats == (4, 1)


def test_three_seats_play_a_deal_in_three_rotations():
    jobs = jobs_of_round(Round(1, (Pairing((5, 6, 7)),)), SEVEN, 6)
    assert [job.seats for job in jobs] == [
        (5, 6, 7), (6, 7, 5), (7, 5, 6), (6, 5, 7), (5, 7, 6), (7, 6, 5),
    ]  # fmt: skip
    assert [job.seed for job in jobs[:3]] == [jobs[0].seed] * 3
    assert len({job.seed for job in jobs}) == 2


def test_unmirrored_matches_have_deals_of_their_own_and_still_swap_seats():
    jobs = jobs_of_round(Round(1, (Pairing((4, 1)),)), SEVEN, 4, mirrored=False)
    assert len({job.seed for job in jobs}) == 4
    assert [job.seats for job in jobs] == [(4, 1), (1, 4), (4, 1), (1, 4)]


def test_no_two_matches_share_a_bot_seed_and_no_bot_seed_is_a_deal():
    jobs = [
        job
        for number in range(1, 30)
        for job in jobs_of_round(Round(number, ROUND.pairings), SEVEN, 10)
    ]
    bots = {job.bot_seed for job in jobs}
    deals = {job.seed for job in jobs}
    assert len(bots) == len(jobs)
    assert len(deals) == len(jobs) // 2
    assert not bots & deals


@given(
    seed=st.integers(0, 2**63 - 1),
    games=st.integers(1, 8),
    mirrored=st.booleans(),
    players=st.permutations(range(6)),
)
def test_seeds_follow_from_the_tournament_seed_and_the_place_alone(seed, games, mirrored, players):
    other = Round(3, (Pairing(tuple(players[:2])), Pairing(tuple(players[2:4]))), (players[4],))
    keys, others = (SeedSource(SeedOrigin.OPEN_SEED, each).keys() for each in (seed, seed ^ 1))
    ours = jobs_of_round(ROUND, keys, games, mirrored)
    theirs = jobs_of_round(other, keys, games + 2, mirrored)
    seeds = {job.key: (job.seed, job.bot_seed) for job in theirs}
    for job in ours:
        assert seeds[job.key] == (job.seed, job.bot_seed)
        assert 0 <= job.seed < 2**63
    again = {job.seed for job in jobs_of_round(ROUND, others, games, mirrored)}
    assert not again & {job.seed for job in ours}


@given(
    sizes=st.lists(st.integers(2, 6), min_size=1, max_size=4),
    players=st.permutations(range(24)),
    seed=st.integers(0, 2**53 - 1),
)
def test_by_default_everybody_sits_in_every_seat_equally_often(sizes, players, seed):
    places = iter(players)
    pairings = tuple(Pairing(tuple(next(places) for _ in range(size))) for size in sizes)
    games = balanced_games(sizes)
    keys = SeedSource(SeedOrigin.OPEN_SEED, seed).keys()
    jobs = jobs_of_round(Round(1, pairings), keys, games)
    for number, pairing in enumerate(pairings, 1):
        size = len(pairing.seats)
        seats = [job.seats for job in jobs if job.key.pairing == number]
        sat = Counter((who, seat) for row in seats for seat, who in enumerate(row))
        assert sat == dict.fromkeys(product(pairing.seats, range(size)), games // size)
        before = Counter(pair for row in seats for pair in pairwise(row))
        assert before == dict.fromkeys(permutations(pairing.seats, 2), games // size)


@given(size=st.integers(2, 6), groups=st.integers(1, 5))
def test_everybody_plays_each_deal_once_from_every_seat(size, groups):
    jobs = jobs_of_round(Round(1, (Pairing(tuple(range(size))),)), SEVEN, size * groups)
    by_deal = {}
    for job in jobs:
        by_deal.setdefault(job.seed, []).append(job.seats)
    assert len(by_deal) == groups
    for seats in by_deal.values():
        assert all(sorted(column) == list(range(size)) for column in zip(*seats, strict=True))


def test_the_default_number_of_games_fits_all_tables():
    sizes = [(2, 2, 2), (3,), (4,), (5,), (6,), (4, 3), (5, 4, 4), (6, 5), (3, 2)]
    assert [balanced_games(each) for each in sizes] == [20, 24, 20, 20, 24, 24, 20, 30, 24]
