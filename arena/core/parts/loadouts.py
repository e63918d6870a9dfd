"""Loadouts: what each seat chooses before the deal, such as a side deck."""

from __future__ import annotations

from typing import Generic

from arena.core.actions import type_name
from arena.core.errors import IllegalLoadout, ParseError
from arena.core.observation import Offer
from arena.core.parts.json_form import json_form
from arena.core.parts.part import Part, RulesetT


class Loadouts(Part, Generic[RulesetT]):
    """The loadouts of a game; unless a game has its own there is nothing to choose."""

    def offer(self, ruleset: RulesetT, seat: int) -> Offer | None:
        """Returns the offer of loadouts to a seat; ``None`` when there is nothing to choose."""
        return None

    def accept(self, ruleset: RulesetT, answer: object) -> bytes:
        """Checks a seat's loadout and writes it in canonical form for the record.

        Args:
            ruleset: The rules in force.
            answer: The result of ``Bot.prepare``; ``None`` takes the game's default.

        Raises:
            IllegalLoadout: It breaks the rules.
        """
        if answer is not None:
            name = self.game.name
            raise IllegalLoadout(f"{name} has no loadouts; leave out {type_name(answer)}")
        return b""

    def text(self, loadout: bytes) -> str:
        """Returns a loadout in the game's notation."""
        return ""

    def parse(self, text: str) -> object:
        """Reads a loadout as ``Bot.prepare`` would give it, for ``accept`` to check.

        Raises:
            ParseError: It cannot be read.
        """
        if text.strip():
            raise ParseError(f"{self.game.name} has no loadouts; leave out {text[:40]!r}")
        return None

    def describe(self, offer: Offer) -> dict[str, object]:
        """Returns an offer as JSON values, for bots in other languages."""
        return json_form(offer)
