"""Limits of threads and page tables, at both levels that confine."""

from __future__ import annotations

from functools import cache

import pytest

from arena.core.outcome import RULE_ENDINGS
from tests.isolation.expectations import EXPECTED
from tests.isolation.tournaments import HOUSE, name_of, play

TAKERS = (
    *("thread_flood", "scattered_pages", "thread_storm", "page_tables"),
    *("tables_without_leader", "tables_under_a_name", "grows_down", "names_itself"),
)
GOOD = {*HOUSE, "rival"}


@pytest.fixture(scope="module")
def taken(ground, user_of):
    """Plays a tournament of the bots that exceed these limits, once a kind of user and level."""

    @cache
    def run(kind, level):
        return play(user_of(kind), ground / f"takers-{kind}-{level}", TAKERS, level=level)

    return run


@pytest.mark.parametrize("level", ["confined", "boxed"])
@pytest.mark.parametrize("bot", TAKERS)
def test_a_bot_over_the_limits_is_stopped_and_no_other_bot_loses_by_it(taken, kind, level, bot):
    _, ended, matches = taken(kind, level)
    assert ended.code == 0, ended.err[-4000:]
    assert ended.left == []
    for match in matches:
        names = [name_of(key) for key in match.record.seats]
        outcome, error = match.record.outcome, match.measurement.error
        if outcome.termination in RULE_ENDINGS:
            continue
        guilty = names[outcome.offender]
        assert guilty not in GOOD, (outcome, error)
        if guilty == bot:
            assert "GOT: " not in error
            assert outcome.termination in EXPECTED[bot].causes, (outcome, error)
