"""Bots for tables of several seats, each of which breaks the match at a given decision."""

from __future__ import annotations

from functools import partial

from arena.core.bot import Bot
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from tests.table_game import PASS, RULES, SHOW, Table

TABLE = Table()


class Calm(Bot):
    """Passes, and records the outcome that it receives."""

    def __init__(self) -> None:
        self.asked, self.heard = 0, []

    def prepare(self, offer):
        return "hat"

    def act(self, observation):
        self.asked += 1
        return self.decide(observation)

    def decide(self, observation):
        return PASS

    def finish(self, outcome):
        self.heard.append(outcome)


class Breaks(Calm):
    """Breaks the match at its nth decision (from 1), with what a function does or answers."""

    def __init__(self, how, at=1) -> None:
        super().__init__()
        self.how, self.at = how, at

    def decide(self, observation):
        return self.how() if self.asked == self.at else PASS


class Unready(Calm):
    """Fails before the deal: raises when it starts, or answers an illegal loadout."""

    def __init__(self, loadout=None) -> None:
        super().__init__()
        self.loadout = loadout

    def start(self, context):
        if self.loadout is None:
            raise ValueError("not today")

    def prepare(self, offer):
        return self.loadout


def crash():
    raise ValueError("boom")


def nonsense():
    return "fish"


def twice_shown():
    return SHOW


def play(*bots, game=TABLE, seed=7, **more: object):
    makers = [partial(lambda bot: bot, bot) for bot in bots]
    names = [f"bot{seat}" for seat in range(len(bots))]
    more.setdefault("limits", Limits())
    return play_inline(game, RULES, seed, 11, makers, names, **more)
