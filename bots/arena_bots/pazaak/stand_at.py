"""Stands at a fixed total and plays no hand cards: the classic threshold player.

Source: the "easy" opponent of the program vue-pazaak and the baseline "17, no cards" of the
program PazaakRL stand at 17, as the dealer of blackjack does.
"""

from __future__ import annotations

from arena.core.bot import Bot
from arena.core.errors import ParseError
from arena.games.pazaak.engine.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.rulesets import LIMIT


class StandAt(Bot[PazaakObservation]):
    """Ends the turn below a total, 1..20, and stands from it on; raises ``ParseError``."""

    def __init__(self, at: int = 17) -> None:
        if not 1 <= at <= LIMIT:
            raise ParseError(f"stand(at={at}): at must be within 1..{LIMIT}")
        self.at = at

    def act(self, observation: PazaakObservation) -> PazaakAction:
        return STAND if observation.total >= self.at else END_TURN
