"""The interface by which checks have matches played, without knowing where bots run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.core.record import PlayedMatch
from arena.core.tournament import Job


class BotDriver(Protocol):
    """Plays matches of one game and ruleset among a fixed field, as a tournament would.

    Higher floors connect it to a host; member 0 of the field is the bot that is examined.
    """

    def __call__(self, jobs: Sequence[Job]) -> Sequence[PlayedMatch]:
        """Plays the jobs with new bots in every match; returns the matches in their order.

        Args:
            jobs: The matches to play; ``Job.seats`` are indices into the field.

        Raises:
            HarnessFault: A match was void.
        """
