"""The report of a tournament as values: standings, crosstable, losses by cause, result block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from arena_results.purses import purses
from arena_results.ratings.duels import units
from arena_results.ratings.statistics import ResultBlock, result_block
from arena_results.rows import MatchRow, Status, StoredTournament, TournamentSummary
from arena_tournaments.crosstable import points_by_pair
from arena_tournaments.formats.stages import Staged
from arena_tournaments.rulings import disqualified, ruled, void_pairings
from arena_tournaments.schedule import Schedule, is_complete, match_points, round_result
from arena_tournaments.scoring import tidy
from arena_tournaments.spec import TournamentSpec
from arena_tournaments.standings import Standing, Tally, ranked
from arena_tournaments.volume import Fixed

from arena.core.record import MatchKey
from arena.core.rulings import absences
from arena.core.tournament import Bout, Elimination, Format, RoundResult, Scoring
from arena.service.formats import asked_for, crowded, stored_schedule, volumes_text
from arena.service.ledger import wins_by_fault
from arena.service.replays import replay_command
from arena.service.ruling_rows import round_row, ruling_row


class FirstLoss(msgspec.Struct, frozen=True):
    """The first adjudicated loss of a bot by one cause, in schedule order.

    Attributes:
        entrant: The bot, by index into the field.
        move: Number of decisions taken in the match before the fault.
    """

    entrant: int
    cause: str
    key: MatchKey
    move: int


class TableTally(msgspec.Struct, frozen=True):
    """The record of one participant at tables of more than two.

    Attributes:
        average_place: The average of its places, 1 the best; who share places have their
            average. ``None`` before its first match.
        amount: The sum of the game's own amounts (chips, points, ...) over its matches.
    """

    average_place: float | None
    amount: int


class StageReport(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of a tournament.

    Attributes:
        members: Who plays in it, by index into the field, in the order of its seeding.
        played: Its rounds.
        volume: The rule of how many matches a pairing plays, in words.
        bracket: Its bouts, in a format with a bracket.
    """

    format: str
    members: tuple[int, ...]
    rounds: int
    played: tuple[RoundResult, ...]
    scoring: Scoring
    table: tuple[Standing, ...]
    volume: str
    bracket: tuple[Bout, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that faces show of a finished or stopped tournament.

    Attributes:
        played: Result of every round that counts: where a pairing is decided by majority, every
            finished round, else also one under way.
        volume: The rule of how many matches a pairing plays, in words.
        seats: Seats of a full table.
        sizes: How many sit at each table of the first round.
        crowded: The authors whose bots cannot all sit apart, with how many bots they have.
        table_tallies: By index into the field; ``None`` for tables of two.
        losses: Adjudicated losses by cause, by index into the field.
        wins: Matches won by the other's fault, by cause; at tables, duels.
        first_losses: The first of each bot and cause.
        credits: What each entry holds after its wagers; ``None`` without a stake.
        bracket: Its bouts, in a format with a bracket.
        stages: The stages that have begun, if there are any: each as a report of its own.
        block: For two entries: the result block from the first one's point of view.
    """

    stored: StoredTournament
    played: tuple[RoundResult, ...]
    finished: int
    scoring: Scoring
    table: tuple[Standing, ...]
    volume: str
    seats: int
    sizes: tuple[int, ...]
    crowded: tuple[tuple[str, int], ...] = ()
    table_tallies: tuple[TableTally, ...] | None
    losses: tuple[dict[str, int], ...]
    wins: tuple[dict[str, int], ...] = ()
    first_losses: tuple[FirstLoss, ...]
    credits: tuple[int, ...] | None
    bracket: tuple[Bout, ...]
    block: ResultBlock | None
    stages: tuple[StageReport, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The field's names in initial order."""
        return self.stored.names


def make_report(stored: StoredTournament, format: Format) -> Report:
    """Puts a report together from what is stored."""
    summary, names = stored.summary, stored.names
    matches = tuple(stored.played.values())
    returns = {place: match.returns for place, match in stored.played.items()}
    scoring = format.scoring()
    spec = TournamentSpec.from_json(summary.spec)
    seats = spec.seats or 2
    schedule = stored_schedule(summary, format)
    rulings = stored.rulings
    if isinstance(format, Staged) and rulings:
        left = (each.index for each in absences(rulings, len(stored.rounds) + 1) if each.gone)
        format = msgspec.structs.replace(format, gone=frozenset(left))
    rounds = [(made, schedule.jobs(made, schedule.legs(made, returns))) for made in stored.rounds]
    complete = [is_complete(made, jobs, returns) for made, jobs in rounds]
    # Where everybody meets everybody and every match scores, those of an unfinished round are what
    # they are; elsewhere such a round is not decided yet, so that it waits.
    by_match = (
        scoring.all_meet
        and isinstance(schedule.volumes[0], Fixed)
        and not isinstance(format, Staged)
    )
    played = ruled(
        [
            round_result(made, jobs, returns)
            for (made, jobs), done in zip(rounds, complete, strict=True)
            if done or (by_match and any(job.key in returns for job in jobs))
        ],
        rulings,
    )
    sizes = tuple(len(made.seats) for made in stored.rounds[0].pairings) if rounds else ()
    if void := void_pairings(played):
        matches = tuple(e for e in matches if (e.key.round, e.key.pairing) not in void)
    block = None
    if len(names) == 2 and matches:
        block = result_block(units(matches, summary.mirrored, range(2)), 0)
    return Report(
        stored=stored,
        played=played,
        finished=sum(complete),
        scoring=scoring,
        table=ranked(format, names, played, _tallies(matches, len(names)), disqualified(rulings)),
        volume=volumes_text(schedule.volumes),
        seats=seats,
        sizes=sizes,
        crowded=crowded(spec, [entry.author for entry in stored.field], sizes),
        table_tallies=_table_tallies(matches, len(names)) if seats > 2 else None,
        losses=losses(tuple(stored.played.values()), len(names)),
        wins=wins_by_fault(matches, len(names)),
        first_losses=first_losses(tuple(stored.played.values())),
        credits=purses(tuple(stored.played.values()), len(names), summary.purse, summary.stake)
        if summary.stake
        else None,
        bracket=_bracket(format, range(len(names)), played),
        block=block,
        stages=_stages(format, names, played, matches, schedule)
        if isinstance(format, Staged)
        else (),
    )


def _bracket(
    format: Format, members: Sequence[int], played: Sequence[RoundResult], begin: int = 0
) -> tuple[Bout, ...]:
    """The bouts of a bracket among these members of the field; its rounds come after ``begin``."""
    if not isinstance(format, Elimination):
        return ()

    def member(index: int | None) -> int | None:
        return None if index is None else members[index]

    return tuple(
        msgspec.structs.replace(
            bout,
            round=begin + bout.round,
            entrants=(member(bout.entrants[0]), member(bout.entrants[1])),
            winner=member(bout.winner),
        )
        for bout in format.bracket(len(members), played)
    )


def _stages(
    format: Staged,
    names: Sequence[str],
    played: Sequence[RoundResult],
    matches: Sequence[MatchRow],
    schedule: Schedule,
) -> tuple[StageReport, ...]:
    found: list[StageReport] = []
    begin = 0
    for part in format.parts(names, played):
        end = begin + part.rounds
        own = [match for match in matches if begin < match.key.round <= end]
        tallies = _tallies(own, len(names))
        found.append(
            StageReport(
                format=part.format.name,
                members=part.members,
                rounds=part.rounds,
                played=part.played,
                scoring=part.format.scoring(),
                table=tuple(
                    msgspec.structs.replace(line, matches=tallies[line.index])
                    for line in part.table
                ),
                volume=volumes_text(schedule.volumes[begin:end]),
                bracket=_bracket(part.format, part.members, part.own, begin),
            )
        )
        begin = end
    return tuple(found)


def _tallies(matches: Sequence[MatchRow], entries: int) -> tuple[Tally, ...]:
    """Matches won, drawn and lost; at tables: finished alone on top, shared the top, the rest."""
    found = [Counter[str]() for _ in range(entries)]
    for match in matches:
        best = max(match.returns)
        top = "drawn" if match.returns.count(best) > 1 else "won"
        for index, utility in zip(match.seats, match.returns, strict=True):
            found[index][top if utility == best else "lost"] += 1
    return tuple(Tally(row["won"], row["drawn"], row["lost"]) for row in found)


def _table_tallies(matches: Sequence[MatchRow], entries: int) -> tuple[TableTally, ...]:
    places: list[list[float]] = [[] for _ in range(entries)]
    amounts = [0] * entries
    for match in matches:
        others = len(match.seats) - 1
        shares = match_points(match.returns)
        for index, share, amount in zip(match.seats, shares, match.scores, strict=True):
            places[index].append(1 + others * (1 - share))
            amounts[index] += amount
    return tuple(
        TableTally(tidy(sum(row) / len(row)) if row else None, amount)
        for row, amount in zip(places, amounts, strict=True)
    )


def losses(matches: Sequence[MatchRow], entries: int) -> tuple[dict[str, int], ...]:
    """Adjudicated losses by cause, by index into the field."""
    found = [Counter[str]() for _ in range(entries)]
    for match in matches:
        for fault in match.faults:
            found[match.seats[fault.seat]][fault.cause.value] += 1
    return tuple(dict(sorted(row.items())) for row in found)


def first_losses(matches: Sequence[MatchRow]) -> tuple[FirstLoss, ...]:
    """The first adjudicated loss of each bot and cause; matches are in schedule order."""
    found: dict[tuple[int, str], FirstLoss] = {}
    for match in matches:
        for fault in match.faults:
            entrant, cause = match.seats[fault.seat], fault.cause.value
            if (entrant, cause) not in found:
                found[entrant, cause] = FirstLoss(entrant, cause, match.key, fault.move)
    return tuple(found[key] for key in sorted(found))


def standing_rows(report: Report) -> list[dict[str, object]]:
    """The standings, one mapping a line; the keys are those of the JSON document."""
    rows = []
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
            | ({"stage": stage_of[line.index]} if report.stages else {})
            | ({"wins_by_cause": report.wins[line.index]} if any(report.wins) else {})
        )
    return rows


def document(report: Report) -> dict[str, object]:
    """The JSON document of ``tournament run``, ``resume``, ``show`` and ``match``; no times."""
    summary = report.stored.summary
    keys = ("id", "name", "game", "ruleset", "format", "games", "mirrored", "rounds", "seed")
    tournament: dict[str, object] = {key: getattr(summary, key) for key in keys}
    tournament |= {"key": shown_key(summary), "open": summary.seeds.open}
    tournament |= {
        "commitment": summary.commitment,
        "nonce": shown_nonce(summary),
        "chain": report.stored.chain,
        "engine": summary.engine,
        "stake": summary.stake,
        "purse": summary.purse,
        "status": summary.status.value,
        "entries": summary.entries,
        "matches": len(report.stored.played),
        "scoring": report.scoring.name,
        "seats": report.seats,
        "tables": report.sizes if report.seats > 2 else None,
        "resting": len(report.names) - sum(report.sizes) if report.sizes else 0,
    }
    spec = TournamentSpec.from_json(summary.spec)
    tournament |= asked_for(spec)
    if report.crowded:
        tournament["crowded_authors"] = [
            {"author": author, "bots": bots} for author, bots in report.crowded
        ]
    shown: dict[str, object] = {
        "tournament": tournament,
        "standings": standing_rows(report),
        "crosstable": {
            "names": [line.name for line in report.table],
            "points": points_by_pair(report.table, report.played),
        },
        "rounds": [round_row(report.names, result) for result in report.played],
        "result": None if report.block is None else _block(report, report.block),
    }
    if report.first_losses:
        shown["first_losses"] = [_first_loss(report, loss) for loss in report.first_losses]
    if rulings := report.stored.rulings:
        shown["rulings"] = [ruling_row(each, report.names) for each in rulings]
    if report.bracket:
        shown["bracket"] = [_bout(report, bout) for bout in report.bracket]
    if report.stages:
        shown["stages"] = [_stage(report, stage) for stage in report.stages]
    return shown


def _first_loss(report: Report, loss: FirstLoss) -> dict[str, object]:
    number = report.stored.summary.id
    return {
        "name": report.names[loss.entrant],
        "cause": loss.cause,
        "losses": report.losses[loss.entrant][loss.cause],
        "match": f"{number}.{loss.key}",
        "move": loss.move,
        "replay": replay_command(number, loss.key, loss.move),
    }


def _stage(report: Report, stage: StageReport) -> dict[str, object]:
    return {
        "format": stage.format,
        "entrants": [report.names[index] for index in stage.members],
        "rounds": stage.rounds,
        "finished": len(stage.played),
        "scoring": stage.scoring.name,
        "volume": stage.volume,
        "standings": [_line(line) for line in stage.table],
        "bracket": [_bout(report, bout) for bout in stage.bracket] or None,
    }


def _line(line: Standing) -> dict[str, object]:
    """The part of a line of the standings that is about the line alone."""
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
    def name(index: int | None) -> str | None:
        return None if index is None else report.names[index]

    return {
        "name": bout.name,
        "round": bout.round,
        "names": [name(index) for index in bout.entrants],
        "sides": bout.sides,
        "points": bout.points,
        "winner": name(bout.winner),
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
    }


def summary_row(summary: TournamentSummary) -> dict[str, object]:
    """A tournament in the list of tournaments; the keys are those of the JSON document."""
    keys = ("id", "name", "game", "ruleset", "format", "entries", "rounds", "games", "matches")
    row: dict[str, object] = {key: getattr(summary, key) for key in (*keys, "seed", "status")}
    return row | {"key": shown_key(summary), "open": summary.seeds.open}


def shown_key(tournament: TournamentSummary) -> str | None:
    """The key once the tournament is finished; before, it decides cards that are still to come."""
    return tournament.key if tournament.status is Status.FINISHED else None


def shown_nonce(tournament: TournamentSummary) -> str | None:
    """The nonce of the commitment to the key, once the tournament is finished, with the key."""
    return tournament.nonce if tournament.status is Status.FINISHED else None
