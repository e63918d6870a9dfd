"""The context that a bot gets when a match begins, and scripts that play as bots."""

from __future__ import annotations

from arena.core.bot import Bot
from arena.core.outcome import Termination
from arena.testing.scripted import ScriptedBot
from tests.match.bots import Answers, first_legal, play


class Notes(Bot):
    def start(self, context):
        super().start(context)
        self.context = context

    def act(self, observation):
        return observation.legal_actions[1]


def test_a_bot_gets_its_seat_and_a_seed_of_its_own():
    one, other = Notes(), Notes()
    play(one, other, seed=7)
    assert (one.context.seat, other.context.seat, one.context.seats) == (0, 1, 2)
    assert one.context.ruleset == "standard"
    assert one.context.seed != other.context.seed
    assert 7 not in (one.context.seed, other.context.seed)
    assert one.context.rng().random() == one.context.rng().random()


def test_a_script_is_played_and_then_runs_out():
    record, used = play(ScriptedBot(["end turn", "stand"]), Answers(first_legal))
    assert record.outcome.termination in (Termination.CRASH, Termination.RULES)
    mine = ScriptedBot([])
    record, used = play(mine, Answers(first_legal))
    assert record.outcome.offender == 0
    assert "script of 0 actions is used up" in used.error


def test_a_script_may_be_illegal_on_purpose():
    record, _ = play(ScriptedBot(["play D"] * 9), Answers(first_legal))
    assert record.outcome.reason.startswith("play D is not one of")
