"""A stored tournament, decoded once: the value that reports, verification and exports take."""

from __future__ import annotations

import msgspec
from arena_results.schema.rows import StoredTournament, TournamentSummary
from arena_tournaments.play.runner import Plan
from arena_tournaments.play.schedule import Schedule
from arena_tournaments.scoring.scoring import by_amount
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.tournaments.format import Format, Scoring
from arena.plugins.registry import Registry
from arena.service.match.luck import frozen_values, luck_of_matches
from arena.service.setup.amounts import ByAmount, stored_by_amount
from arena.service.setup.formats import entrants_of, stored_format, stored_schedule, table_sizes


class Decoded(msgspec.Struct, frozen=True, kw_only=True):
    """A stored tournament with everything that its spec says.

    Attributes:
        priced: What matches are worth, if they are scored by amount.
    """

    stored: StoredTournament
    spec: TournamentSpec
    format: Format
    priced: ByAmount | None
    schedule: Schedule

    @classmethod
    def of(
        cls, stored: StoredTournament, format: Format, priced: ByAmount | None = None
    ) -> Decoded:
        """Returns a stored tournament of a known format."""
        return _decoded(stored, TournamentSpec.from_json(stored.summary.spec), format, priced)

    @property
    def summary(self) -> TournamentSummary:
        """The tournament without its field, rounds and results."""
        return self.stored.summary

    @property
    def seats(self) -> int:
        """Seats of a full table."""
        return self.spec.seats or 2

    @property
    def scoring(self) -> Scoring:
        """The scoring of the standings."""
        scoring = self.format.scoring()
        return by_amount(scoring) if self.priced else scoring

    def plan(self, registry: Registry) -> Plan:
        """Returns the plan that the runner played, with the decisions so far.

        Raises:
            UnknownName: The game is not installed.
        """
        game = registry.game(self.summary.game)
        return Plan(
            format=self.format,
            field=entrants_of(self.spec, self.stored.names, self.stored.field),
            rounds=self.summary.rounds,
            schedule=self.schedule,
            tables=table_sizes(registry, game, self.format, self.spec.seats),
            rulings=self.stored.rulings,
        )

    def with_luck(self, registry: Registry) -> Decoded:
        """Returns the same with a schedule that computes luck, where luck decides its length.

        Raises:
            BadInput: The value function that was fixed before play is missing.
        """
        if not self.spec.adjusted:
            return self
        about, game = self.summary, registry.game(self.summary.game)
        values = frozen_values(self.stored).checked(game, about.engine, about.ruleset)
        schedule = msgspec.structs.replace(self.schedule, luck=luck_of_matches(game, values))
        return msgspec.structs.replace(self, schedule=schedule)


def decode(registry: Registry, stored: StoredTournament) -> Decoded:
    """Decodes a stored tournament.

    Raises:
        UnknownName: Its format, or, by amount, its game is not installed.
    """
    spec = TournamentSpec.from_json(stored.summary.spec)
    format = stored_format(registry, stored.summary, spec)
    return _decoded(stored, spec, format, stored_by_amount(registry, stored.summary, spec))


def _decoded(
    stored: StoredTournament, spec: TournamentSpec, format: Format, priced: ByAmount | None
) -> Decoded:
    amounts = priced.amounts if priced else None
    schedule = stored_schedule(stored.summary, spec, format, amounts)
    return Decoded(stored=stored, spec=spec, format=format, priced=priced, schedule=schedule)
