"""Draws up to a target strength: the threshold player of Sabacc.

It draws below its target, gives away the cards without which, with average ones in their place,
it would come nearest to 23, and bets the least stake; it never leaves a hand that it can stay in.

Source: the opponents of the repository alexs2112/android-sabacc draw below 18.
"""

from __future__ import annotations

from arena.core.bot import Bot
from arena.core.errors import ParseError
from arena.games.sabacc.cards.ranking import PURE
from arena.games.sabacc.engine.actions import DRAW, EXCHANGE_, PASS, SabaccAction
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.stages import DRAWS, EXCHANGE
from arena.games.sabacc.parts.playout import nearest_exchange
from arena_bots.sabacc.stakes import stay


class TargetTotal(Bot[SabaccObservation]):
    """Draws below a target and bets the least.

    Args:
        at: The strength from which it is content, 1..23; a sabacc or a combination has 23.

    Raises:
        ParseError: The strength is not within 1..23.
    """

    def __init__(self, at: int = 18) -> None:
        if not 1 <= at <= PURE:
            raise ParseError(f"target-total(at={at}): at must be within 1..{PURE}")
        self.at = at

    def act(self, observation: SabaccObservation) -> SabaccAction:
        stage = observation.stage
        if observation.swapping or stage == EXCHANGE:
            return self.exchange(observation)
        if stage in DRAWS:
            wants = self.strength(observation) < self.at
            return DRAW if wants and DRAW in observation.legal_actions else PASS
        return self.bet(observation)

    def bet(self, observation: SabaccObservation) -> SabaccAction:
        """Bets the least stake, and demands the exchange when the hand is below the target."""
        return stay(observation, demand=self.strength(observation) < self.at)

    def strength(self, observation: SabaccObservation) -> int:
        """Returns the strength of the own hand, 0..23."""
        return observation.ranks.rank(observation.hand).strength

    def exchange(self, observation: SabaccObservation) -> SabaccAction:
        """Exchanges nothing at the target; else what brings the hand nearest to 23 on average."""
        choices = [act for act in observation.legal_actions if act.kind == EXCHANGE_]
        if not choices[0].value and self.strength(observation) >= self.at:
            return choices[0]
        return nearest_exchange(observation.ranks, observation.hand, choices)
