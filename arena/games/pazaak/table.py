"""The facts of a match in progress: the data that the procedure changes and the state shows."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.compiling import mypyc_attr
from arena.core.dealer import Dealer, Pile
from arena.core.outcome import Outcome
from arena.games.pazaak.actions import PazaakAction
from arena.games.pazaak.cards import Card, Square
from arena.games.pazaak.rules import ENDINGS, acts_with, next_starters
from arena.games.pazaak.rulesets import LIMIT, PazaakRules
from arena.games.pazaak.stages import NO_MARKS, Marks

FIELDS = (
    "acts", "dealer", "dealt", "ending", "hands", "history", "last_set", "legal", "marks",
    "opening", "phase", "pile", "player", "quiet_below", "rules", "set_number", "sets",
    "side_decks", "standing", "starter", "tables", "totals", "turn",
)  # fmt: skip
"""The names of all that a table holds; a compiled class has no list of them."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Table:
    """A match in progress, for others to read only.

    Attributes:
        rules: The rules in force.
        phase: One of ``arena.games.pazaak.stages``.
        turn: The seat whose turn it is, also while its card is still to come.
        player: The seat to decide, or ``CHANCE``, or ``TERMINAL``.
        legal: What the seat to decide may do; empty at chance nodes and at the end.
        acts: By seat: what its hand allows before it has played.
        tables: Both tables, by seat; likewise ``totals``, ``standing``, ``sets`` (won), ``hands``,
            ``dealt`` (hands dealt so far) and ``side_decks``.
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

    phase: int
    turn: int
    player: int
    legal: tuple[PazaakAction, ...]
    tables: list[tuple[Square, ...]]
    totals: list[int]
    standing: list[bool]

    def __init__(
        self,
        ruleset: PazaakRules,
        side_decks: Sequence[tuple[Card, ...]],
        dealer: Dealer | None = None,
    ) -> None:
        self.rules = ruleset
        self.side_decks: tuple[tuple[Card, ...], ...] = tuple(side_decks)
        self.hands: list[tuple[Card, ...]] = [(), ()]
        self.dealt: list[tuple[tuple[Card, ...], ...]] = [(), ()]
        self.acts: list[tuple[PazaakAction, ...]] = [ENDINGS, ENDINGS]
        self.sets = [0, 0]
        self.set_number = self.starter = 0
        self.opening: tuple[int, ...] = ()
        self.history = b""
        self.marks: Marks = NO_MARKS
        self.last_set: tuple[int | None, str] | None = None
        self.dealer = dealer
        self.pile: Pile[int] | None = None
        self.ending: Outcome | None = None
        self.quiet_below = LIMIT if ruleset.flip_without_target == "legal" else -1000
        self.clear_tables()

    def clear_tables(self) -> None:
        """Set setup: tables empty, nobody stands."""
        self.tables = [(), ()]
        self.totals = [0, 0]
        self.standing = [False, False]

    def give_hand(self, seat: int, hand: tuple[Card, ...]) -> None:
        """Puts these cards (in catalogue order) into a seat's hand, without any dealing."""
        self.hands[seat] = hand
        self.acts[seat] = acts_with(hand, self.rules.card_set)

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
        twin.tables, twin.totals = self.tables[:], self.totals[:]
        twin.standing, twin.sets = self.standing[:], self.sets[:]
        twin.hands, twin.dealt, twin.acts = self.hands[:], self.dealt[:], self.acts[:]
        twin.starter, twin.set_number = self.starter, self.set_number
        twin.last_set, twin.opening, twin.marks = self.last_set, self.opening, self.marks
        twin.quiet_below = self.quiet_below
        twin.history, twin.legal, twin.ending = self.history, self.legal, self.ending
        twin.dealer = twin.pile = None
