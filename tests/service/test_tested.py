"""Tests of pairings that play until a test of a change is decided."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from arena_results.ratings.comparing.changes import (
    Verdict,
    look,
    look_by_amount,
    look_without_luck,
    read_test,
    write_test,
)
from arena_results.ratings.comparing.sequential import Decision
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.schedule import Schedule

from arena.core.chance.seeding import SeedOrigin, SeedSource
from arena.core.errors import BadInput
from arena.core.record import MatchKey
from arena.core.tournaments.format import Absence, Pairing, Round
from arena.service.report.comparing.comparison import compared
from arena.service.setup.until_tested import (
    UntilTested,
    adjusted_scores_of,
    amount_scores_of,
    unit_counts,
)


def waves(rule, points, group, luck=()):
    """The numbers of matches at which a rule looks, the last of them when it stops."""
    ends, played = [], 0
    while wave := rule.more(points[:played], group, luck[:played]):
        played += wave
        ends.append(played)
    return ends


@pytest.mark.parametrize("text", ["sequence(elo=-5)", "sprt(elo1=20,model=logistic)", "fixed"])
def test_what_is_played_follows_from_the_results_so_far_and_ends_with_them(text):
    points = np.random.default_rng(3).integers(0, 3, 600) / 2
    rule = UntilTested(read_test(text), 600)
    ends = waves(rule, points.tolist(), 2)
    assert all(end % 2 == 0 for end in ends)
    assert ends[-1] <= 600
    counts = unit_counts(points[: ends[-1]].tolist(), 2)
    assert sum(counts) == ends[-1] // 2
    decided = look(rule.test, counts).decision is not Decision.CONTINUE
    assert decided or ends[-1] == 600
    assert read_test(write_test(rule.test)) == rule.test


def test_lopsided_pairs_are_decided_at_the_first_look_and_equal_ones_never():
    assert waves(UntilTested(read_test("sequence"), 1000), [1.0] * 1000, 2) == [100]
    assert waves(UntilTested(read_test("sequence"), 1000), [1.0, 0.0] * 500, 2)[-1] == 1000
    assert waves(UntilTested(read_test("fixed"), 1000), [1.0] * 1000, 2) == [1000]


@pytest.mark.parametrize("text", ["sequence", "sprt(elo1=20,model=logistic)"])
def test_adjusted_it_ends_where_the_results_say_nothing_yet(text):
    random = np.random.default_rng(2)
    luck = random.choice([-0.5, 0.5], 2000)
    points = (0.5 + luck).tolist()
    points[1::2] = [0.5] * 1000  # a sixteenth of a point better than luck has it
    skill = np.where(np.arange(2000) % 16 == 0, 0.5, 0.0)
    luck = np.where(np.arange(2000) % 2, 0.0, luck - skill).tolist()
    test = read_test(text)
    plain, adjusted = (UntilTested(test, 2000, each) for each in (False, True))
    ends = waves(adjusted, points, 2, luck)
    assert ends[0] == 150
    assert ends[-1] < waves(plain, points, 2)[-1]
    found = look_without_luck(test, adjusted_scores_of(points[: ends[-1]], luck, 2))
    assert found.verdict is Verdict.BETTER
    assert "scores without luck" in adjusted.describe()


def test_by_amount_rare_large_losses_count_and_no_mean_is_found_too_early():
    often = [2.0] * 9 + [-9.5]  # by amount it wins, though a tenth of the pairs costs much
    rule = UntilTested(read_test("amount_sequence"), 20_000)
    ends = waves(rule, [each + 0.5 for each in often for _ in "12"] * 1000, 2)
    assert (ends[0], ends[-1] < 20_000) == (150, True)
    scores = amount_scores_of([each + 0.5 for each in often for _ in "12"] * 1000, 2)
    assert (scores.mean, scores.largest, scores.units) == (pytest.approx(0.85), 9.5, 10_000)
    losing = [each + 0.5 for each in [2.0] * 8 + [-9.5] * 2 for _ in "12"] * 1000
    last = amount_scores_of(losing[: waves(rule, losing, 2)[-1]], 2)
    assert look_by_amount(rule.test, last).verdict is Verdict.WORSE


def test_an_interval_by_amount_misses_the_mean_as_seldom_as_it_says():
    random, missed = np.random.default_rng(5), 0
    chances = [0.02, 0.1, 0.2, 0.36, 0.2, 0.1, 0.02]
    for _ in range(60):
        amounts = random.choice([-13, -5, -1, 0, 1, 5, 13], 2000, p=chances)
        rule = UntilTested(read_test("amount_sequence"), 2000)
        missed += waves(rule, (amounts + 0.5).tolist(), 1)[-1] < 2000
    assert missed <= 9  # a binomial law of 5 % has more in 1 of 1,000 runs


@pytest.mark.parametrize("away", [False, True])
def test_adjusted_a_round_is_the_same_in_any_order_of_its_matches(away):
    rule = UntilTested(read_test("sprt(elo1=20,model=logistic)"), 2000, adjusted=True)
    seeds = SeedSource(SeedOrigin.OPEN_SEED, seed=7).keys()
    schedule = Schedule(seeds, True, (rule,), luck=lambda record: (0.0, 0.0))
    made = Round(1, (Pairing((0, 1)),))
    if away:
        made = msgspec.structs.replace(made, absent=(Absence(1, 0.0, True),))
    ends = []
    for order in (1, -1):
        random, play = np.random.default_rng(6), RoundPlay(schedule, made)
        while True:
            legs = [MatchKey(1, 1, leg) for leg in range(play.done + 1, play.matches + 1)]
            drawn = [(key, float(random.choice([-1, 1])), random.normal()) for key in legs]
            for key, gained, luck in drawn[::order]:
                play.add(key, (gained, -gained), (gained * 0.45 + luck / 50, 0.0))
            if not play.extend():
                break
        ends.append((play.matches, play.luck(1), play.result()))
    assert ends[0] == ends[1]
    matches, luck, result = ends[0]
    assert matches == len(luck)
    assert sum(result.results[0].points) == matches


@pytest.mark.parametrize(
    ("text", "counts", "verdict"),
    [
        ("sequence", (10, 50, 100, 150, 90), Verdict.BETTER),
        ("sequence", (90, 150, 100, 50, 10), Verdict.WORSE),
        ("sequence(elo=-60)", (50, 100, 100, 100, 50), Verdict.NOT_WORSE),
        ("sequence(elo=60)", (50, 100, 100, 100, 50), Verdict.NOT_BETTER),
        ("sequence", (50, 100, 100, 101, 50), Verdict.UNDECIDED),
        ("fixed", (0, 0, 0, 0, 9), Verdict.UNDECIDED),
        ("sprt(elo0=-30,elo1=0)", (50, 100, 100, 110, 50), Verdict.NOT_WORSE),
        ("sprt(elo0=-30,elo1=0)", (80, 150, 100, 60, 20), Verdict.WORSE),
        ("sprt(elo1=30)", (80, 150, 100, 60, 20), Verdict.NOT_BETTER),
        ("sprt(elo1=30)", (20, 60, 100, 150, 80), Verdict.BETTER),
    ],
)
def test_a_verdict_says_no_more_than_the_test_decided(text, counts, verdict):
    assert look(read_test(text), counts).verdict is verdict


def test_more_matches_are_estimated_where_the_interval_decides():
    test, counts = read_test("sequence"), (50, 100, 150, 120, 60)
    more = look(test, counts).more
    assert more is not None
    times = 1 + more / sum(counts)
    bounds = [test.bounds([count * scale for count in counts]) for scale in (times, times * 0.98)]
    assert bounds[0][0] > 0 > bounds[1][0]


def test_after_few_matches_more_are_estimated_or_the_least_known():
    assert look(read_test("fixed"), (0, 0, 1, 0, 2)).more > 0
    for units, least in (({(0.0, 1.0): 1}, 18), ({(0.0, 1.0): 9}, 18), ({(0.0, 1.0): 50}, 100_000)):
        found = compared(("a", "b"), read_test("fixed"), units, mirrored=True)
        assert (found.more, found.least_more) == (None, least)


@pytest.mark.parametrize("truth", [0.0, 11.0])
def test_a_decision_is_wrong_no_more_often_than_it_says(truth):
    law = {0.0: (0.07, 0, 0.86, 0, 0.07), 11.0: (0.055, 0, 0.8583, 0, 0.0867)}[truth]
    wrong = Decision.H0 if truth else Decision.H1
    random, missed = np.random.default_rng(5), 0
    test = read_test("sprt(elo0=0,elo1=11,model=logistic)")
    for _ in range(60):
        counts, decision = np.zeros(5, int), Decision.CONTINUE
        while decision is Decision.CONTINUE:
            units = int(counts.sum())
            counts = counts + random.multinomial(UntilTested(test, 10**6).wave(units), law)
            decision = look(test, counts.tolist()).decision
        missed += decision is wrong
    assert missed <= 9  # a binomial law of 5 % has more in 1 of 1,000 runs


@pytest.mark.parametrize("text", ["luck", "sprt(elo0=x)", "sequence(confidence=30)", "fixed(a=1)"])
def test_what_is_no_test_is_refused_in_one_line(text):
    with pytest.raises(BadInput) as error:
        read_test(text)
    assert "\n" not in str(error.value)
