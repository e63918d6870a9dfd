"""The cards of one hand: the deck, the seats' hands, the discards."""

from __future__ import annotations

from arena.core.chance.dealer import Deck as Pile
from arena.games.sabacc.cards.cards import DECK, DECK_SIZE, Card, deck_without, in_order
from arena.games.sabacc.cards.rulesets import DEALT
from arena.games.sabacc.engine.history import plain
from arena.games.sabacc.engine.match import Match, replaced

PLACES = (
    "match", "hands", "hand_sizes", "untouched", "memory", "discards", "gone", "recycled",
    "shuffles", "pool", "pile",
)  # fmt: skip
"""The names of a deck's fields."""


class Deck:
    """The cards of one hand and their ways; whatever belongs to a seat is a tuple by seat."""

    __slots__ = PLACES

    match: Match  # the match that the hand belongs to
    hands: tuple[tuple[Card, ...], ...]  # cards by seat, in order; folded hands stay, face down
    hand_sizes: tuple[int, ...]  # number of cards, by seat
    untouched: tuple[bool, ...]  # by seat: whether the hand is the three dealt cards (I9)
    # By seat: ids of the cards that it got and gave in this hand, in order.
    memory: tuple[bytes, ...]
    discards: tuple[tuple[Card, ...], ...]  # discards that are out, by the seat that gave them
    gone: int  # number of discards that are out
    recycled: bool  # whether the discards were reshuffled once
    shuffles: int  # how often the deck was made anew within the hand
    pool: tuple[Card, ...]  # cards of an even roll on their way
    pile: Pile[Card] | None  # what the dealer draws from; ``None`` without a dealer

    def copy(self) -> Deck:
        """A copy that belongs to the same match, without the dealer's pile."""
        twin = Deck()
        twin.match, twin.hands, twin.hand_sizes = self.match, self.hands, self.hand_sizes
        twin.untouched, twin.memory, twin.discards = self.untouched, self.memory, self.discards
        twin.gone, twin.recycled, twin.shuffles = self.gone, self.recycled, self.shuffles
        twin.pool = self.pool
        twin.pile = None
        return twin

    def left(self) -> int:
        """Number of cards in the deck; those on their way in a shuffle are not."""
        return DECK_SIZE - sum(self.hand_sizes) - self.gone - len(self.pool)

    def available(self) -> int:
        """Cards that can still be drawn in this hand, the discards' one reshuffle included."""
        return self.left() + (0 if self.recycled else self.gone)

    def unseen(self) -> list[Card]:
        """The cards of the deck, in canonical order."""
        return deck_without((*self.hands, *self.discards, self.pool))

    def make_pile(self) -> None:
        """The dealer shuffles the deck; a new name for each time within a hand."""
        match = self.match
        if match.dealer is None:
            return
        name = f"hand/{match.hand_number}"
        if self.shuffles:
            name += f"/{self.shuffles}"
        whole = not (self.gone or self.pool or any(self.hand_sizes))
        self.pile = match.dealer.pile(name, DECK if whole else self.unseen(), match.seats)

    def deal(self, order: tuple[int, ...]) -> None:
        """Each of these seats gets three cards, without chance being asked one by one."""
        self.make_pile()
        assert self.pile is not None
        draw = self.pile.draw
        for seat in order:
            cards = tuple([draw(seat) for _ in range(DEALT)])
            self.give(seat, in_order(cards))
            self.remember(seat, cards)

    def give(self, seat: int, hand: tuple[Card, ...]) -> None:
        """That seat holds these cards, in order."""
        self.hands = replaced(self.hands, seat, hand)
        self.hand_sizes = replaced(self.hand_sizes, seat, len(hand))

    def remember(self, seat: int, cards: tuple[Card, ...]) -> None:
        """The seat has seen these cards come or go."""
        known = self.memory[seat] + bytes([card.id for card in cards])
        self.memory = replaced(self.memory, seat, known)

    def take(self, seat: int, card: Card) -> None:
        """A card comes into a hand."""
        self.give(seat, _with(self.hands[seat], card))
        self.remember(seat, (card,))

    def discard(self, seat: int, mask: int) -> int:
        """Cards of a hand, by the bits of their places, go out; how many."""
        hand = self.hands[seat]
        gone = tuple([card for place, card in enumerate(hand) if mask >> place & 1])
        if gone:
            self.give(seat, tuple([c for place, c in enumerate(hand) if not mask >> place & 1]))
            self.discards = replaced(self.discards, seat, self.discards[seat] + gone)
            self.gone += len(gone)
            self.remember(seat, gone)
            self.untouched = replaced(self.untouched, seat, False)
        return len(gone)

    def freshen(self) -> None:
        """Section 3, 6: an empty deck is made of the discards, once a hand."""
        if self.gone and not self.recycled and not self.left():
            self.recycled = True
            self.match.history = self.match.history + plain("reshuffle", self.match.button)
            self.take_discards_back()

    def take_discards_back(self) -> None:
        """The discards go back into the deck."""
        back = [card for cards in self.discards for card in cards]
        self.discards, self.gone = ((),) * len(self.hands), 0
        self.shuffles += 1
        if self.pile is not None:
            self.pile.put_back(back)

    def pick(self, seat: int, card: Card) -> None:
        """Section 5: a card of a hand goes to the shuffle of an even roll."""
        self.give(seat, _without(self.hands[seat], card))
        self.pool += (card,)
        self.remember(seat, (card,))
        self.untouched = replaced(self.untouched, seat, False)

    def get(self, seat: int, card: Card) -> None:
        """Section 5: a card of the shuffle comes back to a hand."""
        self.pool = _without(self.pool, card)
        self.take(seat, card)


def _with(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = 0
    for held in cards:
        if held.id > card.id:
            break
        place += 1
    return (*cards[:place], card, *cards[place:])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def new_deck(match: Match) -> Deck:
    """The whole deck, and empty hands."""
    seats = match.seats
    no_cards = ((),) * seats
    deck = Deck()
    deck.match = match
    deck.hands = deck.discards = no_cards
    deck.hand_sizes = (0,) * seats
    deck.untouched = (True,) * seats
    deck.memory = (b"",) * seats
    deck.gone = 0
    deck.recycled = False
    deck.shuffles = 0
    deck.pool = ()
    deck.pile = None
    return deck
