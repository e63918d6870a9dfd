"""Texts of actions and deals: OpenSpiel's, without what they say of the seat and the table."""

from __future__ import annotations

import re
from functools import lru_cache

_FRAME = re.compile(
    r"^(?:Player: \d+ Action: |player=-?\d+ move=|Pl\d+: |Chance outcome: ?)|^Deal[: ]", re.ASCII
)
"""The words with which OpenSpiel begins a text in some games."""
_MARK = re.compile(r"^[xo](\(\d+,\d+\))$")
"""A square with the mark of the player."""
_WORD = re.compile(r"[A-Z][a-z]+(?: [a-z]+)*")
_PLAIN = {"AllIn": "all in", "Dbl": "double", "RDbl": "redouble"}


@lru_cache(10_000)
def plain_text(text: str) -> str:
    """Returns a text of OpenSpiel in plain words: ``"call"`` for ``"player=0 move=Call"``."""
    bare = text
    while (cut := _FRAME.sub("", bare)) != bare:
        bare = cut
    bare = _MARK.sub(r"\1", " ".join(bare.split()))
    bare = _PLAIN.get(bare, bare)
    return bare.lower() if _WORD.fullmatch(bare) and len(bare) > 2 else bare
