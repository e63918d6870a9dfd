"""The scoring of a new tournament, and of its test: by wins or by amount."""

from __future__ import annotations

import msgspec
from arena_results.ratings.comparing.changes import Interval, by_amount_test, read_test, write_test
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

    Wins count where something else was asked for that counts wins: a race, a test of more than 0
    Elo or of luck-adjusted scores, a ranking by strength, points or tie-breaks of the organiser's
    own that mean nothing by amount. Where amounts count, a test by an interval is of their mean.
    """
    scoring = spec.scoring
    if not scoring:
        amount = game.amounts.preferred(ruleset) and not _needs_wins(spec, format)
        scoring = "amount" if amount else "wins"
    test = _interval(spec)
    tested = write_test(by_amount_test(test)) if test and scoring == "amount" else spec.test
    return msgspec.structs.replace(spec, scoring=scoring, test=tested)


def _interval(spec: TournamentSpec) -> Interval | None:
    """Returns its test, if that is of an Elo difference by an interval, with luck."""
    try:
        test = read_test(spec.test) if spec.test and not spec.adjusted else None
    except BadInput:  # it is refused later, with its key
        return None
    return test if isinstance(test, Interval) else None


def _needs_wins(spec: TournamentSpec, format: Format) -> bool:
    parts = [stage.format for stage in format.stages] if isinstance(format, Staged) else [format]
    races = {key for each in (spec, *stage_specs(spec)) for key in RULES if getattr(each, key)}
    test = _interval(spec)
    if test and not test.elo and not spec.stages:
        races -= {"test"}
    try:
        for part in parts:
            check_own(by_amount(part.scoring()), spec.seats or part.seats[0])
    except BadInput:
        return True
    return bool(races) or any(part.by_strength for part in parts)
