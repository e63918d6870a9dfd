"""Checks of Tournament Report Files: the findings as a table, and the JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from arena_tournaments.trf.reading import read_flawed

from arena.core.errors import BadInput, ParseError
from arena.core.table import Column, Table, known_values
from arena.core.text.printable import printable_line, printable_text
from arena.service.lookup.isolation import Warn, ignore
from arena.service.report.filed.tournament_reports import read_bytes

FINDINGS = (
    Column("round", "round", right=True, drop=0, type="integer", when=known_values("round")),
    Column("board", "board", right=True, type="integer", when=known_values("board")),
    Column("player", "#", right=True, drop=0, type="integer"),
    Column("name", "name", drop=3, type="text"),
    Column("kind", "kind", type="text"),
    Column("finding", "finding", prose=True, drop=0, type="text"),
    Column("expected", "expected", type="text", when=known_values("expected")),
    Column("found", "found", type="text", when=known_values("found")),
    Column("line", "line", right=True, drop=2, type="integer", when=known_values("line")),
)
"""The columns of the findings."""


class TrfCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a check.

    Attributes:
        event: Its name, or the file's.
        rounds: Rounds that were played.
        paired: Rounds of these that were paired again.
        edition: Year of the rules by which they were; ``None`` for none.
        notes: The checks left out, and why.
        findings: Rows of ``FINDINGS``.
    """

    event: str
    players: int
    rounds: int
    paired: int
    system: str
    edition: int | None
    notes: tuple[str, ...]
    findings: tuple[dict[str, object], ...]

    @property
    def passed(self) -> bool:
        """True if nothing was found."""
        return not self.findings

    @property
    def table(self) -> Table:
        """The findings as a list."""
        paired = f"{self.paired} of {self.rounds} rounds paired again"
        rules = f" by FIDE Dutch {self.edition}" if self.edition else ""
        title = f"{self.event}: {self.players} players, {paired}{rules}"
        return Table(title=title, columns=FINDINGS, rows=self.findings)

    def document(self) -> dict[str, object]:
        """Returns the JSON document of ``arena check trf``."""
        return {"passed": self.passed, **msgspec.structs.asdict(self)}


def check_trf(path: Path, warn: Warn = ignore) -> TrfCheck:
    """Checks a report of a tournament, finished or not.

    Args:
        warn: Is given a line about a file that mixes encodings.

    Raises:
        BadInput: It cannot be read, or is not a report.
    """
    # Imported here: it brings numpy, which no other verb has to wait for.
    from arena_tournaments.checker.check import EDITION, check_report

    try:
        flawed = read_flawed(read_bytes(path), lambda line: warn(f"{path}: {line}"))
    except ParseError as error:
        raise BadInput(f"{path}: {error}") from None
    found = check_report(flawed)
    names = {player.number: player.name for player in found.report.players}
    rows: Iterator[dict[str, object]] = (
        {
            "round": each.round or None,
            "board": each.board or None,
            "player": each.player or None,
            "name": names.get(each.player, ""),
            "kind": each.kind,
            "finding": each.finding,
            "expected": each.expected,
            "found": each.found,
            "line": each.line or None,
        }
        for each in found.findings
    )
    return TrfCheck(
        event=printable_line(found.report.name or path.name),
        players=len(names),
        rounds=found.report.played_rounds,
        paired=found.paired,
        system=printable_line(found.report.system),
        edition=EDITION if found.paired else None,
        notes=tuple(map(printable_text, found.notes)),
        findings=tuple(rows),
    )
