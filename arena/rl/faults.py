"""Opponents that fail while a learner plays: it is warned of them, and another deal is played."""

from __future__ import annotations

import warnings

from arena.core.chance.seeding import MAX_SEED
from arena.core.errors import BadPlugin
from arena.core.observation import Observation
from arena.core.outcome import Fault, Outcome, Termination
from arena.match.adjudication import faults_of
from arena.rl.tables import Field, Table, seating

MAX_EARLY_ENDS = 100
"""Matches in a row that may be over, by their rules, before the learner decides."""
MAX_EARLY_FAULTS = 10
"""Matches in a row that an opponent may end by its fault before the learner decides."""


class Faults:
    """Watches the opponents of an environment.

    Args:
        field: The bots of each table.
    """

    def __init__(self, field: Field) -> None:
        self._names = [bot.participant.name for bot in field.bots]
        self._warned: set[tuple[str, Termination]] = set()

    def begin(self, table: Table, seat: int, deal: int, bot_seed: int) -> tuple[Observation, int]:
        """Begins a match in which the learner decides; see ``Table.begin``.

        Where it is over before, by its rules or an opponent's fault, the next deal is played.

        Returns:
            What the learner sees, and the deal.

        Raises:
            BadPlugin: Too many matches in a row were over before the learner's first decision.
        """
        failed = 0
        for more in range(MAX_EARLY_ENDS):
            played = (deal + more) % (MAX_SEED + 1)
            seen = table.begin(seat, played, bot_seed)
            if seen is not None:
                return seen, played
            assert table.outcome is not None
            faults = self.warn(table.outcome, seat)
            failed = failed + 1 if faults else 0
            if failed == MAX_EARLY_FAULTS:
                raise BadPlugin(
                    f"{failed} matches in a row were over before the learner's first decision: "
                    f"bot {self._told(faults[-1], seat)}"
                )
        raise BadPlugin(
            f"{MAX_EARLY_ENDS} matches in a row were over before the learner's first decision"
        )

    def warn(self, outcome: Outcome, seat: int) -> list[Fault]:
        """Warns of opponents that failed, once for each bot and cause.

        Args:
            outcome: The end of a match.
            seat: The learner's seat.

        Returns:
            The faults of opponents.
        """
        faults = [fault for fault in faults_of(outcome) if fault.seat != seat]
        for fault in faults:
            known = self._name(fault, seat), fault.cause
            if known not in self._warned:
                self._warned.add(known)
                warnings.warn(f"bot {self._told(fault, seat)}", stacklevel=3)
        return faults

    def _told(self, fault: Fault, seat: int) -> str:
        return f"{self._name(fault, seat)} failed: {fault.reason or fault.cause}"

    def _name(self, fault: Fault, seat: int) -> str:
        return self._names[seating(len(self._names), seat)[fault.seat]]
