"""The first three of a finished tournament, and in words how each of them came there."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from arena_results.schema.rows import Status
from arena_tournaments.play.rulings import disqualified

from arena.core.table import MINUS
from arena.core.tournaments.format import EXHIBITION, Bout
from arena.service.report.report import Report, decided_by

NARROW = "\N{NO-BREAK SPACE}"
"""Keeps a score in one line."""
PLACES, MOST = 3, 4
"""Places of a podium, and the bots that stand on it at most: both who lost a semi-final."""


class Honour(msgspec.Struct, frozen=True, kw_only=True):
    """A place on the podium.

    Attributes:
        rank: 1 to 3; equal ranks are shared.
        title: ``"Champion"``, ``"2nd"`` or ``"3rd"``, and whether others have it, too.
        author: Who wrote the bot; empty where nobody is known.
        how: The result that gave it the place: ``"won the final 6 : 4"``, ``"7.5 points"``.
    """

    rank: int
    title: str
    name: str
    author: str
    how: str


def podium(report: Report) -> tuple[Honour, ...]:
    """Returns the first of a finished tournament; nobody before, and of exhibitions.

    Disqualified bots stand on no podium. Bots that share the third place stand there together.
    """
    summary = report.stored.summary
    if summary.status is not Status.FINISHED or summary.format == EXHIBITION:
        return ()
    if not report.stored.sums:
        return ()
    last = disqualified(report.stored.rulings)
    placed = [line for line in report.table if line.index not in last and line.rank <= PLACES]
    first = placed if len(placed) <= MOST else placed[:PLACES]
    ranks = [line.rank for line in placed]
    return tuple(
        [
            Honour(
                rank=line.rank,
                title=_title(line.rank, shared=ranks.count(line.rank) > 1),
                name=line.name,
                author=report.stored.field[line.index].author,
                how=_how(report, line.index, line.score),
            )
            for line in first
        ]
    )


def last_bouts(report: Report) -> tuple[Bout, ...]:
    """Returns the bracket that decides a tournament; empty where none does."""
    return report.stages[-1].bracket if report.stages else report.bracket


def final(bouts: Sequence[Bout]) -> Bout | None:
    """Returns the bout that decided a bracket, once it was played."""
    played = [each for each in bouts if each.winner is not None and not is_consolation(each)]
    return max(played, key=lambda bout: bout.round, default=None)


def score_text(values: Sequence[float]) -> str:
    """Returns what the sides of a pairing took: ``6 : 4``."""
    return " : ".join(f"{round(each, 2):g}".replace("-", MINUS) for each in values)


def _title(rank: int, *, shared: bool) -> str:
    title = {1: "Champion", 2: "2nd", 3: "3rd"}[rank]
    return f"{title}, shared" if shared else title


def _how(report: Report, index: int, score: float) -> str:
    own = [each for each in last_bouts(report) if index in each.entrants and each.points]
    if own:
        return _in_bout(report, own[-1], index, final(last_bouts(report)))
    if report.means and report.scoring.by_mean:
        mean = report.means[index]
        return f"{mean.mean:+.3g} {report.unit} a match".replace("-", MINUS)
    points = f"{round(score, 3):g}"
    return f"{points} point" if points == "1" else f"{points} points"


def _in_bout(report: Report, bout: Bout, index: int, decisive: Bout | None) -> str:
    assert bout.points is not None
    mine = bout.points if bout.entrants[0] == index else bout.points[::-1]
    other = next(each for each in bout.entrants if each != index)
    score = score_text(mine).replace(" ", NARROW)
    if decided_by(bout) == "forfeit":
        score = "by forfeit"
    elif decided_by(bout) == "seed":
        score += ", decided by seed"
    if bout.winner == index:
        return f"won the {bout.name} {score}"
    if decisive is not None and bout.name == decisive.name:
        return f"lost the {bout.name} {score}"
    return f"lost to {report.names[other or 0]} {score}"


def is_consolation(bout: Bout) -> bool:
    """Returns whether two meet who have lost, as for the third place."""
    return all(side.startswith("loser") for side in bout.sides)
