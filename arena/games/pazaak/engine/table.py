"""The facts of a match in progress: the data that the procedure changes and the state shows."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.chance.compiling import mypyc_attr
from arena.core.chance.dealer import Dealer, Pile
from arena.core.outcome import Outcome
from arena.games.pazaak.engine.actions import PazaakAction
from arena.games.pazaak.engine.cards import Card, Square
from arena.games.pazaak.engine.rules import ENDINGS, acts_with, next_starters
from arena.games.pazaak.engine.rulesets import LIMIT, PazaakRules
from arena.games.pazaak.engine.stages import NO_MARKS, Marks

FIELDS = (
    "dealer", "ending", "history", "last_set", "legal", "marks", "opening", "phase", "pile",
    "player", "quiet_below", "rules", "set_number", "side_decks", "sides", "starter", "turn",
)  # fmt: skip
"""The names of a table's fields; a compiled class has no list of them."""
SIDE_FIELDS = ("acts", "dealt", "hand", "sets", "squares", "standing", "total")
"""The names of a side's fields."""


class Side:
    """One seat's side of a table.

    Attributes:
        squares: The cards that lie on it; also their ``total``.
        standing: Whether the seat stands.
        sets: Sets won.
        hand: The seat's hand.
        acts: What the hand allows before the seat has played.
        dealt: The hands dealt to the seat so far.
    """

    __slots__ = SIDE_FIELDS

    def __init__(self) -> None:
        self.hand: tuple[Card, ...] = ()
        self.acts: tuple[PazaakAction, ...] = ENDINGS
        self.dealt: tuple[tuple[Card, ...], ...] = ()
        self.sets = 0
        self.squares: tuple[Square, ...] = ()
        self.total = 0
        self.standing = False

    def copy(self) -> Side:
        """Returns an independent copy."""
        twin = Side()
        twin.hand, twin.acts, twin.dealt = self.hand, self.acts, self.dealt
        twin.sets, twin.squares = self.sets, self.squares
        twin.total, twin.standing = self.total, self.standing
        return twin


@mypyc_attr(allow_interpreted_subclasses=True)
class Table:
    """A match in progress, for others to read only.

    Attributes:
        rules: The rules in force.
        phase: One of ``arena.games.pazaak.engine.stages``.
        turn: The seat whose turn it is, also while its card is still to come.
        player: The seat to decide, or ``CHANCE``, or ``TERMINAL``.
        legal: What the seat to decide may do; empty at chance nodes and at the end.
        sides: Both sides, by seat. Each fact of them is also a list by seat, made for whoever
            reads it: ``tables``, ``totals``, ``standing``, ``sets``, ``hands`` and ``dealt``.
        side_decks: Both side decks, by seat.
        marks: What is marked during the set, by seat.
        starter: Seat that started this set.
        set_number: Number of this set from 1; 0 before the first.
        last_set: Winner (``None``: a tie) and reason of the set just ended; ``None`` while it runs.
        opening: Values of the opening draw so far.
        history: The public events, a byte each.
        dealer: Answers chance at once; ``None``: chance is a player.
        pile: What the dealer made of this set's main deck.
        ending: The outcome, once the match is over.
        quiet_below: A deck card that leaves the total below this needs no judgement: 20, or
            nothing where a flip must have a target (A10), so that choices depend on the table.
    """

    __slots__ = FIELDS

    # In this order, compiled: what nearly every decision touches lies together.
    player: int
    legal: tuple[PazaakAction, ...]
    turn: int
    phase: int
    sides: tuple[Side, ...]
    history: bytes
    pile: Pile[int] | None
    quiet_below: int
    marks: Marks
    rules: PazaakRules
    dealer: Dealer | None

    def __init__(
        self,
        ruleset: PazaakRules,
        side_decks: Sequence[tuple[Card, ...]],
        dealer: Dealer | None = None,
    ) -> None:
        self.rules = ruleset
        self.side_decks: tuple[tuple[Card, ...], ...] = tuple(side_decks)
        # An object a seat, not a list a fact: compiled, these are read without a lookup.
        self.sides = (Side(), Side())
        self.set_number = self.starter = 0
        self.opening: tuple[int, ...] = ()
        self.history = b""
        self.marks = NO_MARKS
        self.last_set: tuple[int | None, str] | None = None
        self.dealer = dealer
        self.pile = None
        self.ending: Outcome | None = None
        self.quiet_below = LIMIT if ruleset.flip_without_target == "legal" else -1000

    @property
    def tables(self) -> list[tuple[Square, ...]]:
        first, second = self.sides
        return [first.squares, second.squares]

    @property
    def totals(self) -> list[int]:
        first, second = self.sides
        return [first.total, second.total]

    @property
    def standing(self) -> list[bool]:
        first, second = self.sides
        return [first.standing, second.standing]

    @property
    def sets(self) -> list[int]:
        first, second = self.sides
        return [first.sets, second.sets]

    @property
    def hands(self) -> list[tuple[Card, ...]]:
        first, second = self.sides
        return [first.hand, second.hand]

    @property
    def dealt(self) -> list[tuple[tuple[Card, ...], ...]]:
        first, second = self.sides
        return [first.dealt, second.dealt]

    def clear_tables(self) -> None:
        """Set setup: tables empty, nobody stands."""
        for side in self.sides:
            side.squares, side.total, side.standing = (), 0, False

    def give_hand(self, seat: int, hand: tuple[Card, ...]) -> None:
        """Places these cards (in catalogue order) into a seat's hand, without any dealing."""
        side = self.sides[seat]
        side.hand, side.acts = hand, acts_with(hand, self.rules.card_set)

    def next_starters(self) -> tuple[int, ...]:
        """Seats that may start the next set, with equal chances; empty when none comes."""
        if self.set_number == 0:
            return (0, 1)
        if self.last_set is None or self.ending is not None:
            return ()
        return next_starters(self.rules, self.last_set[0], self.starter)

    def copy_to(self, twin: Table) -> None:
        """Makes a new object an independent copy, without a dealer."""
        twin.rules, twin.side_decks = self.rules, self.side_decks
        twin.phase, twin.turn, twin.player = self.phase, self.turn, self.player
        first, second = self.sides
        twin.sides = first.copy(), second.copy()
        twin.starter, twin.set_number = self.starter, self.set_number
        twin.last_set, twin.opening, twin.marks = self.last_set, self.opening, self.marks
        twin.quiet_below = self.quiet_below
        twin.history, twin.legal, twin.ending = self.history, self.legal, self.ending
        twin.dealer = twin.pile = None
