"""The rivals of a career, by level: their side decks are those of rule book sections 7 and 8."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.errors import IllegalLoadout
from arena.core.observation import Offer
from arena.core.outcome import Outcome
from arena.games.pazaak.career.observation import CareerObservation
from arena.games.pazaak.career.rules import CareerRules, plain
from arena.games.pazaak.engine.rules import check_side_deck
from arena.games.pazaak.engine.side_decks import READY_MADE
from arena.games.pazaak.game import Pazaak


class RivalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A rival of careers: its level, its bot, and what it holds at the beginning.

    Attributes:
        name: Its name, which is that of its ready-made side deck.
        level: 1 and up: who has beaten a rival of the level before may challenge it.
        bot: The built-in bot by which it plays.
        purse: Its credits at the beginning of a career.
        skill: Its chance in a roll of skill, in per cent.
    """

    name: str
    level: int
    bot: str
    purse: int
    skill: int


def _row(level: int, name: str, bot: str) -> RivalRow:
    return RivalRow(name=name, level=level, bot=bot, purse=50 * level, skill=10 + 10 * level)


RIVALS = {
    row.name: row
    for row in (
        _row(1, "novice", "stand"),
        _row(2, "very-easy", "stand"),
        _row(3, "easy", "counter"),
        _row(4, "average", "counter"),
        _row(5, "medium", "hand-saver"),
        _row(6, "good", "hand-saver"),
        _row(7, "hard", "optimal"),
        _row(8, "very-hard", "optimal"),
    )
}
"""Section 7 (003:137-141): novice, average and good; section 8: the other five."""


def rivals_of(rules: CareerRules) -> tuple[RivalRow, ...]:
    """The rivals whose side decks the rules allow, weakest first."""
    return tuple(row for row in RIVALS.values() if _allowed(rules, row))


def _allowed(rules: CareerRules, row: RivalRow) -> bool:
    try:
        check_side_deck(plain(rules), READY_MADE[row.name])
    except IllegalLoadout:
        return False
    return True


class Rival(Bot[CareerObservation]):
    """A bot for Pazaak in a career match: it plays what it sees of the table, as in Pazaak.

    Args:
        bot: A fresh bot for Pazaak.
        deck: The name of its side deck.
    """

    def __init__(self, bot: Bot[Any], deck: str) -> None:
        self._bot, self._deck = bot, deck

    def start(self, context: MatchContext) -> None:
        """Takes the seat at a table of Pazaak."""
        super().start(context)
        rules = context.game.ruleset(context.ruleset)
        table = msgspec.structs.replace(context, game=Pazaak(), ruleset=plain(rules).name)
        self._bot.start(table)

    def prepare(self, offer: Offer) -> object:
        """Brings the side deck of its level."""
        return self._deck

    def act(self, observation: CareerObservation) -> Action:
        """Answers with an action of Pazaak."""
        return self._bot.act(observation.table)

    def finish(self, outcome: Outcome) -> None:
        """Ends the match."""
        self._bot.finish(outcome)
