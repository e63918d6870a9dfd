"""Sentences about what joint ratings cannot say, which every list of them shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from arena.core.tournaments.rating import Z95

if TYPE_CHECKING:
    from arena_results.ratings.fits.fitting import Fit, Whole
    from arena_results.ratings.fits.joint import Misfit

FEW_MATCHES, FEW_DEALS = 20, 10
"""With fewer of either (ten mirrored pairs, or deals played around a table) the results say
little, and an interval too much."""
LISTED = 10
"""Players or pairings that a note names; the others are counted."""


def component_numbers(components: Whole) -> list[int]:
    """Returns the number of each player's component, the largest being 1."""
    labels: list[int] = components.tolist()
    members = [labels.count(label) for label in range(max(labels) + 1)]
    order = sorted(range(len(members)), key=lambda label: -members[label])
    numbers = {label: number for number, label in enumerate(order, 1)}
    return [numbers[label] for label in labels]


def remarks(
    names: Sequence[str], fitted: Fit, misfits: Sequence[Misfit] = (), alone: int = 0
) -> list[str]:
    """Returns sentences about a fit, if there is anything to note.

    Args:
        alone: Number of results without their deal's twin, where others have one.
    """
    found = group_remarks(names, component_numbers(fitted.components))
    if misfits:
        wrong = [
            f"{names[each.one]} against {names[each.other]} "
            f"({each.score:.1%}, expected {each.expected:.1%})"
            for each in misfits
        ]
        found.append(f"pairings that the model does not explain: {listed(wrong)}")
    if alone:
        found.append(f"results alone in their pair, which count as a deal each: {alone}")
    if cut := [name for name, out in zip(names, fitted.cut_off, strict=True) if out]:
        found.append(f"finite by the prior alone (won or lost everything): {listed(cut)}")
    return found


def group_remarks(names: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Returns a sentence about groups that never met, if there are several.

    Args:
        numbers: Of each player's group, from 1.
    """
    if max(numbers) == 1:
        return []
    groups = [
        ", ".join(name for name, own in zip(names, numbers, strict=True) if own == number)
        for number in range(1, max(numbers) + 1)
    ]
    text = f"{len(groups)} groups that never met, whose ratings do not compare: "
    return [text + listed(groups, " | ")]


def seat_remark(effect: float, error: float) -> str:
    """Returns a sentence about what the first seat is worth, and its standard error."""
    return f"the first seat is worth {effect:+.1f} ± {Z95 * error:.1f} points (95 %)"


def incomplete_remarks(
    names: Sequence[str], groups: Mapping[tuple[frozenset[int], int], int]
) -> list[str]:
    """Returns a sentence about deals at tables of which matches are missing, if there are any.

    Args:
        groups: How many there are of each players, and number of matches.
    """
    if not groups:
        return []
    texts = [
        f"{', '.join(sorted(names[player] for player in players))} "
        f"({matches} of {len(players)} matches{f', {count} times' if count > 1 else ''})"
        for (players, matches), count in groups.items()
    ]
    text = (
        f"deals that were not played from every seat, and count as they are: {sum(groups.values())}"
    )
    return [f"{text}: {listed(sorted(texts), '; ')}"]


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Joins the first names, and counts the others."""
    more = len(names) - LISTED
    return between.join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
