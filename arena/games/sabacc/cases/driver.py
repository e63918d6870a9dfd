"""Plays Sabacc's rule cases on the engine: one hand, where nothing happens by itself.

How the schema is read where it leaves room:

- Steps are not checked against the turn (its "no stage machine"), but against everything else:
  who has folded, or has exchanged, or while a roll is owed, decides nothing.
- A showdown answers ``category``, ``total``, ``strength`` and ``order`` of the hands as they were
  laid down, before the extra cards of a tie. ``winner`` stands in the order of the seats.
- ``rule`` is ``idiot_upset`` when an Idiot combination beat pure sabacc (I5), ``tiebreak`` when the
  best hands were equal; when both are so, either is right.
- ``pot`` is the number of chips put, and also ``carried_over``, ``split`` or ``refunded`` when
  nobody wins, and ``split`` when a tie is never broken.
- ``untouched`` and ``each_hand_keeps_at_least`` are at-least statements, and equal hands may stand
  in any ``order``.
- A single hand has won nothing (``bonus=winner``); of several, the only best one has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from arena.core.errors import IllegalAction, ParseError, UnknownName
from arena.core.parts.cases import Case, CaseDriver, Json, Step, integer, items, known
from arena.games.sabacc.cards.cards import Card, card_named
from arena.games.sabacc.cards.enumeration import classify
from arena.games.sabacc.cards.points import hand_points
from arena.games.sabacc.cards.showdown import everybody_loses, leaders
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.cases.answers import Answers, deck_facts
from arena.games.sabacc.cases.every_variant import EveryVariant
from arena.games.sabacc.cases.given import ALL, DRAW_ROUND, Given, ruleset_of
from arena.games.sabacc.cases.hand import cost
from arena.games.sabacc.engine.actions import (
    DRAW,
    EXCHANGE_,
    FOLD,
    FOLD_,
    PASS,
    SabaccAction,
    exchange,
)
from arena.games.sabacc.engine.betting import BETTING
from arena.games.sabacc.engine.deck import PLACES
from arena.games.sabacc.engine.hand import HAND
from arena.games.sabacc.engine.match import MATCH
from arena.games.sabacc.engine.rules import slips
from arena.games.sabacc.engine.stages import BET, DIE, DRAWS, EXCHANGE, FIRST_DRAW, ROLL_DUE
from arena.games.sabacc.game import Sabacc

_MAX_CLASSIFIED = 10
_FACES = range(1, 7)


class SabaccDriver:
    """One Sabacc case in progress; see ``arena.core.parts.cases.CaseDriver``."""

    def __init__(self, case: Case) -> None:
        for step in case.when:
            kind = str(step["do"])
            if kind not in STEPS:
                raise UnknownName("step", kind, STEPS)
        rules = ruleset_of(case)
        self.rules, self.given = rules, Given(case, rules)
        self.case_hand, self.hand = self.given.case_hand, self.given.hand
        self.names = self.given.names
        self.answers = Answers(self.given, rules)
        self.found = self.answers.found
        self.expectations: Sequence[str] = self.answers.expectations
        self.actual, self.normalized = self.answers.actual, self.answers.normalized
        for step in case.when:
            kind = str(step["do"])
            keys = self.names if kind == DRAW_ROUND else STEPS[kind][0]
            known(step, f"key of step {kind}", ("do", *keys))
        self.turn = self.given.to_act
        self.rounds = 0
        self.entered = False
        self.exchanged: set[int] = set()

    def take(self, step: Step) -> None:
        _, act = STEPS[str(step["do"])]
        act(self, step)

    def snapshot(self) -> object:
        hand = self.hand
        parts = ((hand, HAND), (hand.match, MATCH), (hand.deck, PLACES), (hand.betting, BETTING))
        held = [getattr(part, name) for part, names in parts for name in names]
        mine = (self.turn, self.rounds, self.entered, frozenset(self.exchanged))
        answers = dict(self.found), dict(self.answers.laid), self.answers.left_the_hand
        return held, mine, self.case_hand.next_slip, self.case_hand.fills, answers

    # The deck

    def _new_table(self, step: Step) -> None:
        game, players = Sabacc(), integer(step.get("players"), "players")
        if players not in game.seats:
            first, last = game.seats[0], game.seats[-1]
            raise IllegalAction(f"a table is of {first} to {last}, not of {players}")
        game.new_state(self.rules, [b""] * players)

    def _deck(self, step: Step) -> None:
        self.found |= deck_facts(self.hand.match.ranks)

    def _classify(self, step: Step) -> None:
        number = integer(step.get("cards"), "cards")
        if not 1 <= number <= _MAX_CLASSIFIED:
            raise ParseError(f"hands of 1 to {_MAX_CLASSIFIED} cards are classified")
        categories = classify(self.rules, self.hand.match.variant, number)
        self.found |= {"total": sum(categories.values()), "categories": categories}

    def _slips(self, step: Step) -> None:
        self.found["count"] = len(slips(self.rules))

    # Decisions

    def _decider(self, step: Step) -> int:
        seat = self.turn if step.get("by") is None else self.given.seat(step["by"])
        if self._over():
            raise IllegalAction("the hand is over")
        if not self.hand.match.active[seat]:
            raise IllegalAction(f"{self.names[seat]} has left the hand")
        if self.hand.need == DIE or self.hand.match.due & ROLL_DUE:
            raise IllegalAction("the die comes first")
        return seat

    def _over(self) -> bool:
        return self.hand.winners is not None or not any(self.hand.match.active)

    def _act(self, stage: int, seat: int, action: SabaccAction) -> None:
        self.case_hand.act(stage, seat, action)
        after = self.hand.match.in_hand((seat + 1) % self.hand.match.seats)
        self.turn = after[0] if after else seat

    def _draw_round(self, step: Step) -> None:
        if self.rounds == len(DRAWS):
            raise IllegalAction(f"there are {len(DRAWS)} rounds of drawing")
        stage = DRAWS[self.rounds]
        asked = self.case_hand.asked(stage)
        draws = {self.given.seat(name): value for name, value in step.items() if name != "do"}
        for seat, value in draws.items():
            if not isinstance(value, bool):
                raise ParseError(f"{self.names[seat]} draws or does not, not {value!r}")
            if value and seat not in asked:
                raise IllegalAction(f"{self.names[seat]} may not draw")
        if asked:
            self._decider({"by": self.names[asked[0]]})
        self.rounds += 1
        self.found["order"] = [self.names[seat] for seat in asked]
        self.hand.begin_stage(stage)
        for seat in asked:
            self._act(stage, seat, DRAW if draws.get(seat) else PASS)

    def _draw_card(self, step: Step) -> None:
        seat = self._decider(step)
        if seat not in self.case_hand.asked(FIRST_DRAW):
            raise IllegalAction(f"{self.names[seat]} may not draw")
        self._act(FIRST_DRAW, seat, DRAW)

    def _exchanges(self, seat: int) -> dict[int, SabaccAction]:
        found: dict[int, SabaccAction] = {}
        for action in self.case_hand.if_asked(EXCHANGE, seat).legal:
            if action.kind == EXCHANGE_:
                found.setdefault(action.count, action)
        return found

    def _exchange_counts(self, step: Step) -> None:
        seat = self._decider(step)
        counts = sorted(self._exchanges(seat))
        if step.get("by") is None:
            self.found["counts"] = counts
        else:
            before = self.found.get("counts")
            others = before if isinstance(before, Mapping) else {}
            self.found["counts"] = {**others, self.names[seat]: counts}

    def _exchange(self, step: Step) -> None:
        seat, count = self._decider(step), integer(step.get("count"), "count")
        if seat in self.exchanged:
            raise IllegalAction(f"{self.names[seat]} has exchanged")
        ways = self._exchanges(seat)
        if count not in ways:
            raise IllegalAction(f"{count} is not one of: {', '.join(map(str, sorted(ways)))}")
        self._act(EXCHANGE, seat, ways[count])
        self.exchanged.add(seat)

    # Stakes

    def _ante(self, step: Step) -> None:
        if self.entered or self._over():
            raise IllegalAction("the entry has been paid")
        self.entered = True
        self.case_hand.enter()

    def _put(self, step: Step) -> None:
        seat, chips = self._decider(step), integer(step.get("chips"), "chips")
        hand = self.case_hand.if_asked(BET, seat)
        for action in hand.legal:
            if cost(hand, seat, action) == chips:
                self._act(BET, seat, action)
                return
        raise IllegalAction(
            f"{self.names[seat]} cannot put {chips}: the last stake is {hand.betting.last_stake}, "
            f"the stack {hand.match.amounts[seat]}, the cap {self.rules.cap or 'none'}"
        )

    def _fold(self, step: Step) -> None:
        self._act(BET, self._decider(step), FOLD)
        self.answers.left_the_hand = True

    def _legal(self, step: Step) -> None:
        actions = self.case_hand.if_asked(BET, self._decider(step)).legal
        self.found["legal"] = sorted({"fold" if a.kind == FOLD_ else "put" for a in actions})

    # Dice

    def _die(self, step: Step) -> None:
        face = integer(step.get("value"), "value")
        if not self.rules.dice or face not in _FACES:
            raise IllegalAction("no such die is rolled in this game")
        if self._over():
            if self.answers.left_the_hand and not self.answers.laid:
                return  # the roll that is owed after a fold (004:146) finds nobody else in the hand
            raise IllegalAction("the hand is over")
        roller = self.hand.turn if self.hand.need == DIE else self.turn
        if not (
            face % 2 or all(self.hand.deck.hand_sizes[s] for s in self.hand.match.in_hand(roller))
        ):
            raise IllegalAction("who has no cards cannot give one")
        given = self._given_away(roller, step.get("exchange")) if face % 2 else None
        self.case_hand.roll(roller, face, given)

    def _given_away(self, roller: int, card: Json) -> SabaccAction | None:
        """The card that an odd roll costs: the chosen one, or the first."""
        held = self.hand.deck.hands[roller]
        if not self.hand.match.active[roller]:
            return None  # B18
        chosen: Sequence[Card] = held[:1] if card is None else (card_named(str(card)),)
        if Counter(chosen) - Counter(held) or not chosen:
            raise IllegalAction(f"{self.names[roller]} does not hold {card}")
        return exchange(held, chosen)

    # The end

    def _showdown(self, step: Step) -> None:
        if self._over():
            raise IllegalAction("the hand is over")
        self.answers.laid = self._held()
        self.case_hand.show_down(due=self.given.due_at_showdown)

    def _held(self) -> dict[int, tuple[Card, ...]]:
        return {seat: self.hand.deck.hands[seat] for seat in self.hand.match.in_hand(0)}

    def _score(self, step: Step) -> None:
        hands = self.answers.laid or self._held()
        ranks, winners = self.hand.match.ranks, self.hand.winners
        if winners is None:
            winners = () if everybody_loses(ranks, hands) else leaders(ranks, hands)[0]
        points = {}
        for seat, hand in hands.items():
            won = winners == (seat,) and self.given.lone is None
            dealt = self.hand.deck.untouched[seat]
            points[self.names[seat]] = hand_points(ranks, hand, dealt=dealt, won=won)
        lone = self.given.lone
        self.found["points"] = points if lone is None else points[self.names[lone]]


def sabacc_driver(case: Case) -> CaseDriver:
    """The driver of one case; ``variant: all`` asks it of each of ``given.variants``."""
    if case.variant != ALL:
        return SabaccDriver(case)
    listed = items(case.given.get("variants"), "variants")
    names = [str(name) for name in listed] or [*VARIANTS]
    return EveryVariant(
        {name: SabaccDriver(msgspec.structs.replace(case, variant=name)) for name in names}
    )


STEPS: dict[str, tuple[tuple[str, ...], Callable[[SabaccDriver, Step], None]]] = {
    "new_table": (("players",), SabaccDriver._new_table),
    "build_deck": ((), SabaccDriver._deck),
    "sum_deck_values": ((), SabaccDriver._deck),
    "classify_all_hands": (("cards",), SabaccDriver._classify),
    "list_slips": ((), SabaccDriver._slips),
    "evaluate": ((), lambda driver, step: None),  # hands can be asked about at any time
    "showdown": ((), SabaccDriver._showdown),
    DRAW_ROUND: ((), SabaccDriver._draw_round),
    "draw_card": (("by",), SabaccDriver._draw_card),
    "legal_exchange_counts": (("by",), SabaccDriver._exchange_counts),
    "exchange": (("by", "count"), SabaccDriver._exchange),
    "score_points_play": ((), SabaccDriver._score),
    "ante": ((), SabaccDriver._ante),
    "put": (("by", "chips"), SabaccDriver._put),
    "fold": (("by",), SabaccDriver._fold),
    "legal": (("by",), SabaccDriver._legal),
    "die": (("value", "exchange"), SabaccDriver._die),
}
"""Every kind of step: the keys it may have besides ``do`` (a draw round's are the players), and
what it does."""
