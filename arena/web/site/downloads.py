"""The files that an organiser downloads of a tournament: its lists, its report, its bundle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament

from arena.core.errors import UnknownName
from arena.pages.page import Link
from arena.service.answers.writing import replacing
from arena.service.public.exports import Results, export_tables
from arena.service.report.filed.tournament_reports import written_report
from arena.service.report.report import Report, stored_report
from arena.service.report.tables.documents import document
from arena.service.storage.bundles import export_bundle
from arena.web.site.site import Site

LISTS = ("standings", "pairings", "matches")
"""Lists that can be downloaded as CSV."""
KINDS = {"arena": "application/zip", "csv": "text/csv", "json": "application/json"}
"""Media types by ending; the others are plain text."""


def downloads(report: Report, address: Callable[[str], str]) -> list[Link]:
    """Returns the files that there are of a tournament as it is.

    Args:
        address: Gives the address of a file.
    """
    names = [f"{each}.csv" for each in LISTS]
    names.append("results.json")
    if not report.stages and "pair" in report.decoded.format.rulings and report.seats == 2:
        names.append("results.trf")
    if report.stored.summary.status is Status.FINISHED:
        names.insert(0, "results.arena")
    return [Link(each, address(each)) for each in names]


def write_download(site: Site, number: int, name: str, path: Path) -> None:
    """Writes one of the files of a tournament.

    Raises:
        UnknownName: There is no such file.
        BadInput: The tournament has none, as an unfinished one has no bundle.
    """
    what, _, ending = name.partition(".")
    if what in LISTS and ending == "csv":
        results = Results(site.registry, site.database, number)
        export_tables(site.registry, results, [what], ending, path)
    elif name == "results.arena":
        export_bundle(site.database, number, path)
    elif name in ("results.json", "results.trf"):
        report = stored_report(site.registry, tournament(site.database, number), site.database)
        with replacing(path) as file:
            text = written_report(report) if ending == "trf" else ""
            file.write(text.encode() or msgspec.json.encode(document(report)))
    else:
        choices = [*(f"{each}.csv" for each in LISTS), "results.json", "results.trf"]
        raise UnknownName("export", name, [*choices, "results.arena"])
