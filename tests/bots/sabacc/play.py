"""Helpers: whole matches of Sabacc between bots, and single decisions in described situations."""

from arena.core.bot import MatchContext
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits

SABACC = Sabacc()
CHIPS = "old_republic(mode=chips)"
POKER = "old_republic(mode=chips,betting=poker)"
ALTERNATING = "old_republic(mode=chips,betting=alternating)"
POINTS = "old_republic(mode=points)"

WEAK = "4 of Coins, 1 of Flasks, 3 of Staves"
MIDDLING = "10 of Coins, 1 of Flasks, 1 of Staves"
STRONG = "Ace of Coins, 7 of Flasks, 1 of Staves"


def play(makers, seed=1, ruleset="old_republic", bot_seed=None):
    """The record and measurement of one match."""
    private = seed + 1 if bot_seed is None else bot_seed
    names = tuple(f"bot {seat}" for seat in range(len(makers)))
    return play_inline(SABACC, SABACC.ruleset(ruleset), seed, private, makers, names, Limits())


def score(strong, weak, deals, ruleset="old_republic"):
    """Mean score 0..1 of the first bot over mirrored pairs."""
    total = 0.0
    for seed in range(deals):
        total += play((strong, weak), seed, ruleset)[0].outcome.returns[0]
        total += play((weak, strong), seed, ruleset)[0].outcome.returns[1]
    return total / (4 * deals) + 0.5


def named(hand):
    return [card.strip() for card in hand.split(",")]


def seen(ruleset, *hands, **described):
    """The observation of seat 0, left of the dealer; the other hands are hidden."""
    others = ["2 of Staves, 2 of Sabers, 2 of Coins", "9 of Staves, 9 of Sabers, 9 of Coins"]
    hands = [*hands, *others[: 2 - len(hands)]] if len(hands) < 2 else hands
    state = SABACC.positions.state(SABACC.ruleset(ruleset), hands=[*map(named, hands)], **described)
    return state.observation(0)


def started(bot, ruleset="old_republic", seats=2, seed=3):
    """A bot whose ``start`` was called in seat 0 of a match."""
    bot.start(MatchContext(SABACC, ruleset, 0, seats, seed))
    return bot


def choice(bot, observation):
    """The bot's action at an observation, as text."""
    seats = len(observation.amounts)
    return started(bot, observation.rules.name, seats).act(observation).text
