"""A small honest game for two to four seats that continues without expelled seats.

Every seat is dealt one of eight cards. In two rounds each seat may ``pass``, ``raise`` or once
``show`` its card to all; before each turn a public die falls. The higher card ranks first.
"""

from __future__ import annotations

from functools import cached_property

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled
from arena.core.errors import IllegalAction, IllegalLoadout
from arena.core.game import Game, Ruleset
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome, utilities
from arena.core.parts import Loadouts
from arena.core.state import CHANCE, TERMINAL, State
from tests.broken_game import broken_game, equally

PASS, RAISE, SHOW = MOVES = [Action(n, text) for n, text in enumerate(("pass", "raise", "show"))]
DEALS = tuple(Action(id=10 + card, text=f"card {card}") for card in range(8))
ROLLS = tuple(Action(id=20 + face, text=f"roll {face}") for face in range(4))
SHOWN, OUT, NOBODY = 40, 60, 255
RULES = Ruleset(name="plain", source="made for tests")
ROLLED = equally(ROLLS)


class TableObservation(Observation, frozen=True):
    loadouts: tuple[bytes, ...]
    card: int
    extra: object = None


class TableState(State):
    def __init__(self, loadouts, dealer=None) -> None:
        self.loadouts, self.dealer = tuple(loadouts), dealer
        self.cards, self.raises = [], [0] * len(loadouts)
        self.shown, self.out, self.history = [], [], b""
        self.turns, self.phase = list(range(len(loadouts))) * 2, "deal"
        self.answer()

    def answer(self):
        while self.dealer is not None and self.current_player() == CHANCE:
            if self.phase == "deal":
                left = [card for card in range(8) if card not in self.cards]
                self.take(DEALS[self.dealer.pile(f"card/{len(self.cards)}", left, 1).draw(0)])
            else:
                name = f"die/{len(self.turns)}"
                self.take(ROLLS[self.dealer.source(name, range(4), 1).draw(0)])

    def current_player(self):
        if self.phase == "act":
            return self.turns[0]
        return TERMINAL if self.phase == "over" else CHANCE

    def chance_outcomes(self):
        if self.phase == "deal":
            return equally([DEALS[card] for card in range(8) if card not in self.cards])
        if self.phase == "roll":
            return ROLLED
        return ()

    def legal_actions(self):
        if self.phase == "act":
            return (PASS, RAISE) if self.turns[0] in self.shown else (PASS, RAISE, SHOW)
        return tuple(action for action, _ in self.chance_outcomes())

    def apply_action(self, action):
        if not any(action is legal for legal in self.legal_actions()):
            raise IllegalAction(f"{getattr(action, 'text', action)} is not legal")
        self.take(action)
        self.answer()

    def take(self, action):
        if self.phase == "deal":
            self.cards.append(action.id - 10)
            self.phase = "deal" if len(self.cards) < len(self.loadouts) else "roll"
        elif self.phase == "roll":
            self.history += bytes((NOBODY, action.id))
            self.phase = "act"
        else:
            seat = self.turns.pop(0)
            if action is SHOW:
                self.shown.append(seat)
            self.raises[seat] += action is RAISE
            code = SHOWN + self.cards[seat] if action is SHOW else action.id
            self.history += bytes((seat, code))
            self.phase = "roll" if self.turns else "over"

    def expel(self, seat):
        mine = self.turns[0] == seat
        self.out.append(seat)
        self.history += bytes((seat, OUT))
        self.turns = [other for other in self.turns if other != seat]
        if not self.turns or len(self.out) == len(self.loadouts) - 1:
            self.phase = "over"
        elif mine:
            self.phase = "roll"
        self.answer()

    def outcome(self):
        if self.phase != "over":
            raise IllegalAction("not over")
        places = [10 - card for card in self.cards]
        for order, seat in enumerate(self.out):
            places[seat] = 100 - order
        return Outcome(utilities(places), self.scores())

    def scores(self):
        return tuple(self.raises)

    def observation(self, seat):
        legal = self.legal_actions() if self.current_player() == seat else ()
        card = self.cards[seat] if seat < len(self.cards) else -1
        extra = self.extra(seat)
        return TableObservation(seat, legal, self.history, self.loadouts, card, extra)

    def extra(self, seat):
        return None

    def clone(self, dealer=None):
        twin = object.__new__(type(self))
        twin.__dict__.update(
            {k: v[:] if isinstance(v, list) else v for k, v in self.__dict__.items()}
        )
        twin.dealer = dealer
        twin.answer()
        return twin


class TableNotation:
    def action(self, text):
        return next(move for move in MOVES if move.text == text)

    def action_of(self, id):
        if id >= len(MOVES):
            raise IllegalAction(f"no action has id {id}")
        return MOVES[id]

    def events(self, history):
        return tuple(f"code {code}" for code in history)


class Hats(Loadouts):
    def offer(self, ruleset, seat):
        return Offer(seat)

    def accept(self, ruleset, answer):
        if answer not in (None, "hat"):
            raise IllegalLoadout(f"nobody may bring {answer}")
        return b"" if answer is None else answer.encode()

    def text(self, loadout):
        return loadout.decode()

    def parse(self, text):
        return text or None


class Table(Game):
    name, summary, version = "table", "for tests", "1"
    seats = range(2, 5)
    rulesets = {"plain": RULES}
    notation = TableNotation()
    expels = True
    loadouts = cached_property(Hats)
    state = TableState

    def new_state(self, ruleset, loadouts, dealer=None):
        return self.state(loadouts, dealer)

    def resample(self, observation, rng):
        state = self.state(observation.loadouts)
        events = list(zip(*[iter(observation.history)] * 2, strict=True))
        known = {seat: code - SHOWN for seat, code in events if SHOWN <= code < OUT}
        known[observation.seat] = observation.card
        left = [card for card in range(8) if card not in known.values()]
        rng.shuffle(left)
        state.cards = [
            known[seat] if seat in known else left.pop() for seat in range(len(state.loadouts))
        ]
        state.phase = "roll"
        for seat, code in events:
            if code == OUT:
                state.expel(seat)
            elif seat == NOBODY:
                state.take(ROLLS[code - 20])
            else:
                state.take(SHOW if code >= SHOWN else MOVES[code])
        state.dealer = Sampled(rng)
        return state

    def render(self, observation):
        return f"seat {observation.seat} holds {observation.card}"


def broken(**methods: object) -> Table:
    """The game with some methods replaced; see ``broken_game``."""
    return broken_game(Table, TableState, methods)
