"""The choice of a loadout by its cards, as a form draws and sends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from arena.core.parts import Picker
from arena.pages.boards import draw_faces
from arena.pages.cards import card_id

if TYPE_CHECKING:
    from arena.core.game import AnyGame


class Pick(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of card in the form.

    Attributes:
        text: The card as it is sent.
        id: Its drawing.
        about: Its effect.
        most: The greatest number of it.
        count: How many of it are chosen.
    """

    text: str
    id: str
    about: str
    most: int
    count: int


class PickerForm(msgspec.Struct, frozen=True, kw_only=True):
    """The choice of cards as a form draws it.

    Attributes:
        name: The name of the loadout.
        ruleset: The ruleset for which these are the cards.
        size: How many cards there must be, in words.
        least: The least number of cards.
        most: The greatest.
        count: How many are chosen.
        picks: The kinds of card, those first that are chosen.
        drawings: The drawings of the cards.
    """

    name: str
    ruleset: str
    size: str
    least: int
    most: int
    count: int
    picks: tuple[Pick, ...]
    drawings: Markup


def picker_of(game: AnyGame, ruleset: str, chosen: str = "") -> PickerForm | None:
    """Returns the choice of a loadout's cards; ``None`` where a game has none.

    Args:
        ruleset: The ruleset with its options.
        chosen: The cards that are chosen; the default if empty.

    Raises:
        BadInput: There is no such ruleset.
    """
    rules = game.ruleset(ruleset)
    picker: Picker | None = game.loadouts.picker(rules)
    if picker is None:
        return None
    counts = Counter(chosen.split() or picker.chosen)
    picks = [
        Pick(
            text=card.text,
            id=card_id(card.face),
            about=card.about,
            most=card.most,
            count=counts[card.text],
        )
        for card in picker.cards
    ]
    picks.sort(key=lambda pick: not pick.count)
    size = f"{picker.most}" if picker.least == picker.most else f"{picker.least} to {picker.most}"
    return PickerForm(
        name=picker.name,
        ruleset=rules.name,
        size=size,
        least=picker.least,
        most=picker.most,
        count=sum(pick.count for pick in picks),
        picks=tuple(picks),
        drawings=draw_faces([card.face for card in picker.cards]),
    )


def picked(cards: Sequence[str], copies: Callable[[str], str]) -> str:
    """Returns the loadout that a form chose: each card as often as its number says.

    Args:
        cards: The cards that are ticked.
        copies: Gives the number that was typed for a card; empty for one.
    """
    chosen = []
    for card in dict.fromkeys(cards):
        typed = copies(card)
        count = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 3 else 1
        chosen += [card] * count
    return " ".join(chosen)
