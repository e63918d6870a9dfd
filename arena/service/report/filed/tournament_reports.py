"""Tournament Report Files (TRF) as values: the next round of one, and its standings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from arena_tournaments.play.rulings import disqualified
from arena_tournaments.scoring.ranking import Chosen, ranking, tie_break
from arena_tournaments.scoring.scoring import PAIRING
from arena_tournaments.trf.checking import given_byes, odd_entries, odd_results, wrong_points
from arena_tournaments.trf.history import RULES, history_of_report
from arena_tournaments.trf.reading import MAX_LENGTH, read_trf
from arena_tournaments.trf.report import Forbidden, Report
from arena_tournaments.trf.tournament import report_of_swiss
from arena_tournaments.trf.writing import write_trf

from arena.core.errors import BadInput, ParseError
from arena.core.tournaments.rulings import RulingKind, absences
from arena.service.lookup.isolation import Warn, ignore
from arena.service.report.report import Report as TournamentSoFar
from arena.service.setup.formats import forbidden_groups

USUAL = ("BH/C1", "BH", "SB", "DE")
"""The tie-breaks of standings where neither the caller nor the report names any."""


def read_report(path: Path, warn: Warn = ignore) -> Report:
    """Reads a report; a file that is none raises ``BadInput``, naming line and field.

    Args:
        warn: Is given a line for each thing that is odd, and what counts: points that are not those
            of the results, a second allocated bye, forfeits only, mixed encodings.
    """
    try:
        report = read_trf(read_bytes(path), lambda line: warn(f"{path}: {line}"))
    except ParseError as error:
        raise BadInput(f"{path}: {error}") from None
    for line in odd_results(report):
        warn(f"{path}: {line}")
    if wrong := wrong_points(report):
        others = f", and so for {len(wrong) - 1} others" if len(wrong) > 1 else ""
        warn(
            f"{path}: {wrong[0]}{others}; the results count "
            "(other points for a win, a draw or a bye: record 162, XXS or BBW, BBD, BBU)"
        )
    return report


def read_bytes(path: Path) -> bytes:
    """Returns the bytes of a report, at most one more than a report may have.

    Raises:
        BadInput: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAX_LENGTH + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def next_round(path: Path, report: Report, warn: Warn = ignore) -> list[tuple[int, ...]]:
    """Returns the pairings of the next round in board order: numbers, White first, one for a bye.

    Args:
        warn: Is given a line where the report does not say how many rounds there are, and for each
            entry of that round that is odd.

    Raises:
        BadInput: The tournament is over, is paired by another system, or its rules allow no
            pairing of that round.
    """
    # Imported here: it brings numpy, which no other verb has to wait for.
    from arena_tournaments.dutch.rounds import pair_next_round

    played = report.played_rounds
    coming = played + 1
    if report.system.startswith("FIDE_") and not report.system.startswith("FIDE_DUTCH"):
        raise BadInput(f"{path}: type of tournament (192) {report.system!r} is not FIDE_DUTCH")
    if report.rounds and played >= report.rounds:
        raise BadInput(f"{path}: all of the {report.rounds} rounds (142, XXR) are played")
    if not report.rounds:
        warn(f"{path}: no number of rounds (142, XXR): not paired as the last round")
    for line in odd_entries(report):
        warn(f"{path}: {line}")
    pairs = pair_next_round(report)
    if pairs == ():
        raise BadInput(
            f"{path}: round {coming}: nobody is left to pair: all players have a bye or are absent "
            "(an entry without an opponent in 001, 240, XXZ)"
        )
    if pairs is None:
        raise BadInput(
            f"{path}: round {coming} cannot be paired: with any bye, some players are left without "
            "an allowed opponent (C.04.3, 1.9.3: the arbiter decides)"
        )
    rests = [white for white, black in pairs if not black]
    if rests and (given := given_byes(report, coming)):
        warn(
            f"{path}: round {coming}: player {given[0]} has the allocated bye (U), and the "
            f"{2 * len(pairs) - 1} who are left are odd: player {rests[0]} has one, too"
        )
    return [pair if pair[1] else pair[:1] for pair in pairs]


def pairings_document(report: Report, pairings: list[tuple[int, ...]]) -> dict[str, object]:
    """Returns the JSON document of ``arena pair``: the pairings of the round after a report's."""
    return {"round": report.played_rounds + 1, "pairings": [{"seats": seats} for seats in pairings]}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a report's standings: a row of the JSON document.

    Attributes:
        number: Starting number.
        rank: 1 and up; shared by those whom no tie-break parts.
        tiebreaks: Values by the names as typed asked for; ``None`` where there is nothing to
            average.
    """

    number: int
    rank: int
    points: float
    tiebreaks: dict[str, float | None]


def standings(
    report: Report, tie_breaks: Sequence[str] | None, rules: int, warn: Warn = ignore
) -> list[Standing]:
    """Returns the standings of a report, the best first.

    Args:
        tie_breaks: Acronyms of C.07 with their modifiers, in the order in which they count;
            ``None`` for the event's own (record 212), or the usual ones.
        rules: The year of the regulations, one of ``RULES``.
        warn: Is given a line for each tie-break that cannot part anybody.

    Raises:
        BadInput: There are no such rules, or no such tie-break.
    """
    if rules not in RULES:
        raise BadInput(f"rules of {rules}: expected {' or '.join(map(str, RULES))}")
    past = history_of_report(report, rules)
    points = [past.score(index, bonus=True) for index in range(len(past.turns))]
    if tie_breaks is None and report.tie_breaks:
        chosen = _own_tie_breaks(report.tie_breaks, warn)
        points_first = all(each.row.name != "PTS" for each in chosen)
    else:
        chosen, points_first = [tie_break(each) for each in tie_breaks or USUAL], True
    if not any(past.ratings):
        for each in chosen:
            if each.row.data == "ratings" and not each.modifiers.unrated:
                warn(f"tie-break {each.name} needs ratings, and no player has one (001)")
    return [
        Standing(
            number=past.numbers[line.index],
            rank=line.rank,
            points=points[line.index],
            tiebreaks={
                name: None if value is None else float(value)
                for name, value in line.tie_breaks.items()
            },
        )
        for line in ranking(past, chosen, *([points] if points_first else []))
    ]


def _own_tie_breaks(names: Sequence[str], warn: Warn) -> list[Chosen]:
    chosen: list[Chosen] = []
    for name in names:
        try:
            chosen.append(tie_break(name))
        except BadInput as error:
            warn(f"record 212: {error}; it is left out")
    return chosen or [*map(tie_break, USUAL)]


def standings_document(rules: int, lines: Sequence[Standing]) -> dict[str, object]:
    """Returns the JSON document of ``arena standings``."""
    return {"rules": rules, "standings": [msgspec.structs.asdict(line) for line in lines]}


def written_report(report: TournamentSoFar) -> str:
    """Returns a stored Swiss as the text of a report; others raise ``BadInput``."""
    summary = report.stored.summary
    if report.stages:
        raise BadInput(
            f"tournament {summary.id}: expected one Swiss, got the stages {summary.format}; "
            "a Tournament Report File holds no stages"
        )
    if report.scoring.name != PAIRING.name:
        longer = " that plays on until ranks are separated" if report.separation else ""
        raise BadInput(
            f"tournament {summary.id}: expected a Swiss, got {summary.format}{longer}; "
            "a Tournament Report File holds pairings that score 1, 1/2 or 0"
        )
    ranks = {line.index: line.rank for line in report.table}
    rulings, played = report.stored.rulings, len(report.played)
    out = disqualified(rulings)
    coming = absences(rulings, played + 1) if played < summary.rounds else ()
    return write_trf(
        report_of_swiss(
            report.names,
            report.played,
            summary.rounds,
            scoring=report.scoring,
            name=summary.name,
            ranks=[0 if index in out else ranks[index] for index in range(len(report.names))],
            acceleration=report.spec.format_options.get("acceleration"),
            forbidden=forbidden_groups(report.spec),
            forbidden_later=[
                Forbidden(each.round, summary.rounds, tuple([index + 1 for index in group]))
                for each in rulings
                if each.kind is RulingKind.FORBID
                for group in each.entries
            ],
            absent=[each.index for each in coming if each.gone],
            late=sum(each.kind is RulingKind.ADD and each.round > 1 for each in rulings),
            byes=[each for each in rulings if each.kind is RulingKind.BYE and each.round > played],
            hand=sorted(
                {e.round for e in rulings if e.kind is RulingKind.PAIR and e.round <= played}
            ),
        )
    )
