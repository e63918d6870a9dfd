"""Facts about games of OpenSpiel that OpenSpiel itself does not declare."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

SHARE = "points"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about one game.

    Attributes:
        unit: The unit of the returns, in the plural.
        open: Whether every seat that notices an action or a deal sees it in full. Otherwise this
            is found out at every step, which is slower.
        options: Names of the parameters that rulesets may change. None of them may change what
            the text of an action means.
    """

    unit: str = SHARE
    open: bool = False
    options: tuple[str, ...] = ()


FACTS: Mapping[str, Facts] = {
    "kuhn_poker": Facts(unit="chips", open=True),
    "leduc_poker": Facts(unit="chips", open=True),
}

NO_FACTS = Facts()


def facts_of(name: str) -> Facts:
    """Returns the facts about a game; those of an unknown one are the careful ones."""
    return FACTS.get(name, NO_FACTS)
