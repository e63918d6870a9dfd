"""The names that bots may have next to each other, and the word for a bot that is installed."""

from __future__ import annotations

import re
from collections.abc import Iterable

INSTALLED = "installed"
"""In place of a version: the installed bot of that name, not the submitted one."""
PERSON = "human"
"""The name of a person at the table, which no submitted bot may have."""
UNTELLING = frozenset({"bot", "main", "agent", "mybot", "player", "submission"})
"""Names that contests give to every entry's file, so that they name nobody."""

_SEPARATORS = re.compile("[-_.]+")
_ALIKE = str.maketrans("li0", "11o")


def skeleton(name: str) -> str:
    """Returns what two names have in common when people take one for the other.

    Names of bots are ASCII (``plugins.submission.check_name``). They are compared as the Python
    package index compares names of projects: without case and separators, ``i``, ``l`` and ``1``
    as one, ``o`` and ``0`` as one (warehouse, ``ultranormalize_name``). ``rn`` is ``m``, too
    (Unicode TR39, confusables.txt).
    """
    return _SEPARATORS.sub("", name).lower().translate(_ALIKE).replace("rn", "m")


def alike(name: str, others: Iterable[str]) -> str | None:
    """Returns the first of the names that people could take for this one, if there is one."""
    own = skeleton(name)
    return next((other for other in others if skeleton(other) == own), None)


def is_untelling(name: str) -> bool:
    """Returns whether a file's or folder's name says nothing about the bot in it."""
    return name.lower() in UNTELLING
