"""The results of a qualification as rows, with the columns that people are shown of them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena.core.described import described
from arena.core.table import Column
from arena.service.answers.rows import Row

CHECKS = (
    Column("game", "game"),
    Column("against", "against", drop=0, names="bot"),
    Column("matches", "matches", right=True),
    Column("points", "points", right=True),
    Column("deterministic", "deterministic", drop=2),
    Column("isolation", "ran", drop=3),
)
"""The columns, in their order, on the command line and on pages."""


class _Check(msgspec.Struct):
    matches: int
    points: float
    deterministic: bool
    isolation: str


class _Game(msgspec.Struct):
    against: dict[str, _Check]


class _Submission(msgspec.Struct):
    report: dict[str, _Game] = {}


def check_rows(document: object) -> Iterator[Row]:
    """Yields a row for each game and opponent of a submission.

    Args:
        document: The JSON document of ``arena submit``. One from elsewhere that has no such results
            has no rows.
    """
    try:
        found = msgspec.convert(msgspec.to_builtins(document), described(_Submission))
    except msgspec.ValidationError:
        return
    for game, report in found.report.items():
        for opponent, check in report.against.items():
            yield {"game": game, "against": opponent, **msgspec.structs.asdict(check)}


def compared_texts(report: object) -> Iterator[str]:
    """Yields the comparisons of a report that a server sent, in words; of another server none."""
    changes = report.get("changes") if isinstance(report, dict) else None
    for each in changes if isinstance(changes, list) else ():
        if isinstance(each, dict) and isinstance(each.get("text"), str):
            yield each["text"]
