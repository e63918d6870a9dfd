"""Checks a whole report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from arena.core.text.printable import joined
from arena_tournaments.checker.finding import Finding
from arena_tournaments.checker.mending import Mended, mended
from arena_tournaments.checker.pairings import Paired, paired_again
from arena_tournaments.checker.records import (
    accelerations,
    byes,
    colours_in_a_row,
    meetings,
    opponents,
    references,
    second_byes,
    unreadable,
)
from arena_tournaments.checker.standing import points, ranks, ranks_are_numbers
from arena_tournaments.trf.checking import odd_results
from arena_tournaments.trf.history import all_meet
from arena_tournaments.trf.reading import Flawed
from arena_tournaments.trf.report import Report

EDITION = 2026
"""The edition of the Dutch system by which rounds are paired again (C.04.3)."""
OLDER = ("FIDE_DUTCH_2017",)
"""Names of older editions in record 192; FIDE calls the edition of 2026 ``FIDE_DUTCH_2025``."""
_TEAMS = ("013", "310")
_OTHERS = ("DUBOV", "BURSTEIN", "LIM", "MONRAD", "KNOCK", "KEIZER")
"""Words for other systems in the text of record 092."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of a check.

    Attributes:
        report: As it was read, with the type of tournament that record 092 names if 192 names none.
        paired: Rounds that were paired again.
        notes: The checks left out, and why; and oddities, which count as they stand.
        findings: By round.
    """

    report: Report
    paired: int
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]


def check_report(flawed: Flawed) -> Checked:
    """Checks everything that a report says of a tournament, finished or not."""
    report = _with_system(flawed.report)
    whole = mended(report)
    reason = _not_paired(whole)
    # What follows from records that contradict each other is not checked.
    unclear = {each.round for each in opponents(whole.report, flawed.lines)} | whole.open.keys()
    last = min(unclear, default=whole.report.played_rounds)
    rounds = [] if reason else [*paired_again(whole.report, last)]
    findings = [*_findings(flawed, report, whole, rounds)]
    if not unclear:
        findings += ranks(whole.report, flawed.lines, _damaged(flawed))
    findings += [finding for each in rounds for finding in each.findings]
    notes = [*_notes(whole.report, last, reason)]
    notes += [each.note for each in rounds if each.note]
    return Checked(
        report=report,
        paired=sum(not each.note for each in rounds),
        notes=tuple(notes),
        findings=tuple(sorted(findings, key=lambda finding: finding.place)),
    )


def _findings(
    flawed: Flawed, report: Report, whole: Mended, rounds: Sequence[Paired]
) -> Iterator[Finding]:
    """Yields what needs no pairing; rounds that are free are the arbiter's."""
    free = frozenset(each.round for each in rounds if each.free)
    by_hand = free | {each.round for each in rounds if not each.by_rules}
    begin = {each.round: each.begin for each in rounds}
    lines, swiss = flawed.lines, not (all_meet(report) or _is_of_teams(report))
    unclear = frozenset(number for numbers in whole.open.values() for number in numbers)
    yield from unreadable(flawed)
    yield from references(report)
    yield from accelerations(report)
    yield from opponents(report, lines)
    yield from byes(whole.report, lines)
    if swiss:
        yield from second_byes(whole.report, lines, free, begin)
        yield from meetings(whole.report, free, begin)
        yield from colours_in_a_row(whole.report, by_hand)
    yield from points(whole.report, lines, unclear | _damaged(flawed))


def _damaged(flawed: Flawed) -> frozenset[int]:
    """Returns the numbers of players with points, a rank or rounds that cannot be read."""
    return frozenset(each.player for each in flawed.flaws if each.kind == "record")


def _with_system(report: Report) -> Report:
    """Returns a report with the type of tournament that record 092 names, if 192 names none."""
    words = [line[4:].strip() for line in report.other if line.startswith("092")]
    codes = [word for word in words if word.upper().startswith(("FIDE_", "CUSTOM_", "BERGER_"))]
    return report if report.system or not codes else replace(report, system=codes[0].upper())


def _is_of_teams(report: Report) -> bool:
    return any(line.startswith(_TEAMS) for line in report.other)


def _not_paired(whole: Mended) -> str:
    """Returns why no round can be paired again; empty if rounds can."""
    report = whole.report
    types = [line[4:].upper() for line in report.other if line.startswith("092")]
    other = [name for name in _OTHERS if any(name in text for text in types)]
    if all_meet(report):
        return "it is a round robin"
    if _is_of_teams(report):
        return "it is a tournament of teams (013, 310)"
    if report.system and not report.system.startswith("FIDE_DUTCH"):
        return f"its type (192) is {report.system}, and not FIDE_DUTCH"
    if other and not report.system:
        return f"its type (092) is {types[0].strip()}, and not the Dutch system"
    if whole.missing:
        return f"opponents are not in the file: {joined([*map(str, sorted(whole.missing))])}"
    return ""


def _notes(report: Report, last: int, reason: str) -> Iterator[str]:
    played = report.played_rounds
    if played and ranks_are_numbers(report):
        yield "the ranks are the starting numbers, and are not checked"
    unranked = [str(each.number) for each in report.players if not each.rank]
    if 0 < len(unranked) < len(report.players):
        yield f"players without a rank are out of the ranking: {joined(unranked)}"
    if reason:
        yield f"no round is paired again: {reason}"
        return
    if last < played:
        yield (
            f"rounds after round {last} are not paired again, as its records contradict each other"
        )
    name = report.system.removesuffix("_BAKU")
    if name in OLDER:
        yield f"the file names {name}, an older edition: pairings may differ for that reason"
    elif name in ("", "FIDE_DUTCH"):
        yield "the file names no edition (192): an event by older rules may differ"
    if not report.rounds:
        yield "no number of rounds (142, XXR): the last one played counts as the last"
    yield from odd_results(report)
