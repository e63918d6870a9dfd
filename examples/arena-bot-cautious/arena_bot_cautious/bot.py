"""The bot: counts deck cards, and draws only while the risk of going over 20 is small enough."""

from __future__ import annotations

from arena import Action, Bot
from arena.games.pazaak.engine.observation import PazaakObservation


class Cautious(Bot[PazaakObservation]):
    """Stands as soon as the next deck card is too likely to take it over 20.

    Args:
        risk: The chance of a bust that it accepts, 0 to 1.
    """

    games = ("pazaak",)

    def __init__(self, risk: float = 0.5) -> None:
        if not 0 <= risk <= 1:
            raise ValueError(f"risk is a chance, from 0 to 1, not {risk}")
        self.risk = risk

    def act(self, observation: PazaakObservation) -> Action:
        """Saves itself with a hand card, else stands or ends the turn, as the risk says."""
        total, legal = observation.total, observation.legal_actions
        if total > 20:
            saving = [a for a in legal if a.card and a.value and total + a.value <= 20]
            if saving:
                return max(saving, key=lambda action: action.value)
        behind = observation.rival_standing and total < observation.rival_total
        draws = behind or bust_chance(observation) <= self.risk
        return next(a for a in legal if a.text == ("end turn" if draws else "stand"))


def bust_chance(observation: PazaakObservation) -> float:
    """Chance that the next deck card takes the total over 20.

    Reckons with one deck of four each of 1 to 10, of which both tables show what is gone.
    """
    left = dict.fromkeys(range(1, 11), 4)
    for square in (*observation.table, *observation.rival_table):
        if square.face.from_deck:
            left[square.face.values[0]] -= 1
    busting = sum(count for value, count in left.items() if observation.total + value > 20)
    return max(busting, 0) / max(sum(left.values()), 1)
