"""Who is best, what a hand gives, when a match is over, and who finished where."""

from __future__ import annotations

from arena.core.outcome import Outcome, Termination, utilities
from arena.core.state import TERMINAL
from arena.games.sabacc import showdown
from arena.games.sabacc.history import numbered
from arena.games.sabacc.points import hand_points
from arena.games.sabacc.rulesets import HAND_BONUS, TIE_ROUNDS
from arena.games.sabacc.shuffling import Shuffling
from arena.games.sabacc.stages import OVER
from arena.games.sabacc.table import replaced


class Reckoning(Shuffling):
    """The showdown's judgement, and the amounts: chips, points or hands won."""

    def winner_matters(self) -> bool:
        """Whether anything hangs on whose hand is best: ties are broken only then."""
        return self.rules.mode != "points" or self.rules.bonus == "winner"

    def best_of(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Who is best, the winners of earlier pots before all; nobody when everybody loses."""
        winners = tuple(seat for seat in seats if any(seat in won for won in self.won))
        if winners or len(seats) == 1:  # what nobody else can win is not at stake
            return winners or seats
        laid = {seat: self.laid[seat] for seat in seats}
        return showdown.best_of(self.rules, self.variant, laid, self.extra)

    def another_card(self, tied: tuple[int, ...]) -> bool:
        """B8: one card each, up to five rounds or the deck's end; then they share."""
        if len(self.extra[tied[0]]) == TIE_ROUNDS or self.available() < len(tied):
            return False
        self.ask_cards(tied)
        return True

    def settle(self) -> None:
        """Gives what the hand gives to its winners, in each of the modes."""
        mode, winners = self.rules.mode, self.won[0] if self.won else ()
        if mode == "chips":
            self.pay_out()
        elif mode == "showdown":
            for seat in winners:  # who stay tied to the end have each won the hand
                self.gain("win", seat, 1)
        elif len(winners) == 1 and self.rules.bonus == "winner":
            self.gain("score", winners[0], HAND_BONUS)  # I9

    def score_hands(self, order: tuple[int, ...]) -> None:
        """Section 8, B16: everyone still in scores the cards laid down, without extra ones."""
        for seat in order:
            hand, untouched = self.hands[seat], self.untouched[seat]
            points = hand_points(
                self.rules, self.variant, hand, dealt=untouched, won=False, engine=self.engine
            )
            self.gain("score", seat, points)

    def gain(self, kind: str, seat: int, amount: int) -> None:
        self.amounts = replaced(self.amounts, seat, self.amounts[seat] + amount)
        self.history += numbered(kind, seat, amount)

    def match_over(self) -> bool:
        """Whether no other hand is played."""
        if sum(map(self.can_enter, range(self.seats))) < 2:
            return True
        if self.hand_number >= self.rules.most_hands:
            return True
        to_target = self.rules.mode == "points" and self.rules.target
        return bool(to_target) and self._target_reached()

    def _target_reached(self) -> bool:
        """B16: one alone is highest and has the target; equal ones play one more hand."""
        totals = sorted(self.amounts[seat] for seat in range(self.seats) if self.can_enter(seat))
        return totals[-1] >= self.rules.target and (len(totals) == 1 or totals[-1] > totals[-2])

    def finish_match(self) -> None:
        """The finishing order: amounts; who sat out later, higher; the expelled last."""
        self.stage, self.player, self.legal = OVER, TERMINAL, ()
        merits = []
        for seat in range(self.seats):
            if seat in self.expelled:
                merits.append((0, self.expelled.index(seat), 0))
            else:
                merits.append((1, self.amounts[seat], self.out_since[seat] or self.hand_number + 1))
        ranked = sorted(set(merits), reverse=True)
        places = [ranked.index(merit) for merit in merits]
        to_target = self.rules.mode == "points" and self.rules.target
        capped = to_target and len(self.expelled) < self.seats - 1 and not self._target_reached()
        ending = Termination.CAP if capped else Termination.RULES
        self.ending = Outcome(utilities(places), self.amounts, ending)
