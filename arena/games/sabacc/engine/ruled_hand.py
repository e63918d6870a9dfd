"""Hands with legality: what the state of a match of Sabacc does, as it is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from arena.core.actions import not_one_of
from arena.core.chance.compiling import mypyc_attr
from arena.core.chance.dealer import Dealer
from arena.core.errors import IllegalAction
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL
from arena.games.sabacc.engine import chance
from arena.games.sabacc.engine.actions import SabaccAction, known_text
from arena.games.sabacc.engine.hand import Hand, new_hand
from arena.games.sabacc.engine.observation import SabaccObservation

# Names of this module's own: compiled, those of another one are looked up at every use.
_ACTION: Final = SabaccAction
_OBSERVATION: Final = SabaccObservation


@mypyc_attr(allow_interpreted_subclasses=True)
class RuledHand:
    """The hand in progress, with legality; its methods are those of ``State``.

    Attributes:
        hand: The hand, with its match, its deck and its betting.
    """

    __slots__ = ("hand",)

    def __init__(self, hand: Hand) -> None:
        self.hand = hand

    def current_player(self) -> int:
        return self.hand.player

    def legal_actions(self) -> tuple[SabaccAction, ...]:
        if self.hand.player == CHANCE:
            return tuple(action for action, _ in chance.outcomes(self.hand))
        return self.hand.legal

    def chance_outcomes(self) -> tuple[tuple[SabaccAction, Fraction], ...]:
        return chance.outcomes(self.hand) if self.hand.player == CHANCE else ()

    def apply_action(self, action: object) -> None:
        hand = self.hand
        # The exact type comes first: `in` would ask an untrusted object's __eq__.
        if type(action) is not _ACTION or action not in (hand.legal or self.legal_actions()):
            raise IllegalAction(refusal(action, hand.player, self.legal_actions()))
        if hand.player == CHANCE:
            hand.take_chance(action)
        else:
            hand.decide(hand.player, action)
        if hand.player < 0:
            self.go_on()

    def begin_hand(self) -> Hand:
        """The next hand begins, with its deal."""
        before, match = self.hand, self.hand.match
        match.next_hand(before.deck.memory)
        self.hand = new_hand(match, before.turn)
        self.hand.begin()
        return self.hand

    def go_on(self) -> None:
        """Begins the next hand when one is over, and asks the dealer for what chance decides."""
        match, hand = self.hand.match, self.hand
        while match.ending is None:
            if hand.player == TERMINAL:
                if match.is_over():
                    match.finish()
                    return
                hand = self.begin_hand()
            elif hand.player == CHANCE and match.dealer is not None:
                hand.take_chance(chance.answer(hand, match.dealer))
            else:
                return

    def expel(self, seat: int) -> None:
        hand = self.hand
        match = hand.match
        if hand.player < 0 or seat in match.expelled or not 0 <= seat < match.seats:
            raise IllegalAction(f"seat {seat} cannot be taken out here")
        hand.take_out(seat)
        self.go_on()

    def outcome(self) -> Outcome:
        if self.hand.match.ending is None:
            raise IllegalAction("the match is not over")
        return self.hand.match.ending

    def scores(self) -> tuple[int, ...]:
        return self.hand.match.amounts

    def observation(self, seat: int) -> SabaccObservation:
        hand = self.hand
        match, deck, betting = hand.match, hand.deck, hand.betting
        return _OBSERVATION(
            seat, hand.legal if hand.player == seat else (), match.history,
            deck.hands[seat], deck.memory[seat], match.past[seat], match.rules, match.variant,
            hand.player, hand.stage, hand.step, hand.need, hand.turn, hand.swapping,
            hand.queue, hand.waiting, match.button, match.hand_number, match.hand_start,
            match.active, match.expelled, match.out_since, match.amounts,
            betting.pot, match.carried, betting.staked, betting.round_put, betting.to_call,
            betting.last_stake, betting.raises, betting.raised, betting.demanded,
            betting.opener, betting.all_in, match.ticks, match.due, hand.drew, hand.drew_first,
            deck.untouched, hand.shown, deck.hand_sizes, deck.gone, deck.recycled, deck.shuffles,
            hand.shifts, hand.rolls, match.slips_drawn, hand.slips_in_hand, match.slips_out,
            hand.laid, hand.extra, hand.won,
        )  # fmt: skip

    def fields(self, seat: int) -> tuple[object, ...]:
        """Returns the fields of ``observation``, in order, for the packer.

        A list of its own: one for both takes a compiled match 0.1 us longer for each observation.
        """
        hand = self.hand
        match, deck, betting = hand.match, hand.deck, hand.betting
        return (
            seat, hand.legal if hand.player == seat else (), match.history,
            deck.hands[seat], deck.memory[seat], match.past[seat], match.rules, match.variant,
            hand.player, hand.stage, hand.step, hand.need, hand.turn, hand.swapping,
            hand.queue, hand.waiting, match.button, match.hand_number, match.hand_start,
            match.active, match.expelled, match.out_since, match.amounts,
            betting.pot, match.carried, betting.staked, betting.round_put, betting.to_call,
            betting.last_stake, betting.raises, betting.raised, betting.demanded,
            betting.opener, betting.all_in, match.ticks, match.due, hand.drew, hand.drew_first,
            deck.untouched, hand.shown, deck.hand_sizes, deck.gone, deck.recycled, deck.shuffles,
            hand.shifts, hand.rolls, match.slips_drawn, hand.slips_in_hand, match.slips_out,
            hand.laid, hand.extra, hand.won,
        )  # fmt: skip

    def attach(self, dealer: Dealer) -> None:
        """From here on that dealer answers chance; at a chance node it does so at once."""
        match = self.hand.match
        match.dealer = dealer
        if match.hand_number:
            self.hand.deck.make_pile()
        self.go_on()


def refusal(action: object, player: int, legal: Sequence[SabaccAction]) -> str:
    """Reason that it is not a legal action, in one line."""
    if player == TERMINAL:
        return "the match is over"
    texts = [act.text for act in legal]
    if len(texts) > 12:
        texts = [*texts[:11], f"{texts[-1]} ({len(legal)} in all)"]
    known = known_text(action) if type(action) is SabaccAction else ""
    return not_one_of(action, known, ", ".join(texts))
