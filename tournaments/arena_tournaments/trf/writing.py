"""Writes Tournament Report Files as TRF26, with JaVaFo's codes where it has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena_tournaments.trf.report import USUAL_POINTS, Cell, Player, Report

_LETTERS = {
    "W": ("WW", "BW", "FW", "FPB"),
    "D": ("WD", "BD", "HPB"),
    "L": ("WL", "BL"),
    "A": ("ZPB", "FL"),
    "P": ("PAB",),
}


def write_trf(report: Report) -> str:
    """Returns a report as text; ``read_trf`` reads it as the same report."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    if report.name:
        yield f"012 {report.name}"
    yield from report.other
    if report.rounds:
        yield f"142 {report.rounds}"
    if report.initial_colour:
        yield f"152 {report.initial_colour.upper()}"
    if report.points != USUAL_POINTS:
        yield _points_line(report)
    if report.system:
        yield f"192 {report.system}"
    if report.tie_breaks:
        yield f"212 {','.join(report.tie_breaks)}"
    if report.by_line:
        yield "XXC rank"
    for player in report.players:
        yield _player_line(player)
    for (round, number), kind in sorted(report.byes.items()):
        yield f"240 {kind} {round:03d} {number:4d}"
    for each in report.accelerations:
        rounds = f"{each.first_round:03d} {each.last_round:03d}"
        yield f"250      {_points(each.points)} {rounds} {each.first:4d} {each.last:4d}"
    for group in report.forbidden:
        rounds = f"260 {group.first_round:03d} {group.last_round:03d}"
        yield f"{rounds if group.last_round else 'XXP'} {_numbers(group.numbers)}"
    for number, adjustments in report.adjustments.items():
        for adjustment in adjustments:
            points = f"{adjustment.result:9}{_points(adjustment.points):>5}"
            yield f"299 {points} {adjustment.round:03d} {number:4d}"
    if report.absent:
        yield f"XXZ {_numbers(sorted(report.absent))}"


def _points_line(report: Report) -> str:
    """Returns record 162, or XXS where the points of a letter's results differ."""
    points = report.points
    if all(len({points[code] for code in codes}) == 1 for codes in _LETTERS.values()):
        values = {letter: points[codes[0]] for letter, codes in _LETTERS.items()}
        return "162  " + "".join(f"{each}{_points(p)}    " for each, p in values.items()).rstrip()
    return "XXS " + " ".join(f"{code}={_points(each).strip()}" for code, each in points.items())


def _player_line(player: Player) -> str:
    points = "" if player.points is None else _points(player.points)
    cells = "".join(map(_cell, player.cells))
    return (
        f"001 {player.number:4d} {player.sex:1}{player.title:>3} {player.name[:33]:33} "
        f"{player.rating or '':>4} {player.federation:>3} {player.fide_number:>11} "
        f"{player.birth:10} {points:>4} {player.rank or '':>4}{cells}"
    ).rstrip()


def _cell(cell: Cell) -> str:
    opponent = f"{cell.opponent:4d}" if cell.opponent else "0000"
    return f"  {opponent} {cell.colour} {cell.result}"


def _points(tenths: int) -> str:
    text = f"{tenths / 10:.1f}"
    return f"{text if len(text) < 5 or tenths % 10 else tenths // 10:>4}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:4d}" for number in numbers)
