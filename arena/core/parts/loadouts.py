"""Loadouts: what each seat chooses before the deal, such as a side deck."""

from __future__ import annotations

from typing import Generic

import msgspec

from arena.core.actions import type_name
from arena.core.errors import IllegalLoadout, ParseError
from arena.core.observation import Offer
from arena.core.parts.json_form import json_form
from arena.core.parts.part import Part, RulesetT
from arena.core.scene import Face


class LoadoutCard(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of card that a loadout may have.

    Attributes:
        text: The card in the game's notation, without spaces.
        face: How it looks.
        about: Its effect, in one sentence.
        most: The greatest number of it in one loadout.
    """

    text: str
    face: Face
    about: str
    most: int = 1


class Picker(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of cards, from which a loadout is made: their names with spaces between them.

    Attributes:
        name: What is chosen, e.g. ``"side deck"``.
        cards: The kinds of card that there are.
        least: The least number of cards.
        most: The greatest.
        chosen: The cards of the default, by name.
    """

    name: str
    cards: tuple[LoadoutCard, ...]
    least: int
    most: int
    chosen: tuple[str, ...] = ()


class Loadouts(Part, Generic[RulesetT]):
    """The loadouts of a game; unless a game has its own there is nothing to choose."""

    def offer(self, ruleset: RulesetT, seat: int) -> Offer | None:
        """Returns the offer of loadouts to a seat; ``None`` when there is nothing to choose."""
        return None

    def picker(self, ruleset: RulesetT) -> Picker | None:
        """Returns the cards among which a person picks; ``None`` where a loadout is typed."""
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

    def candidates(self, ruleset: RulesetT) -> tuple[bytes, ...]:
        """Returns some good loadouts, which ``arena exploit --search`` tries besides the bot's."""
        return ()

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
