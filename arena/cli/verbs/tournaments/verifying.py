"""Verifies a tournament on the terminal: progress, and the result for people or as a document."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import typer
from arena_results.schema.rows import TournamentSummary
from arena_results.store.queries import summary

from arena.cli.terminal.exits import CHECK_FAILED, MAX_LENGTH
from arena.cli.terminal.output import TextOrJson, counted, say, show_json
from arena.cli.terminal.progress import LINE_SECONDS
from arena.cli.terminal.wiring import registry
from arena.core.text.printable import printable_line
from arena.service.report.checks.verification import Verification, verify_tournament
from arena.service.report.report_text import seeds_text
from arena.service.storage.bundle_files import NUMBER, bundle_url
from arena.service.storage.databases import open_database


def verify(place: int | Path, db: str, output: TextOrJson) -> None:
    """Verifies a tournament, of a database or a bundle; exit code 1 at a difference."""
    began = monotonic()
    number, of = (place, "") if isinstance(place, int) else (NUMBER, f" of {place}")
    with open_database(db if isinstance(place, int) else bundle_url(place)) as results:
        verified = verify_tournament(registry(), results, number, _Lines().report)
        if output is TextOrJson.JSON:
            show_json(verified.document())
        if verified.difference:
            say(f"arena: {printable_line(verified.difference, MAX_LENGTH)}")
            raise typer.Exit(CHECK_FAILED)
        if output is TextOrJson.TABLE:
            seconds = monotonic() - began
            print(verified_text(verified, summary(results, number), seconds, of))


class _Lines:
    def __init__(self) -> None:
        self._next = monotonic() + LINE_SECONDS

    def report(self, done: int, total: int) -> None:
        if monotonic() >= self._next:
            self._next += LINE_SECONDS
            say(f"verified {done}/{total} matches ({done / total:.0%})")


def verified_text(
    verified: Verification, about: TournamentSummary, seconds: float, of: str = ""
) -> str:
    """The result without a difference, for people; ``of`` names a bundle."""
    far = "" if verified.finished else ", as far as it is played"
    lines = [
        f"Tournament {verified.tournament}{of} is verified{far}, in {seconds:.1f} s:",
        "  checksums   fit every row, and every match has its measurement",
        f"  commitment  {_commitment_text(verified, about)}",
        f"  matches     {verified.matches} re-executed, {verified.decisions} decisions",
        f"  rounds      {verified.rounds} paired again among {counted(verified.entries, 'bot')}",
        f"  chain       {verified.chain or 'none yet: no round is finished'}",
    ]
    if verified.luck_off:
        lines.append(f"  luck        not computed again: {verified.luck_off}")
    elif verified.luck is not None:
        by = f"{about.value_function}, which was fixed before play"
        lines.append(f"  luck        {verified.luck} matches computed again by {by}")
    return "\n".join(lines)


def _commitment_text(verified: Verification, about: TournamentSummary) -> str:
    if verified.commitment is None:
        return f"none: {seeds_text(about)}"
    later = "" if verified.finished else "; key and nonce are shown when the tournament is finished"
    return f"fits key and nonce{later}"
