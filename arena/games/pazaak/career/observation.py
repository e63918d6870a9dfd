"""Observations of career matches: those of Pazaak, with what the person knows of the extras."""

from __future__ import annotations

from collections.abc import Hashable

from arena.core.observation import Observation
from arena.games.pazaak.career.rules import CareerRules
from arena.games.pazaak.engine.cards import Card
from arena.games.pazaak.engine.observation import PazaakObservation

PLAY, SKILL, BEFORE, LOOK, AUXILIARY, SWAP, CHOOSE, TRY, OVER = range(9)
"""Stages: Pazaak continues; a skill is rolled; the person may look at the auxiliary hand before a
draw; the roll for it; its deal; the exchange; a cheat is chosen; the roll for it; the end."""


class CareerObservation(Observation, frozen=True, gc=False):
    """All that one seat knows in a career match.

    Attributes:
        legal_actions: Pazaak's choices, or those of the extras; empty when not to decide.
        history: The events that this seat notices: the rival none of the person's cheats.
        ruleset: The rules in force, with the extras.
        table: What the seat knows of the table, as in Pazaak; a rival that is a bot for Pazaak
            decides by it.
        stage: Where the match stands.
        auxiliary: The auxiliary hand, once the person has seen it.
        attempts: Cheats that the person has attempted in this match.
        cheated: Whether the person has chosen to cheat in this turn.
        tried: Whether the roll of this set for the auxiliary hand has been made.
        rolls: Rolls of skill so far that decided nothing.
        skilled: Whether the person's roll of skill succeeded, while the rival's is to come.
    """

    ruleset: CareerRules
    table: PazaakObservation
    stage: int = PLAY
    auxiliary: tuple[Card, ...] = ()
    attempts: int = 0
    cheated: bool = False
    tried: bool = False
    rolls: int = 0
    skilled: bool | None = None

    def information_state(self) -> Hashable:
        return (self.table.information_state(), self.stage, self.auxiliary, self.history)
