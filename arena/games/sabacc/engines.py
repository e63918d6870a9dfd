"""The versions of Sabacc's engine as rows: what each of them did otherwise.

A match that is played takes the newest row. A record is replayed with the row of the version that
made it, so that what is stored stays what it was. A change of the rules is a field here, and a row.
"""

from __future__ import annotations

import msgspec


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """One version of the engine. Letters and numbers are those of the rule book.

    Attributes:
        version: What records call it.
        chance_apart: Section 14, "Chance": dice are named by the seat that rolls and its own
            rolls, slips by the hand, shuffles of section 5 go round by seats, and discards that
            are reshuffled go back into the deck that lies there. Before, rolls were counted over
            all seats and slips over the match, shuffles began with the roller, and every
            reshuffle made a new deck.
        idle_without_stakes: Section 14, "Betting": nobody bets when nobody could put the stake.
            Before, seats that were all short of it folded one by one, up to the last.
        combination_first: Section 14, "Hands": a combination scores 23 even if a five makes the
            hand pure sabacc, too. Before, such a hand scored its highest total
            (``points_24_45=raw``).
        cards_for_each_pot: Section 14, "Pots": the extra cards of a tie decide one pot. Before,
            they decided the later ones as well.
    """

    version: str
    chance_apart: bool = True
    idle_without_stakes: bool = True
    combination_first: bool = True
    cards_for_each_pot: bool = True


ENGINES = {
    row.version: row
    for row in (
        Engine(
            version="1",
            chance_apart=False,
            idle_without_stakes=False,
            combination_first=False,
            cards_for_each_pot=False,
        ),
        Engine(version="2"),
    )
}
"""Every version, oldest first."""

NEWEST = [*ENGINES.values()][-1]
"""The version that matches are played with."""
