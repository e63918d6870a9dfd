"""A whole bot in one file: arena match examples/bots/thirty_lines.py stand."""

from arena import Action, Bot
from arena.games.pazaak.engine.observation import PazaakObservation

__version__ = "1.0"


class ThirtyLines(Bot[PazaakObservation]):
    """Plays a hand card where it makes a good total, and stands on a good total.

    Args:
        near: The total that is good enough while the rival has not stood.
    """

    def __init__(self, near: int = 18) -> None:
        self.near = near

    def act(self, observation: PazaakObservation) -> Action:
        """Answers one decision: a hand card, else stand, else end the turn."""
        total, legal = observation.total, observation.legal_actions
        good = min(observation.rival_total + 1, 20) if observation.rival_standing else self.near
        if not good <= total <= 20:
            plays = {total + action.value: action for action in legal if action.card}
            reached = [after for after in plays if after <= 20 and (after >= good or total > 20)]
            if reached:
                return plays[max(reached)]
        wanted = "stand" if good <= total <= 20 else "end turn"
        return next(action for action in legal if action.text == wanted)
