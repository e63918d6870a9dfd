"""What the options of a ruleset mean, as its class says."""

from __future__ import annotations

import inspect
import re

from arena.core.game import Ruleset

_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def meanings(kind: type[Ruleset]) -> dict[str, str]:
    """Each option with its line of the class's docstring, section ``Attributes``, on one line."""
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    return {
        name: " ".join(text.split()).replace("``", "`") for name, text in _ENTRY.findall(listed)
    }
