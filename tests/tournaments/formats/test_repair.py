from __future__ import annotations

from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.pairing.repair import fewest_repeats
from arena_tournaments.scoring.scoring import PAIRING, history

from arena.core.tournaments.format import Pairing, PairingResult, Round, RoundResult
from tests.tournaments.plays import field_of


def played(*rounds: list[tuple[int, int]], size: int):
    """Rounds as pairs whose first seat wins; who is in none of a round's pairs has the bye."""
    past = []
    for number, pairs in enumerate(rounds, 1):
        seated = {seat for pair in pairs for seat in pair}
        byes = tuple(sorted(set(range(size)) - seated))
        results = tuple(PairingResult(Pairing(pair), (1.0, 0.0)) for pair in pairs)
        past.append(RoundResult(Round(number, tuple(map(Pairing, pairs)), byes), results))
    return past


TWO_TRIANGLES_LEFT = played(
    [(0, 3), (1, 4), (2, 5)], [(4, 0), (5, 1), (3, 2)], [(0, 5), (1, 3), (2, 4)], size=6
)


def test_two_triangles_cost_one_repeat():
    upcoming = fewest_repeats(history(6, TWO_TRIANGLES_LEFT, PAIRING), 4)
    met = [frozenset(p.seats) for past in TWO_TRIANGLES_LEFT for p in past.round.pairings]
    again = [p for p in upcoming.pairings if frozenset(p.seats) in met]
    assert len(upcoming.pairings) == 3
    assert len(again) == 1


def test_the_swiss_takes_it_where_the_dutch_rules_have_nothing():
    upcoming = Swiss().next_round(field_of(6), TWO_TRIANGLES_LEFT, 4)
    assert upcoming == fewest_repeats(history(6, TWO_TRIANGLES_LEFT, PAIRING), 4)


def test_near_scores_meet_before_distant_ones():
    past = played([(0, 1), (2, 3)], size=4)
    upcoming = fewest_repeats(history(4, past, PAIRING), 2)
    assert [set(pairing.seats) for pairing in upcoming.pairings] == [{0, 2}, {1, 3}]


def test_an_entrant_does_not_rest_twice():
    past = played([(0, 1)], [(2, 0)], size=3)
    upcoming = fewest_repeats(history(3, past, PAIRING), 3)
    assert upcoming.byes == (0,)
    assert {*upcoming.pairings[0].seats} == {1, 2}


def test_the_first_seat_alternates_by_count_then_recency_then_number():
    fewer = fewest_repeats(history(2, played([(0, 1)], size=2), PAIRING), 2)
    assert fewer.pairings == (Pairing((1, 0)),)
    recent = fewest_repeats(history(2, played([(0, 1)], [(1, 0)], size=2), PAIRING), 3)
    assert recent.pairings == (Pairing((0, 1)),)
    fresh = fewest_repeats(history(2, [], PAIRING), 1)
    assert fresh.pairings == (Pairing((0, 1)),)


def test_fewer_forbidden_pairs_count_before_all_repeats():
    past = history(4, played([(0, 1), (2, 3)], [(1, 0), (3, 2)], size=4), PAIRING)
    apart = {(0, 2), (2, 0), (1, 3), (3, 1), (0, 3), (3, 0)}
    upcoming = fewest_repeats(past, 3, apart)
    assert {frozenset(each.seats) for each in upcoming.pairings} == {
        frozenset((0, 1)), frozenset((2, 3)),
    }  # fmt: skip
