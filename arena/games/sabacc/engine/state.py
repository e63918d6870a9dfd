"""The state of a match of Sabacc: hands with their rules under ``arena.core.state``.

The hands are compiled where that is possible; the contract is plain Python, for games of plugins.
"""

from __future__ import annotations

from arena.core.chance.dealer import Dealer
from arena.core.state import State
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.games.sabacc.engine.ruled_hand import RuledHand


class SabaccState(RuledHand, State[SabaccObservation]):
    """A match in progress; only ``apply_action`` and ``expel`` change it."""

    __slots__ = ()

    def clone(self, dealer: Dealer | None = None) -> SabaccState:
        twin = SabaccState(self.hand.clone())
        if dealer is not None:
            twin.attach(dealer)
        return twin
