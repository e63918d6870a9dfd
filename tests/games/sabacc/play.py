"""Helpers for tests of Sabacc's play: a table whose results of chance are scripted."""

from hypothesis import strategies as st

from arena.core.chance.dealer import Scripted
from arena.core.state import TERMINAL
from arena.games.sabacc.cards.cards import DECK, card_named
from arena.games.sabacc.cards.variants import VARIANTS
from arena.games.sabacc.engine.actions import FACES, SLIPS
from arena.games.sabacc.game import Sabacc
from tests.games.sabacc.ranking import rules_with

SABACC = Sabacc()

# Three cards each of very different worth, for hands in which little else matters.
PURE = "Ace of Coins, 7 of Flasks, 1 of Staves"
TWENTY = "10 of Coins, 8 of Flasks, 2 of Staves"
TEN = "4 of Coins, 3 of Flasks, 3 of Staves"
SIX = "2 of Coins, 1 of Flasks, 3 of Sabers"
TWO = "1 of Sabers, 1 of Coins, Idiot"
BOMB = "Ace of Sabers, Ace of Flasks, Ace of Staves, 2 of Sabers"
OTHER_BOMB = "Dark Jedi, Dark Jedi, 4 of Staves"

_NAMED = {action.text: action for action in (*FACES, *SLIPS)}


def drawn(text):
    """Scripted results of chance: ``"die 3, Ace of Coins, slip imperial"``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return [_NAMED[name] if name in _NAMED else card_named(name) for name in names]


def script(*texts):
    return Scripted([thing for text in texts for thing in drawn(text)])


class Table:
    """A match, or a described situation, driven by the texts of actions."""

    def __init__(self, state):
        self.state = state

    def do(self, *texts):
        for text in texts:
            self.state.apply_action(SABACC.notation.action(text))
        return self

    def chance(self, text):
        """Plays results of chance where chance is a player."""
        for name in text.split(","):
            (answer,) = [
                action
                for action, _ in self.state.chance_outcomes()
                if action.text in (name.strip(), f"card {name.strip()}")
            ]
            self.state.apply_action(answer)
        return self

    def to_act(self):
        return self.state.current_player()

    def legal(self):
        return [action.text for action in self.state.legal_actions()]

    def hand(self, seat):
        return [card.name for card in self.state.hand.deck.hands[seat]]

    def finish_hand(self):
        """Plays on to the end of the hand without another draw, exchange or bet."""
        state, hand = self.state, self.state.hand.match.hand_number
        while state.current_player() != TERMINAL and state.hand.match.hand_number == hand:
            legal = self.legal()
            self.do(next(text for text in ("pass", "keep", "check", legal[0]) if text in legal))
        return self

    def events(self, *kinds):
        """The events of those kinds as (kind, seat, number)."""
        events = self.state.observation(0).events
        return [(e.kind, e.seat, e.number) for e in events if e.kind in kinds]


def match(seats, *draws, **options):
    """A match from its beginning; hands are dealt seat by seat from seat 0."""
    return Table(SABACC.new_state(rules_with(**options), [b""] * seats, script(*draws)))


def situation(*hands, draws="", options=None, **described):
    """A described situation; each hand is text, empty for a seat that is out."""
    return Table(
        SABACC.positions.state(
            rules_with(**(options or {})),
            hands=[drawn(hand) for hand in hands],
            dealer=script(draws),
            **described,
        )
    )


def one_hand(**options):
    """The options of a one-hand match with chips."""
    return {"mode": "chips", "hands": 1, **options}


def play_random(state, rng, expel=0.0, fold=0.1):
    """Plays at random to the end, with chance as a player, and yields at every node.

    Args:
        state: A match without a dealer.
        rng: The choices.
        expel: How likely the seat to decide is taken out instead.
        fold: How likely a fold is chosen among other choices (it would end most hands at once).
    """
    while True:
        yield state
        player = state.current_player()
        if player == TERMINAL:
            return
        if player < 0:
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, map(float, odds))[0])
        elif rng.random() < expel:
            state.expel(player)
        else:
            legal = [a for a in state.legal_actions() if a.text != "fold"]
            if not legal or (len(legal) < len(state.legal_actions()) and rng.random() < fold):
                state.apply_action(SABACC.notation.action("fold"))
            else:
                state.apply_action(rng.choice(legal))


def make_pile(hand, dealer):
    """Has a dealer shuffle the deck of a hand; chance is still a player afterwards."""
    hand.match.dealer = dealer
    hand.deck.make_pile()
    hand.match.dealer = None


def cards_of(state):
    """Every card of the deck, in all places, by id."""
    placed = [
        c
        for cards in (*state.hand.deck.hands, *state.hand.deck.discards, state.hand.deck.pool)
        for c in cards
    ]
    return sorted(c.id for c in (*placed, *state.hand.deck.unseen()))


ALL_CARDS = sorted(card.id for card in DECK)


def _one_of(**choices):
    return st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in choices.items()}
    )


_ANY = _one_of(
    variant=[*VARIANTS],
    second_draw=["anyone", "drawers"],
    idiot_upset=["tied_pure", "two_idiots", "never", "always"],
    corellian_exchange=["up_to_two", "at_least_two"],
    zero_total=["ordinary", "bust"],
)
_CARDS = {"reveal": ["exchangeable", "kept"], "discards": ["out", "out", "reshuffled"]}
_CHIPS = {
    "mode": ["chips"],
    "hands": [1, 3],
    "stack": [3, 9, 60],
    "ante": [1, 3],
    "cap": [0, 3, 20],
    "short_stack": ["fold", "all_in"],
    "all_bomb": ["carry_over", "split", "refund"],
}
_POINTS = {
    "mode": ["points"],
    "points_over_46": ["minus_46", "zero", "penalty"],
    "points_negative": ["absolute", "signed", "zero"],
    "bonus": ["dealt", "winner", "off"],
}
_MODES = st.one_of(
    _one_of(mode=["showdown"], hands=[1, 3]),
    _one_of(betting=["staged", "poker"], max_raises=[1, 3], **_CHIPS),
    _one_of(betting=["alternating"], **_CHIPS),
    _one_of(target=[0], hands=[1, 3], **_POINTS),
    _one_of(target=[30, 60], max_hands=[1, 4], **_POINTS),
)
_EVERY = [1, 2, 6, "orbit", "phase"]
_DICE = _one_of(dice=[True], tick_every=_EVERY)
_SLIPS = {"variable": [True], "slips": ["nine", "eight"], "slip_return": ["put_back", "kept_out"]}
_CLOCKED = st.one_of(
    st.just({}),
    _DICE,
    _one_of(tick_every=_EVERY, **_SLIPS),
    _one_of(dice=[True], tick_every=_EVERY, **_SLIPS),
)
_SLIPPED = st.one_of(st.just({}), _one_of(tick_every=_EVERY, **_SLIPS))


def _together(*parts):
    return st.tuples(*parts).map(
        lambda drawn: rules_with(**{k: v for d in drawn for k, v in d.items()})
    )


any_rules = _together(_ANY, _one_of(**_CARDS), _MODES, _CLOCKED)
"""Rulesets of every possible combination of modes, with short matches."""
plain_rules = _together(_ANY, _one_of(reveal=_CARDS["reveal"]), _MODES, _SLIPPED)
"""Those in which a seat knows where its own discards are: no dice, and discards stay out."""
