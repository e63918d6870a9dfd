"""Any described situation as a state: for tests, puzzles and cases."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.chance.dealer import Dealer
from arena.games.sabacc.cards.cards import Card, card_named, in_order
from arena.games.sabacc.cards.rulesets import DEALT, SabaccRules
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.hand import new_hand
from arena.games.sabacc.engine.match import new_match
from arena.games.sabacc.engine.stages import FIRST_DRAW
from arena.games.sabacc.engine.state import SabaccState


def situation(
    rules: SabaccRules,
    *,
    hands: Sequence[Sequence[str | Card]],
    turn: int | None = None,
    button: int | None = None,
    stage: int = FIRST_DRAW,
    variant: str = "",
    active: Sequence[bool] | None = None,
    amounts: Sequence[int] | None = None,
    staked: Sequence[int] | None = None,
    last_stake: int | None = None,
    shown: Sequence[Sequence[str | Card]] | None = None,
    untouched: Sequence[bool] | None = None,
    hand_number: int = 1,
    ticks: int = 0,
    due: int = 0,
    dealer: Dealer | None = None,
) -> SabaccState:
    """A state at a seat's decision that need not be reachable; nothing is checked against the deck.

    Args:
        hands: Cards by seat: names or cards; their number is the number of seats.
        turn: The seat to decide; by default the first in the hand at the dealer's left. The
            seats after it, up to the dealer, decide after it.
        button: The dealer's seat; by default the last.
        stage: One of ``stages_of(rules)``.
        variant: The variant in force; by default the ruleset's.
        active: Who is in the hand; by default everybody.
        amounts: Chips, points or hands won; by default what a match begins with.
        staked: Chips put in this hand; by default none.
        last_stake: By default the entry.
        shown: Cards shown before the exchange.
        untouched: By seat: whether the hand is the three dealt cards; by default it is if it
            has three.
        hand_number: Number of this hand.
        ticks: Decisions on the clock.
        due: What the clock has made due (``stages``).
        dealer: Answers chance from here on.
    """
    seats = len(hands)
    match = new_match(rules, seats)
    match.button = seats - 1 if button is None else button
    match.hand_number, match.ticks, match.due = hand_number, ticks, due
    match.active = (True,) * seats if active is None else tuple(active)
    if variant:
        match.variant = VARIANTS[variant]
    if amounts is not None:
        match.amounts = tuple(amounts)
    state = SabaccState(hand := new_hand(match))
    deck, betting = hand.deck, hand.betting
    for seat, cards in enumerate(map(_cards, hands)):
        deck.give(seat, in_order(cards))
        deck.remember(seat, cards)
    deck.untouched = tuple(
        [size == DEALT for size in deck.hand_sizes] if untouched is None else untouched
    )
    if staked is not None:
        betting.staked, betting.pot = tuple(staked), sum(staked)
    if last_stake is not None:
        betting.last_stake = last_stake
    if shown is not None:
        hand.shown = tuple(map(_cards, shown))
    hand.stage, hand.step = stage, hand.plan.index(stage) if stage in hand.plan else 0
    order = match.in_hand(match.left)
    first = order[0] if turn is None else turn
    betting.opener = first
    hand.waiting = order[order.index(first) :] if first in order else order
    hand.ask_seat(first)
    if dealer is not None:
        state.attach(dealer)
    return state


def _cards(names: Sequence[str | Card]) -> tuple[Card, ...]:
    return tuple(card_named(name) if isinstance(name, str) else name for name in names)
