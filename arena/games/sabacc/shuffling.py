"""Cards on the move: draws, discards, the dice of section 5 and the slips of section 6."""

from __future__ import annotations

from arena.core.dealer import Dealer
from arena.core.state import CHANCE
from arena.games.sabacc import chance
from arena.games.sabacc.actions import FACE_, SLIP_, SabaccAction
from arena.games.sabacc.betting import Betting
from arena.games.sabacc.cards import Card, in_order
from arena.games.sabacc.history import numbered, plain, with_cards
from arena.games.sabacc.stages import CARD, GET, NONE, PICK, ROLL_DUE, SHOWDOWN, SLIP_DUE
from arena.games.sabacc.table import replaced
from arena.games.sabacc.variants import VARIANTS

_ROWS = tuple(VARIANTS.values())


class Shuffling(Betting):
    """What chance does to the cards, and the clock that asks it to."""

    def ask_chance(self, need: int, seat: int) -> None:
        """Chance is to answer; the seat is whom the answer concerns."""
        self.need, self.turn, self.player, self.legal = need, seat, CHANCE, ()

    def set_dealer(self, dealer: Dealer) -> None:
        """From here on that dealer answers chance."""
        self.dealer = dealer
        if self.hand_number:
            self.deck = chance.deck_pile(self, dealer)

    def available(self) -> int:
        """Cards that can still be drawn in this hand, the discards' one reshuffle included."""
        return self.deck_left() + (0 if self.recycled else self.gone)

    def ask_cards(self, seats: tuple[int, ...]) -> None:
        """Each of these seats gets a card from the deck, in order."""
        self.queue = seats
        self._freshen_deck()
        self.ask_chance(CARD, seats[0])

    def _freshen_deck(self) -> None:
        """Section 3, 6: an empty deck is made of the discards, once a hand."""
        if not self.deck_left() and self.gone and not self.recycled:
            self.recycled = True
            self.history += plain("reshuffle", self.button)
            self._take_discards_back()

    def _take_discards_back(self) -> None:
        back = [card for cards in self.discards for card in cards]
        self.discards, self.gone = ((),) * self.seats, 0
        self.shuffles += 1
        if self.engine.chance_apart:
            if self.deck is not None:
                self.deck.put_back(back)
        elif self.dealer is not None:
            self.deck = chance.deck_pile(self, self.dealer)

    def take_chance(self, action: SabaccAction) -> bool:
        """What chance does at a chance node; whether it is asked no more."""
        kind, seat = action.kind, self.turn
        if kind == FACE_:
            return self._roll(seat, action.value)
        if kind == SLIP_:
            self._draw_slip(seat, action.value)
            return True
        assert action.card is not None
        if self.need == PICK:
            return self._pick(seat, action.card)
        if self.need == GET:
            return self._get(seat, action.card)
        return self._take_card(seat, action.card)

    def _take_card(self, seat: int, card: Card) -> bool:
        self.give_hand(seat, in_order((*self.hands[seat], card)))
        self.remember(seat, (card,))
        if self.stage == SHOWDOWN:
            self.extra = replaced(self.extra, seat, (*self.extra[seat], card))
            self.history += with_cards("extra", seat, (card,))
        return self._next_in_queue(CARD)

    def _next_in_queue(self, need: int) -> bool:
        self.queue = self.queue[1:]
        if self.queue:
            if need == CARD:
                self._freshen_deck()
            self.ask_chance(need, self.queue[0])
            return False
        self.need = NONE
        if self.gone and self.rules.discards == "reshuffled" and need == CARD:  # B12
            self._take_discards_back()
        return True

    def discard(self, seat: int, mask: int) -> int:
        """Cards of a hand, by the bits of their places, go out; how many."""
        hand = self.hands[seat]
        gone = tuple(card for place, card in enumerate(hand) if mask >> place & 1)
        if gone:
            kept = tuple(card for place, card in enumerate(hand) if not mask >> place & 1)
            self.give_hand(seat, kept)
            self.discards = replaced(self.discards, seat, self.discards[seat] + gone)
            self.gone += len(gone)
            self.remember(seat, gone)
            self.untouched = replaced(self.untouched, seat, False)
        return len(gone)

    def tick(self, folded: bool = False) -> None:
        """Section 11: the clock counts decisions; card exchange and slips have one clock.

        Args:
            folded: The decision was to leave the hand: an orbit, one decision of every active
                player, does without it.
        """
        every = self.rules.tick_every
        self.ticks += not (folded and every == "orbit")
        if every != "phase" and self.ticks >= (sum(self.active) if every == "orbit" else every):
            self.fill_clock()

    def fill_clock(self) -> None:
        """Two minutes are over: dice and slips are due, as far as they are played with."""
        self.ticks = 0
        self.due = self.rules.dice * ROLL_DUE | self.rules.variable * SLIP_DUE

    def _roll(self, seat: int, face: int) -> bool:
        """Section 5: odd: the roller swaps a card; even: a card of every hand is shuffled."""
        self.rolls = replaced(self.rolls, seat, self.rolls[seat] + 1)
        self.history += numbered("roll", seat, face)
        if face % 2:
            # B18: compulsory, but a folded roller's odd roll does nothing.
            self.swapping = self.active[seat] and self.available() > 0
            self.need = NONE
            return True
        self.shifts += 1
        self.queue = self._round_of_shuffle(seat)
        self.ask_chance(PICK, self.queue[0])
        return False

    def _round_of_shuffle(self, roller: int) -> tuple[int, ...]:
        """Seats that give and get a card of an even roll, in an order that no roll changes."""
        return self.in_hand(0 if self.engine.chance_apart else roller)

    def _pick(self, seat: int, card: Card) -> bool:
        self.give_hand(seat, _without(self.hands[seat], card))
        self.pool += (card,)
        self.remember(seat, (card,))
        self.untouched = replaced(self.untouched, seat, False)
        self.queue = self.queue[1:]
        if not self.queue:
            self.queue = self._round_of_shuffle((seat + 1) % self.seats)  # the same again
            self.ask_chance(GET, self.queue[0])
        else:
            self.ask_chance(PICK, self.queue[0])
        return False

    def _get(self, seat: int, card: Card) -> bool:
        self.pool = _without(self.pool, card)
        self.give_hand(seat, in_order((*self.hands[seat], card)))
        self.remember(seat, (card,))
        return self._next_in_queue(GET)

    def _draw_slip(self, seat: int, number: int) -> None:
        """Section 6: a slip says which variant is played from now on."""
        self.need = NONE
        self.variant = _ROWS[number]
        self.history += numbered("slip", seat, number)
        self.slips_drawn += 1
        self.slips_in_hand += 1
        if self.rules.slip_return == "kept_out":
            out = (*self.slips_out, number)
            self.slips_out = () if len(out) == len(chance.slips(self.rules)) else out


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
