"""``decide``: the action of a bot in a described situation."""

from __future__ import annotations

import pytest

from arena.core.bot import Bot
from arena.core.errors import BadInput, IllegalAction, IllegalLoadout
from arena.games.pazaak.engine.stages import ACT
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.testing import Position, RandomBot, ScriptedBot
from tests.table_game import RULES, Table

PAZAAK, SABACC = Pazaak(), Sabacc()


def here(ruleset="standard", **situation: object) -> Position:
    return Position.described(PAZAAK, PAZAAK.ruleset(ruleset), **{"phase": ACT, **situation})


class Recorder(Bot):
    """Records its calls, in the order of a match."""

    def start(self, context):
        super().start(context)
        self.calls = [("start", context.seat, context.seats, context.seed, context.ruleset)]

    def prepare(self, offer):
        self.calls.append(("prepare", offer.seat))

    def act(self, observation):
        self.calls.append(("act", observation.seat))
        return observation.legal_actions[0]


class Brings(RandomBot):
    def prepare(self, offer):
        return "my own cards"


class Silent(Bot):
    def act(self, observation):
        pass


def test_a_bot_is_seated_as_in_a_match():
    bot = Recorder()
    assert here(turn=1).ask(bot, seed=9) == "end turn"
    assert bot.calls == [("start", 1, 2, 9, "standard"), ("prepare", 1), ("act", 1)]
    assert here("standard(deck=novice)").ask(bot) == "end turn"
    assert bot.calls == [("start", 0, 2, 0, "standard(deck=novice)"), ("act", 0)]


def test_the_same_seed_gives_the_same_answer():
    position = here(tables=([10], [9]), hands=("+1 -2 ±3 D", ""))
    answers = [[position.ask(RandomBot, seed) for seed in range(20)] for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(set(answers[0])) > 2


@pytest.mark.parametrize("bot", [Silent, lambda: ScriptedBot(["play D"])])
def test_an_answer_that_is_not_legal_is_refused_with_the_choices(bot):
    with pytest.raises(IllegalAction, match="is not one of: end turn, stand"):
        here().ask(bot)


def test_an_illegal_loadout_is_refused():
    with pytest.raises(IllegalLoadout, match="no card 'my'; the cards are"):
        here().ask(Brings)


def test_a_situation_without_a_decision_is_refused():
    with pytest.raises(BadInput, match="nobody decides here: chance is next"):
        Position.described(PAZAAK, PAZAAK.ruleset())
    over = SABACC.new_state(SABACC.ruleset(), [b""] * 2)
    while not over.is_terminal():
        choices = over.legal_actions()
        over.apply_action(choices[0])
    with pytest.raises(BadInput, match="nobody decides here: the match is over"):
        Position(SABACC, SABACC.ruleset(), over).ask(RandomBot)


def test_a_game_without_a_position_function_is_named():
    with pytest.raises(BadInput, match=f"{Table.name} has no position function"):
        Position.described(Table(), RULES)
