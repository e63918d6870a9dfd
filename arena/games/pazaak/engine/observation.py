"""Observations of Pazaak: a seat's knowledge, from its own side of the table."""

from __future__ import annotations

from collections.abc import Hashable

from arena.core.observation import Observation, Offer
from arena.games.pazaak.engine.actions import PazaakAction
from arena.games.pazaak.engine.cards import Card, Square
from arena.games.pazaak.engine.history import Event, events_of
from arena.games.pazaak.engine.rulesets import PazaakRules
from arena.games.pazaak.engine.stages import PLAYED, Marks


class PazaakObservation(Observation, frozen=True, gc=False):
    """All that one seat knows (rule book section 2, "Public information").

    "Rival" is the other seat. Hidden are the rival's hand and side deck, and the deck's order.

    Attributes:
        legal_actions: ``end turn``, ``stand`` and the plays; empty when not to decide.
        ruleset: The rules in force.
        side_deck: The seat's own side deck, in catalogue order.
        dealt: The hands dealt to this seat so far (one; with ``hand_scope=set`` one a set).
        hand: The own hand cards left, in catalogue order.
        rival_cards: Number of hand cards that the rival has left (A17).
        table: The own table, in the order laid; ``square.value`` is what it counts now.
        rival_table: The rival's table.
        total: Sum of the own table.
        rival_total: Sum of the rival's table.
        standing: Whether this seat stands.
        rival_standing: Whether the rival stands.
        sets: Sets won by this seat.
        rival_sets: Sets won by the rival.
        starter: The seat that started this set.
        set_number: Number of this set, from 1.
        phase: Where the match stands (``arena.games.pazaak.engine.stages``).
        turn: The seat whose turn it is.
        marks: Public facts of the set next to the tables, by seat.
    """

    legal_actions: tuple[PazaakAction, ...]
    ruleset: PazaakRules
    side_deck: tuple[Card, ...]
    dealt: tuple[tuple[Card, ...], ...]
    hand: tuple[Card, ...]
    rival_cards: int
    table: tuple[Square, ...]
    rival_table: tuple[Square, ...]
    total: int
    rival_total: int
    standing: bool
    rival_standing: bool
    sets: int
    rival_sets: int
    starter: int
    set_number: int
    phase: int
    turn: int
    marks: Marks

    def information_state(self) -> Hashable:
        return (self.seat, self.dealt, self.hand, self.table, self.rival_table, self.history)

    @property
    def played(self) -> bool:
        """True if the seat whose turn it is has played its hand card."""
        return self.phase == PLAYED

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events of the match so far, oldest first."""
        return events_of(self.history)


class SideDeckOffer(Offer, frozen=True, gc=False):
    """Asks for a side deck (S8): answer with cards, ``None`` for the default deck.

    Attributes:
        ruleset: The rules in force.
        sizes: Least and most number of cards.
        catalogue: What may be chosen from: every kind once when the catalogue is unlimited,
            else the collection, each card as often as it is owned.
        unlimited: Whether each kind may be taken any number of times (but for ``max_copies``).
    """

    ruleset: PazaakRules
    sizes: tuple[int, int]
    catalogue: tuple[Card, ...]
    unlimited: bool
