"""Checks that the records of a Tournament Report File fit together."""

from __future__ import annotations

from collections.abc import Mapping

from arena.core.errors import ParseError
from arena_tournaments.trf.report import Cell, Player, Report, numbers_of


def check(report: Report, lines: Mapping[int, int]) -> None:
    """Raises ``ParseError`` for opponents that contradict each other, and for too many rounds.

    Args:
        lines: The line of each player's record, by number.
    """
    players = numbers_of(report.players)
    for player in report.players:
        for round, cell in enumerate(player.cells, 1):
            if cell.opponent:
                problem = _contradiction(player, cell, round, players)
                if problem:
                    where = f"line {lines[player.number]}: player {player.number}, round {round}"
                    raise ParseError(f"{where}: {problem}")
    played = report.played_rounds
    if report.rounds and played > report.rounds:
        raise ParseError(f"{played} rounds were played, but rounds (142, XXR) is {report.rounds}")


def wrong_points(report: Report) -> list[str]:
    """Returns a line for each player whose points are not those of the results, which count.

    Pairing programs also write virtual or coming points, and a report whose last rounds were cut
    off still has the points of all.
    """
    played = report.played_rounds
    virtual = report.virtual_points(played + 1)
    checked = (
        _wrong_points(report, player, played, virtual.get(player.number, 0))
        for player in report.players
    )
    return [problem for problem in checked if problem]


def _contradiction(
    player: Player, cell: Cell, round: int, players: dict[int, Player]
) -> str | None:
    """Returns what is wrong with an encounter, if anything is."""
    opponent = players.get(cell.opponent)
    if opponent is None:
        return f"there is no player {cell.opponent}"
    if len(opponent.cells) < round or opponent.cells[round - 1].opponent != player.number:
        return f"player {cell.opponent} has another opponent"
    other = opponent.cells[round - 1]
    if cell.colour == other.colour != "-":
        return f"player {cell.opponent} has the same colour"
    if cell.played != other.played:
        return f"of a game with {cell.opponent}, one result is a forfeit"
    if cell.result == other.result and cell.result in "1W+":
        return f"both have won, it and player {cell.opponent}"
    return None


def _wrong_points(report: Report, player: Player, played: int, virtual: int) -> str | None:
    """Compares a player's points with the results, which also may be virtual or coming ones."""
    if player.points is None:
        return None
    earned = sum(report.scores(player, played)) + report.bonus(player)
    coming = sum(report.scores(player, played + 1)) + report.bonus(player)
    if player.points in (earned, earned + virtual, coming, coming + virtual):
        return None
    return (
        f"player {player.number}: points {player.points / 10} are not the {earned / 10} of its "
        "results"
    )
