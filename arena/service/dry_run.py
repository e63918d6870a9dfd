"""Shows what a tournament would play and how long it would take, without playing it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import trio
from arena_results.database import Database
from arena_results.rows import EntryRow
from arena_tournaments.volume import Fixed

from arena.core.tournament import ByStrength, Round
from arena.plugins.registry import Registry
from arena.service.estimate import Speed, known_rounds, measured, most_matches
from arena.service.formats import volumes_text
from arena.service.resolve import ResolvedTournament
from arena.service.runs import seeded


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament that was not played.

    Attributes:
        resolved: It, in its initial order, with the number of matches that its budget gives.
        field: Its entries with their present ratings.
        rounds: The rounds that are known before any match: the first, or all of them.
        matches: The number of matches; where results decide it, the most before draws go on.
        at_most: Whether it may be fewer.
        speed: The calibration by which the time is estimated.
        budget: The budget of time; empty without one.
    """

    resolved: ResolvedTournament
    field: tuple[EntryRow, ...]
    rounds: tuple[Round, ...]
    matches: int
    at_most: bool
    speed: Speed
    budget: str = ""

    @property
    def seconds(self) -> float:
        """The estimated time of all matches."""
        return self.speed.time(self.matches)

    def names(self, indices: Sequence[int]) -> list[str]:
        """The names of members of the field."""
        return [self.resolved.names[index] for index in indices]

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena tournament run --dry-run``."""
        resolved, row = self.resolved, self.resolved.new()
        keys = ("name", "game", "ruleset", "format", "games", "mirrored", "rounds")
        return {
            "tournament": {
                **{key: getattr(row, key) for key in keys},
                "seats": resolved.tables.most,
                "volume": volumes_text(resolved.volumes),
                "budget": self.budget or None,
                "concurrency": resolved.workers,
            },
            "field": [
                {"name": name, "version": entry.participant.version, "rating": entry.rating}
                for name, entry in zip(resolved.names, self.field, strict=True)
            ],
            "rounds": [
                {
                    "round": made.number,
                    "pairings": [{"names": self.names(each.seats)} for each in made.pairings],
                    "byes": self.names(made.byes),
                }
                for made in self.rounds
            ],
            "matches": self.matches,
            "at_most": self.at_most,
            "seconds": round(self.seconds, 1),
            "calibration": {
                "matches": self.speed.matches,
                "seconds": round(self.speed.seconds, 1),
            },
        }


async def dry_run(
    registry: Registry, database: Database | None, resolved: ResolvedTournament
) -> DryRun:
    """Pairs what is known of a tournament, and estimates its time by some matches; stores nothing.

    Args:
        database: Has the ratings of the field; ``None`` when there is none yet.

    Raises:
        BadInput: Its budget is too short.
        HarnessFault: No match could be played.
    """
    budget = resolved.spec.budget
    resolved, field = await trio.to_thread.run_sync(seeded, database, resolved)
    resolved, speed = await measured(registry, resolved)
    rounds = known_rounds(resolved.plan(field))
    return DryRun(
        resolved=resolved,
        field=tuple(field),
        rounds=tuple(rounds),
        matches=most_matches(resolved),
        at_most=isinstance(resolved.format, ByStrength)
        or not all(isinstance(volume, Fixed) for volume in resolved.volumes),
        speed=speed,
        budget=budget,
    )
