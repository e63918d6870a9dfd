"""Estimates and sequential tests of counts: published figures, and counts that are none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena import stats
from arena.core.errors import BadInput

DATA = Path(__file__).parents[1] / "results" / "ratings" / "data" / "published.json"
PUBLISHED = json.loads(DATA.read_text())
FASTCHESS, RACETRACK = PUBLISHED["sprt"], PUBLISHED["sprt_racetrack"]


def pairs(case):
    zero, half, won_lost, both_drawn, more, two = case["counts"]
    return [zero, half, won_lost + both_drawn, more, two]


SPRTS = [
    *(
        (case, {"wdl": [case["wins"], case["draws"], case["losses"]]}, {"rel": 0.01}, 0.05)
        for case in FASTCHESS["trinomial"]
    ),
    *(
        (case, {"pentanomial": pairs(case)}, {"rel": 0.01}, 0.05)
        for case in FASTCHESS["pentanomial_LL_LD_WL_DD_WD_WW"]
    ),
    *((case, {"pentanomial": case["counts"]}, {"abs": 0.01}, 0.1) for case in RACETRACK["cases"]),
]


@pytest.mark.parametrize(("case", "given", "tolerance", "beta"), SPRTS)
def test_published_ratios(case, given, tolerance, beta):
    model = case.get("model", "normalized")
    found = stats.sprt(**given, elo0=case["elo0"], elo1=case["elo1"], beta=beta, model=model)
    assert list(found) == ["llr", "lower", "upper", "decision"]
    assert found["llr"] == pytest.approx(case["llr"], **tolerance)


@pytest.mark.parametrize("case", RACETRACK["decisions"])
def test_published_decisions(case):
    between = {"elo0": case["elo0"], "elo1": case["elo1"]}
    found = stats.sprt(pentanomial=case["counts"], **between, beta=0.1)
    assert found["decision"] == case["decision"]


DIGITS = {"elo": 2, "elo_err": 2, "nelo": 2, "nelo_err": 2, "los": 4, "score": 3}
ELOS = [
    *(
        (case, {"wdl": [case["w"], case["d"], case["l"]]})
        for case in PUBLISHED["elo_nelo"]["wdl_W_L_D"]
    ),
    *(
        (case, {"pentanomial": pairs(case)})
        for case in PUBLISHED["elo_nelo"]["pentanomial_LL_LD_WL_DD_WD_WW"]
    ),
]


@pytest.mark.parametrize(("case", "given"), ELOS)
def test_published_estimates(case, given):
    found = stats.elo(**given)
    assert {*found} == {"elo", "elo_error", "nelo", "nelo_error", "los", "score"}
    shown = {key: digits for key, digits in DIGITS.items() if key in case}
    ours = {key: round(found[key.replace("_err", "_error")], shown[key]) for key in shown}
    assert ours == {key: case[key] for key in shown}


def test_the_fishtest_example():
    case = PUBLISHED["fishtest_example"]
    found = stats.elo(pentanomial=case["pentanomial"])
    assert round(found["elo"], 4) == case["elo"]
    tested = stats.sprt(pentanomial=case["pentanomial"], elo0=0, elo1=4)
    assert round(tested["llr"], 5) == case["llr_normalized_exact"]
    assert tested["decision"] == "continue"


def test_figures_that_counts_do_not_give_are_null():
    assert stats.elo(wdl=[3, 0, 0]) == {
        **dict.fromkeys(["elo", "elo_error", "nelo", "nelo_error", "los"]),
        "score": 1.0,
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"wdl": [1, 2]}, "wdl: expected 3 counts (W D L), not [1, 2]"),
        ({"wdl": [1, 2.5, 3]}, "wdl: D must be a whole number from 0 to 1,000,000,000,000"),
        ({"pentanomial": 7}, "pentanomial: expected 5 counts (LL LD MID WD WW), not 7"),
    ],
)
def test_the_function_names_what_is_wrong(given, message):
    with pytest.raises(BadInput, match=f"^{re.escape(message)}"):
        stats.elo(**given)


def test_an_unknown_model_is_named_with_the_choices():
    with pytest.raises(BadInput, match=r"unknown model 'logistics'; .* did you mean logistic"):
        stats.sprt(wdl=[1, 2, 3], elo0=0, elo1=5, model="logistics")
