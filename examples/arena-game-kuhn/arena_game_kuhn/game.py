"""Kuhn poker, whole: rules, observation, state and game, in this order.

A hand is OpenSpiel's ``kuhn_poker`` for two, with its ids of actions: each seat puts in 1 chip and
is dealt J, Q or K; the seats pass or bet 1 chip, until both passed or a bet was answered.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Self

from arena.core.actions import Action
from arena.core.chance.dealer import Dealer, Sampled
from arena.core.errors import IllegalAction, ParseError
from arena.core.game import Game, Ruleset
from arena.core.notation import ListedNotation
from arena.core.observation import Observation
from arena.core.outcome import Outcome, Payoffs
from arena.core.parts import Amounts, Board, Positions
from arena.core.scene import BACK, Face, Fact, Scene, Zone
from arena.core.state import CHANCE, TERMINAL, State
from arena_game_kuhn.view import KuhnViews

CARDS = "JQK"
ACTIONS = (Action(0, "pass"), Action(1, "bet"))
DEALT = tuple(permutations(range(len(CARDS)), 2))
DEALS = tuple(Action(2 + id, f"deal {CARDS[a]} {CARDS[b]}") for id, (a, b) in enumerate(DEALT))
"""The actions of chance: each seat is dealt a card, as in the same row of ``DEALT``."""

FIRST, SECOND, HIGHER = range(3)
ENDINGS = {"pass pass": (1, HIGHER), "bet bet": (2, HIGHER), "pass bet bet": (2, HIGHER)}
ENDINGS |= {"bet pass": (1, FIRST), "pass bet pass": (1, SECOND)}
"""By the actions of a hand: the chips won, and whether by the first, the second, or the higher."""

SHOWS, WINS = 4, 10  # One byte of the history is an event: an index into EVENTS.
EVENTS = (
    *(f"seat {seat}: {action}" for seat in (0, 1) for action in ACTIONS),
    *(f"seat {seat}: shows {card}" for seat in (0, 1) for card in CARDS),
    *(f"seat {seat}: wins {chips}" for seat in (0, 1) for chips in (1, 2)),
)


def events_of(history: bytes) -> list[str]:
    """The lines of a history."""
    return [EVENTS[code] for code in history]


class KuhnRules(Ruleset, frozen=True, kw_only=True):
    """A ruleset of Kuhn poker.

    Attributes:
        hands: Hands in a match, 1 to 100; the seats take turns to act first.
    """

    hands: int = 10

    def __post_init__(self) -> None:
        if not 1 <= self.hands <= 100:
            raise ParseError(f"hands is 1 to 100, not {self.hands}")


class KuhnObservation(Observation, frozen=True):
    """All that a seat knows.

    Attributes:
        rules: The rules in force.
        dealt: The own card of each hand so far, 0 to 2 (J, Q, K); the last is in the hand.
        shown: Of each hand that is over, the cards by seat if they were shown, else nothing.
        actions: The actions of this hand, e.g. ``"pass bet"``.
        chips: By seat, the chips won less those lost in the hands that are over.
    """

    rules: KuhnRules
    dealt: tuple[int, ...]
    shown: tuple[tuple[int, ...], ...]
    actions: str
    chips: tuple[int, int]

    def information_state(self) -> Hashable:
        return (self.seat, self.history, self.dealt)


class KuhnState(State[KuhnObservation]):
    """A match from the first deal to the last hand; see ``arena.core.state``."""

    def __init__(self, rules: KuhnRules, dealer: Dealer | None = None) -> None:
        self.rules, self.dealer = rules, dealer
        self.deals: tuple[tuple[int, ...], ...] = ()
        self.shown: tuple[tuple[int, ...], ...] = ()
        self.actions, self.chips, self.history = "", (0, 0), b""
        self._let_deal()

    def current_player(self) -> int:
        if len(self.shown) == len(self.deals):
            return TERMINAL if len(self.shown) == self.rules.hands else CHANCE
        return (len(self.shown) + len(self.actions.split())) % 2

    def legal_actions(self) -> tuple[Action, ...]:
        return {CHANCE: DEALS, TERMINAL: ()}.get(self.current_player(), ACTIONS)

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        return tuple((deal, Fraction(1, 6)) for deal in DEALS if self.current_player() == CHANCE)

    def apply_action(self, action: Action) -> None:
        legal = self.legal_actions()
        if not any(action is one for one in legal):
            raise IllegalAction(f"{action} is not one of: {', '.join(map(str, legal))}")
        if legal is DEALS:
            self.deals += (DEALT[DEALS.index(action)],)
            return
        self.history += bytes((2 * self.current_player() + action.id,))
        self.actions = f"{self.actions} {action}".strip()
        if self.actions in ENDINGS:
            self._end_hand(*ENDINGS[self.actions])
            self._let_deal()

    def _let_deal(self) -> None:
        if self.dealer is not None and self.current_player() == CHANCE:
            self.deals += (self.dealer.pile(f"hand {len(self.deals)}", DEALT, 1).draw(0),)

    def _end_hand(self, stake: int, winner: int) -> None:
        first, second = cards = self.deals[-1]
        if winner == HIGHER:
            self.history += bytes((SHOWS + first, SHOWS + 3 + second))
            winner = int(second > first)
        else:
            cards, winner = (), (winner + len(self.shown)) % 2
        self.history += bytes((WINS + 2 * winner + stake - 1,))
        gain = -stake if winner else stake
        self.actions, self.chips = "", (self.chips[0] + gain, self.chips[1] - gain)
        self.shown += (cards,)

    def outcome(self) -> Outcome:
        if not self.is_terminal():
            raise IllegalAction("the match is not over")
        return Outcome(tuple(map(float, self.chips)), self.chips)

    def scores(self) -> tuple[int, int]:
        return self.chips

    def observation(self, seat: int) -> KuhnObservation:
        legal = ACTIONS if self.current_player() == seat else ()
        dealt = tuple(cards[seat] for cards in self.deals)
        hand = (self.shown, self.actions, self.chips)
        return KuhnObservation(seat, legal, self.history, self.rules, dealt, *hand)

    def clone(self, dealer: Dealer | None = None) -> Self:
        twin = copy(self)
        twin.dealer = dealer
        twin._let_deal()
        return twin


STANDARD = KuhnRules(name="standard", source="OpenSpiel, kuhn_poker; ten hands")
SINGLE = KuhnRules(name="single", source="OpenSpiel, kuhn_poker", hands=1)


class KuhnAmounts(Amounts[KuhnRules]):
    """Chips won or lost."""

    def unit(self, ruleset: KuhnRules) -> str:
        return "chips"

    def payoffs(self, ruleset: KuhnRules, seats: int) -> Payoffs:
        return Payoffs(least=-2.0 * ruleset.hands, most=2.0 * ruleset.hands)


class KuhnBoard(Board[KuhnState]):
    """The two cards of the hand, and each seat's chips."""

    def scene(self, state: KuhnState, open_seats: Collection[int]) -> Scene:
        hand, turn = max(len(state.deals), 1), state.current_player()
        cards = enumerate(state.deals[-1] if state.deals else ())
        seen = (0, 1) if any(state.shown[len(state.deals) - 1 :]) else open_seats
        faces = [
            (seat, Face(CARDS[card], colour="red") if seat in seen else BACK)
            for seat, card in cards
        ]
        return Scene(
            title=f"Hand {hand} of {state.rules.hands}; actions: {state.actions or 'none'}",
            turn=turn if turn >= 0 else None,
            zones=tuple(Zone("card", (face,), seat) for seat, face in faces),
            facts=tuple(Fact("chips", chips, seat) for seat, chips in enumerate(state.chips)),
        )


class KuhnPositions(Positions[KuhnRules, KuhnState]):
    """The first hand, described by its cards and actions."""

    def state(self, ruleset: KuhnRules, *, cards: str, actions: str = "") -> KuhnState:
        """The first hand, e.g. ``cards="QJ", actions="pass bet"``."""
        state = KuhnState(ruleset)
        for text in (f"deal {' '.join(cards)}", *actions.split()):
            state.apply_action(ListedNotation(state.legal_actions(), events_of).action(text))
        return state


class Kuhn(Game[KuhnRules, KuhnObservation, KuhnState]):
    """Kuhn poker for two seats."""

    name = "kuhn"
    summary = "poker with three cards and one bet a hand"
    version = "2"
    seats = range(2, 3)
    rulesets = {row.name: row for row in (STANDARD, SINGLE)}
    notation = ListedNotation(ACTIONS, events_of)
    amounts = cached_property(KuhnAmounts)
    board = cached_property(KuhnBoard)
    positions = cached_property(KuhnPositions)
    view = cached_property(KuhnViews)

    def new_state(
        self, ruleset: KuhnRules, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> KuhnState:
        return KuhnState(ruleset, dealer)

    def resample(self, observation: KuhnObservation, rng: Random) -> KuhnState:
        """The rival's cards as they were shown, or else drawn at random; all else is public."""
        o = observation
        state = KuhnState(o.rules)
        for own, shown in zip(o.dealt, (*o.shown, ()), strict=False):
            other = (own + rng.choice((1, 2))) % len(CARDS)
            state.deals += (shown or ((other, own) if o.seat else (own, other)),)
        state.shown, state.actions, state.chips = o.shown, o.actions, o.chips
        state.history, state.dealer = o.history, Sampled(rng)
        return state

    def render(self, observation: KuhnObservation) -> str:
        world = self.resample(observation, Random(0))  # all such worlds look the same to the seat
        choices = ", ".join(map(str, observation.legal_actions)) or "none"
        return f"{self.board.text(world, (observation.seat,))}\n  choices: {choices}"
