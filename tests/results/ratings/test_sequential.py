from __future__ import annotations

import json
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from arena_results.ratings.comparing import sequential
from arena_results.ratings.comparing.sequential import Decision, Model, Sprt, evidence
from arena_results.ratings.intervals.statistics import NELO, matches, moments
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput
from tests.sizes import volume

PUBLISHED = json.loads((Path(__file__).parent / "data" / "published.json").read_text())
FASTCHESS, RACETRACK = PUBLISHED["sprt"], PUBLISHED["sprt_racetrack"]


def pairs(six):
    """The counts of pairs of a source that keeps 1-1 apart by wins and draws."""
    zero, half, won_lost, both_drawn, more, two = six
    return (zero, half, won_lost + both_drawn, more, two)


def sprt(case, **errors) -> Sprt:
    return Sprt(
        elo0=case["elo0"], elo1=case["elo1"], model=Model(case.get("model", "normalized")), **errors
    )


@pytest.mark.parametrize("case", FASTCHESS["trinomial"])
def test_fastchess_ratios_of_matches(case):
    found = evidence(sprt(case), (case["losses"], case["draws"], case["wins"]))
    assert found.llr == pytest.approx(case["llr"], rel=0.01)


@pytest.mark.parametrize("case", FASTCHESS["pentanomial_LL_LD_WL_DD_WD_WW"])
def test_fastchess_ratios_of_pairs(case):
    assert evidence(sprt(case), pairs(case["counts"])).llr == pytest.approx(case["llr"], rel=0.01)


def test_fastchess_bounds():
    found = evidence(Sprt(elo0=0, elo1=1, alpha=0.05, beta=0.05), (1, 1, 1))
    assert [found.lower, found.upper] == pytest.approx(FASTCHESS["bounds"], rel=1e-12)
    assert FASTCHESS["zero_count_regularisation"] == sequential.EMPTY


@pytest.mark.parametrize("case", RACETRACK["cases"])
def test_racetrack_ratios(case):
    found = evidence(sprt(case, beta=0.1), case["counts"])
    assert found.llr == pytest.approx(case["llr"], abs=0.01)


@pytest.mark.parametrize("case", RACETRACK["decisions"])
def test_racetrack_decisions(case):
    assert evidence(sprt(case, beta=0.1), case["counts"]).decision == case["decision"]


def test_fishtest_ratios():
    case = PUBLISHED["fishtest_example"]
    normalized = evidence(Sprt(elo0=0, elo1=4), case["pentanomial"])
    assert round(normalized.llr, 5) == case["llr_normalized_exact"]
    logistic = evidence(Sprt(elo0=0, elo1=2.716, model=Model.LOGISTIC), case["pentanomial"])
    expected = case["llr_logistic_exact_elo1_2.716"]
    assert logistic.llr == pytest.approx(expected, rel=0.0005 / 2.716)  # elo1 is rounded there


COUNTS = st.one_of(
    st.lists(st.integers(0, 5_000), min_size=size, max_size=size).filter(any) for size in (3, 5)
)


@settings(max_examples=volume(20), deadline=None)
@given(COUNTS, st.floats(-200, 200), st.floats(0.5, 200), st.sampled_from(Model))
def test_the_other_side_has_the_opposite_ratio(counts, elo0, width, model):
    if model is Model.BAYESIAN:
        counts = (counts[0], counts[1], counts[-1])
        if not any(counts):
            return
    ours = evidence(Sprt(elo0=elo0, elo1=elo0 + width, model=model), counts)
    theirs = evidence(Sprt(elo0=-elo0 - width, elo1=-elo0, model=model), counts[::-1])
    assert theirs.llr == pytest.approx(-ours.llr, rel=1e-6, abs=1e-6)


@settings(max_examples=volume(20), deadline=None)
@given(COUNTS, st.floats(-1_000, 1_000))
def test_the_law_of_a_hypothesis_has_its_elo_even_far_away(counts, elo):
    weights = [count or sequential.EMPTY for count in counts]
    law = [weight / sum(weights) for weight in weights]
    mean, variance = moments(sequential._likeliest(Model.NORMALIZED, elo, law))
    found = (mean - 0.5) / sqrt(matches(law) * variance) * NELO
    assert found == pytest.approx(elo, abs=1e-3)


def test_no_law_with_that_elo_is_likelier():
    """Neighbours with the same ratio of mean to deviation: three probabilities leave one free."""
    law = [0.3, 0.3, 0.4]
    ratio = 40 / NELO
    best = sequential._likeliest(Model.NORMALIZED, 40, law)

    def likelihood(other):
        return sum(chance * log(one) for chance, one in zip(law, other, strict=True))

    for drawn in (best[1] - 0.01, best[1] - 0.001, best[1] + 0.001, best[1] + 0.01):
        # won - lost = gap; mean = 1/2 + gap / 2; variance = (1 - drawn - gap**2) / 4
        gap = ratio * sqrt((1 - drawn) / (1 + ratio**2))
        other = [(1 - drawn - gap) / 2, drawn, (1 - drawn + gap) / 2]
        mean, variance = moments(other)
        assert (mean - 0.5) / sqrt(variance) == pytest.approx(ratio)
        assert likelihood(other) < likelihood(best)


@pytest.mark.parametrize(("elo", "wrong"), [(0, Decision.H1), (40, Decision.H0)])
@pytest.mark.thorough("the other hypothesis", everyday=["0-*"])
def test_errors_stay_below_alpha_and_beta_though_one_looks_often(elo, wrong):
    """A look every 10 pairs, of which four in five are divided, at one of the hypotheses."""
    test = Sprt(elo0=0, elo1=40, model=Model.LOGISTIC)
    score = 1 / (1 + 10 ** (-elo / 400))
    law = (0.6 - score, 0, 0.8, 0, score - 0.4)
    runs = np.random.default_rng(7).multinomial(10, law, size=(200, 150)).cumsum(axis=1)
    ends = [decision(test, run) for run in runs.tolist()]
    assert ends.count(wrong) / len(ends) <= 0.07
    assert Decision.CONTINUE not in ends


def decision(test, looks) -> Decision:
    found = (evidence(test, counts).decision for counts in looks)
    return next((each for each in found if each is not Decision.CONTINUE), Decision.CONTINUE)


def test_the_mean_way_to_a_decision():
    """Wald: level play takes a * b / variance; a clear lead its distance over its drift."""
    level = evidence(Sprt(elo0=-5, elo1=5), (100, 300, 100))
    assert level.llr == pytest.approx(0, abs=1e-9)
    scores = 0.25 * 200 / 500  # variance of a match
    step = 10 / NELO / sqrt(scores)  # of the ratio, for a score of 1 instead of 0
    assert level.more == pytest.approx(level.upper**2 / (scores * step**2), rel=0.01)
    ahead = evidence(Sprt(elo0=0, elo1=2), (100, 100, 150))
    assert ahead.more == pytest.approx(350 * (ahead.upper / ahead.llr - 1), rel=0.01)
    assert evidence(Sprt(elo0=0, elo1=20), (100, 100, 200)).more is None


def test_bayesian_elo_has_no_ratio_before_a_win_and_a_loss():
    test = Sprt(elo0=0, elo1=5, model=Model.BAYESIAN)
    for counts in ((0, 5, 7), (7, 5, 0)):
        found = evidence(test, counts)
        assert (found.llr, found.decision, found.more) == (0, Decision.CONTINUE, None)
    with pytest.raises(BadInput, match="the model bayesian is of wins, draws and losses"):
        evidence(test, (1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"elo1": 0.0}, "elo0: expected less than elo1, 0, not 0"),
        ({"elo1": float("nan")}, "elo1: expected -1000 to 1000, not nan"),
        ({"elo0": -1001.0}, "elo0: expected -1000 to 1000, not -1001"),
        ({"elo1": "5"}, "elo1: expected a number, not '5'"),
        ({"elo1": 10**400}, f"elo1: expected a number, not 1{'0' * 39}"),
        ({"alpha": True}, "alpha: expected a number, not True"),
        ({"alpha": 0.0}, "alpha: expected a number between 0 and 1, not 0"),
        ({"beta": float("nan")}, "beta: expected a number between 0 and 1, not nan"),
        ({"alpha": 0.6, "beta": 0.4}, "alpha and beta must add up to less than 1: 0.6, 0.4"),
    ],
)
def test_a_test_that_is_none_is_refused(wrong, message):
    with pytest.raises(BadInput) as caught:
        Sprt(**{"elo0": 0.0, "elo1": 5.0, **wrong})
    assert str(caught.value) == message
