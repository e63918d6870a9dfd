"""Plays Pazaak by exact odds counted from the cards seen, one card ahead.

After its draw it compares standing with taking just one more card and standing then. The odds of
the next card are counted from the forty cards of the set, without those on the tables; what comes
later is the solved set (``arena.games.pazaak.parts.solver``). Hand cards are spent greedily:
whenever one raises the odds of *this* set by ``gain``.

Source: the "hit factor" of the Pazaak guide for "Star Wars: Knights of the Old Republic" by DeeDee
(LucasForums, 2004), the odds of a good card less those of a bust; here the odds are exact.
"""

from __future__ import annotations

from arena.core.bot import Bot
from arena.core.observation import Offer
from arena.games.pazaak.engine.actions import END_TURN, STAND, PazaakAction
from arena.games.pazaak.engine.observation import PazaakObservation, SideDeckOffer
from arena.games.pazaak.engine.rules import doubled, flipped
from arena.games.pazaak.engine.rulesets import LIMIT, SQUARES
from arena.games.pazaak.parts.solver import SetSolver, margin, solver
from arena_bots.pazaak.counting import unseen
from arena_bots.pazaak.side_decks import choose_side_deck


class CarefulCounter(Bot[PazaakObservation]):
    """Counts cards, looks one card ahead, spends hand cards greedily.

    Args:
        gain: The least by which a hand card must raise the value of the set to be played, where
            a won set counts 1, a tied one 0 and a lost one -1.
    """

    def __init__(self, gain: float = 0.25) -> None:
        self.gain = gain

    def prepare(self, offer: Offer) -> object:
        return choose_side_deck(offer) if isinstance(offer, SideDeckOffer) else None

    def act(self, observation: PazaakObservation) -> PazaakAction:
        table = _Table(observation)
        total, squares = observation.total, len(observation.table)
        stand, more = table.standing(total, squares), table.one_more(total, squares)
        choice = STAND if stand >= more else END_TURN
        best = max(stand, more) + self.price(observation)
        for action in observation.legal_actions:
            if action.card is not None:
                value = table.standing(total_after(observation, action), squares + 1)
                if value > best:
                    best, choice = value, action
        return choice

    def price(self, observation: PazaakObservation) -> float:
        """Returns the least gain for which a hand card is spent now."""
        return self.gain


def total_after(seen: PazaakObservation, action: PazaakAction) -> int:
    """Returns the own total after that hand card is played."""
    card = action.card
    if card is None or card.values:
        return seen.total + action.value
    if card.doubles:
        table = doubled(seen.ruleset, seen.table, card, seen.marks.negated[seen.seat])
    else:
        table = flipped(seen.ruleset, seen.table, card.flips)
    return sum(square.value for square in table)


class _Table:
    """Holds both tables as they stand and values decisions by the odds that follow from them."""

    def __init__(self, seen: PazaakObservation) -> None:
        self.rival = min(max(seen.rival_total, 0), LIMIT)
        self.squares = min(len(seen.rival_table), SQUARES - 1)
        self.stood = seen.rival_standing
        self.fills = seen.ruleset.fill == "win"
        self.solved: SetSolver = solver(self.fills)
        self.left = unseen(seen, own_draw=self.stood)
        self.own = self.left if self.stood else unseen(seen, own_draw=True)

    def standing(self, total: int, squares: int) -> float:
        """Returns the value of standing on that total; the rival's next card is counted."""
        if total > LIMIT:
            return -1.0
        if squares >= SQUARES and self.fills:
            return 1.0
        if self.stood:
            return margin(self.solved.standing(total, squares, self.rival, self.squares, True))
        low = max(total, 0)
        return -margin(self.solved.ahead(self.rival, self.squares, low, squares, True, self.left))

    def one_more(self, total: int, squares: int) -> float:
        """Returns the value of drawing one more card and standing then; that card is counted."""
        if total >= LIMIT or squares >= SQUARES:
            return -1.0
        low, cards = max(total, 0), squares + 1
        value = 0.0
        for reached, number in enumerate(self.own, low + 1):
            if reached > LIMIT:
                value -= number
            elif cards >= SQUARES and self.fills:
                value += number
            else:
                table = (reached, cards, self.rival, self.squares, self.stood)
                value += number * margin(self.solved.standing(*table))
        return value / sum(self.own)
