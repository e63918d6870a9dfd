"""Writes out a match of Sabacc for people who know the rules: cards, decisions and amounts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from arena.core.outcome import Outcome
from arena.core.state import CHANCE
from arena.games.sabacc.cards.cards import FIVE, Card, in_order
from arena.games.sabacc.cards.pots import pots
from arena.games.sabacc.cards.ranking import WILD_MOST
from arena.games.sabacc.cards.showdown import everybody_loses, leaders
from arena.games.sabacc.engine.actions import SabaccAction
from arena.games.sabacc.engine.history import Event, events_of
from arena.games.sabacc.engine.stages import DEAL, GET, PICK, SHOWDOWN, STAGE_NAMES
from arena.games.sabacc.engine.state import SabaccState
from arena.games.sabacc.parts.render import counted, face_text
from arena.games.sabacc.parts.scene import faces, worth

COLUMNS = 96
PAYING = ("ante", "put", "demand", "call", "bet", "raise", "all in")
GAINING = ("win", "share", "score")
TAKES_CARDS = ("draw", "swap")


class Narrator:
    """Follows a match step by step and writes it out into ``lines``.

    It keeps an account of the amounts from the public events alone, which must agree with the
    state's after every step.
    """

    def __init__(self, state: SabaccState) -> None:
        self.lines: list[str] = []
        match = state.hand.match
        self.rules, self.unit = match.rules, "chips" if match.chips else "points"
        if match.rules.mode == "showdown":
            self.unit = "hands won"
        self.amounts = [match.rules.stack if match.chips else 0] * match.seats
        self.pot = 0
        self.staked = [0] * match.seats
        self.laid: dict[int, tuple[Card, ...]] = {}
        self._given = self._pending = ""
        self._cards: list[Card] = []
        self._moves: list[str] = []
        self._stage = (0, 0, 0)
        self._extras: dict[int, Card] = {}
        self._round_ends = False
        self._heard = 0

    def begin(self, state: SabaccState) -> None:
        """The first hand is about to be dealt."""
        self._events(events_of(state.hand.match.history), state)
        self._heard = len(state.hand.match.history)

    def step(self, before: SabaccState, action: SabaccAction, after: SabaccState) -> None:
        """One action of a seat or of chance, and what followed from it."""
        self._given = ""
        if before.hand.player == CHANCE:
            self._chance(before, action)
        else:
            self._decision(before, action)
        self._events(events_of(after.hand.match.history, self._heard), after)
        self._heard = len(after.hand.match.history)
        assert tuple(self.amounts) == after.hand.match.amounts
        if after.hand.match.chips:
            assert (
                sum(self.amounts) + self.pot
                == after.hand.match.rules.stack * after.hand.match.seats
            )

    def expelled(self, seat: int, after: SabaccState) -> None:
        """A seat was taken out."""
        self._events(events_of(after.hand.match.history, self._heard), after)
        self._heard = len(after.hand.match.history)

    def end(self, after: SabaccState, outcome: Outcome) -> None:
        """The finishing order."""
        self._hand_over()
        self.lines += ["", f"The end: {outcome.termination}"]
        order = sorted(range(len(outcome.returns)), key=lambda seat: -outcome.returns[seat])
        for seat in order:
            gain = outcome.returns[seat]
            place = 1 + sum(other > gain for other in outcome.returns)
            score = f"{self.unit} {outcome.scores[seat]}"
            self._say(f"{place}. seat {seat}: {score}, return {gain:+.2f}")

    def _say(self, text: str, indent: str = "    ") -> None:
        deeper = indent + "    "
        lines = wrap(text, COLUMNS, initial_indent=indent, subsequent_indent=deeper)
        self.lines += [line.replace("\u00a0", " ") for line in lines]

    def _decision(self, before: SabaccState, action: SabaccAction) -> None:
        self._head(before)
        hand = before.hand.deck.hands[before.hand.player]
        given = [card for place, card in enumerate(hand) if action.value >> place & 1]
        self._given = _faces(before, given)

    def _head(self, before: SabaccState) -> None:
        """The stage's name, when it is another one than before."""
        stage = (before.hand.match.hand_number, before.hand.step, before.hand.stage)
        if stage != self._stage:
            self._stage = stage
            self._say(STAGE_NAMES[before.hand.stage], "  ")

    def _chance(self, before: SabaccState, action: SabaccAction) -> None:
        seat, card, last = before.hand.turn, action.card, len(before.hand.queue) == 1
        if card is None:
            self._head(before)
            return
        if before.hand.need == PICK:
            self._moves.append(_firm(f"seat {seat} gives {card}"))
        elif before.hand.need == GET:
            self._moves.append(_firm(f"seat {seat} gets {card}"))
            if last:
                self._shuffled(before, seat, card)
        elif before.hand.stage == SHOWDOWN:
            self._round_ends = last
        else:
            self._card(before, seat, card, last)

    def _card(self, before: SabaccState, seat: int, card: Card, last: bool) -> None:
        """A card comes from the deck, for now the seat's last one or not."""
        hand = in_order((*before.hand.deck.hands[seat], card))
        self._cards.append(card)
        if not (last or before.hand.queue[1] != seat):
            return
        if before.hand.stage == DEAL:
            self._holds(before, f"seat {seat} is dealt", hand)
        else:
            self._say(f"{self._pending} and gets {_faces(before, self._cards)}")
            self._holds(before, "  it holds", hand)
        self._cards = []

    def _shuffled(self, before: SabaccState, seat: int, card: Card) -> None:
        self._say("  " + "; ".join(self._moves))
        self._moves = []
        for other in before.hand.match.in_hand(before.hand.match.left):
            hand = before.hand.deck.hands[other]
            cards = in_order((*hand, card)) if other == seat else hand
            self._holds(before, f"  seat {other} holds", cards)

    def _holds(self, state: SabaccState, who: str, hand: Sequence[Card]) -> None:
        ranks = state.hand.match.ranks
        self._say(f"{who} {counted(faces(ranks, hand), worth(ranks, hand))}", "    ")

    def _events(self, events: Sequence[Event], after: SabaccState) -> None:
        for number, event in enumerate(events):
            following = events[number + 1].kind if number + 1 < len(events) else ""
            self._account(event)
            self._event(event, after)
            if event.kind == "reveal" and following != "reveal":
                self._showdown(after)
            if event.kind == "extra":
                self._extras[event.seat] = event.cards[0]
                if self._round_ends:
                    self._compare(after)

    def _account(self, event: Event) -> None:
        if event.kind in PAYING:
            self.amounts[event.seat] -= event.number
            self.staked[event.seat] += event.number
            self.pot += event.number
        elif event.kind in GAINING:
            self.amounts[event.seat] += event.number
            self.pot -= event.number

    def _event(self, event: Event, after: SabaccState) -> None:
        text = str(event)
        if event.kind == "hand":
            self._hand_begins(event, after)
        elif event.kind in TAKES_CARDS or (event.kind == "exchange" and event.number):
            self._pending = f"{text}: gives {self._given}" if self._given else text
        elif event.kind == "reveal":
            if not self.laid:
                self._say("showdown", "  ")
            self.laid[event.seat] = event.cards
            self._holds(after, f"seat {event.seat} lays down", event.cards)
        elif event.kind == "extra":
            self.laid[event.seat] = in_order((*self.laid[event.seat], *event.cards))
            self._holds(after, f"{text}:", self.laid[event.seat])
        elif event.kind in PAYING:
            self._say(f"{text}; the pot is {self.pot}")
        else:
            self._say(text)

    def _hand_begins(self, event: Event, after: SabaccState) -> None:
        match = after.hand.match
        if match.hand_number > 1:
            self._hand_over()
        self.staked, self.laid = [0] * match.seats, {}
        self.lines.append("")
        carried = f"; {self.pot} wait in the pot" if self.unit == "chips" and self.pot else ""
        self._say(
            f"Hand {match.hand_number}, {match.variant.title}; seat {event.seat} deals{carried}", ""
        )

    def _hand_over(self) -> None:
        self._say(f"{self.unit}: {' : '.join(map(str, self.amounts))}", "  ")

    def _showdown(self, after: SabaccState) -> None:
        """Writes the result of the showdown of the revealed hands."""
        rules, ranks = self.rules, after.hand.match.ranks
        if everybody_loses(ranks, self.laid):
            self._say("everybody loses")
            return
        best, upset = leaders(ranks, self.laid)
        if upset:
            self._say("the Idiot combination beats pure sabacc (I5)")
        if rules.mode != "points":
            self._say(f"{'tied for the best' if len(best) > 1 else 'the best'}: {_seats(best)}")
        broke = [not amount and seat in self.laid for seat, amount in enumerate(self.amounts)]
        if rules.short_stack == "all_in" and any(broke):
            shares = [
                f"{sum(puts)} for {_seats(seats)}"
                for puts, seats in pots(self.staked, tuple(self.laid), broke)
            ]
            self._say(f"of this hand's stakes {' and '.join(shares)}")

    def _compare(self, after: SabaccState) -> None:
        """After a round of extra cards: whether the extra cards themselves have to decide (B8)."""
        ranks = after.hand.match.ranks
        best, _ = leaders(ranks, {seat: self.laid[seat] for seat in self._extras})
        if len(best) > 1:
            worth = [
                WILD_MOST if self.rules.wild_five and card.value == FIVE else ranks.values[card.id]
                for card in map(self._extras.__getitem__, best)
            ]
            count = ", ".join(map(str, worth))
            self._say(f"still tied: {_seats(best)}; their extra cards count {count}")
        self._extras = {}


def _seats(seats: Iterable[int]) -> str:
    return ", ".join(_firm(f"seat {seat}") for seat in seats)


def _faces(state: SabaccState, cards: Iterable[Card]) -> str:
    shown = faces(state.hand.match.ranks, tuple(cards))
    return ", ".join([_firm(face_text(face)) for face in shown])


def _firm(text: str) -> str:
    return text.replace(" ", "\u00a0")
