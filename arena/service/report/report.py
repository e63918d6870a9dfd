"""The report of a tournament as values: standings, crosstable, losses by cause, result block."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
from arena_results.boards.purses import purses
from arena_results.file.database import Database
from arena_results.ratings.intervals.amounts import AmountEstimate
from arena_results.ratings.intervals.statistics import ResultBlock, result_block_of
from arena_results.schema.rows import Status, StoredTournament, TournamentSummary
from arena_results.store.exchange_sums import ExchangeSums, exchange_sums
from arena_tournaments.formats.stages import Staged
from arena_tournaments.formats.ties import Tie
from arena_tournaments.play.rulings import disqualified, field_of_round, ruled, under, void_pairings
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.play.volume import Fixed
from arena_tournaments.scoring.crosstable import amounts_by_pair, points_by_pair
from arena_tournaments.scoring.scoring import by_amount
from arena_tournaments.scoring.sections import RankedSection, ranked_sections
from arena_tournaments.scoring.standings import Standing, ranked
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.tournaments.format import Bout, Entrant, Format, RoundResult, Scoring
from arena.core.tournaments.rulings import absences
from arena.plugins.registry import Registry
from arena.service.match.adjusted import Adjusted, adjusted_scores, with_luck
from arena.service.match.luck import frozen_values, luck_switched_off
from arena.service.report.sums.ledger import wins_by_fault
from arena.service.report.sums.running import Running, running_round
from arena.service.report.sums.separation import Separation, separation
from arena.service.report.sums.tallies import (
    Endings,
    FirstLoss,
    TableTally,
    deals,
    first_losses,
    in_match_points,
    losses,
    result_so_far,
    table_tallies,
    tallies,
    with_match_points,
)
from arena.service.setup.amounts import ByAmount, estimates
from arena.service.setup.decoded import Decoded, decode
from arena.service.setup.formats import crowded, volumes_text


class StageReport(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of a tournament.

    Attributes:
        members: Who plays in it, by index into the field, in the order of its seeding.
        played: Its rounds.
        volume: The rule of how many matches per pairing plays, in words.
        bracket: Its bouts, in a format with a bracket.
        sections: The parts that its standings have as well, such as groups.
        takes: How many the next stage takes.
        ties: Those whom no tie-break parts at the cut to the next stage, and what decided.
        extra: The rounds of the play-offs after the stage.
    """

    format: str
    members: tuple[int, ...]
    rounds: int
    played: tuple[RoundResult, ...]
    scoring: Scoring
    table: tuple[Standing, ...]
    volume: str
    bracket: tuple[Bout, ...]
    sections: tuple[RankedSection, ...] = ()
    takes: int = 0
    ties: tuple[Tie, ...] = ()
    extra: tuple[RoundResult, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that interfaces show of a finished or stopped tournament.

    Attributes:
        played: Result of every round that counts: where a pairing is decided by majority, every
            finished round, else also one under way.
        counted: The same rounds, in which ``points`` are match points also by amount.
        volume: The rule of how many matches per pairing plays, in words.
        sizes: How many sit at each table of the first round.
        crowded: The authors whose bots cannot all sit apart, with how many bots they have.
        table_tallies: By index into the field; ``None`` for tables of two.
        losses: Adjudicated losses by cause, by index into the field.
        wins: Matches won by the other's fault, by cause; at tables, head-to-head results.
        first_losses: The first of each bot and cause.
        credits: What each entry holds after its wagers; ``None`` without a stake.
        bracket: Its bouts, in a format with a bracket.
        sections: The parts that the standings have as well, such as groups.
        stages: The stages that have begun, if there are any: each as a report of its own.
        block: For two entries: the result block from the first one's point of view.
        unit: The unit of amounts, where matches are scored by amount; else empty.
        means: By index into the field, each one's mean amount per match; empty unless by amount.
        separation: How far the ranks are separated, in a format that plays until they are.
        adjusted: The luck-adjusted scores; ``None`` where luck of a match is missing.
        luck_off: Why luck cannot be computed by the value function that was fixed before play.
        ending: Why a finished tournament has fewer rounds than were planned; empty if it was to.
        running: The round that is being played, if there is one.
        exchanges: The sums of endpoints over their questions, by name.
    """

    decoded: Decoded
    played: tuple[RoundResult, ...]
    counted: tuple[RoundResult, ...]
    finished: int
    scoring: Scoring
    table: tuple[Standing, ...]
    volume: str
    sizes: tuple[int, ...]
    crowded: tuple[tuple[str, int], ...] = ()
    table_tallies: tuple[TableTally, ...] | None
    losses: tuple[dict[str, int], ...]
    wins: tuple[dict[str, int], ...] = ()
    first_losses: tuple[FirstLoss, ...]
    credits: tuple[int, ...] | None
    bracket: tuple[Bout, ...]
    block: ResultBlock | None
    sections: tuple[RankedSection, ...] = ()
    stages: tuple[StageReport, ...] = ()
    unit: str = ""
    means: tuple[AmountEstimate, ...] = ()
    separation: Separation | None = None
    adjusted: Adjusted | None = None
    luck_off: str = ""
    ending: str = ""
    running: Running | None = None
    exchanges: Mapping[str, ExchangeSums] = {}

    @property
    def stored(self) -> StoredTournament:
        """The tournament with its results."""
        return self.decoded.stored

    @property
    def spec(self) -> TournamentSpec:
        """The keys of the tournament."""
        return self.decoded.spec

    @property
    def seats(self) -> int:
        """Seats of a full table."""
        return self.decoded.seats

    @property
    def playoffs(self) -> frozenset[int]:
        """The numbers of the rounds that are a play-off between two stages."""
        rounds = (past.round.number for stage in self.stages for past in stage.extra)
        return frozenset(rounds)

    @property
    def crosstable(self) -> tuple[tuple[float | None, ...], ...]:
        """Match points, or mean amounts a match, of each line of the table against each other."""
        by_pair = amounts_by_pair if self.unit else points_by_pair
        return by_pair(self.table, self.played)

    @property
    def names(self) -> tuple[str, ...]:
        """The field's names in initial order."""
        return self.stored.names


def stored_report(
    registry: Registry, stored: StoredTournament, database: Database | None = None
) -> Report:
    """Reports a stored tournament.

    Args:
        database: Where it is stored: luck that is missing is computed, and stored there.

    Raises:
        UnknownName: Its format, or, by amount, its game is not installed.
    """
    decoded = decode(registry, stored)
    if database is not None:
        found = with_luck(registry, database, stored, by_luck=decoded.spec.adjusted)
        decoded = msgspec.structs.replace(decoded, stored=found)
    report, stored = make_report(decoded), decoded.stored
    if database is not None and (sums := exchange_sums(database, stored.summary.id)):
        keys = [
            (name, one.participant.key)
            for name, one in zip(stored.names, stored.field, strict=True)
        ]
        named = {name: sums[key] for name, key in keys if key in sums}
        report = msgspec.structs.replace(report, exchanges=named)
    kept = report.adjusted is not None and frozen_values(stored).learned
    if not kept and (off := luck_switched_off(registry, stored)):
        return msgspec.structs.replace(report, luck_off=off, adjusted=None)
    return report


def make_report(decoded: Decoded) -> Report:
    """Assembles a report from what is stored."""
    stored, priced = decoded.stored, decoded.priced
    summary, names, schedule = stored.summary, stored.names, decoded.schedule
    endings, rulings = stored.endings, stored.rulings
    format = format_now(decoded)
    played, finished = _results(decoded, format)
    counted = in_match_points(stored, schedule, played) if priced else played
    sizes = tuple(len(made.seats) for made in stored.rounds[0].pairings) if stored.rounds else ()
    if void := void_pairings(played):
        endings = tuple(e for e in endings if (e[0].round, e[0].pairing) not in void)
    counts, last = tallies(endings, len(names)), disqualified(rulings)
    table = ranked(format, names, played, counts, last)
    sections = ranked_sections(format, names, played, counts, last)
    stages: tuple[StageReport, ...] = ()
    if isinstance(format, Staged):
        stages = _stages(format, names, played, endings, schedule, counted)
    if priced:
        table = with_match_points(table, counted, len(names), [stage.table for stage in stages])
        sections = _in_match_points(sections, counted, len(names))
    block = None
    if len(names) == 2 and endings:
        block = result_block_of(
            deals(sums for board, sums in stored.sums.items() if board not in void)
        )
    return Report(
        decoded=decoded,
        played=played,
        counted=counted,
        finished=finished,
        scoring=decoded.scoring,
        table=table,
        volume=volumes_text(schedule.volumes),
        sizes=sizes,
        crowded=crowded(decoded.spec, [entry.author for entry in stored.field], sizes),
        table_tallies=table_tallies(endings, len(names)) if decoded.seats > 2 else None,
        losses=losses(stored.endings, len(names)),
        wins=wins_by_fault((ending for _, ending in endings), len(names)),
        first_losses=first_losses(stored.endings),
        credits=purses(stored.played.values(), len(names), summary.purse, summary.stake)
        if summary.stake
        else None,
        bracket=_bracket(format, range(len(names)), played),
        block=block,
        sections=sections,
        stages=stages,
        unit=priced.unit if priced else "",
        means=_means(stored, priced, void) if priced else (),
        adjusted=adjusted_scores(stored, void),
        separation=separation(format, names, played),
        ending=_ending(stored, format, played),
        running=running_round(decoded, played, _scores(decoded, format, stages)),
    )


def _scores(decoded: Decoded, format: Format, stages: Sequence[StageReport]) -> Scoring | None:
    """Returns the scoring of pairings that are played now; ``None`` where they give no points.

    That is in brackets and play-offs, and where the format ranks by strength or by a mean.
    """
    scoring, unscored = decoded.scoring, format.eliminates or format.by_strength
    if stages:
        scoring, unscored = stages[-1].scoring, bool(stages[-1].bracket or stages[-1].takes)
    return None if unscored or scoring.by_mean else scoring


def format_now(decoded: Decoded) -> Format:
    """Returns the format under all rulings; one in stages knows who has left since."""
    stored = decoded.stored
    format = under(decoded.format, stored.names, stored.rulings)
    if not (isinstance(format, Staged) and stored.rulings):
        return format
    away = absences(stored.rulings, len(stored.rounds) + 1)
    gone = frozenset([each.index for each in away if each.gone])
    return msgspec.structs.replace(format, gone=gone)


def _ending(stored: StoredTournament, format: Format, played: Sequence[RoundResult]) -> str:
    """Says why a finished tournament has fewer rounds than planned; empty for a full one."""
    summary = stored.summary
    over = summary.status is Status.FINISHED and len(played) < summary.rounds
    if not over:
        return ""
    field = tuple(map(Entrant, stored.names))
    return format.ending(field_of_round(field, stored.rulings, len(played) + 1), played)


def taken_of(report: Report, number: int, tie: Tie) -> list[int]:
    """Returns who of a tie at the cut after a stage continues, the first one first.

    Nobody does while a play-off is under way.

    Args:
        number: The stage, from 1.
    """
    entered = {index for stage in report.stages[number:][:1] for index in stage.members}
    order = [line.index for line in report.stages[number - 1].table]
    return [index for index in order if index in entered and index in tie.level]


def played_off(stage: StageReport, tie: Tie) -> list[RoundResult]:
    """Returns the rounds in which a tie was played off, as far as they are of it."""
    level, found = {*tie.level}, list[RoundResult]()
    for past in stage.extra:
        results = tuple(each for each in past.results if level >= {*each.pairing.seats})
        if results:
            made = msgspec.structs.replace(
                past.round,
                pairings=tuple(each.pairing for each in results),
                byes=tuple(index for index in past.round.byes if index in level),
            )
            found.append(RoundResult(made, results))
    return found


def decided_by(bout: Bout) -> str:
    """Returns by what somebody won a bout who has no more points than the other one; else empty.

    That is ``"forfeit"``, or ``"seed"`` of those who drew to the end or both forfeited.
    """
    if bout.points is None or bout.winner is None:
        return ""
    ahead, behind = bout.points if bout.winner == bout.entrants[0] else bout.points[::-1]
    if ahead > behind:
        return ""
    return "forfeit" if len(bout.forfeited) == 1 else "seed"


def _results(decoded: Decoded, format: Format) -> tuple[tuple[RoundResult, ...], int]:
    """The results of the rounds that count, and the number of finished ones."""
    stored, schedule = decoded.stored, decoded.schedule
    rounds = [result_so_far(decoded, made) for made in stored.rounds]
    begun = {round for round, _ in stored.sums}
    # Where everybody meets everybody and every match scores, those of an unfinished round are what
    # they are; elsewhere such a round is not decided yet, so that it waits.
    by_match = (
        format.scoring().all_meet
        and isinstance(schedule.volumes[0], Fixed)
        and not isinstance(format, Staged)
    )
    played = ruled(
        [result for result, done in rounds if done or (by_match and result.round.number in begun)],
        stored.rulings,
    )
    return played, sum(done for _, done in rounds)


def _means(
    stored: StoredTournament, priced: ByAmount, void: Collection[tuple[int, int]]
) -> tuple[AmountEstimate, ...]:
    rows = stored.played.values()
    counted = (row for row in rows if (row.key.round, row.key.pairing) not in void)
    return estimates(counted, len(stored.names), priced.amounts, mirrored=stored.summary.mirrored)


def _bracket(
    format: Format, members: Sequence[int], played: Sequence[RoundResult], begin: int = 0
) -> tuple[Bout, ...]:
    if not format.eliminates:
        return ()

    def member(index: int | None) -> int | None:
        return None if index is None else members[index]

    return tuple(
        msgspec.structs.replace(
            bout,
            round=begin + bout.round,
            entrants=(member(bout.entrants[0]), member(bout.entrants[1])),
            winner=member(bout.winner),
            forfeited=tuple([members[index] for index in bout.forfeited]),
        )
        for bout in format.bracket(len(members), played)
    )


def _stages(
    format: Staged,
    names: Sequence[str],
    played: Sequence[RoundResult],
    endings: Endings,
    schedule: Schedule,
    counted: Sequence[RoundResult],
) -> tuple[StageReport, ...]:
    found: list[StageReport] = []
    for part in format.parts(names, played):
        begin, end = part.begin, part.begin + part.rounds
        own = [(key, ending) for key, ending in endings if begin < key.round <= end]
        counts = tallies(own, len(names))
        taken = counted[begin:end]
        table = with_match_points(part.table, taken, len(names)) if schedule.amounts else part.table
        sections = part.sections(names, counts)
        if schedule.amounts:
            sections = _in_match_points(sections, taken, len(names))
        found.append(
            StageReport(
                format=part.format.name,
                members=part.members,
                rounds=part.rounds,
                played=part.played,
                scoring=by_amount(part.format.scoring())
                if schedule.amounts
                else part.format.scoring(),
                table=tuple(
                    msgspec.structs.replace(line, matches=counts[line.index]) for line in table
                ),
                volume=volumes_text(schedule.volumes[begin:end]),
                bracket=_bracket(part.format, part.members, part.own, begin),
                sections=sections,
                takes=part.takes,
                ties=part.ties,
                extra=part.extra,
            )
        )
    return tuple(found)


def _in_match_points(
    sections: Sequence[RankedSection], counted: Sequence[RoundResult], entries: int
) -> tuple[RankedSection, ...]:
    return tuple(
        msgspec.structs.replace(each, lines=with_match_points(each.lines, counted, entries))
        for each in sections
    )


def shown_key(tournament: TournamentSummary) -> str | None:
    """The key once the tournament is finished; before, it decides cards that are still to come."""
    return tournament.key if tournament.status is Status.FINISHED else None


def shown_nonce(tournament: TournamentSummary) -> str | None:
    """The nonce of the commitment to the key, once the tournament is finished, with the key."""
    return tournament.nonce if tournament.status is Status.FINISHED else None


def part_of(report: Report, stage: StageReport) -> Report:
    """The report of a stage by itself."""
    return msgspec.structs.replace(
        report,
        table=stage.table,
        played=stage.played,
        scoring=stage.scoring,
        bracket=stage.bracket,
        sections=stage.sections,
        credits=None,
        stages=(),
        means=(),
    )
