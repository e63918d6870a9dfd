"""Rewrites the SDK and the game in memory, as if that changed the rules. It plays on.

Its outcome comes from the harness, which nothing of this reaches. Where the game is compiled it may
lose: what it has rewritten in its own process returns what no compiled function takes.
"""

from arena import Bot
from arena.core import bot, outcome
from arena.games.pazaak.engine import rules, state


def always(*arguments, **more):
    return True


class PatchesSdk(Bot):
    def start(self, context):
        bot.Bot.act = bot.MatchContext.rng = always
        outcome.Outcome.returns = (1.0, -1.0)
        state.PazaakState.apply_action = state.PazaakState.is_terminal = always
        for name in dir(rules):
            if not name.startswith("_") and callable(getattr(rules, name)):
                setattr(rules, name, always)

    def act(self, observation):
        return observation.legal_actions[0]
