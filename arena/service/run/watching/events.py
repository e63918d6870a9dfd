"""Events of a running tournament as values; docs/howto/follow-events.md has their keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import trio
from arena_results.file.database import Database
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.queries import tournament
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.runner import Plan
from arena_tournaments.scoring.standings import Standing

from arena.core.errors import describe
from arena.core.record import PlayedMatch
from arena.core.text.printable import printable_line
from arena.core.tournaments.format import RoundResult, shown_names
from arena.match.adjudication import faults_of
from arena.service.answers.errors import known_error
from arena.service.answers.rows import Document
from arena.service.run.watching.progress import Progress

VERSION = 1
"""Version of the events; new keys and kinds of events do not change it."""
_STOPS = (trio.Cancelled, KeyboardInterrupt)
OnEvent: TypeAlias = Callable[[Document], object]
"""Called with every event of a run, in its thread; what it raises stops the run."""


class EventStream:
    """Makes events of what an observer gets, and hands it on to the progress.

    A run that continues after a stop announces the rounds before again, and no match twice.

    Args:
        progress: Gets everything first.
        database: Where the tournament is stored.
        about: The tournament as the run found it.
        plan: What is played.
        report: Gets the events.
    """

    def __init__(
        self,
        progress: Progress,
        database: Database,
        about: TournamentSummary,
        plan: Plan,
        report: OnEvent,
    ) -> None:
        self._progress, self._database, self._about = progress, database, about
        self._report = report
        self._paired = self._finished = 0
        self._take(plan)

    def _take(self, plan: Plan) -> None:
        self._names = [entrant.name for entrant in plan.field]
        field = tournament(self._database, self._about.id, matches=False).field
        entered = [each.participant for each in field]
        keys = (each.key for each in entered)
        self._name_of = dict(zip(keys, shown_names(entered), strict=True))

    def _emit(self, event: str, **values: object) -> None:
        self._report({"event": event, "tournament": self._about.id, **values})

    def began(self) -> None:
        """The run begins, or continues."""
        about, progress = self._about, self._progress
        self._emit(
            "tournament_resumed" if progress.before else "tournament_started",
            version=VERSION,
            name=about.name,
            game=about.game,
            ruleset=about.ruleset,
            format=about.format,
            rounds=about.rounds,
            bots=self._names,
            commitment=about.commitment,
            value_function=about.value_function,
            value_hash=about.value_hash,
            played=progress.before,
            total=progress.total,
        )

    def plan_changed(self, plan: Plan) -> None:
        self._progress.plan_changed(plan)
        self._take(plan)
        self._emit("field_changed", bots=self._names)

    def round_started(self, play: RoundPlay) -> None:
        self._progress.round_started(play)
        round = play.round
        if round.number <= self._paired:
            return
        self._paired = round.number
        self._emit(
            "round_paired",
            round=round.number,
            pairings=[[self._names[seat] for seat in each.seats] for each in round.pairings],
            byes=[self._names[index] for index in round.byes],
        )

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        self._progress.matches_played(matches)
        for match in matches:
            key, outcome = match.key, match.record.outcome
            names = [self._name_of[seat] for seat in match.record.seats]
            self._emit(
                "match_played",
                match=f"{self._about.id}.{key}",
                round=key.round,
                pairing=key.pairing,
                leg=key.leg,
                names=names,
                returns=outcome.returns,
                scores=outcome.scores,
                termination=outcome.termination.value,
                faults=[
                    {"name": names[fault.seat], "cause": fault.cause.value, "move": fault.move}
                    for fault in faults_of(outcome)
                ],
            )

    def round_finished(self, result: RoundResult) -> None:
        self._progress.round_finished(result)
        if result.round.number > self._finished:
            self._finished = result.round.number
            self._emit("round_finished", round=self._finished, standings=self._standings())

    def ended(self, status: Status, error: BaseException | None) -> None:
        """The run ends: the tournament is finished, paused, or stopped by an error or a signal."""
        played = self._progress.done
        if status is Status.FINISHED:
            self._emit("tournament_finished", played=played, standings=self._standings())
        elif error is None:
            self._emit("tournament_paused", played=played)
        else:
            self._emit("tournament_stopped", played=played, reason=_reason(error))

    def _standings(self) -> list[Document]:
        return list(map(_line, self._progress.standings()))


def _reason(error: BaseException) -> str:
    """Returns why a run stopped; of a group that is its first error of ours."""
    failed = error.split(_STOPS)[1] if isinstance(error, BaseExceptionGroup) else error
    if failed is None or isinstance(failed, _STOPS):
        return "interrupted"
    return printable_line(str(known_error(failed) or describe(failed)))


def _line(line: Standing) -> Document:
    return {
        "rank": line.rank,
        "name": line.name,
        "score": line.score,
        "match_points": line.match_points,
        "tie_breaks": dict(line.tie_breaks),
    }
