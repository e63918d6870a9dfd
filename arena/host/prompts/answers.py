"""Reads the answers of language models strictly, by one rule for every model.

The answer is the value of ``move`` where the whole text is a JSON object, as a schema or a tool
asks for. Otherwise it is the last line that is not empty, and that line begins with ``MOVE:``.
Letter case, kinds of minus signs and spaces, and quotes or asterisks around the word do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.described import described
from arena.core.errors import IllegalLoadout, ParseError
from arena.core.text.printable import printable_line
from arena.host.endpoints.exchange import Reading

MARK = "MOVE:"
"""Begins the line that has the answer."""
MAX_SHOWN = 80
"""Characters of a wrong answer that an error repeats."""
_MINUS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-"})
_FENCE = re.compile(r"\A```\w*\n(.*)\n```\Z", re.DOTALL)
_QUOTES = "`\"'*“”_ "

Decided: TypeAlias = object
"""A legal answer: an action, or what ``Loadouts.parse`` read."""


class Read(msgspec.Struct, frozen=True):
    """An answer that was read.

    Attributes:
        reading: Its kind.
        answer: The action or the loadout; ``None`` unless it is legal.
        word: The legal word, as the game writes it; empty unless it is legal.
        problem: Why it cannot be used, in one sentence for the model; empty if it is legal.
    """

    reading: Reading
    answer: Decided = None
    word: str = ""
    problem: str = ""


def read_action(text: str, legal: tuple[Action, ...]) -> Read:
    """Reads the answer to a decision."""
    word = _word(text)
    if word is None:
        return Read("unreadable", problem=f"Your answer has no last line '{MARK} ...'.")
    exact = [action for action in legal if action.text == word]
    for action in exact or [action for action in legal if _plain(action.text) == _plain(word)]:
        return Read("legal", action, action.text)
    return Read("illegal", problem=f"'{_shown(word)}' is not a legal move now.")


def read_loadout(text: str, accept: Callable[[str], object]) -> Read:
    """Reads the answer to an offer.

    Args:
        text: The answer.
        accept: Parses and checks a loadout; raises ``ParseError`` or ``IllegalLoadout``.
    """
    word = _word(text)
    if word is None:
        return Read("unreadable", problem=f"Your answer has no last line '{MARK} ...'.")
    try:
        return Read("legal", accept(word.translate(_MINUS)), word)
    except (ParseError, IllegalLoadout) as error:
        return Read("illegal", problem=f"'{_shown(word)}' cannot be used: {error}.")


def _word(text: str) -> str | None:
    text = text.strip()
    fenced = _FENCE.match(text)
    try:
        return msgspec.json.decode(fenced[1] if fenced else text, type=described(_Move)).move
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        pass  # no object, or no text that an endpoint could send
    last = text.rpartition("\n")[2].strip().strip("*`_ ")
    if not last.upper().startswith(MARK):
        return None
    return last[len(MARK) :].strip(_QUOTES) or None


class _Move(msgspec.Struct):
    move: str


def _plain(word: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", word).translate(_MINUS).casefold().split())


def _shown(word: str) -> str:
    return printable_line(word, MAX_SHOWN)
