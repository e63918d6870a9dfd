"""Reads what the tools of an agent answer."""

from __future__ import annotations

import re
from collections.abc import Callable

MAX_CALLS = 240
"""Calls of ``observe`` for a turn; each waits half a second where there is nothing to answer."""
QUESTION = re.compile(
    r"^Decision (\d+)\. (?:It is your turn|No match has begun|The match is over)", re.M
)


def number(text: str) -> int:
    """The number of the decision that is open, or was answered last."""
    found = re.search(r"^Decision (\d+)\b", text, re.M)
    assert found, text
    return int(found[1])


def legal(text: str) -> list[str]:
    """The legal actions as they are listed."""
    return re.findall(r"^- (.*)$", text.rpartition("\nLegal actions:\n")[2], re.M)


def answer(text: str) -> str:
    """The first legal action; of amounts the least, of loadouts the suggestion."""
    first = legal(text)[0].removesuffix(" (suggested)")
    return re.sub(r"N, N from (\d+) to \d+$", r"\1", first)


def until_turn(observe: Callable[[], str]) -> str:
    """Observes until the agent is to act."""
    for _ in range(MAX_CALLS):
        if QUESTION.search(text := observe()):
            return text
    raise AssertionError(text)
