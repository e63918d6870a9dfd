"""Reads a report's rounds as the history that tie-breaks go by."""

from __future__ import annotations

from arena_tournaments.scoring.scoring import History, Turn
from arena_tournaments.trf.report import Cell, Player, Report

RULES = (2023, 2026)
"""The years of the regulations that there are."""


def history_of_report(report: Report, rules: int) -> History:
    """Returns a report's rounds in the order of numbers; the rules are those of a ``RULES``."""
    players = sorted(report.players, key=lambda player: player.number)
    index = {player.number: n for n, player in enumerate(players)}
    rounds = report.played_rounds
    meeting_all = all_meet(report)
    return History(
        tuple(
            tuple(_turns(report, player, rounds, index, meeting_all=meeting_all))
            for player in players
        ),
        draw=report.points["WD"] / (report.points["WW"] or 1),
        capped=rules >= 2026,
        finished=report.rounds in (0, rounds),
        numbers=tuple(index),
        ratings=tuple(player.rating for player in players),
        bonuses=tuple(report.bonus(player) / 10 for player in players),
    )


def all_meet(report: Report) -> bool:
    """True for a round robin, by the type of tournament (records 192 and 092)."""
    types = [report.system, *(line[4:] for line in report.other if line.startswith("092"))]
    words = "".join(types).upper().replace("-", "").replace(" ", "").replace("_", "")
    return any(name in words for name in ("ROBIN", "BERGER", "FIDERR"))


def _turns(
    report: Report, player: Player, rounds: int, index: dict[int, int], *, meeting_all: bool
) -> list[Turn]:
    cells, scores = report.cells(player, rounds), report.scores(player, rounds)
    return [
        _turn(cell, score / 10, report, index, meeting_all=meeting_all)
        for cell, score in zip(cells, scores, strict=True)
    ]


def _turn(
    cell: Cell, score: float, report: Report, index: dict[int, int], *, meeting_all: bool
) -> Turn:
    """Returns one round; in a round robin forfeits count as played, and byes are no rounds."""
    win, draw = report.points["WW"] / 10, report.points["WD"] / 10
    return Turn(
        score=score,
        worth=win if cell.opponent or not meeting_all else 0.0,
        points=score,
        opponents=(index[cell.opponent],) if cell.opponent else (),
        first=cell.colour == "w",
        played=cell.played or not cell.opponent or meeting_all,
        voluntary=cell.result in "HZ-" and not meeting_all,
        usual=None if win == 2 * draw else (score >= win) / 2 + (score >= draw) / 2,
    )
