"""A small honest game with hidden cards and a public die, and the hooks to break it.

Each of two seats is dealt one of five cards; they take turns to ``raise`` (twice at most in all)
or ``pass``; before each turn a public die falls. After four turns the higher card wins.
"""

from __future__ import annotations

from arena.core.actions import Action
from arena.core.chance.dealer import Sampled
from arena.core.errors import IllegalAction
from arena.core.game import Game, Ruleset
from arena.core.observation import Observation
from arena.core.outcome import Outcome
from arena.core.state import CHANCE, TERMINAL, State
from tests.broken_game import broken_game, equally

PASS, RAISE = (Action(id=n, text=text) for n, text in enumerate(("pass", "raise")))
DEALS = tuple(Action(id=10 + card, text=f"card {card}") for card in range(5))
ROLLS = tuple(Action(id=20 + face, text=f"roll {face}") for face in range(4))
RULES = Ruleset(name="plain", source="made for tests")
ROLLED = equally(ROLLS)


class ToyObservation(Observation, frozen=True):
    card: int
    extra: object = None


class ToyState(State):
    def __init__(self, dealer=None) -> None:
        self.cards, self.history, self.turns, self.raises = [], b"", 0, []
        self.phase, self.dealer = "deal", dealer
        self.answer()

    def answer(self):
        while self.dealer is not None and self.current_player() == CHANCE:
            if self.phase == "deal":
                left = [card for card in range(5) if card not in self.cards]
                name = f"card/{len(self.cards)}"
                self.take(DEALS[self.dealer.pile(name, left, 1).draw(0)])
            else:
                self.take(ROLLS[self.dealer.source(f"die/{self.turns}", range(4), 1).draw(0)])

    def current_player(self):
        if self.phase == "act":
            return self.turns % 2
        return TERMINAL if self.phase == "over" else CHANCE

    def chance_outcomes(self):
        if self.phase == "deal":
            return equally([DEALS[card] for card in range(5) if card not in self.cards])
        if self.phase == "roll":
            return ROLLED
        return ()

    def legal_actions(self):
        if self.phase == "act":
            return (PASS, RAISE) if len(self.raises) < 2 else (PASS,)
        return tuple(action for action, _ in self.chance_outcomes())

    def apply_action(self, action):
        if not any(action is legal for legal in self.legal_actions()):
            raise IllegalAction("no")
        self.take(action)
        self.answer()

    def take(self, action):
        if self.phase == "deal":
            self.cards.append(action.id - 10)
            self.phase = "deal" if len(self.cards) < 2 else "roll"
            return
        self.history += bytes((action.id,))
        if self.phase == "roll":
            self.phase = "act"
            return
        if action is RAISE:
            self.raises.append(self.turns)
        self.turns += 1
        self.phase = "roll" if self.turns < 4 else "over"

    def outcome(self):
        if self.phase != "over":
            raise IllegalAction("not over")
        lead = 1.0 if self.cards[0] > self.cards[1] else -1.0
        return Outcome((lead, -lead), self.scores())

    def scores(self):
        return (0, 0)

    def observation(self, seat):
        legal = self.legal_actions() if self.current_player() == seat else ()
        return ToyObservation(seat, legal, self.history, self.own(seat), self.extra(seat))

    def own(self, seat):
        return self.cards[seat] if seat < len(self.cards) else -1

    def extra(self, seat):
        return None

    def clone(self, dealer=None):
        twin = type(self)()
        twin.cards, twin.raises = self.cards[:], self.raises[:]
        twin.history, twin.turns, twin.phase = self.history, self.turns, self.phase
        twin.dealer = dealer
        twin.answer()
        return twin


class ToyNotation:
    def action(self, text):
        return {"pass": PASS, "raise": RAISE}[text]

    def events(self, history):
        return tuple(f"code {code}" for code in history)

    def action_of(self, id):
        return (PASS, RAISE)[id]


class Toy(Game):
    name, summary, version = "toy", "for tests", "1"
    seats = range(2, 3)
    rulesets = {"plain": RULES}
    notation = ToyNotation()
    state = ToyState

    def new_state(self, ruleset, loadouts, dealer=None):
        return self.state(dealer)

    def resample(self, observation, rng):
        state = self.state()
        card = rng.choice([other for other in range(5) if other != observation.card])
        state.cards = [observation.card, card]
        if observation.seat == 1:
            state.cards.reverse()
        state.phase = "roll"
        for code in observation.history:
            state.take(ROLLS[code - 20] if code >= 20 else (PASS, RAISE)[code])
        state.dealer = Sampled(rng)
        return state

    def render(self, observation):
        return f"card {observation.card}"


def broken(**methods: object) -> Toy:
    """The game with some methods replaced; see ``broken_game``."""
    return broken_game(Toy, ToyState, methods)
