"""The JSON documents and rows of reports of tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import msgspec
from arena_results.ratings.intervals.amounts import AmountEstimate
from arena_results.ratings.intervals.statistics import ResultBlock
from arena_tournaments.formats.ties import Tie
from arena_tournaments.scoring.crosstable import points_by_pair
from arena_tournaments.scoring.sections import RankedSection
from arena_tournaments.scoring.standings import Standing, Tally

from arena.core.table import Column, Table
from arena.core.tournaments.format import Bout, RoundResult
from arena.service.answers.rows import Document
from arena.service.match.adjusted import BotLuck
from arena.service.match.replays import replay_command
from arena.service.report.comparing.comparison import Comparison, stored_comparison
from arena.service.report.comparing.endpoints import cost_of_matches, endpoint_rows
from arena.service.report.comparing.verdict import verdict
from arena.service.report.report import (
    Report,
    decided_by,
    played_off,
    shown_key,
    shown_nonce,
    taken_of,
)
from arena.service.report.sums.ruling_rows import departures, round_row, ruling_row
from arena.service.report.sums.tallies import FirstLoss
from arena.service.setup.formats import asked_for


def standing_rows(report: Report) -> list[dict[str, Any]]:
    """The standings, one mapping a line; the keys are those of the JSON document."""
    rows = []
    left = departures(report.stored.rulings)
    section_of = {line.index: each.title for each in report.sections for line in each.lines}
    stage_of = {index: stage.format for stage in report.stages for index in stage.members}
    for line in report.table:
        participant = report.stored.field[line.index].participant
        tally = line.matches or Tally(0, 0, 0)
        at_table = report.table_tallies[line.index] if report.table_tallies else None
        rows.append(
            {
                "rank": line.rank,
                "name": line.name,
                "version": participant.version,
                "score": line.score,
                "match_points": line.match_points,
                "won": tally.won,
                "drawn": tally.drawn,
                "lost": tally.lost,
                "credits": report.credits[line.index] if report.credits else None,
                "tie_breaks": dict(line.tie_breaks),
                "losses_by_cause": report.losses[line.index],
                "average_place": at_table.average_place if at_table else None,
                "amount": at_table.amount if at_table else None,
            }
            | ({"this_round": report.running.gained.get(line.index)} if report.running else {})
            | ({"left": left.get(line.index)} if left else {})
            | ({"stage": stage_of[line.index]} if report.stages else {})
            | ({"section": section_of.get(line.index)} if section_of else {})
            | ({"wins_by_cause": report.wins[line.index]} if any(report.wins) else {})
            | (_mean(report.means[line.index]) if report.means else {})
            | (_adjusted(report.adjusted.bots.get(line.index)) if report.adjusted else {})
        )
    return rows


def _mean(mean: AmountEstimate) -> dict[str, object]:
    return {
        "mean_amount": mean.mean if mean.matches else None,
        "mean_amount_error": mean.error,
        "deals": mean.deals,
    }


def _adjusted(row: BotLuck | None) -> dict[str, object]:
    return {
        "adjusted": row.adjusted if row else None,
        "adjusted_error": row.adjusted_error if row else None,
    }


def _adjusted_crosstable(report: Report) -> dict[str, object]:
    if report.adjusted is None:
        return {}
    lines, pairs = [line.index for line in report.table], report.adjusted.pairs
    rows = [[_adjusted(pairs.get((one, other))) for other in lines] for one in lines]
    return {key: [[each[key] for each in row] for row in rows] for key in _adjusted(None)}


def document(report: Report) -> Document:
    """The JSON document of ``tournament run``, ``resume``, ``show`` and ``match``; no times."""
    summary = report.stored.summary
    keys = ("id", "name", "game", "ruleset", "format", "games", "mirrored", "rounds", "seed")
    tournament: dict[str, object] = {key: getattr(summary, key) for key in keys}
    tournament |= {"key": shown_key(summary), "open": summary.seeds.open}
    tournament |= {
        "commitment": summary.commitment,
        "nonce": shown_nonce(summary),
        "value_function": summary.value_function,
        "value_hash": summary.value_hash,
        "chain": report.stored.chain,
        "engine": summary.engine,
        "stake": summary.stake,
        "purse": summary.purse,
        "status": summary.status.value,
        "entries": summary.entries,
        "matches": summary.matches,
        "scoring": report.scoring.name,
        "seats": report.seats,
        "tables": report.sizes if report.seats > 2 else None,
        "resting": len(report.names) - sum(report.sizes) if report.sizes else 0,
    }
    tournament |= asked_for(report.spec)
    if report.ending:
        tournament["ended_early"] = report.ending
    if report.unit:
        tournament["unit"] = report.unit
    if report.crowded:
        tournament["crowded_authors"] = [
            {"author": author, "bots": bots} for author, bots in report.crowded
        ]
    shown: Document = {
        "verdict": verdict(report),
        "tournament": tournament,
        "standings": standing_rows(report),
        "crosstable": {
            "names": [line.name for line in report.table],
            "points": points_by_pair(report.table, report.counted),
            **({"amounts": report.crosstable} if report.unit else {}),
            **_adjusted_crosstable(report),
        },
        "rounds": [*map(round_row, repeat(report.names), report.played, report.counted)],
        "result": None if report.block is None else _block(report, report.block),
    }
    if report.luck_off:
        shown["luck_off"] = report.luck_off
    if report.first_losses:
        shown["first_losses"] = [first_loss_row(report, loss) for loss in report.first_losses]
    if rulings := report.stored.rulings:
        shown["rulings"] = [ruling_row(each, report.names) for each in rulings]
    if report.separation:
        shown["separation"] = report.separation.document()
    shown |= _parts(report) | _endpoints(report)
    if (found := stored_comparison(report)) is not None:
        shown["comparison"] = found.document()
    return shown


def _parts(report: Report) -> dict[str, object]:
    """The bracket, the sections of the standings and the stages, if there are any."""
    parts = {
        "bracket": [_bout(report, bout) for bout in report.bracket],
        "sections": [*map(_section, report.sections)],
        "stages": [_stage(report, number) for number in range(1, len(report.stages) + 1)],
    }
    return {key: part for key, part in parts.items() if part}


def comparison_document(report: Report) -> dict[str, object]:
    """The JSON document of ``arena compare``."""
    found, summary = stored_comparison(report), report.stored.summary
    return {
        "tournament": summary.id,
        "status": summary.status.value,
        **({} if found is None else found.document()),
        "losses_by_cause": dict(zip(("candidate", "baseline"), report.losses, strict=True)),
        **_endpoints(report),
        **_more_cost(report, found),
    }


def _endpoints(report: Report) -> dict[str, object]:
    return {"endpoints": endpoint_rows(report.exchanges)} if report.exchanges else {}


def _more_cost(report: Report, found: Comparison | None) -> dict[str, object]:
    if found is None or found.more is None:
        return {}
    cost = cost_of_matches(report, found.more)
    return {} if cost is None else {"more_cost": round(cost, 6)}


FIRST_LOSSES = (
    Column("name", "bot", names="bot"),
    Column("cause", "cause", tone=lambda _row: "bad"),
    Column("losses", "times", right=True),
    Column("match", "first in match", names="match"),
    Column("move", "at move", right=True),
)
"""The columns of first losses."""


def first_loss_table(report: Report) -> Table:
    """The first match that each bot lost by each of its faults."""
    rows = [first_loss_row(report, loss) for loss in report.first_losses]
    return Table(title="The first loss by each fault", columns=FIRST_LOSSES, rows=rows)


def first_loss_row(report: Report, loss: FirstLoss) -> dict[str, object]:
    """The first match that a bot lost by one fault; the keys are those of the JSON document."""
    number = report.stored.summary.id
    return {
        "name": report.names[loss.entrant],
        "cause": loss.cause,
        "losses": report.losses[loss.entrant][loss.cause],
        "match": f"{number}.{loss.key}",
        "move": loss.move,
        "replay": replay_command(number, loss.key, loss.move),
    }


def _stage(report: Report, number: int) -> dict[str, object]:
    stage = report.stages[number - 1]
    return {
        "format": stage.format,
        "entrants": [report.names[index] for index in stage.members],
        "rounds": stage.rounds,
        "finished": len(stage.played),
        "scoring": stage.scoring.name,
        "volume": stage.volume,
        "standings": [_line(line) for line in stage.table],
        "bracket": [_bout(report, bout) for bout in stage.bracket] or None,
        **({"sections": [*map(_section, stage.sections)]} if stage.sections else {}),
        **({"cut": _cut(report, number)} if stage.ties else {}),
    }


def _section(section: RankedSection) -> dict[str, object]:
    lines = [*map(_line, section.lines)]
    return {
        "title": section.title,
        "standings": section.table.written_rows if section.table else lines,
    }


def _cut(report: Report, number: int) -> dict[str, object]:
    """A cut that went through ties: all of them together, and each by itself."""
    stage = report.stages[number - 1]
    whole = Tie(
        level=tuple(dict.fromkeys(index for tie in stage.ties for index in tie.level)),
        places=sum(tie.places for tie in stage.ties),
        by=next((tie.by for tie in stage.ties if tie.by != "order"), "order"),
    )
    still = [*dict.fromkeys(index for tie in stage.ties for index in tie.unresolved)]
    ties = [
        {
            **({"section": tie.section} if tie.section else {}),
            **_tie(report, number, tie, played_off(stage, tie), tie.unresolved),
        }
        for tie in stage.ties
    ]
    return {
        "takes": stage.takes,
        **_tie(report, number, whole, stage.extra, still),
        **({"ties": ties} if len(ties) > 1 or stage.ties[0].section else {}),
    }


def _tie(
    report: Report, number: int, tie: Tie, rounds: Sequence[RoundResult], still: Sequence[int]
) -> dict[str, object]:
    """A tie: who was level, who of them continues, and by what."""
    order = "initial order" if number == 1 else f"seeding of stage {number}"
    playoff = {
        "rounds": [past.round.number for past in rounds],
        "still_level": [report.names[index] for index in still],
    }
    return {
        "level": [report.names[index] for index in tie.level],
        "taken": [report.names[index] for index in taken_of(report, number, tie)],
        "by": {"order": order, "share": "share", "playoff": "play-off"}[tie.by],
        **({"playoff": playoff} if tie.by == "playoff" else {}),
    }


def _line(line: Standing) -> dict[str, object]:
    tally = line.matches or Tally(0, 0, 0)
    return {
        "rank": line.rank,
        "name": line.name,
        "score": line.score,
        "match_points": line.match_points,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "tie_breaks": dict(line.tie_breaks),
    }


def _bout(report: Report, bout: Bout) -> dict[str, object]:
    *names, winner = (None if i is None else report.names[i] for i in (*bout.entrants, bout.winner))
    return {
        "name": bout.name,
        "round": bout.round,
        "names": names,
        "sides": bout.sides,
        "points": bout.points,
        "winner": winner,
        **({"decided_by": decided} if (decided := decided_by(bout)) else {}),
        **({"forfeited": [report.names[i] for i in bout.forfeited]} if bout.forfeited else {}),
    }


def _block(report: Report, block: ResultBlock) -> dict[str, object]:
    one, other = report.names
    return {
        "point_of_view": one,
        "against": other,
        "games": block.games,
        "won": block.won,
        "lost": block.lost,
        "drawn": block.drawn,
        "ptnml": block.pairs,
        **msgspec.to_builtins(block.estimate),
        **(_mean(report.means[0]) if report.means else {}),
        **(_adjusted(report.adjusted.bots.get(0)) if report.adjusted else {}),
    }
