"""Choices: the legal actions of a decision as a reader takes them, a range of amounts as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.parts.moves import Move

if TYPE_CHECKING:
    from arena.core.game import AnyGame

MERGED_FROM = 5
"""At least that many actions that differ only by an amount are one choice with bounds."""
_AMOUNT = re.compile(r"(\D* )(\d+)((?: \D*)?)")


class Choice(msgspec.Struct, frozen=True):
    """One action that may be taken, or all amounts of one.

    Attributes:
        text: The action in the game's notation; with ``{}`` for the amount.
        least: The least amount, where there are amounts.
        most: The greatest.
        words: The text of its button, by the game; with ``{}`` for the amount.
        cards: Places of the cards that it uses, in the seat's zone ``Moves.zone``.
    """

    text: str
    least: int | None = None
    most: int | None = None
    words: str = ""
    cards: tuple[int, ...] = ()

    @property
    def spelled(self) -> str:
        """The text with its bounds, as a list for a reader has it: ``put N, 16 to 20``."""
        if self.least is None:
            return self.text
        return f"{self.text.format('N')}, {self.least} to {self.most}"


def choices_of(game: AnyGame, observation: Observation) -> tuple[Choice, ...]:
    """Returns the legal actions of a decision in order, with their words and cards."""
    return tuple(merged(observation.legal_actions, game.moves.of(observation)))


def merged(actions: Sequence[Action], moves: Sequence[Move]) -> Iterator[Choice]:
    """Yields actions in order as choices; actions that differ only by an amount are one.

    An action that uses cards has no amount: its numbers are places of cards.

    Args:
        moves: How a person takes each of them.
    """
    found = [
        None if move.cards else _AMOUNT.fullmatch(action.text)
        for action, move in zip(actions, moves, strict=True)
    ]
    amounts: dict[tuple[str, str], list[int]] = {}
    for one in filter(None, found):
        amounts.setdefault((one[1], one[3]), []).append(int(one[2]))
    bounded = {
        key: Choice("{}".join(key), min(numbers), max(numbers))
        for key, numbers in amounts.items()
        if len(numbers) >= MERGED_FROM and len(numbers) == max(numbers) - min(numbers) + 1
    }
    for action, move, each in zip(actions, moves, found, strict=True):
        key = (each[1], each[3]) if each else ("", "")
        if key not in bounded:
            yield Choice(action.text, words=move.words, cards=tuple(move.cards))
        elif each and int(each[2]) == bounded[key].least:
            yield structs.replace(bounded[key], words=move.words.replace(each[2], "{}", 1))
