"""Actions that only career matches have: the person's, and the outcomes of rolls."""

from __future__ import annotations

from arena.core.actions import Action
from arena.games.pazaak.career.rules import PERSON, RIVAL, changed, turned
from arena.games.pazaak.engine.cards import CATALOGUE, Card

DRAW_, LOOK_, KEEP_, SWAP_, CHEAT_, HONEST_, ALTER_, TURN_, CHANGE_, ROLL_ = range(10)
"""Kinds of action: before a draw, with the auxiliary hand, cheats, and the outcomes of a roll."""


class CareerAction(Action, frozen=True, eq=False, gc=False):
    """One thing that the person does besides Pazaak's own actions, or that a roll gives.

    Attributes:
        kind: ``DRAW_`` ... ``ROLL_``.
        card: The hand card that goes.
        other: The card that takes its place.
        seat: Whose deck card is altered.
        value: The value that it gets; for a roll 1 is a success.
        public: What an onlooker sees of it, who does not see the person's hand.
    """

    kind: int
    public: str
    card: Card | None = None
    other: Card | None = None
    seat: int = 0
    value: int = 0

    def __reduce__(self) -> tuple[object, ...]:
        return (career_action, (self.id,))


SUCCESS = CareerAction(id=90, text="success", public="success", kind=ROLL_, value=1)
FAILURE = CareerAction(id=91, text="failure", public="failure", kind=ROLL_)
DRAW = CareerAction(id=100, text="draw", public="draw", kind=DRAW_)
LOOK = CareerAction(id=101, text="auxiliary hand", public="auxiliary hand", kind=LOOK_)
KEEP = CareerAction(id=102, text="keep hand", public="keep hand", kind=KEEP_)
CHEAT = CareerAction(id=103, text="cheat", public="cheat", kind=CHEAT_)
HONEST = CareerAction(id=104, text="no cheat", public="no cheat", kind=HONEST_)


def _alter(seat: int, value: int) -> CareerAction:
    text = f"alter {'own' if seat == PERSON else 'rival'}: {value}"
    number = 110 + 10 * seat + value
    return CareerAction(id=number, text=text, public=text, kind=ALTER_, seat=seat, value=value)


ALTERS = tuple(tuple(_alter(seat, value) for value in range(1, 11)) for seat in (PERSON, RIVAL))
"""Cheat 1, by seat whose card is altered; the new value v is at index v - 1."""

TURNS = {
    card: CareerAction(
        id=150 + card.id, text=f"turn {card}: {other}", public="turn a hand card",
        kind=TURN_, card=card, other=other,
    )
    for card in CATALOGUE
    if (other := turned(card)) is not None
}  # fmt: skip
"""Cheat 2, by the card that is turned."""

CHANGES = {
    card: tuple(
        CareerAction(
            id=200 + 32 * card.id + other.id, text=f"change {card}: {other}",
            public="change a hand card", kind=CHANGE_, card=card, other=other,
        )
        for other in changed(card)
    )
    for card in CATALOGUE
}  # fmt: skip
"""Cheat 3, by the card that is changed."""

SWAPS = {
    (card, other): CareerAction(
        id=1000 + 32 * card.id + other.id, text=f"swap {card}: {other}",
        public="swap a card", kind=SWAP_, card=card, other=other,
    )
    for card in CATALOGUE
    for other in CATALOGUE
}  # fmt: skip
"""The exchanges of a hand card for one of the auxiliary hand."""

PERSONS = (
    DRAW, LOOK, KEEP, CHEAT, HONEST,
    *(each for row in ALTERS for each in row), *TURNS.values(),
    *(each for row in CHANGES.values() for each in row), *SWAPS.values(),
)  # fmt: skip
"""Everything that the person alone can do."""

_BY_ID = {action.id: action for action in (SUCCESS, FAILURE, *PERSONS)}


def career_action(id: int) -> CareerAction:
    """The action with that id; raises ``KeyError``."""
    return _BY_ID[id]
