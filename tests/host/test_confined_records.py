"""A host with bots in processes of their own plays the same matches as one that calls them."""

from __future__ import annotations

import math
from functools import cache

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.host.box.levels import Level
from arena.host.play import confined, feeds
from arena.host.play.hosts import open_host
from tests.host.confined_plays import (
    breaker,
    inline,
    match_settings,
    play,
    records,
    renamed,
    schedule,
    untrusted,
)
from tests.host.levels import levels_here
from tests.sizes import volume

HOUSE = {"pazaak": ("stand(at=17)", "random"), "sabacc": ("target-total(at=17)", "random")}


def field(game, trusted=()):
    """Two house bots and three untrusted ones; those of the given index are trusted."""
    bots = [untrusted(name) for name in HOUSE[game]]
    bots += [renamed(breaker(), f"other {number}") for number in (1, 2, 3)]
    return [
        msgspec.structs.replace(bot, trusted=index in trusted) for index, bot in enumerate(bots)
    ]


@cache
def inline_records(game, seats):
    """The records of the field whose bots are all called in process."""
    return inline(match_settings(game), field(game), schedule(5, seats, deals=2))


@pytest.mark.parametrize("trusted", [(), (1,), (0, 1, 3)])
@pytest.mark.parametrize(
    ("game", "seats"), [("pazaak", 2), ("sabacc", 2), ("sabacc", 3), ("sabacc", 5)]
)
@pytest.mark.thorough(
    "other numbers of seats and of trusted bots",
    everyday=["pazaak-2-trusted1", "sabacc-3-trusted2"],
)
def test_the_records_are_those_of_bots_called_in_process(game, seats, trusted):
    rules, bots, jobs = match_settings(game), field(game, trusted), schedule(5, seats, deals=2)
    played = play(rules, bots, jobs)
    assert [match.key for match in played] == [job.key for job in jobs]
    assert records(played) == inline_records(game, seats)


def test_entries_with_a_side_deck_of_their_own_play_it_everywhere():
    rules, jobs = match_settings(), schedule(3)
    decks = ["very-hard", "", "novice"]
    bots = [
        msgspec.structs.replace(bot, loadout=deck)
        for bot, deck in zip(field("pazaak"), decks, strict=False)
    ]
    played = play(rules, bots, jobs)
    with open_host(rules, [msgspec.structs.replace(bot, trusted=True) for bot in bots]) as host:
        assert records(played) == records(host.play(jobs, math.inf))
    for match, job in zip(played, jobs, strict=True):
        for loadout, entrant in zip(match.record.loadouts, job.seats, strict=True):
            if decks[entrant]:
                assert loadout == rules.game.loadouts.accept(rules.ruleset, decks[entrant])


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED, Level.BOXED])
def test_every_level_gives_the_same_records(level):
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    rules, jobs = match_settings(level=level), schedule(3)
    bots = [untrusted("stand(at=17)"), untrusted("random"), breaker()]
    played = play(rules, bots, jobs)
    assert records(played) == inline(rules, bots, jobs)
    assert {match.measurement.isolation for match in played} == {level.value}


@pytest.mark.thorough("every level gives the same records")
@settings(max_examples=volume(5, everyday=2), suppress_health_check=list(HealthCheck))
@given(
    width=st.sampled_from([1, 2, 3, 256]),
    least=st.integers(1, 40),
    drain=st.sampled_from([0.0, 0.2]),
)
def test_neither_width_nor_matches_in_progress_change_a_record(width, least, drain):
    bots, jobs = field("sabacc", trusted=(4,)), schedule(5, 3, deals=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confined, "FIRST_WINDOW", least)
        patch.setattr(feeds, "FIRST_WINDOW", least)
        patch.setattr(feeds, "DRAIN_SECONDS", drain)
        played = play(match_settings("sabacc", width=width), bots, jobs)
    assert records(played) == inline(match_settings("sabacc"), bots, jobs)


def test_a_measurement_has_time_cpu_time_and_level_by_seat():
    rules, jobs = match_settings(), schedule(2)
    for match in play(rules, [untrusted("random"), field("pazaak", (1,))[1]], jobs):
        levels = match.measurement.isolation.split(",")
        assert sorted(levels) == ["process", "trusted"]
        outsider = levels.index("process")
        assert match.measurement.cpu_nanoseconds[outsider] > 0
        assert match.measurement.cpu_nanoseconds[1 - outsider] == 0
        assert all(time > 0 for time in match.measurement.nanoseconds)
