"""The state of a match of Pazaak: a table with its rules under ``arena.core.state``.

The table is compiled where that is possible; the contract is plain Python, for games of plugins.
"""

from __future__ import annotations

from arena.core.chance.dealer import Dealer
from arena.core.state import State
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.ruled_table import RuledTable


class PazaakState(RuledTable, State[PazaakObservation]):
    """A match in progress; only ``apply_action`` changes it."""

    __slots__ = ()

    def clone(self, dealer: Dealer | None = None) -> PazaakState:
        twin = PazaakState.__new__(PazaakState)
        self.copy_to(twin)
        if dealer is not None:
            twin.attach(dealer)
        return twin
