"""Completes records by the records of the opponents, so that later rounds can be checked."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from arena_tournaments.trf.cells import UNKNOWN
from arena_tournaments.trf.report import Cell, Report

_MIRRORED = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+"}
_OTHER = {"w": "b", "b": "w", "-": "-"}
_WON, _DRAWN = "1W+", "=D" + UNKNOWN


class Mended(msgspec.Struct, frozen=True, kw_only=True):
    """A report in which each opponent is mutual, and each game has results.

    Attributes:
        open: Players of each round, if no other record gives their opponent or result.
        missing: Numbers of opponents that are not in the file.
    """

    report: Report
    open: Mapping[int, frozenset[int]]
    missing: frozenset[int]


def mended(report: Report) -> Mended:
    """Completes a report: an opponent, a colour or a result that its opponent's record gives.

    A game that stays without an opponent counts as a bye of the same result, one without any
    result as a draw, as FIDE counts an adjourned one.
    """
    rows = {player.number: [*player.cells] for player in report.players}
    open: dict[int, frozenset[int]] = {}
    missing: set[int] = set()
    for round in range(max(map(len, rows.values()), default=0)):
        cells = {number: row[round] for number, row in rows.items() if len(row) > round}
        found = _with_opponents(cells)
        missing |= {cell.opponent for cell in found.values()} - rows.keys() - {0}
        unclear = frozenset(number for number in found if _unclear(number, found))
        if unclear:
            open[round + 1] = unclear
        for number in found:
            rows[number][round] = _completed(number, found)
    players = tuple(replace(each, cells=tuple(rows[each.number])) for each in report.players)
    return Mended(report=replace(report, players=players), open=open, missing=frozenset(missing))


def _mutual(number: int, cells: Mapping[int, Cell]) -> bool:
    opponent = cells.get(cells[number].opponent)
    return opponent is not None and opponent.opponent == number


def _with_opponents(cells: Mapping[int, Cell]) -> dict[int, Cell]:
    """Returns the cells of a round with the opponents that only their own records give."""
    named: dict[int, list[int]] = {}
    for number, cell in cells.items():
        if cell.opponent and not _mutual(number, cells):
            named.setdefault(cell.opponent, []).append(number)
    found = dict(cells)
    for number, by in named.items():
        mine = cells.get(number)
        if mine is None or mine.result in "UFHZ" or _mutual(number, found):
            continue
        if len(by) == 1:
            found[number] = replace(mine, opponent=by[0])
    return found


def _unclear(number: int, cells: Mapping[int, Cell]) -> bool:
    cell = cells[number]
    if cell.result in "UFHZ":
        return False
    if not _mutual(number, cells):
        return True
    return cell.result == cells[cell.opponent].result == UNKNOWN


def _completed(number: int, cells: Mapping[int, Cell]) -> Cell:
    cell = cells[number]
    if cell.result in "UFHZ":
        return cell
    if not _mutual(number, cells):
        return Cell(result="F" if cell.result in _WON else "H" if cell.result in _DRAWN else "Z")
    other = cells[cell.opponent]
    if cell.result == UNKNOWN:
        cell = replace(cell, result=_MIRRORED.get(other.result, "="))
    if cell.colour == "-" and cell.played:
        cell = replace(cell, colour=_OTHER[other.colour])
    return cell


def fits(mine: str, theirs: str) -> bool:
    """Returns whether two results can come from one game; the arbiter may let both lose."""
    if UNKNOWN in (mine, theirs):
        return True
    lost = "0=" if mine in "10=" else "LD" if mine in "WLD" else "-"
    return theirs == _MIRRORED[mine] or (mine in lost and theirs in lost)


def cells_of_round(report: Report, round: int) -> dict[int, Cell]:
    """Returns the entries of a round by number; none is an absence."""
    return {each.number: report.cells(each, round)[-1] for each in report.players}
