"""Bots that break a match, each in its own way, and a way to play them."""

from functools import partial

from arena.core.bot import Bot
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.testing.scripted import RandomBot

PAZAAK = Pazaak()
STANDARD = PAZAAK.ruleset()


class Answers(Bot):
    """Answers every decision with what a function makes of the observation."""

    def __init__(self, answer, loadout=None) -> None:
        self.answer, self.loadout, self.finished = answer, loadout, None

    def prepare(self, offer):
        return self.loadout(offer) if callable(self.loadout) else self.loadout

    def act(self, observation):
        return self.answer(observation)

    def finish(self, outcome):
        self.finished = outcome


def first_legal(observation):
    return observation.legal_actions[1]


def raising(error):
    def answer(observation):
        raise error

    return answer


def play(*bots: Bot, seed=7, limits=None, now=None, ruleset=STANDARD):
    makers = [partial(lambda bot: bot, bot) for bot in bots]
    clock = {} if now is None else {"now": now}
    return play_inline(PAZAAK, ruleset, seed, 11, makers, ["a", "b"], limits or Limits(), **clock)


def against_random(bot, seat=0, **more: object):
    bots = [RandomBot(), RandomBot()]
    bots[seat] = bot
    return play(*bots, **more)
