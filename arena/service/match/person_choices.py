"""The actions of a decision by their keys: numbers, and letters where only one begins so."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.choices import Choice

RESERVED = frozenset("hlq")
"""Letters of the application's own."""


def label(choice: Choice) -> str:
    """The text of a choice; of amounts with their bounds."""
    if choice.least is None:
        return choice.text
    return choice.text.format(f"{choice.least} to {choice.most}")


def labels(choices: Sequence[Choice]) -> list[str]:
    """The choices as buttons show them: with their numbers, and their letters in brackets."""
    keys = {index: f" [{letter}]" for letter, index in letters(choices).items()}
    return [
        f"{number} {label(choice)}{keys.get(number - 1, '')}"
        for number, choice in enumerate(choices, 1)
    ]


def letters(choices: Sequence[Choice]) -> dict[str, int]:
    """Returns the first letters that belong to one choice only."""
    return first_letters([choice.text for choice in choices], RESERVED)


def first_letters(texts: Sequence[str], reserved: frozenset[str]) -> dict[str, int]:
    """Returns the first letters that belong to one of these strings only."""
    firsts = [text[:1].lower() for text in texts]
    return {
        first: index
        for index, first in enumerate(firsts)
        if first.isalpha() and first not in reserved and firsts.count(first) == 1
    }


def numbered(typed: str, count: int) -> tuple[int | None, str]:
    """Reads digits typed so far as the number of a choice.

    Returns:
        The index of the choice, if it is certain; and the digits that wait for more.
    """
    number = int(typed or 0)
    if not 1 <= number <= count:
        return None, ""
    return (None, typed) if number * 10 <= count else (number - 1, "")
