"""Helpers: whole matches between bots, and single decisions in described situations."""

from arena.core.bot import MatchContext
from arena.games.pazaak.engine.cards import cards_named
from arena.games.pazaak.engine.stages import ACT
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits

GAME = Pazaak()


def play(makers, seed=1, ruleset="standard", bot_seed=None):
    """The record and measurement of one match."""
    private = seed + 1 if bot_seed is None else bot_seed
    names = tuple(f"bot {seat}" for seat in range(2))
    return play_inline(GAME, GAME.ruleset(ruleset), seed, private, makers, names, Limits())


def score(strong, weak, pairs):
    """Mean score 0..1 of the first bot over mirrored pairs."""
    total = 0.0
    for seed in range(pairs):
        total += play((strong, weak), seed)[0].outcome.returns[0]
        total += play((weak, strong), seed)[0].outcome.returns[1]
    return total / (4 * pairs) + 0.5


def started(bot, ruleset="standard", seat=0, seed=3):
    """A bot whose ``start`` was called for a match of the game."""
    bot.start(MatchContext(GAME, ruleset, seat, 2, seed))
    return bot


def seen(ruleset="standard", deck="±1 ±2 ±3 ±4 ±5 ±6 +1 +2 +3 +4", **described):
    """The observation of seat 0 at its decision in that situation."""
    side_deck = cards_named(deck)
    described.setdefault("phase", ACT)
    state = GAME.positions.state(
        GAME.ruleset(ruleset), side_decks=(side_deck, side_deck), turn=0, **described
    )
    return state.observation(0)
