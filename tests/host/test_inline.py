"""Bots called in process: the order of calls, charged time, and interrupts."""

from __future__ import annotations

import itertools
import math
import signal

import msgspec
import pytest

from arena.core.bot import Bot
from arena.core.outcome import Termination
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import ERROR_LIMIT, failure, play_inline
from arena.host.bot.watch import OutOfTime
from arena.host.play.hosts import open_host
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.testing.scripted import RandomBot
from tests.host.confined_plays import REGISTRY, match_settings, schedule, untrusted

GAME = Pazaak()
NAMES = ("a", "b")


def play(*makers: object, limits: Limits | None = None, **more: object):
    rules = GAME.ruleset()
    return play_inline(GAME, rules, 7, 11, makers, NAMES, limits or Limits(), **more)


class Diary(Bot):
    """Records its calls."""

    def __init__(self, pages: list[str]) -> None:
        self.pages = pages
        self.pages.append("made")

    def start(self, context):
        super().start(context)
        self.rng = context.rng()
        self.pages.append(f"start {context.seat} of {context.seats}, {context.ruleset}")

    def prepare(self, offer):
        self.pages.append(f"prepare {offer.seat}")

    def act(self, observation):
        self.pages.append("act")
        return self.rng.choice(observation.legal_actions)

    def finish(self, outcome):
        self.pages.append(f"finish {outcome.termination}")


def test_a_bot_is_made_started_and_finished_once_a_match():
    pages: list[str] = []
    for _ in range(2):
        _, measurement = play(lambda: Diary(pages), RandomBot)
    assert pages.count("made") == 2
    once = pages[: len(pages) // 2]
    assert once[:3] == ["made", "start 0 of 2, standard", "prepare 0"]
    assert once[3:-1] == ["act"] * (measurement.requests[0] - 1)
    assert once[-1] == "finish rules"
    assert pages == once * 2


def test_bots_receive_the_outcome_of_a_match_that_another_broke():
    class Sore(Bot):
        def act(self, observation):
            raise ValueError("sore")

    pages: list[str] = []
    record, _ = play(Sore, lambda: Diary(pages))
    assert record.outcome.offender == 0
    assert pages[-1] == "finish crash"


def test_the_outcome_goes_to_the_rival_of_a_bot_that_was_never_made():
    def broken():
        raise ValueError("no bot")

    pages: list[str] = []
    record, measurement = play(lambda: Diary(pages), broken)
    assert (record.outcome.offender, record.outcome.move) == (1, 0)
    assert "no bot" in measurement.error
    assert pages[-1] == "finish crash"


def test_the_given_clock_is_used():
    ticks = itertools.count(step=1000)
    _, measurement = play(RandomBot, RandomBot, now=lambda: next(ticks))
    assert measurement.nanoseconds == tuple(1000 * asked for asked in measurement.requests)


def test_without_a_watchdog_a_slow_answer_still_loses_by_the_clock():
    ticks = itertools.count(step=1000)
    record, _ = play(RandomBot, RandomBot, now=lambda: next(ticks), limits=Limits(decision_ns=999))
    assert record.outcome.termination is Termination.TIMEOUT
    assert (record.outcome.offender, record.outcome.move) == (0, 0)


def test_private_seeds_differ_by_seat_and_by_match():
    seeds = []

    class Spy(RandomBot):
        def start(self, context):
            super().start(context)
            seeds.append(context.seed)

    for bot_seed in (1, 2):
        play_inline(GAME, GAME.ruleset(), 7, bot_seed, [Spy, Spy], NAMES, Limits())
    assert len(set(seeds)) == 4


class Interrupting(Bot):
    def act(self, observation):
        raise KeyboardInterrupt


def test_ctrl_c_stops_a_process_that_listens_to_it():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        play(Interrupting, RandomBot)


@pytest.mark.usefixtures("deaf")
def test_an_interrupt_in_a_process_that_ignores_ctrl_c_is_the_bots_crash():
    record, measurement = play(Interrupting, RandomBot)
    assert record.outcome.termination is Termination.CRASH
    assert record.outcome.reason == "KeyboardInterrupt"
    assert measurement.error.endswith("KeyboardInterrupt\n")


def test_of_a_long_traceback_the_end_is_kept():
    text = failure(ValueError("x" * 2 * ERROR_LIMIT + "the cause")).error
    assert len(text) == ERROR_LIMIT
    assert text.endswith("the cause\n")


def test_out_of_time_is_a_timeout_also_as_a_subclass():
    class Late(OutOfTime):
        pass

    assert failure(Late()).cause is Termination.TIMEOUT


@pytest.mark.parametrize("other", ["trusted", "untrusted"])
def test_a_host_makes_trusted_bots_with_the_given_function(other):
    class Local(Bot):
        def act(self, observation):
            return observation.legal_actions[0]

    def load(source):
        return Local if source is mine else load_bot(source)

    mine = msgspec.structs.replace(REGISTRY.resolve_bot("random"), target="nowhere")
    opponent = REGISTRY.resolve_bot("counter") if other == "trusted" else untrusted("counter")
    with open_host(match_settings(), [mine, opponent], load) as host:
        (played,) = host.play(schedule(2)[:1], math.inf)
    assert played.record.outcome.termination == "rules"
