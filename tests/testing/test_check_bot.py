"""``check_bot``: faults with their position, and the badges of reproducibility."""

import os

import pytest
from msgspec import structs

from arena.core.bot import Bot
from arena.core.errors import BadInput
from arena.core.outcome import Termination
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.testing.check_bot import check_bot
from arena.testing.inline_driver import InlineDriver
from arena.testing.scripted import RandomBot, ScriptedBot

PAZAAK = Pazaak()


RULES = PAZAAK.ruleset()


def check(factory, opponent=RandomBot, limits=None, matches=12, **more: object):
    driver = InlineDriver(play_inline, PAZAAK, RULES, (factory, opponent), limits=limits)
    return check_bot(driver, PAZAAK, RULES, matches, **more)


class Careful(Bot):
    def act(self, observation):
        stand = observation.legal_actions[1]
        return stand if observation.total >= 17 else observation.legal_actions[0]


class Forgery(Bot):
    def act(self, observation):
        return self.context.game.notation.action("play D")


class Crasher(Bot):
    def act(self, observation):
        if observation.set_number == 2:
            raise ValueError("not this one")
        return observation.legal_actions[1]


class Remembering(RandomBot):
    def start(self, context):
        if not hasattr(self, "_rng"):
            super().start(context)
        self.context = context


class Unseeded(Bot):
    def act(self, observation):
        legal = observation.legal_actions
        return legal[os.urandom(1)[0] % len(legal)]


class Slow(Careful):
    pass


class Unborn(Bot):
    def __init__(self) -> None:
        raise ValueError("no such file")


class ClassMemory(Careful):
    seen = 0

    def act(self, observation):
        type(self).seen += 1
        return observation.legal_actions[type(self).seen % 2]


def test_a_sound_bot_passes_with_the_badge():
    report = check(Careful)
    assert report.passed
    assert (report.matches, report.failures) == (12, ())
    assert report.points > 6
    assert report.requests > 100
    assert report.deterministic
    assert (report.game, report.ruleset, report.complaint) == ("pazaak", "standard", "")


def test_the_random_bot_is_reproducible_from_its_seed():
    report = check(RandomBot)
    assert (report.passed, report.deterministic) == (True, True)


def test_every_illegal_action_is_reported_in_both_seats():
    report = check(Forgery)
    assert not report.passed
    assert len(report.failures) == 3
    assert {fault.seat for fault in report.failures} == {0, 1}
    fault = report.failures[0]
    assert fault.cause is Termination.ILLEGAL_ACTION
    assert fault.reason.startswith("play D is not one of: end turn, stand")
    assert f"you, seat {fault.seat}" in fault.position
    assert "choices: end turn, stand" in fault.position


def test_a_crash_is_reported_with_position_and_traceback():
    fault = check(Crasher).failures[0]
    assert fault.cause is Termination.CRASH
    assert "not this one" in fault.error
    assert "test_check_bot.py" in fault.error
    assert fault.position.startswith("Set 2, seat")
    assert fault.move > 0


def test_a_bot_that_cannot_be_made_is_reported_without_position():
    fault = check(Unborn).failures[0]
    assert (fault.cause, fault.position, fault.move) == (Termination.CRASH, "", 0)
    assert "no such file" in fault.error


def test_a_timeout_is_reported():
    report = check(Slow, limits=Limits(decision_ns=0))
    assert {fault.cause for fault in report.failures} == {Termination.TIMEOUT}


def test_a_bot_with_randomness_of_its_own_lacks_the_badge_but_passes():
    report = check(Unseeded)
    assert (report.passed, report.deterministic) == (True, False)


def test_memory_in_the_object_does_no_harm_as_every_match_has_a_new_one():
    report = check(Remembering)
    assert (report.passed, report.deterministic) == (True, True)


def test_memory_in_the_class_shows_as_play_that_differs():
    assert not check(ClassMemory).deterministic


def test_faults_of_the_opponent_are_not_the_bots():
    report = check(Careful, opponent=Forgery)
    assert report.passed
    assert report.points == pytest.approx(12, abs=6)


@pytest.mark.parametrize("matches", [0, -1])
def test_a_check_of_no_match_is_refused(matches):
    with pytest.raises(BadInput, match=f"matches: expected 1 or more, not {matches}"):
        check(Careful, matches=matches)


def test_a_check_is_reproducible():
    first, second = check(Forgery, seed=4), check(Forgery, seed=4)
    assert first.failures == second.failures
    assert check(Forgery, seed=5).failures != first.failures


def test_a_script_is_a_bot_like_any_other():
    report = check(lambda: ScriptedBot(["stand"]), matches=2)
    assert {fault.reason for fault in report.failures} <= {"LookupError"}
    assert report.failures


def test_the_report_has_times_and_isolation_of_the_bot_alone():
    """A driver over hosts of two kinds: the bot in a process of its own, its opponent trusted."""

    def drive(jobs):
        inline = InlineDriver(play_inline, PAZAAK, RULES, (Careful, RandomBot))
        for job, match in zip(jobs, inline(jobs), strict=True):
            mine = job.seats.index(0)
            measured = structs.replace(
                match.measurement,
                nanoseconds=tuple(7 if seat == mine else 100 for seat in (0, 1)),
                cpu_nanoseconds=tuple(5 if seat == mine else 0 for seat in (0, 1)),
                isolation=",".join("confined" if seat == mine else "trusted" for seat in (0, 1)),
            )
            yield structs.replace(match, measurement=measured)

    report = check_bot(drive, PAZAAK, RULES, matches=4)
    assert (report.nanoseconds, report.cpu_nanoseconds) == (28, 20)
    assert report.isolation == "confined"
    trusted = check(Careful, matches=4)
    assert (trusted.isolation, trusted.cpu_nanoseconds) == ("trusted", 0)
    assert trusted.nanoseconds > 0


def test_the_second_run_is_a_call_of_its_own_in_the_opposite_order():
    calls = []

    def drive(jobs):
        calls.append([job.key for job in jobs])
        return InlineDriver(play_inline, PAZAAK, RULES, (Careful, RandomBot))(jobs)

    check_bot(drive, PAZAAK, RULES, matches=5)
    *parts, second = calls
    first = [key for keys in parts for key in keys]
    assert len(set(first)) == 5
    assert second == first[::-1]


class TwoFaults(Bot):
    def act(self, observation):
        if observation.seat == 0:
            raise ValueError("boom")
        return True


def test_the_report_shows_each_kind_of_fault_once_and_the_first_in_full():
    complaint = check(TwoFaults).complaint
    first, headline, *_ = complaint.splitlines()
    assert first == "broke 6 of 6 matches of pazaak, standard"
    assert headline.startswith("match 1 (seed ")
    assert headline.endswith(": crash: ValueError")
    assert complaint.count("Traceback") == complaint.count("your hand: ") == 1
    assert "the like in 2 more" in complaint
    assert complaint.count("illegal action: ") == 1


def test_three_like_faults_end_the_check_and_others_do_not():
    events = []
    report = check(Forgery, matches=20, played=lambda *numbers: events.append(numbers))
    assert (report.matches, len(report.failures), report.stopped) == (3, 3, True)
    assert events == [(40, 1, 1), (40, 2, 2), (40, 3, 3)]
    report = check(TwoFaults, matches=4)
    assert (report.matches, len(report.failures), report.stopped) == (4, 4, False)
    assert not check(Careful, matches=4).stopped
