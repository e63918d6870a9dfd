"""How many sit at a table: found from what was asked for, and said in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.core.errors import BadInput
from arena.core.game import AnyGame
from arena.core.tournament import Format, Tables
from arena.plugins.registry import Registry


def table_sizes(registry: Registry, game: AnyGame, format: Format, wanted: int | None) -> Tables:
    """How many sit at a table of that game in that format.

    Args:
        registry: Knows the other formats.
        game: The game.
        format: The kind of tournament.
        wanted: Seats of a full table; ``None`` takes the fewest that both play.

    Raises:
        BadInput: The game or the format does not seat that many; names the choices.
    """
    if wanted is not None and wanted not in game.seats:
        raise BadInput(f"{game.name} plays at tables of {_span(game.seats)}, not {wanted}")
    asked = game.seats if wanted is None else range(wanted, wanted + 1)
    both = [seats for seats in asked if seats in format.seats]
    if not both:
        fits = [other.name for other in registry.formats() if {*other.seats} & {*asked}]
        raise BadInput(
            f"{format.name} is for tables of {_span(format.seats)}, not {_span(asked)}; "
            f"formats for that: {', '.join(sorted(fits)) or 'none'}"
        )
    return Tables(both[0], min(game.seats))


def _span(seats: range) -> str:
    first, last = min(seats), max(seats)
    return str(first) if first == last else f"{first} to {last}"


def seating_text(entrants: int, seats: int, sizes: Sequence[int]) -> str:
    """One line on who sits where in a round.

    E.g. ``7 entrants at tables of up to 6: 1 table of 4 and 1 of 3 a round``.

    Args:
        entrants: Size of the field.
        seats: Seats of a full table.
        sizes: How many sit at each table of a round.
    """
    kinds = [
        f"{count} {('table' if count == 1 else 'tables') + ' ' if place == 0 else ''}of {size}"
        for place, (size, count) in enumerate(sorted(Counter(sizes).items(), reverse=True))
    ]
    rest = entrants - sum(sizes)
    resting = f", {rest} {'rests' if rest == 1 else 'rest'}" if rest else ""
    up_to = "" if {*sizes} == {seats} else "up to "
    return (
        f"{entrants} entrants at tables of {up_to}{seats}: {' and '.join(kinds)} a round{resting}"
    )


def games_text(games: int, sizes: Sequence[int]) -> str | None:
    """What is unfair in a number of matches a pairing, if anything; tables of two always pass."""
    uneven = sorted({size for size in sizes if size > 2 and games % size})
    if not uneven:
        return None
    seats = " or ".join(map(str, uneven))
    return (
        f"{games} games a pairing are no multiple of {seats} seats: "
        "not everybody sits in every seat equally often"
    )
