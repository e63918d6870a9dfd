"""The state of a match of Sabacc: the contract of ``arena.core.state`` around the procedure."""

from __future__ import annotations

from fractions import Fraction

from arena.core.actions import type_name
from arena.core.dealer import Dealer
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL, State
from arena.games.sabacc import chance
from arena.games.sabacc.actions import SabaccAction, known_text
from arena.games.sabacc.observation import SabaccObservation
from arena.games.sabacc.procedure import Procedure
from arena.games.sabacc.table import public_facts


class SabaccState(Procedure, State[SabaccObservation]):
    """A match in progress; only ``apply_action`` and ``expel`` change it."""

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> tuple[SabaccAction, ...]:
        if self.player == CHANCE:
            return tuple(action for action, _ in chance.outcomes(self))
        return self.legal

    def chance_outcomes(self) -> tuple[tuple[SabaccAction, Fraction], ...]:
        return chance.outcomes(self) if self.player == CHANCE else ()

    def apply_action(self, action: object) -> None:
        # The exact type comes first: `in` would ask an untrusted object's __eq__.
        if type(action) is not SabaccAction or action not in (self.legal or self.legal_actions()):
            raise IllegalAction(self._refusal(action))
        if self.player == CHANCE:
            if self.take_chance(action):
                self.proceed()
        else:
            self.decide(self.player, action)
        if self.player == CHANCE and self.dealer is not None:
            self._ask_dealer(self.dealer)

    def _ask_dealer(self, dealer: Dealer) -> None:
        while self.player == CHANCE:
            if self.take_chance(chance.answer(self, dealer)):
                self.proceed()

    def begin(self) -> None:
        """The match begins: the first hand is dealt."""
        self.begin_hand()
        if self.dealer is not None:
            self._ask_dealer(self.dealer)

    def expel(self, seat: int) -> None:
        if self.player < 0 or seat in self.expelled or not 0 <= seat < self.seats:
            raise IllegalAction(f"seat {seat} cannot be taken out here")
        self.take_out(seat)
        if self.player == CHANCE and self.dealer is not None:
            self._ask_dealer(self.dealer)

    def outcome(self) -> Outcome:
        if self.ending is None:
            raise IllegalAction("the match is not over")
        return self.ending

    def scores(self) -> tuple[int, ...]:
        return self.amounts

    def observation(self, seat: int) -> SabaccObservation:
        return SabaccObservation(
            seat,
            self.legal if self.player == seat else (),
            self.history,
            self.hands[seat],
            self.memory[seat],
            self.past[seat],
            *public_facts(self),
        )

    def clone(self, dealer: Dealer | None = None) -> SabaccState:
        twin = self.copy_to(SabaccState.__new__(SabaccState))
        if dealer is not None:
            twin.attach(dealer)
        return twin

    def attach(self, dealer: Dealer) -> None:
        """From here on that dealer answers chance; at a chance node it does so at once."""
        self.set_dealer(dealer)
        self._ask_dealer(dealer)

    def _refusal(self, action: object) -> str:
        if self.player == TERMINAL:
            return "the match is over"
        legal = self.legal_actions()
        texts = [act.text for act in legal]
        if len(texts) > 12:
            texts = [*texts[:11], f"{texts[-1]} ({len(legal)} in all)"]
        known = known_text(action) if type(action) is SabaccAction else ""
        return f"{known or type_name(action)} is not one of: {', '.join(texts)}"
