"""All hostile bots, the house's and the examples in other languages in one tournament."""

from __future__ import annotations

import json

import pytest

from arena.core.outcome import RULE_ENDINGS
from arena.games.pazaak.game import Pazaak
from arena.match.replay import verify
from tests.isolation.expectations import EXPECTED
from tests.isolation.tournaments import HOUSE, REPORTED, examples, markers, name_of, play

SECONDS = 1.5
"""For a decision: some bots have to be stopped, others wait for threads among all the processes."""


@pytest.mark.thorough("test_hostile_bots.py has a tournament by an ordinary user")
def test_a_swiss_of_everybody_runs_to_its_end(ground, user_of, tmp_path):
    guests, folder = examples(tmp_path), ground / "everybody"
    # In one worker process: two would have twice as many processes keep each other from running.
    _, ended, matches = play(
        user_of("user"),
        folder,
        EXPECTED,
        guests=guests,
        format="swiss",
        rounds=3,
        workers=1,
        seconds=SECONDS,
    )
    assert ended.code == 0, ended.err[-4000:]
    assert ended.left == []
    assert markers(folder) == []
    report = json.loads(ended.out)
    assert report["tournament"]["status"] == "finished"
    assert len(report["standings"]) == len(HOUSE) + 1 + len(guests) + len(EXPECTED)
    for match in matches:
        verify(Pazaak(), match.record)
        outcome = match.record.outcome
        assert REPORTED not in match.measurement.error + outcome.reason
        if outcome.offender is None:
            assert outcome.termination in RULE_ENDINGS
        else:
            guilty = name_of(match.record.seats[outcome.offender])
            assert guilty in EXPECTED, (guilty, outcome, match.measurement.error)
            assert outcome.termination in EXPECTED[guilty].causes, (guilty, outcome)
