"""A table with legality: what the state of a match of Pazaak does, as it is compiled."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from arena.core.actions import not_one_of
from arena.core.chance.compiling import mypyc_attr
from arena.core.chance.dealer import Dealer
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL
from arena.games.pazaak.engine import chance, history
from arena.games.pazaak.engine.actions import END, PLAY_, SEAT_ACTIONS, STAND_, PazaakAction
from arena.games.pazaak.engine.observation import PazaakObservation
from arena.games.pazaak.engine.procedure import ask_chance, end_turn, play, stand, take_chance
from arena.games.pazaak.engine.table import Table

# Names of this module's own: compiled, those of another one are looked up at every use.
ACTED: Final = history.ACTED
STOOD: Final = history.STOOD
_ACTION: Final = PazaakAction
_OBSERVATION: Final = PazaakObservation


@mypyc_attr(allow_interpreted_subclasses=True)
class RuledTable(Table):
    """A table on which only legal actions are done; its methods are those of ``State``."""

    __slots__ = ()

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> tuple[PazaakAction, ...]:
        if self.player == CHANCE:
            return tuple([action for action, _ in chance.outcomes(self)])
        return self.legal

    def chance_outcomes(self) -> tuple[tuple[PazaakAction, Fraction], ...]:
        return chance.outcomes(self) if self.player == CHANCE else ()

    def apply_action(self, action: object) -> None:
        # The exact type comes first: `in` would ask an untrusted object's __eq__.
        if type(action) is not _ACTION or action not in (self.legal or self.legal_actions()):
            raise IllegalAction(self._refusal(action))
        kind: int = action.kind
        if kind == END:
            end_turn(self, self.turn)
        elif kind == PLAY_:
            seat = self.turn
            self.history = self.history + ACTED[seat][action.id]
            play(self, seat, action)
        elif kind == STAND_:
            seat = self.turn
            self.history = self.history + STOOD[seat]
            stand(self, seat)
        else:
            take_chance(self, action)

    def outcome(self) -> Outcome:
        if self.ending is None:
            raise IllegalAction("the match is not over")
        return self.ending

    def scores(self) -> tuple[int, ...]:
        return tuple(self.sets)

    def observation(self, seat: int) -> PazaakObservation:
        own, rival = self.sides[seat], self.sides[1 - seat]
        return _OBSERVATION(
            seat, self.legal if self.player == seat else (), self.history, self.rules,
            self.side_decks[seat], own.dealt, own.hand, len(rival.hand),
            own.squares, rival.squares, own.total, rival.total,
            own.standing, rival.standing, own.sets, rival.sets,
            self.starter, self.set_number, self.phase, self.turn, self.marks,
        )  # fmt: skip

    def attach(self, dealer: Dealer) -> None:
        """From here on that dealer answers chance; at a chance node it does so at once."""
        self.dealer = dealer
        if self.set_number:
            self.pile = chance.main_pile(self, dealer)
        if self.player == CHANCE:
            ask_chance(self, self.phase, self.turn)

    def _refusal(self, action: object) -> str:
        if self.player == TERMINAL:
            return "the match is over"
        legal = ", ".join(act.text for act in self.legal_actions()[:12])
        known = next((act.text for act in SEAT_ACTIONS if act is action), "")
        return not_one_of(action, known, legal)
