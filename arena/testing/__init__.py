"""Checks of games and bots, rule cases, playthroughs.

Authors use it for their own tests; see docs/howto/test-a-bot.md.
"""

# Imported at once, not when first asked for: ``check_bot`` and ``check_game`` are modules too, and
# importing one of those later would put the module in place of the function.
from arena.core.chance.dealer import Scripted
from arena.testing.check_bot import BotReport, check_bot
from arena.testing.check_game import GameReport, check_game
from arena.testing.inline_driver import InlineDriver
from arena.testing.playthrough import Heading, check_golden, narrate, playthrough
from arena.testing.positions import Position
from arena.testing.scripted import RandomBot, ScriptedBot

__all__ = [
    "BotReport",
    "GameReport",
    "Heading",
    "InlineDriver",
    "Position",
    "RandomBot",
    "Scripted",
    "ScriptedBot",
    "check_bot",
    "check_game",
    "check_golden",
    "narrate",
    "playthrough",
]
