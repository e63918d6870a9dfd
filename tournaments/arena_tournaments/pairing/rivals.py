"""Seeds a bracket so that rivals, such as members of one group, do not meet at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence


def without_rivals(
    order: Sequence[int], bouts: Iterable[tuple[int, int]], group: Mapping[int, int]
) -> list[int]:
    """Returns a seeding without rivals in these bouts, or with as few as there can be.

    The higher seed of each bout keeps its place. Bout by bout, from the first seed's down, the
    lower seed stays if it may, or is the nearest one with which all other bouts can still be
    without rivals; of two equally near ones the lower. Only if one group is more than half of the
    players, its first members change places with the last entrants that rest.

    Args:
        order: The entrants by seed.
        bouts: Two seeds each, as indices into ``order``; nobody meets twice.
        group: The groups of entrants; one without a group has no rivals.
    """
    made, pairs = [*order], sorted((min(bout), max(bout)) for bout in bouts)
    _rest_crowded(made, pairs, group)
    groups = [group.get(entrant, -1 - place) for place, entrant in enumerate(made)]
    upper = [groups[one] for one, _ in pairs]
    left = [other for _, other in pairs]
    found = [*made]
    for number, (_, wanted) in enumerate(pairs):
        fewest = _rivalries(upper[number:], [groups[place] for place in left])
        for place in sorted(left, key=lambda other: (abs(other - wanted), -other)):
            others = [groups[other] for other in left if other != place]
            met = groups[place] == upper[number]
            if met + _rivalries(upper[number + 1 :], others) == fewest:
                break
        left.remove(place)
        found[wanted] = made[place]
    return found


def _rest_crowded(
    made: list[int], pairs: Sequence[tuple[int, int]], group: Mapping[int, int]
) -> None:
    """Lets the first members of a group rest that has more than half of the seats."""
    playing = sorted({place for pair in pairs for place in pair})
    resting = [place for place in range(len(made)) if place not in playing]
    counts = Counter(group[made[place]] for place in playing if made[place] in group)
    for crowded, count in counts.items():
        first = [place for place in playing if group.get(made[place]) == crowded]
        last = [place for place in reversed(resting) if group.get(made[place]) != crowded]
        for one, other in list(zip(first, last, strict=False))[: max(0, count - len(pairs))]:
            made[one], made[other] = made[other], made[one]


def _rivalries(upper: Sequence[int], lower: Sequence[int]) -> int:
    """Returns how many of one group must meet where these meet those (Hall's theorem)."""
    most = max(Counter([*upper, *lower]).values(), default=0)
    return max(0, most - len(upper))
