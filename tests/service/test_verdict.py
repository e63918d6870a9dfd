"""The result of a tournament in one sentence."""

from __future__ import annotations

import pytest
from arena_results.schema.rows import Status
from arena_tournaments.formats.elimination import Knockout
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss

from arena.service.report.comparing.verdict import verdict
from tests.cli.test_report import CRASH, match, reported, stored

OVER = {"status": Status.FINISHED}


def of_pair(gains, crashes=0, **about):
    """Returns the verdict on matches of two bots; the last so many are lost by crashes of bob."""
    matches = []
    for leg, gain in enumerate(gains, 1):
        fault = CRASH | {"offender": 1} if leg > len(gains) - crashes else {}
        matches.append(match(1, 1, leg, (0, 1), gain, **fault))
    about = {"games": len(gains), "mirrored": False} | OVER | about
    return verdict(reported(stored(matches, [(0, 1)], ("ann", "bob"), **about), RoundRobin()))


UNKNOWN, FEW = "but it is not known yet who is better", "with too few matches to know who is better"


@pytest.mark.parametrize(
    ("gains", "says"),
    [
        ([1] * 612 + [-1] * 388, "ann beats bob: 612 of 1,000 matches, +79 Elo (57 to 102)."),
        ([-1] * 90 + [1] * 10, "bob beats ann: 90 of 100 matches, +382 Elo (268 to 515)."),
        ([1] * 40, "ann beats bob: 40 of 40 matches, at least +406 Elo."),
        (
            [1] * 51 + [-1] * 45 + [0] * 4,
            f"ann leads bob, {UNKNOWN}: 51 of 100 matches, 4 drawn, +21 Elo (−49 to 91).",
        ),
        ([1] * 4, f"ann leads bob, {FEW}: 4 of 4 matches, Elo not known yet."),
        ([1, -1] * 50, "ann and bob are level: 50 of 100 matches each, 0 Elo (−72 to 72)."),
        ([0], "ann and bob draw their only match, 0 : 0."),
        ([1], "ann beats bob in their only match, 0 : 0; one match does not say who is better."),
        ([], "No match has been played yet."),
    ],
)
def test_of_two_bots_it_says_who_is_better_and_how_sure_that_is(gains, says):
    assert of_pair(gains) == says


def test_faults_are_named():
    assert of_pair([1], crashes=1) == "ann beats bob in their only match: bob lost it by crash."
    assert of_pair([1] * 60, crashes=12).endswith("; bob lost 12 by crash.")


def test_a_match_that_is_not_over_says_so():
    said = of_pair([1] * 60, status=Status.INTERRUPTED)
    assert said.startswith("So far ann beats bob: 60 of 60 matches")


ALL = [(0, 1), (0, 2), (1, 2)]


def of_three(gains, format, pairs=ALL, **about):
    """Returns the verdict on rounds of one match each."""
    pairs = pairs[: len(gains)]
    matches = [match(number, 1, 1, pairs[number - 1], gain) for number, gain in enumerate(gains, 1)]
    about = {"name": "Cup", "games": 1, "mirrored": False} | OVER | about
    return verdict(reported(stored(matches, pairs, ("ann", "bob", "cid"), **about), format))


@pytest.mark.parametrize(
    ("gains", "format", "says"),
    [
        ([1, 1, 1], RoundRobin(), "ann wins Cup: 2 of 2, 1 point before bob."),
        ([0, 1, 0], RoundRobin(), "ann wins Cup: 1.5 of 2, half a point before bob."),
        ([1, -1, 1], RoundRobin(), "ann, bob and cid share first place in Cup: 1 of 2."),
        ([1, -1, 0], Swiss(), "cid wins Cup: 2.5 of 3, half a point before ann."),
    ],
)
def test_of_a_tournament_it_names_winner_score_and_distance(gains, format, says):
    assert of_three(gains, format) == says


def test_a_tournament_that_is_not_over_has_a_leader():
    said = of_three([1], Swiss(), status=Status.INTERRUPTED)
    assert (
        said == "Cup is not over (1 of 3 rounds): ann leads with 1 of 1, before cid by tie-break."
    )


def test_a_name_stands_as_it_was_given():
    said = of_three([1], Swiss(), status=Status.INTERRUPTED, name="cup B")
    assert said.startswith("cup B is not over (1 of 3 rounds)")


def test_a_drawn_bracket_of_two_names_its_winner():
    about = {"games": 2, "mirrored": True} | OVER
    drawn = [match(1, 1, leg, (0, 1)[:: 1 if leg % 2 else -1], 1) for leg in range(1, 35)]
    said = verdict(reported(stored(drawn, [(0, 1)], ("ann", "bob"), **about), Knockout()))
    assert said == "ann wins the tournament as the higher seed: 17 : 17 against bob in the final."


def test_a_bracket_is_won_in_its_last_bout():
    said = of_three([1, -1], Knockout(), [(1, 2), (0, 1)])
    assert said == "bob wins Cup: 1 : 0 against ann in the final."
