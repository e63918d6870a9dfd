"""A report as tie-breaks look at it: histories of scores, and ratings."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from arena_tournaments.scoring.scoring import History, Turn
from arena_tournaments.trf.report import Cell, Player, Report

RULES = (2023, 2026)
"""The years of the regulations that there are."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament whose standings are computed; participants are indices.

    Attributes:
        numbers: Starting numbers.
        ratings: 0 for none.
        scores: Points, bonuses and penalties included.
        history: The rounds played.
        rounds: The number of rounds played.
        finished: Whether the last round was the tournament's last, as far as the report says.
    """

    numbers: tuple[int, ...]
    ratings: tuple[int, ...]
    scores: tuple[float, ...]
    history: History
    rounds: int
    finished: bool


def event_of(report: Report, rules: int) -> Event:
    """Returns a report as an event; the rules are those of one of ``RULES``."""
    players = sorted(report.players, key=lambda player: player.number)
    index = {player.number: n for n, player in enumerate(players)}
    rounds = report.played_rounds
    meeting_all = _all_meet(report)
    turns = tuple(
        tuple(_turns(report, player, rounds, index, meeting_all=meeting_all)) for player in players
    )
    points = [sum(report.scores(each, rounds)) + report.bonus(each) for each in players]
    return Event(
        numbers=tuple(index),
        ratings=tuple(player.rating for player in players),
        scores=tuple(each / 10 for each in points),
        history=History(
            turns, draw=report.points["WD"] / (report.points["WW"] or 1), capped=rules >= 2026
        ),
        rounds=rounds,
        finished=report.rounds in (0, rounds),
    )


def _all_meet(report: Report) -> bool:
    """True for a round robin, by the type of tournament (records 192 and 092)."""
    types = [report.system, *(line[4:] for line in report.other if line.startswith("092"))]
    words = "".join(types).upper().replace("-", "").replace(" ", "").replace("_", "")
    return any(name in words for name in ("ROBIN", "BERGER", "FIDERR"))


def _turns(
    report: Report, player: Player, rounds: int, index: dict[int, int], *, meeting_all: bool
) -> list[Turn]:
    cells, scores = report.cells(player, rounds), report.scores(player, rounds)
    return [
        _turn(cell, score / 10, report.points["WW"] / 10, index, meeting_all=meeting_all)
        for cell, score in zip(cells, scores, strict=True)
    ]


def _turn(
    cell: Cell, score: float, win: float, index: dict[int, int], *, meeting_all: bool
) -> Turn:
    """Returns one round; in a round robin forfeits count as played, and byes are no rounds."""
    return Turn(
        score=score,
        worth=win if cell.opponent or not meeting_all else 0.0,
        points=score,
        opponents=(index[cell.opponent],) if cell.opponent else (),
        first=cell.colour == "w",
        played=cell.played or not cell.opponent or meeting_all,
        voluntary=cell.result in "HZ-" and not meeting_all,
    )


def with_forfeits_played(history: History) -> History:
    """Returns a history in which forfeited games count as played (14.5)."""
    turns = (
        tuple(replace(turn, played=True) if turn.opponents else turn for turn in mine)
        for mine in history.turns
    )
    return replace(history, turns=tuple(turns))


def with_last_round_drawn(event: Event) -> History:
    """Returns a history in which all games of the tournament's last round are drawn (8.3)."""
    if not event.finished or not event.rounds:
        return event.history
    draw = event.history.draw
    last = [
        replace(turns[-1], score=turns[-1].worth * draw, played=True, voluntary=False)
        if turns[-1].opponents
        else turns[-1]
        for turns in event.history.turns
    ]
    turns = zip(event.history.turns, last, strict=True)
    return replace(event.history, turns=tuple((*mine[:-1], drawn) for mine, drawn in turns))
