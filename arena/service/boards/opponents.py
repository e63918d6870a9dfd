"""Against whom a bot has played, from sums that are stored: no match is read."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

import msgspec
from arena_results.file.database import Database
from arena_results.store.queries import tournament, tournaments

from arena.service.answers.rows import Row
from arena.service.boards.history import is_bot


class Opponents(msgspec.Struct, frozen=True):
    """The head-to-head results of a bot.

    Attributes:
        rows: ``opponent``, ``played``, ``won``, ``drawn``, ``lost`` and ``share``, the share of
            the points; who was met most comes first.
        faults: Matches that it lost by its own faults, by cause.
    """

    rows: list[Row]
    faults: dict[str, int]


def opponents(database: Database, bot: str) -> Opponents:
    """Adds up the head-to-head results of a bot, ``NAME`` or ``NAME@VERSION``, with any parameters
    and loadout.

    Exhibition matches do not count. At tables of more than two a match is a head-to-head result
    with each opponent, by finishing order.
    """
    duels: dict[str, Counter[str]] = {}
    faults: Counter[str] = Counter()
    for summary in filter(attrgetter("rated"), tournaments(database)):
        stored = tournament(database, summary.id)
        own = {index for index, entry in enumerate(stored.field) if is_bot(entry, bot)}
        if not own:
            continue
        for _, ending in stored.endings:
            seated = [*zip(ending.seats, ending.returns, strict=True)]
            for mine in (gain for index, gain in seated if index in own):
                for index, theirs in seated:
                    if index not in own:
                        result = "won" if mine > theirs else "lost" if mine < theirs else "drawn"
                        name = stored.field[index].participant.name
                        duels.setdefault(name, Counter())[result] += ending.count
            for seat, cause in ending.faults:
                if ending.seats[seat] in own:
                    faults[cause.value] += ending.count
    rows = [_row(name, counts) for name, counts in duels.items()]
    rows.sort(key=lambda row: (-row["played"], row["opponent"]))
    return Opponents(rows, dict(faults.most_common()))


def _row(name: str, counts: Counter[str]) -> Row:
    played = counts.total()
    return {
        "opponent": name,
        "played": played,
        **{key: counts[key] for key in ("won", "drawn", "lost")},
        "share": (counts["won"] + counts["drawn"] / 2) / played,
    }
