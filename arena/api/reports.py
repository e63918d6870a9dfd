"""Tournament Report Files of FIDE: the next round of a Swiss, and standings."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from arena_tournaments.trf.history import RULES

from arena.api.common.calls import public, warn
from arena.service.answers.arguments import listed
from arena.service.answers.rows import Document
from arena.service.report.filed import tournament_reports, trf_check


@public
def pair_report(trf: str | PathLike[str]) -> Document:
    """Pairs the next round of a Swiss in a report (TRF16, TRF25, TRF26).

    Returns:
        ``round``, its number, and ``pairings`` in board order, each with its ``seats``: starting
        numbers, White first; one alone has the bye.

    Raises:
        BadInput: The file is not a report, or that round cannot be paired.
    """
    path = Path(trf)
    report = tournament_reports.read_report(path, warn)
    pairings = tournament_reports.next_round(path, report, warn)
    return tournament_reports.pairings_document(report, pairings)


@public
def check_trf(trf: str | PathLike[str]) -> Document:
    """Checks a report of a tournament, finished or running, and pairs each round again.

    Returns:
        The document of ``arena check trf``: ``passed``, ``notes`` and ``findings``, each with
        ``round``, ``board``, ``player``, ``kind``, ``finding``, ``expected`` and ``found``.

    Raises:
        BadInput: The file is not a report.
    """
    return trf_check.check_trf(Path(trf), warn).document()


@public
def report_standings(
    trf: str | PathLike[str], tiebreaks: Sequence[str] | None = None, rules: int = RULES[-1]
) -> Document:
    """Ranks the players of a report by points and FIDE's tie-breaks (C.07).

    Args:
        tiebreaks: Acronyms in the order in which they count; modifiers follow a ``/``. By default
            the report's own (record 212), else ``BH/C1``, ``BH``, ``SB``, ``DE``.
        rules: The year of the regulations: 2023 or 2026.

    Returns:
        ``rules`` and ``standings``: for each player ``number``, ``rank``, ``points`` and
        ``tiebreaks``, the best first.

    Raises:
        BadInput: The file is not a report, or there is no such tie-break.
    """
    given = tiebreaks.split(",") if isinstance(tiebreaks, str) else tiebreaks
    names = None if given is None else listed("tiebreaks", given, str)
    path = Path(trf)
    report = tournament_reports.read_report(path, warn)
    lines = tournament_reports.standings(report, names, rules, lambda line: warn(f"{path}: {line}"))
    return tournament_reports.standings_document(rules, lines)
