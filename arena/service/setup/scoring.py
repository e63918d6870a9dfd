"""The scoring of a new tournament: by wins or by amount."""

from __future__ import annotations

import msgspec
from arena_tournaments.formats.stages import Staged
from arena_tournaments.play.volume import RULES
from arena_tournaments.scoring.scoring import by_amount
from arena_tournaments.scoring.standings import check_own
from arena_tournaments.spec.keys import TournamentSpec
from arena_tournaments.spec.stages import stage_specs

from arena.core.errors import BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.tournaments.format import Format


def with_scoring(
    spec: TournamentSpec, game: AnyGame, ruleset: Ruleset, format: Format
) -> TournamentSpec:
    """Returns the spec of a new tournament with its scoring: the game's unless one is given.

    Wins count where something else was asked for that counts wins: a race, a test, a ranking by
    strength, points or tie-breaks of the organiser's own that mean nothing by amount.
    """
    if spec.scoring:
        return spec
    amount = game.amounts.preferred(ruleset) and not _needs_wins(spec, format)
    return msgspec.structs.replace(spec, scoring="amount" if amount else "wins")


def _needs_wins(spec: TournamentSpec, format: Format) -> bool:
    parts = [stage.format for stage in format.stages] if isinstance(format, Staged) else [format]
    raced = any(getattr(each, key) for each in (spec, *stage_specs(spec)) for key in RULES)
    try:
        for part in parts:
            check_own(by_amount(part.scoring()), spec.seats or part.seats[0])
    except BadInput:
        return True
    return raced or any(part.by_strength for part in parts)
