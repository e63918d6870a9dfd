"""Tournament Report Files of FIDE: the next round of a Swiss."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from arena.service import tournament_reports
from arena.service.rows import Document


def pair_report(trf: str | PathLike[str]) -> Document:
    """Pairs the next round of a Swiss in a report (TRF16, TRF25, TRF26).

    Returns:
        ``pairings`` in board order, each with its ``seats``: starting numbers, White first; one
        alone has the bye.

    Raises:
        BadInput: The file is no report, or that round cannot be paired.
    """
    report = tournament_reports.read_report(Path(trf))
    return tournament_reports.pairings_document(tournament_reports.next_round(Path(trf), report))
