"""No process of a bot ever sees two matches of one deal."""

from __future__ import annotations

import os
from collections import defaultdict

import pytest

from arena.host.play import confined, feeds
from tests.host.confined_plays import (
    breaker,
    match_settings,
    play,
    renamed,
    schedule,
    seeds,
    untrusted,
)


def logged(folder, kind):
    return [name.split()[1:] for name in os.listdir(folder) if name.startswith(kind)]


@pytest.mark.parametrize("does", ["", "exit"])
@pytest.mark.parametrize(("game", "seats"), [("pazaak", 2), ("sabacc", 3)])
@pytest.mark.thorough("one game is every day", everyday=["pazaak-2-exit"])
def test_no_process_sees_two_legs_of_one_deal_or_two_seats_of_a_table(tmp_path, game, seats, does):
    jobs = schedule(4, seats)
    bots = [renamed(breaker(does, "Logs", folder=str(tmp_path)), f"bot {n}") for n in range(4)]
    play(match_settings(game, incidents=1000), bots, jobs)
    deal_of = {str(seed): (job.seed, job.key.leg) for job in jobs for seed in seeds(job)}
    assert len(deal_of) == len(jobs) * seats
    legs = defaultdict(set)
    processes = set()
    for process, seed in logged(tmp_path, "start"):
        deal, leg = deal_of[seed]
        processes.add(process)
        legs[process, deal].add((leg, seed))
    assert all(len({leg for leg, _ in seen}) == len(seen) == 1 for seen in legs.values())
    if does:
        assert len(processes) > 4 * seats
    else:
        assert len(processes) == 4 * seats
        assert {process for process, _ in legs} == processes


def test_a_bot_receives_the_outcome_of_each_of_its_matches(tmp_path):
    jobs = schedule(3)
    bots = [breaker(kind="Logs", folder=str(tmp_path)), untrusted("random"), untrusted("stand")]
    outcomes = set()
    for match, job in zip(play(match_settings(), bots, jobs), jobs, strict=True):
        if 0 in job.seats:
            outcome = match.record.outcome
            seed = str(seeds(job)[job.seats.index(0)])
            outcomes.add((seed, str(outcome.termination), *map(str, outcome.returns)))
    assert {tuple(line) for line in logged(tmp_path, "finish")} == outcomes


@pytest.mark.parametrize(
    ("at_once", "fewest"),
    [
        pytest.param(1, 9, id="whoever-is-not-asked-makes-room"),
        pytest.param(8, 8, id="all-may-be-asked-whenever-one-begins"),
    ],
)
def test_more_dispatchers_than_processes_take_turns(tmp_path, monkeypatch, at_once, fewest):
    monkeypatch.setattr(confined, "MAX_PROCESSES", 2)
    monkeypatch.setattr(confined, "FIRST_WINDOW", at_once)
    monkeypatch.setattr(feeds, "FIRST_WINDOW", at_once)
    monkeypatch.setattr(feeds, "DRAIN_SECONDS", 0.0)  # so that there are never more matches
    jobs = schedule(4)
    bots = [renamed(breaker(kind="Logs", folder=str(tmp_path)), f"bot {n}") for n in range(4)]
    played = play(match_settings(), bots, jobs)
    assert [match.record.outcome.offender for match in played] == [None] * len(jobs)
    assert len({process for process, _ in logged(tmp_path, "start")}) >= fewest
