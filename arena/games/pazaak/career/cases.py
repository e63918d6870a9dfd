"""Plays rule cases of the extras: those of Pazaak's schema, with chance as a player.

Besides Pazaak's steps ``draw``, ``play``, ``end_turn`` and ``stand`` there are ``roll`` (success or
not), ``look``, ``deal_auxiliary``, ``exchange``, ``keep``, ``cheat``, ``alter``, ``turn``,
``change`` and ``honest``; A is the person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import structs

from arena.core.actions import Action
from arena.core.errors import IllegalAction, UnknownName
from arena.core.parts.cases import (
    Case,
    Json,
    Step,
    integer,
    items,
    known,
    known_steps,
    option_value,
)
from arena.core.state import CHANCE, TERMINAL
from arena.core.text.parsing import format_call
from arena.games.pazaak.career import actions
from arena.games.pazaak.career.game import PazaakCareer
from arena.games.pazaak.career.observation import BEFORE, PLAY, SKILL, SWAP
from arena.games.pazaak.career.rules import CareerRules, plain
from arena.games.pazaak.career.state import CareerState
from arena.games.pazaak.cases.driver import by_player
from arena.games.pazaak.cases.given import GIVEN_KEYS, SEATS, Given, spelled
from arena.games.pazaak.engine.actions import DRAWS, END_TURN, STAND, deal, play
from arena.games.pazaak.engine.cards import Card, card_named, cards_named, in_order
from arena.games.pazaak.engine.stages import DRAW

OWN_KEYS = ("attempts", "auxiliary", "stage", "tried")
"""Keys that a case gives besides Pazaak's situation: cheats attempted, the auxiliary hand, the
stage, whether the roll of this set was made."""
STAGES = {"play": PLAY, "exchange": SWAP, "skill_roll": SKILL}


class CareerDriver:
    """One case of the extras in progress; see ``arena.core.parts.cases.CaseDriver``."""

    expectations: Sequence[str]

    def __init__(self, case: Case) -> None:
        known_steps(case, STEPS)
        self.rules = _ruleset(case)
        known(case.given, "given key", (*GIVEN_KEYS, *OWN_KEYS))
        own = {key: value for key, value in case.given.items() if key in OWN_KEYS}
        table = {key: value for key, value in case.given.items() if key not in OWN_KEYS}
        given = Given(structs.replace(case, given=table), plain(self.rules))
        stage = str(own.get("stage", "play"))
        if stage not in STAGES:
            raise UnknownName("stage", stage, STAGES)
        self.state = CareerState(self.rules, given.state, None, STAGES[stage])
        self.state.attempts = integer(own.get("attempts"), "attempts")
        self.state.auxiliary = _hand(own.get("auxiliary"))
        self.state.tried = given.state.set_number if own.get("tried") else 0
        self.state.begin()
        self._answers = self._answer_table()
        self.expectations = tuple(self._answers)

    def take(self, step: Step) -> None:
        _, find = STEPS[str(step["do"])]
        if self.state.player == TERMINAL:
            raise IllegalAction("the match is over")
        self.state.apply_action(find(self, step))

    def snapshot(self) -> object:
        state, table = self.state, self.state.table
        held = [getattr(state, name) for name in CareerState.__slots__ if name != "table"]
        lists = (table.tables, table.totals, table.hands, table.standing, table.sets)
        return held, [tuple(each) for each in lists], table.phase, table.turn, table.history

    def actual(self, key: str) -> Json:
        return self._answers[key]()

    def normalized(self, key: str, expected: Json) -> Json:
        if key == "hand" and isinstance(expected, Mapping):
            known(expected, "player", tuple(SEATS))
            return {who: spelled(cards) for who, cards in expected.items()}
        return spelled(expected) if key == "auxiliary" else expected

    def _answer_table(self) -> dict[str, Callable[[], Json]]:
        state = self.state
        table = state.table
        return {
            "total": lambda: by_player(table.totals),
            "table": lambda: by_player([[each.value for each in row] for row in table.tables]),
            "hand": lambda: by_player(
                [spelled([card.name for card in hand]) for hand in table.hands]
            ),
            "standing": lambda: by_player(table.standing),
            "sets": lambda: by_player(table.sets),
            "auxiliary": lambda: spelled([card.name for card in state.auxiliary]),
            "attempts": lambda: state.attempts,
            "chance": self._chance,
            "cheat_offered": lambda: actions.CHEAT in state.legal,
            "look_offered": lambda: actions.LOOK in state.legal,
            "rival_notices": lambda: state.histories[1] != table.history,
            "set_result": lambda: _winner(None if table.last_set is None else table.last_set[0]),
            "to_move": lambda: "AB"[state.player] if state.player in (0, 1) else None,
            "match_winner": self._match_winner,
            "drawn": lambda: state.ending is not None and state.ending.returns[0] == 0,
        }

    def _chance(self) -> Json:
        """The chance in per cent that the roll succeeds which is due."""
        odds = self.state.chance_outcomes()
        found = [odd for action, odd in odds if action is actions.SUCCESS]
        return int(100 * found[0]) if found else 0

    def _match_winner(self) -> Json:
        ending = self.state.ending
        if ending is None or ending.returns[0] == 0:
            return None
        return "A" if ending.returns[0] > 0 else "B"

    # Steps

    def _draw(self, step: Step) -> Action:
        if self.state.stage == BEFORE:
            return actions.DRAW
        if self.state.player != CHANCE or self.state.table.phase != DRAW:
            raise IllegalAction("no deck card is due")
        value = integer(step.get("card"), "card")
        if not 1 <= value <= 10:
            raise IllegalAction(f"there is no deck card {value}")
        return DRAWS[value - 1]

    def _play(self, step: Step) -> Action:
        value = step.get("as")
        found = play(card_named(str(step.get("card"))), value if isinstance(value, int) else None)
        if found is None:
            raise IllegalAction(f"{step.get('card')} cannot be played as {value}")
        return found

    def _exchange(self, step: Step) -> Action:
        found = (card_named(str(step.get("card"))), card_named(str(step.get("for"))))
        return actions.SWAPS[found]

    def _alter(self, step: Step) -> Action:
        whose, value = str(step.get("whose")), integer(step.get("to"), "to")
        if whose not in SEATS:
            raise UnknownName("player", whose, SEATS)
        if not 1 <= value <= 10:
            raise IllegalAction(f"a deck card cannot be {value}")
        return actions.ALTERS[SEATS[whose]][value - 1]

    def _turn(self, step: Step) -> Action:
        card = card_named(str(step.get("card")))
        if card not in actions.TURNS:
            raise IllegalAction(f"{card} has no fixed sign")
        return actions.TURNS[card]

    def _change(self, step: Step) -> Action:
        card, other = card_named(str(step.get("card"))), card_named(str(step.get("to")))
        for action in actions.CHANGES[card]:
            if action.other is other:
                return action
        raise IllegalAction(f"{card} cannot be changed to {other}")


def _fixed(action: Action) -> Callable[[CareerDriver, Step], Action]:
    return lambda driver, step: action


STEPS: dict[str, tuple[tuple[str, ...], Callable[[CareerDriver, Step], Action]]] = {
    "draw": (("card",), CareerDriver._draw),
    "play": (("card", "as"), CareerDriver._play),
    "end_turn": ((), _fixed(END_TURN)),
    "stand": ((), _fixed(STAND)),
    "roll": (
        ("success",),
        lambda driver, step: actions.SUCCESS if step.get("success") else actions.FAILURE,
    ),
    "look": ((), _fixed(actions.LOOK)),
    "deal_auxiliary": (("cards",), lambda driver, step: deal(_hand(step.get("cards")))),
    "exchange": (("card", "for"), CareerDriver._exchange),
    "keep": ((), _fixed(actions.KEEP)),
    "cheat": ((), _fixed(actions.CHEAT)),
    "honest": ((), _fixed(actions.HONEST)),
    "alter": (("whose", "to"), CareerDriver._alter),
    "turn": (("card",), CareerDriver._turn),
    "change": (("card", "to"), CareerDriver._change),
}
"""Every kind of step: the keys it may have besides ``do``, and the action that it is."""


def _ruleset(case: Case) -> CareerRules:
    game = PazaakCareer()
    if case.variant not in game.rulesets:
        raise UnknownName("pazaak-career variant", case.variant, game.rulesets)
    options = {name: option_value(name, value) for name, value in case.options.items()}
    return game.ruleset(format_call(case.variant, options))


def _hand(names: Json) -> tuple[Card, ...]:
    return in_order(cards_named(" ".join(map(str, items(names, "cards")))))


def _winner(seat: int | None) -> Json:
    return None if seat is None else "AB"[seat]
