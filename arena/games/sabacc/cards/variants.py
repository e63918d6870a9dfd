"""The nine variants as nine rows (rule book, section 2)."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from arena.games.sabacc.cards.cards import CHARACTERS

VariantName: TypeAlias = Literal[
    "old_republic", "rebel_alliance", "new_republic", "imperial", "cloud_city", "mos_eisley",
    "corellian", "corporate_sector", "crseih_station",
]  # fmt: skip

CHARACTER_SUM = 30
"""Sum of the eight character values of every variant: a checksum (section 1)."""


class Variant(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One row of section 2.

    Attributes:
        name: What people type.
        source: Lines of the source.
        values: Values of the eight characters, in the order of ``CHARACTERS``.
        exchanges: How many cards may be exchanged, besides none (I14).
        revealers: Characters whose showing allows the larger exchange.
        after_showing: How many cards may then be exchanged, besides none.
        older_exchanges: What may be exchanged by the older English rules, where they differ (I10).
        combination: Name of the special combination.
        needs: What it takes: ranks (``Ace``), characters or suits, each with the number of cards.
    """

    name: VariantName
    source: str
    values: tuple[int, ...]
    exchanges: frozenset[int]
    revealers: tuple[str, ...] = ()
    after_showing: frozenset[int] = frozenset()
    older_exchanges: frozenset[int] = frozenset()
    combination: str
    needs: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(CHARACTERS) or sum(self.values) != CHARACTER_SUM:
            raise ValueError(f"the characters of {self.name} must add to {CHARACTER_SUM}")

    @property
    def title(self) -> str:
        """The name in words: ``Old Republic``."""
        return self.name.replace("_", " ").title()


def _values(*seven: int) -> tuple[int, ...]:
    """The columns of section 2; the Idiot is always 0 (004:42)."""
    return (0, *seven)


_UP_TO_FOUR = frozenset((1, 2, 3, 4))

VARIANTS: dict[str, Variant] = {
    row.name: row
    for row in (
        Variant(
            name="old_republic", source="004:60-74, 80 (the standard)",
            values=_values(9, 3, 3, -14, 10, 10, 9), exchanges=frozenset((1, 2)),
            revealers=("Jedi Master",), after_showing=_UP_TO_FOUR, combination="Jedi",
            needs=(("Jedi Master", 1), ("Jedi Knight", 1), ("Sabers", 1)),
        ),
        Variant(
            name="rebel_alliance", source="004:152-170", values=_values(7, 3, 4, 12, -10, 5, 9),
            exchanges=frozenset((1, 2, 3)), combination="Force",
            needs=(("Jedi Knight", 2), ("Ace", 1)),
        ),
        Variant(
            name="new_republic", source="004:170-188", values=_values(8, 4, 3, 12, -11, 4, 10),
            exchanges=frozenset((1, 3)), combination="Republic",
            needs=(("Jedi Knight", 1), ("Jedi Master", 1), ("Smuggler", 1)),
        ),
        Variant(
            name="imperial", source="004:188-206", values=_values(7, 15, -9, 3, 4, 7, 3),
            exchanges=frozenset((2,)), combination="Sith",
            needs=(("Lord of the Sith", 1), ("Commander", 1), ("Ace", 1)),
        ),
        Variant(
            name="cloud_city", source="004:206-224", values=_values(7, 4, 6, 9, -8, 5, 7),
            exchanges=frozenset((2, 4)), combination="Partner",
            needs=(("Smuggler", 2), ("Jedi Knight", 1)),
        ),
        Variant(
            name="mos_eisley", source="004:224-242", values=_values(5, 7, 8, -11, 10, 6, 5),
            exchanges=frozenset((1,)), revealers=("Smuggler", "Bounty Hunter"),
            after_showing=_UP_TO_FOUR, combination="Gangster",
            needs=(("Smuggler", 1), ("Bounty Hunter", 2), ("Coins", 1)),
        ),
        Variant(
            name="corellian", source="004:242-260", values=_values(4, 10, -13, 11, 11, 4, 3),
            exchanges=frozenset((1, 2)), older_exchanges=frozenset((2, 3, 4)),
            combination="Smuggler", needs=(("Smuggler", 2), ("Coins", 1)),
        ),
        Variant(
            name="corporate_sector", source="004:260-278", values=_values(5, -7, 8, 7, 8, 6, 3),
            exchanges=frozenset((3,)), combination="Hunter",
            needs=(("Bounty Hunter", 2), ("Coins", 1)),
        ),
        Variant(
            name="crseih_station", source="004:278-296", values=_values(7, 8, -6, 5, 4, 6, 6),
            exchanges=frozenset((1, 2)), combination="Temporal", needs=(("Flasks", 4),),
        ),
    )
}  # fmt: skip
"""All nine by name; the first is the standard."""
