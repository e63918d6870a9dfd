"""Shows what a tournament would play and how long it would take, without playing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite

import msgspec
import trio
from arena_results.schema.rows import EntryRow
from arena_tournaments.formats.stages import Staged
from arena_tournaments.play.volume import Fixed

from arena.core.errors import BadInput
from arena.core.tournaments.format import Round
from arena.service.run.ahead.estimate import (
    Speed,
    known_rounds,
    measured,
    most_matches,
    unplayed_rounds,
)
from arena.service.run.ahead.precision import Precision
from arena.service.run.ahead.precision import precision as expected
from arena.service.run.executors.model_estimate import (
    ModelEstimate,
    QuestionFigures,
    model_estimate,
)
from arena.service.run.run import seeded
from arena.service.setup.formats import volumes_text
from arena.service.setup.resolve import ResolvedTournament

MIN_ELO, MAX_ELO = 0.1, 1000.0
"""Bounds of a precision, in Elo."""


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament that was not played.

    Attributes:
        resolved: It, in its initial order, with the number of matches that its budget gives.
        field: Its entries with their present ratings.
        rounds: The rounds that are known before any match: the first, or all of them.
        matches: The number of matches; where results decide it, the most before draws continue.
        at_most: Whether it may be fewer.
        speed: The calibration by which the time is estimated.
        budget: The budget of time; empty without one.
        precision: The precision of the strengths; ``None`` at larger tables and by amount.
        models: Tokens, time and cost of language models; ``None`` if not known, or without models.
        models_asked: The same, of the matches that the asked precision takes.
    """

    resolved: ResolvedTournament
    field: tuple[EntryRow, ...]
    rounds: tuple[Round, ...]
    matches: int
    at_most: bool
    speed: Speed
    budget: str = ""
    precision: Precision | None = None
    models: ModelEstimate | None = None
    models_asked: ModelEstimate | None = None

    @property
    def seconds(self) -> float:
        """The estimated time of all matches: Arena's own work, and the answers of models."""
        return self.speed.time(self.matches) + (self.models.seconds if self.models else 0.0)

    @property
    def affordable(self) -> int | None:
        """Number of matches that the limit of cost pays for, about; ``None`` if not known."""
        limit = self.resolved.spec.max_cost
        cost = None if self.models is None else self.models.cost
        if limit is None or cost is None:
            return None
        return self.matches if cost <= limit else int(self.matches * limit / cost)

    def names(self, indices: Sequence[int]) -> list[str]:
        """The names of members of the field."""
        return [self.resolved.names[index] for index in indices]

    def entries(self) -> list[dict[str, object]]:
        """The rows of the field, with the groups of a format (or first stage) that has any."""
        format, names = self.resolved.format, self.resolved.names
        first = format.stages[0].format if isinstance(format, Staged) else format
        parts = {i: part.title for part in first.sections(names, ()) for i in part.members}
        return [
            {"name": name, "version": entry.participant.version, "rating": entry.rating}
            | ({"section": parts.get(index)} if parts else {})
            for index, (name, entry) in enumerate(zip(names, self.field, strict=True))
        ]

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
            "field": self.entries(),
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
            "precision": self._precision_document(),
            **self._models_document(),
            "calibration": {"matches": self.speed.matches, "seconds": round(self.speed.seconds, 1)},
        }

    def _models_document(self) -> dict[str, object]:
        if self.models is None:
            return {}
        return {"models": self.models.document() | {"affordable": self.affordable}}

    def _precision_document(self) -> dict[str, object] | None:
        found = self.precision
        if found is None:
            return None
        whole = {"games": found.games, "matches": found.matches, "asked": found.asked}
        models = self.models_asked
        seconds = None
        if found.matches is not None:
            answers = models.seconds if models else 0.0
            seconds = round(self.speed.time(found.matches) + answers, 1)
        shown = {key: _elo(getattr(found, key)) for key in ("elo", "separable")}
        return {
            **shown,
            **whole,
            "seconds": seconds,
            **({} if models is None else {"models": models.document()}),
        }


def _elo(value: float | None) -> float | None:
    return round(value, 1) if value is not None and isfinite(value) else None


async def dry_run(
    resolved: ResolvedTournament,
    precision: float | None = None,
    figures: Mapping[str, QuestionFigures] | None = None,
) -> DryRun:
    """Pairs what is known of a tournament, and estimates its time by some matches; stores nothing.

    Args:
        resolved: The tournament; the database of its resolver, if any, has the ratings.
        precision: Half of a 95 % interval of strength, in Elo, of which the matches are computed.
        figures: What a question of each language model takes, by its name in the field.

    Raises:
        BadInput: Its budget is too short, or the precision cannot be reached.
        HarnessFault: No match could be played.
    """
    budget = resolved.spec.budget
    pairs_by_wins = resolved.tables.most == 2 and resolved.spec.scoring != "amount"
    if precision is not None and not pairs_by_wins:
        raise BadInput("precision: strengths are estimated at tables of two that count wins")
    if precision is not None and not MIN_ELO <= precision <= MAX_ELO:
        raise BadInput(f"precision: expected {MIN_ELO:g} to {MAX_ELO:g} Elo, not {precision:g}")
    resolved, field = await trio.to_thread.run_sync(seeded, resolved.resolver.database, resolved)
    resolved, speed = await measured(resolved)
    plan, matches = resolved.plan(field), most_matches(resolved)
    found = None
    if pairs_by_wins:
        own = iter(()) if plan.format.by_strength else unplayed_rounds(plan)
        found = expected(plan, own, matches, speed.information, precision)
    models = partial(
        model_estimate,
        resolved.bots,
        resolved.names,
        figures or {},
        speed.decisions,
        resolved.tables.most,
    )
    asked = None if found is None else found.matches
    return DryRun(
        resolved=resolved,
        field=tuple(field),
        rounds=tuple(known_rounds(plan)),
        matches=matches,
        at_most=resolved.format.by_strength
        or not all(isinstance(volume, Fixed) for volume in resolved.volumes),
        speed=speed,
        budget=budget,
        precision=found,
        models=models(matches),
        models_asked=None if asked is None else models(asked),
    )
