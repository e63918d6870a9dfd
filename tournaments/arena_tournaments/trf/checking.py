"""Checks that the records of a Tournament Report File fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from arena.core.errors import ParseError
from arena.core.text.printable import joined
from arena_tournaments.pairing.factors import cycle_of
from arena_tournaments.trf.cells import UNKNOWN
from arena_tournaments.trf.report import Cell, Player, Report, numbers_of


class Contradiction(msgspec.Struct, frozen=True, kw_only=True):
    """Two records that cannot both be right.

    Attributes:
        kind: ``opponent``, ``colour`` or ``result``.
        player: The player with the record that is compared.
        other: The opponent that it names.
    """

    kind: str
    player: int
    other: int
    round: int
    problem: str


def check(report: Report, lines: Mapping[int, int]) -> None:
    """Raises ``ParseError`` for opponents that contradict each other, and for too many rounds.

    Args:
        lines: The line of each player's record, by number.
    """
    for found in contradictions(report):
        where = f"line {lines[found.player]}: player {found.player}, round {found.round}"
        raise ParseError(f"{where}: {found.problem}")
    played = report.played_rounds
    if report.rounds and played > report.rounds:
        raise ParseError(f"{played} rounds were played, but rounds (142, XXR) is {report.rounds}")


def contradictions(report: Report) -> Iterator[Contradiction]:
    """Yields each record that its opponent contradicts, in the file's order."""
    players = numbers_of(report.players)
    for player in report.players:
        for round, cell in enumerate(player.cells, 1):
            found = _contradiction(player, cell, round, players) if cell.opponent else None
            if found:
                kind, problem = found
                yield Contradiction(
                    kind=kind,
                    player=player.number,
                    other=cell.opponent,
                    round=round,
                    problem=problem,
                )


def wrong_points(report: Report) -> list[str]:
    """Returns a line for each player whose points are not those of the results, which count."""
    return [
        f"player {player.number}: points {points / 10} are not the {earned / 10} of its results"
        for player, points, earned in points_that_differ(report)
    ]


def points_that_differ(report: Report) -> Iterator[tuple[Player, int, int]]:
    """Yields each player with points that its results do not give, and both, in tenths.

    Pairing programs also write virtual or coming points, and a report whose last rounds were cut
    off still has the points of all.
    """
    played = report.played_rounds
    virtual = report.virtual_points(played + 1)
    for player in report.players:
        ahead = virtual.get(player.number, 0)
        bonus = report.bonus(player)
        earned = sum(report.scores(player, played)) + bonus
        coming = sum(report.scores(player, played + 1)) + bonus
        right = (None, earned, earned + ahead, coming, coming + ahead)
        if player.points not in right:
            yield player, player.points or 0, earned


def odd_results(report: Report) -> list[str]:
    """Returns a line for whatever of the rounds played is odd, and counts as it stands."""
    played = report.played_rounds
    found = [line for round in range(1, played + 1) for line in _odd_byes(report, round)]
    games = [cell for each in report.players for cell in each.cells[:played] if cell.opponent]
    if games and not any(cell.played for cell in games):
        found.append(
            "all results are forfeits (+ and -), which are not games: nobody has had a colour or "
            "met anybody (results of games: 1, =, 0 with the colours w and b)"
        )
    last = {report.cells(each, played)[-1] for each in report.players} if played else set()
    if not any(cell.opponent for cell in last) and {cell.result for cell in last} > {"Z"}:
        found.append(
            f"round {played}: nobody has an opponent; it counts as played, as everybody has an "
            "entry (before a round is paired, those alone have one who do not play it)"
        )
    return found


def odd_entries(report: Report) -> list[str]:
    """Returns a line for whatever is odd in the entries of the round that will be paired."""
    coming = report.played_rounds + 1
    found = _odd_byes(report, coming)
    if report.placeholders:
        found.append(
            f"round {coming}: everybody has an entry, so that nobody would be left to pair: "
            "the absences (Z or blank) are taken as placeholders"
        )
    return found


def given_byes(report: Report, round: int) -> list[int]:
    """Returns the numbers of those who have the allocated bye (U) in a round."""
    return [each.number for each in report.players if _has_bye(each, round)]


def _has_bye(player: Player, round: int) -> bool:
    return len(player.cells) >= round and player.cells[round - 1].result == "U"


def _odd_byes(report: Report, round: int) -> list[str]:
    """Returns what the rules do not allow of the allocated byes of a round (C.04.3, C2)."""
    given, found = given_byes(report, round), []
    if len(given) > 1:
        found.append(
            f"round {round}: players {joined([*map(str, given)])} have the allocated bye "
            "(0000 - U); a round has one (C.04.3, 1.5)"
        )
    players = numbers_of(report.players)
    for number in given:
        player = players[number]
        cycles = report.rounds > cycle_of(len(players))  # byes come again with each of them
        if before := 0 if cycles else free_win(report, player, round - 1):
            found += [
                f"round {round}: player {number} has the allocated bye (U), but had a win without "
                f"a game in round {before}: nobody has both (C.04.3, C2)"
            ]
    return found


def free_win(report: Report, player: Player, rounds: int, begin: int = 0) -> int:
    """Returns the first of some rounds in which a player won without a game (C2); 0 for none.

    Args:
        begin: How many of them count no more.
    """
    scored = zip(report.cells(player, rounds), report.scores(player, rounds), strict=True)
    for round, (cell, score) in enumerate(scored, 1):
        if round > begin and cell.free_win(score, report.points["WW"]):
            return round
    return 0


def _contradiction(
    player: Player, cell: Cell, round: int, players: Mapping[int, Player]
) -> tuple[str, str] | None:
    opponent = players.get(cell.opponent)
    if opponent is None:
        return "opponent", f"there is no player {cell.opponent}"
    if len(opponent.cells) < round or opponent.cells[round - 1].opponent != player.number:
        return "opponent", f"player {cell.opponent} has another opponent"
    other = opponent.cells[round - 1]
    if cell.colour == other.colour != "-":
        return "colour", f"player {cell.opponent} has the same colour"
    if UNKNOWN in (cell.result, other.result):
        return None
    if cell.played != other.played:
        return "result", f"of a game with {cell.opponent}, one result is a forfeit"
    if cell.result == other.result and cell.result in "1W+":
        return "result", f"both have won, it and player {cell.opponent}"
    return None
