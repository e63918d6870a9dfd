"""``check_bot`` at tables of several seats."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from arena.core.bot import Bot
from arena.core.outcome import Termination
from arena.host.bot.inline import play_inline
from arena.testing.check_bot import check_bot
from arena.testing.inline_driver import InlineDriver
from arena.testing.scripted import RandomBot
from tests.table_game import PASS, RULES, Table

EVERY_PLACE = 2 + 3 + 4


def check(factory, matches=EVERY_PLACE, opponent=RandomBot):
    driver = InlineDriver(play_inline, Table(), RULES, (factory, opponent))
    return check_bot(driver, Table(), RULES, matches)


class Passes(Bot):
    def act(self, observation):
        return PASS


class Crashes(Bot):
    """Crashes at its second decision, or before the deal, each time by an error of another type.

    A check stops after a few faults of one kind.
    """

    made = 0

    def __init__(self, early=False) -> None:
        self.early, self.asked = early, 0
        Crashes.made += 1
        self.error = type(f"Error{Crashes.made}", (ValueError,), {})

    def start(self, context):
        if self.early:
            raise self.error("not today")

    def act(self, observation):
        self.asked += 1
        if self.asked == 2:
            raise self.error("boom")
        return PASS


class CrashesAlike(Crashes):
    """Crashes by the same error each time."""

    def __init__(self) -> None:
        super().__init__()
        self.error = ValueError


def test_a_bot_plays_in_every_seat_of_tables_of_every_size():
    met, deals = Counter(), {}

    def drive(jobs):
        for job in jobs:
            place = len(job.seats), job.seats.index(0)
            assert job.seats.count(0) == 1
            assert set(job.seats) == {0, 1}
            met[place] += 1
            deals.setdefault(job.seed, set()).add(place)
        return InlineDriver(play_inline, Table(), RULES, (Passes, RandomBot))(jobs)

    report = check_bot(drive, Table(), RULES, 2 * EVERY_PLACE)
    assert (report.matches, report.passed) == (18, True)
    places = {(seats, seat) for seats in (2, 3, 4) for seat in range(seats)}
    assert met == Counter(dict.fromkeys(places, 4))
    assert len(deals) == 6
    assert all(len(of_deal) == next(iter(of_deal))[0] for of_deal in deals.values())


def test_points_are_the_share_of_opponents_left_behind():
    matches = 900
    report = check(Passes, matches)
    assert report.points == pytest.approx(matches / 2, abs=60)
    alone = check(Passes, EVERY_PLACE, opponent=Crashes)
    assert alone.points == EVERY_PLACE


def test_a_bot_that_is_taken_out_while_the_others_play_on_has_failed():
    report = check(Crashes)
    assert not report.passed
    assert [(fault.seats, fault.seat) for fault in report.failures] == [
        (seats, seat) for seats in (2, 3, 4) for seat in range(seats)
    ]
    assert report.points == 0
    assert len({fault.reason for fault in report.failures}) == len(report.failures)
    for fault in report.failures:
        assert fault.cause == Termination.CRASH
        assert re.fullmatch(r"Error\d+", fault.reason)
        assert fault.move == fault.seats + fault.seat
        assert fault.position.startswith(f"seat {fault.seat} holds ")
        assert "boom" in fault.error


def test_a_check_stops_after_three_faults_of_one_kind():
    report = check(CrashesAlike)
    assert [(fault.seats, fault.seat) for fault in report.failures] == [(2, 0), (2, 1), (3, 0)]
    assert {fault.reason for fault in report.failures} == {"ValueError"}


def test_a_bot_that_fails_before_the_deal_has_no_position():
    report = check(lambda: Crashes(early=True))
    assert len(report.failures) == EVERY_PLACE
    assert {(fault.move, fault.position) for fault in report.failures} == {(0, "")}


def test_faults_of_the_others_at_a_table_are_not_the_bots():
    report = check(Passes, opponent=Crashes)
    assert report.passed
