"""The facts of positions of Sabacc, from which a value function is learned.

They are the rank and the size of every hand that is in play, the stage, the lead in hands, chips
or points with the hands that are left, the pot, and the dealer.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.parts.full_state_facts import FullStateFacts, Outcomes, Rows
from arena.games.sabacc.cards.cards import Card
from arena.games.sabacc.cards.ranking import CATEGORIES, PURE, Ranker
from arena.games.sabacc.cards.rulesets import MAX_CARDS
from arena.games.sabacc.engine import stages
from arena.games.sabacc.engine.hand import Hand
from arena.games.sabacc.engine.state import SabaccState

_SEATS = 6
RANKS = PURE + len(CATEGORIES)
"""Numbers of ranks: a bomb, 0..22 points, five better categories, no hand."""
_NO_HAND = RANKS - 1
_STAGES = len(stages.STAGE_NAMES)
_LEAD = 7  # greater leads are taken for this one
_LEFT = 12
_POT = 14
_HANDS = 0
_AGAINST = _HANDS + _SEATS * RANKS * (MAX_CARDS + 1)
_AT_STAGE = _AGAINST + RANKS**2
_TURN = _AT_STAGE + _STAGES * RANKS
_LEADS = _TURN + _STAGES * _SEATS
_POTS = _LEADS + (2 * _LEAD + 1) * (_LEFT + 1)
_BUTTON = _POTS + _POT


class SabaccFullStateFacts(FullStateFacts[SabaccState]):
    """Gives the facts of a table of Sabacc to any of its seats."""

    name = "sabacc-positions 1"
    size = _BUTTON + _SEATS

    def viewer(self, state: SabaccState) -> int | None:
        hand = state.hand
        if hand.match.seats > 2:
            return None
        return hand.player if hand.player >= 0 else hand.turn

    def of(self, state: SabaccState, seat: int) -> Rows:
        hand = state.hand
        ranks = [_rank(hand, other, hand.deck.hands[other]) for other in range(hand.match.seats)]
        rows = _lasting(hand, seat)
        rows += [_held(hand, seat, other, ranks[other], 0) for other in range(hand.match.seats)]
        return [*rows, *_compared(hand, seat, ranks)]

    def after(
        self, node: SabaccState, outcomes: Outcomes, seat: int
    ) -> tuple[Rows, Sequence[Rows]] | None:
        """Returns the facts after each card that a seat may draw; the deal is not luck here.

        Its cards are the same in all matches of a mirrored set.
        """
        hand = node.hand
        if hand.need != stages.CARD:
            return super().after(node, outcomes, seat)
        if hand.stage == stages.DEAL:
            return None
        drawer, held = hand.turn, hand.deck.hands[hand.turn]
        ranks = [_rank(hand, other, hand.deck.hands[other]) for other in range(hand.match.seats)]
        rows = _lasting(hand, seat)
        rows += [
            _held(hand, seat, other, ranks[other], 0)
            for other in range(hand.match.seats)
            if other != drawer
        ]
        drawn = []
        for action, _ in outcomes:
            ranks[drawer] = _rank(hand, drawer, (*held, action.card))  # type: ignore[attr-defined]
            own = _held(hand, seat, drawer, ranks[drawer], 1)
            drawn.append((own, *_compared(hand, seat, ranks)))
        return rows, drawn


def _rank(hand: Hand, seat: int, cards: Sequence[Card]) -> int:
    if not cards or not hand.match.active[seat]:
        return _NO_HAND
    return rank_number(hand.match.ranks, cards)


def rank_number(ranks: Ranker, cards: Sequence[Card]) -> int:
    """Returns the rank of a hand as a number: 0 for a bomb, then rising points and categories."""
    value = ranks.rank(cards)
    if value.category == "points":
        return 1 + value.strength
    return 0 if value.bomb else PURE - 1 + CATEGORIES.index(value.category)


def _held(hand: Hand, seat: int, other: int, rank: int, more: int) -> int:
    place = (other - seat) % hand.match.seats
    cards = min(len(hand.deck.hands[other]) + more, MAX_CARDS)
    return _HANDS + (place * RANKS + rank) * (MAX_CARDS + 1) + cards


def _compared(hand: Hand, seat: int, ranks: Sequence[int]) -> tuple[int, int]:
    others = [rank for other, rank in enumerate(ranks) if other != seat and rank != _NO_HAND]
    best = max(others, default=_NO_HAND)
    return (_AGAINST + ranks[seat] * RANKS + best, _AT_STAGE + hand.stage * RANKS + ranks[seat])


def _lasting(hand: Hand, seat: int) -> list[int]:
    match = hand.match
    turn = hand.player if hand.player >= 0 else hand.turn
    lead = match.amounts[seat] - max(
        amount for other, amount in enumerate(match.amounts) if other != seat
    )
    if match.rules.mode != "showdown":
        lead = (lead > 0) * lead.bit_length() - (lead < 0) * lead.bit_length()
    lead = max(-_LEAD, min(lead, _LEAD)) + _LEAD
    left = max(0, min(match.rules.hands - match.hand_number, _LEFT))
    pot = min(hand.betting.pot.bit_length(), _POT - 1)
    return [
        _TURN + hand.stage * _SEATS + (turn - seat) % match.seats,
        _LEADS + lead * (_LEFT + 1) + left,
        _POTS + pot,
        _BUTTON + (match.button - seat) % match.seats,
    ]
