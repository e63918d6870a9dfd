"""Where the matches of one field are played, behind one interface: ``open_host`` chooses."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Protocol, Self

from arena.core.record import PlayedMatch
from arena.core.tournament import Job
from arena.host.inline import play_inline
from arena.host.launch import Terms
from arena.host.watch import Watch
from arena.plugins.entries import BotSource
from arena.plugins.loading import load_bot

TICK_SECONDS = 0.05
"""How often the watchdog looks whether a trusted bot's decision is over its time."""


class Host(Protocol):
    """Plays matches of one field on fixed terms; use it as a context."""

    def __enter__(self) -> Self:
        """Itself."""

    def __exit__(self, *error: object) -> None:
        """Closes it."""

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """Plays matches until the time is up.

        Args:
            jobs: What to play.
            seconds: No match begins later than this, except the first.

        Returns:
            The matches that were played, at least one, in the order of the jobs.

        Raises:
            HarnessFault: The harness failed; none of these matches counts.
        """

    def close(self) -> None:
        """Ends whatever it has started."""


def open_host(terms: Terms, bots: Sequence[BotSource]) -> Host:
    """The host for that field: everybody inline if all are trusted, else a table with lanes.

    Args:
        terms: What all matches have in common.
        bots: The field.

    Raises:
        BadPlugin: A trusted bot cannot be loaded here.
    """
    watch = Watch(terms.limits.decision_ns, TICK_SECONDS)
    if all(bot.trusted for bot in bots):
        return InlineHost(terms, bots, watch)
    # Workers of trusted bots start without the event loop.
    from arena.host.table import Table

    return Table(terms, bots, watch)


class InlineHost:
    """Plays match after match with bots called in this process.

    Args:
        terms: What the matches have in common.
        bots: The field; all trusted.
        watch: Interrupts bots that take too long.
    """

    def __init__(self, terms: Terms, bots: Sequence[BotSource], watch: Watch) -> None:
        self._terms, self._watch = terms, watch
        self._makers = [load_bot(bot) for bot in bots]
        self._keys = [bot.participant.key for bot in bots]
        self._loadouts = [terms.loadout(bot) for bot in bots]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def play(self, jobs: Sequence[Job], seconds: float) -> list[PlayedMatch]:
        """One after the other; see ``Host``."""
        end = perf_counter() + seconds
        played: list[PlayedMatch] = []
        with self._watch:
            for job in jobs:
                played.append(self._play(job))
                if perf_counter() > end:
                    break
        return played

    def close(self) -> None:
        """There is nothing to end."""

    def _play(self, job: Job) -> PlayedMatch:
        terms = self._terms
        record, measurement = play_inline(
            terms.game,
            terms.ruleset,
            job.seed,
            job.bot_seed,
            [self._makers[entrant] for entrant in job.seats],
            [self._keys[entrant] for entrant in job.seats],
            terms.limits,
            watch=self._watch,
            loadouts=[self._loadouts[entrant] for entrant in job.seats],
        )
        return PlayedMatch(job.place, record, measurement)
