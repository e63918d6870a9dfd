"""What a person sees while a tournament runs: live on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import trio
from arena_tournaments.runner import Plan, Returns, round_result
from arena_tournaments.standings import standings

from arena.cli.output import Column, say, stderr, table
from arena.core.outcome import RULE_ENDINGS
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournament import Job, Round, RoundResult
from arena.plugins.registry import Registry

if TYPE_CHECKING:
    from rich.console import RenderableType

REFRESH_SECONDS = 0.25
"""How often a live display is drawn."""
LINE_SECONDS = 5.0
"""How often a plain line is printed."""


class Progress:
    """Follows a tournament: an ``Observer`` of the runner that also tells observers.

    Args:
        plan: The tournament.
        tournament: Its number in the database.
        registry: Whose observers hear of matches and rounds.
        played: Matches that were played before a stop.
    """

    def __init__(self, plan: Plan, tournament: int, registry: Registry, played: int) -> None:
        self._plan, self._tournament, self._registry = plan, tournament, registry
        self._names = [entrant.name for entrant in plan.field]
        self._total = plan.rounds * len(plan.tables.sizes(len(plan.field))) * plan.games
        self._before, self._now = played, 0
        self._began = 0.0
        self._round: Round | None = None
        self._jobs: Sequence[Job] = ()
        self._returns: dict[MatchKey, Returns] = {}
        self._results: list[RoundResult] = []
        self._losses: Counter[str] = Counter()

    def round_started(
        self, round: Round, jobs: Sequence[Job], returns: Mapping[MatchKey, Returns]
    ) -> None:
        self._round, self._jobs, self._returns = round, jobs, dict(returns)

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        self._now += len(matches)
        for match in matches:
            outcome = match.record.outcome
            self._returns[match.key] = outcome.returns
            if outcome.termination not in RULE_ENDINGS:
                self._losses[outcome.termination.value] += 1
            self._losses.update(fault.cause.value for fault in outcome.expelled)
            self._registry.notify(
                "arena_match_finished", tournament_id=self._tournament, match=match
            )

    def round_finished(self, result: RoundResult) -> None:
        self._results.append(result)
        self._round = None
        self._registry.notify("arena_round_finished", tournament_id=self._tournament, result=result)

    async def show(self) -> None:
        """Draws until it is cancelled; the rate counts from here."""
        self._began = trio.current_time()
        if stderr().is_terminal:
            await self._show_live()
        while True:
            await trio.sleep(LINE_SECONDS)
            say(self.line())

    async def _show_live(self) -> None:
        from rich.live import Live

        # Drawn by this task alone: rich's own refresh thread would not stop with the nursery.
        with Live(console=stderr(), auto_refresh=False, transient=True) as live:
            while True:
                live.update(self._picture(), refresh=True)
                await trio.sleep(REFRESH_SECONDS)

    def line(self) -> str:
        """How far it is, in one line."""
        seconds = trio.current_time() - self._began
        rate = self._now / seconds if seconds > 0 else 0.0
        done = self._before + self._now
        left = f"{_span((self._total - done) / rate)} left" if rate else "starting"
        number = len(self._results) + (self._round is not None)
        losses = ", ".join(f"{cause} {count}" for cause, count in sorted(self._losses.items()))
        share = done / self._total if self._total else 1.0
        return (
            f"round {number}/{self._plan.rounds}  matches {done}/{self._total} ({share:.0%})  "
            f"{rate:.0f}/s  {left}" + (f"  losses: {losses}" if losses else "")
        )

    def _picture(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        rows = [
            {"rank": line.rank, "name": line.name, "score": line.score, "points": line.match_points}
            for line in standings(self._names, self._so_far(), self._plan.format.scoring())
        ]
        columns = [
            Column("rank", "#", True),
            Column("name", "name"),
            Column("score", "score", True),
            Column("points", "match points", True),
        ]
        fits = max(3, stderr().height - 8)
        return Group(table(columns, rows[:fits]), Text(self.line()))

    def _so_far(self) -> list[RoundResult]:
        """Finished rounds, and what the present one would be if it ended now."""
        if self._round is None or not self._returns:
            return self._results
        now = round_result(self._round, self._jobs, self._returns)
        return [*self._results, now]


def _span(seconds: float) -> str:
    """A length of time for people."""
    whole = max(0, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
