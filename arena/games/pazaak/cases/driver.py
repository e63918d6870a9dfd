"""Plays Pazaak's rule cases on the engine, with chance as a player: nothing happens by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from arena.core.chance.seeding import generator
from arena.core.errors import IllegalAction, IllegalMove, ParseError, UnknownName
from arena.core.parts.cases import Case, Json, Step, integer, known, known_steps
from arena.core.state import TERMINAL
from arena.core.wager import settle
from arena.games.pazaak.cases.given import SEATS, Given, ruleset_of, spelled
from arena.games.pazaak.engine import rules
from arena.games.pazaak.engine.actions import (
    DRAWS,
    END_TURN,
    STAND,
    STARTS,
    PazaakAction,
    deal,
    play,
)
from arena.games.pazaak.engine.cards import Card, card_named
from arena.games.pazaak.engine.chance import hands_of
from arena.games.pazaak.engine.procedure import take_chance
from arena.games.pazaak.engine.rulesets import HAND_SIZE
from arena.games.pazaak.engine.stages import ACT, DEAL, DRAW, OPENING, PLAYED, START
from arena.games.pazaak.engine.table import FIELDS, SIDE_FIELDS
from arena.games.pazaak.game import Pazaak


class PazaakDriver:
    """One Pazaak case in progress; see ``arena.core.parts.cases.CaseDriver``."""

    expectations: Sequence[str]

    def __init__(self, case: Case) -> None:
        known_steps(case, STEPS)
        self.rules = ruleset_of(case)
        self.given = Given(case, self.rules)
        self.state = self.given.state
        self.purses = self.given.purses
        self.unknown_cards = self.given.unknown_cards
        self.found: dict[str, Json] = {}
        self.winner = self._decided()
        self.paid = False
        self._drawn = 0
        self._rng = generator(0)
        self._answers = self._answer_table()
        self.expectations = tuple(self._answers)

    def take(self, step: Step) -> None:
        kind = str(step["do"])
        if kind in ("draw", "play", "end_turn", "stand"):
            self._check_turn(step.get("by"))
        _, act = STEPS[kind]
        act(self, step)
        if self.winner is None and (decided := self._decided()) is not None:
            self.winner = decided
            self._pay()

    def snapshot(self) -> object:
        held = [getattr(self.state, name) for name in FIELDS if name != "sides"]
        # The sides are changed in place; what they hold is immutable.
        held += [getattr(side, name) for side in self.state.sides for name in SIDE_FIELDS]
        return held, self._drawn, self.purses, self.winner, self.paid, dict(self.found)

    def actual(self, key: str) -> Json:
        return self._answers[key]()

    def normalized(self, key: str, expected: Json) -> Json:
        if key == "hand_size" and not isinstance(expected, Mapping):
            return dict.fromkeys(SEATS, expected)
        if isinstance(expected, Mapping) and key != "copies_per_value":
            known(expected, "player", tuple(SEATS))
            if key == "hand":
                return {who: spelled(cards) for who, cards in expected.items()}
        return expected

    # Steps

    def _check_turn(self, by: Json) -> None:
        if by is not None and by not in SEATS:
            raise UnknownName("player", str(by), SEATS)
        if self.winner is not None or self.state.player == TERMINAL:
            raise IllegalAction("the match is over")
        if self.state.phase not in (DRAW, ACT, PLAYED):
            raise IllegalAction("no set is running")
        seat = self.state.turn
        if by is not None and SEATS[str(by)] != seat:
            raise IllegalAction(f"{by} is not to move")
        if self.state.standing[seat]:
            raise IllegalAction(f"{'AB'[seat]} stands")

    def _draw(self, step: Step) -> None:
        if self.state.phase != DRAW:
            raise IllegalAction("the deck card of this turn has been drawn")
        top = self.given.deck_top[self._drawn :]
        if not top:
            self._by_chance()
            return
        if not isinstance(top[0], int) or not 1 <= top[0] <= 10:
            raise IllegalAction(f"there is no deck card {top[0]!r}")
        self._drawn += 1
        # Not apply_action: a situation need not agree with what a deck holds.
        take_chance(self.state, DRAWS[top[0] - 1])

    def _by_chance(self) -> None:
        odds = self.state.chance_outcomes()
        weights = [float(odd) for _, odd in odds]
        take_chance(self.state, self._rng.choices([action for action, _ in odds], weights)[0])

    def _play(self, step: Step) -> None:
        value = step.get("as")
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise ParseError(f"a card is played as a signed number, not {value!r}")
        try:
            card = card_named(str(step.get("card")))
        except ParseError as error:
            raise IllegalAction(str(error)) from None
        table = self.state.tables[self.state.turn]
        if card.doubles and table and value == table[-1].value:
            value = None  # no choice is left, but what it will count may be written
        action = play(card, value)
        if action is None:
            raise IllegalAction(f"{card} cannot be played as {value}")
        self._act(action)

    def _act(self, action: PazaakAction) -> None:
        if self.state.phase == DRAW:
            raise IllegalAction("the deck card comes first")
        self.state.apply_action(action)

    def _validate(self, step: Step) -> None:
        try:
            Pazaak().loadouts.accept(self.rules, [card_named(n) for n in self.given.deck_names])
        except (IllegalMove, ParseError):
            self.found["valid"] = False
        else:
            self.found["valid"] = True

    def _build(self, step: Step) -> None:
        deck = None if self.rules.main_deck == "infinite" else rules.main_deck(self.rules)
        copies = deck and {str(value): n for value, n in Counter(deck).items()}
        self.found |= {"count": deck and len(deck), "sum": deck and sum(deck)}
        self.found["copies_per_value"] = copies

    def _opening_draw(self, step: Step) -> None:
        due = self.state.phase == OPENING and self.state.turn == 0
        if not due or self.rules.first_set != "opening_draw":
            raise IllegalAction("no opening draw is due")
        values = [integer(step.get(who), f"opening card of {who}") for who in SEATS]
        for value in values:
            if not 1 <= value <= 10:
                raise IllegalAction(f"there is no deck card {value}")
        for value in values:
            take_chance(self.state, DRAWS[value - 1])

    def _deal_hand(self, step: Step) -> None:
        deck = self.given.side_deck
        if len(deck) < HAND_SIZE:
            raise IllegalAction(f"a hand of {HAND_SIZE} cannot be dealt from {len(deck)} cards")
        if self.state.phase != DEAL:
            raise IllegalAction("the match hand has been dealt")
        self._deal()

    def _deal(self) -> None:
        while self.state.phase == DEAL:
            seat = self.state.turn
            hands = hands_of(self.state.side_decks[seat])
            weights = [float(odd) for _, odd in hands]
            hand: tuple[Card, ...] = self._rng.choices(hands, weights)[0][0].cards
            self.unknown_cards[seat].clear()
            take_chance(self.state, deal(hand))

    def _start_next_set(self, step: Step) -> None:
        if self.winner is not None or self.state.player == TERMINAL:
            raise IllegalAction("the match is over")
        if self.state.phase != START:
            raise IllegalAction("the set is still running")
        starters = self.state.next_starters()
        take_chance(self.state, STARTS[self._rng.choice(starters)])
        self._deal()

    def _match_won(self, step: Step) -> None:
        by = step.get("by")
        if by is not None and by not in SEATS:
            raise UnknownName("player", str(by), SEATS)
        if self.found.get("match_won"):
            raise IllegalAction("the match has been won and paid")
        if by is None and self.winner is None and self.state.player != TERMINAL:
            raise IllegalAction("nobody has won the match yet")
        drawn = self.winner is None and self.state.player == TERMINAL
        if by is not None and (drawn or self.winner not in (None, SEATS[str(by)])):
            raise IllegalAction(f"{by} has not won the match")
        if by is not None:
            self.winner = SEATS[str(by)]
        self.found["match_won"] = True
        self._pay()

    def _pay(self) -> None:
        """The wager changes hands once, when the match is decided (section 2, S28)."""
        if not self.paid:
            self.purses = settle(self.purses, self.given.wager, self.winner)
            self.paid = True

    def _decided(self) -> int | None:
        if self.state.ending is None:
            return None
        returns = self.state.ending.returns
        return None if returns[0] == returns[1] else returns.index(max(returns))

    # Answers

    def _answer_table(self) -> dict[str, Callable[[], Json]]:
        state = self.state
        found = ("valid", "copies_per_value", "count", "sum")
        return {
            **{key: partial(self.found.get, key) for key in found},
            "total": lambda: by_player(state.totals),
            "table": lambda: by_player([[sq.value for sq in t] for t in state.tables]),
            "table_count": lambda: by_player([len(table) for table in state.tables]),
            "hand": self._hands,
            "standing": lambda: by_player(state.standing),
            "sets": lambda: by_player(state.sets),
            "credits": lambda: by_player(self.purses),
            "set_result": self._set_result,
            "reason": lambda: None if state.last_set is None else state.last_set[1],
            "starter": lambda: None if not state.set_number else "AB"[state.starter],
            "next_starter": self._next_starter,
            "to_move": self._to_move,
            "match_winner": lambda: None if self.winner is None else "AB"[self.winner],
            "main_deck_before_first_turn": self._main_deck_size,
            "hand_size": lambda: {who: len(hand) for who, hand in self._hands().items()},
            "hand_is_submultiset_of_side_deck": self._hands_from_side_deck,
        }

    def _hands(self) -> dict[str, list[str]]:
        return {
            who: spelled([*(card.name for card in self.state.hands[seat]), *unknown])
            for (who, seat), unknown in zip(SEATS.items(), self.unknown_cards, strict=True)
        }

    def _set_result(self) -> Json:
        if self.state.last_set is None:
            return None
        winner = self.state.last_set[0]
        return "tie" if winner is None else "AB"[winner]

    def _next_starter(self) -> Json:
        if self.winner is not None or not self.state.set_number:
            return None
        starters = ["AB"[seat] for seat in self.state.next_starters()]
        return starters[0] if len(starters) == 1 else (starters or None)

    def _to_move(self) -> Json:
        running = self.state.phase in (DRAW, ACT, PLAYED) and self.winner is None
        return "AB"[self.state.turn] if running else None

    def _main_deck_size(self) -> Json:
        if self.rules.main_deck == "infinite":
            return None
        return len(rules.undrawn(self.rules, ((), ()), self.state.turn, self.state.marks.burnt))

    def _hands_from_side_deck(self) -> Json:
        deck = Counter(spelled([card.name for card in self.given.side_deck]))
        return all(not Counter(hand) - deck for hand in self._hands().values())


STEPS: dict[str, tuple[tuple[str, ...], Callable[[PazaakDriver, Step], None]]] = {
    "draw": (("by",), PazaakDriver._draw),
    "play": (("by", "card", "as"), PazaakDriver._play),
    "end_turn": (("by",), lambda driver, step: driver._act(END_TURN)),
    "stand": (("by",), lambda driver, step: driver._act(STAND)),
    "validate_side_deck": ((), PazaakDriver._validate),
    "build_main_deck": ((), PazaakDriver._build),
    "opening_draw": (("A", "B"), PazaakDriver._opening_draw),
    "deal_hand": ((), PazaakDriver._deal_hand),
    "start_next_set": ((), PazaakDriver._start_next_set),
    "match_won": (("by",), PazaakDriver._match_won),
}
"""Every kind of step: the keys it may have besides ``do``, and what it does."""


def by_player(values: Sequence[Json]) -> dict[str, Json]:
    """Values by seat as an object by player."""
    return dict(zip(SEATS, values, strict=True))
