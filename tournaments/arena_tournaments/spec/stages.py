"""The specs of a tournament's stages, each made of the tournament's and of the stage's keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from arena.core.errors import BadInput, meant
from arena.core.parsing import parse_call
from arena_tournaments.play.volume import RULES
from arena_tournaments.spec.keys import Option, TournamentSpec, checked

_VOLUME = ("games", *RULES)
_DEFAULT = TournamentSpec()
_OPTIONS = ("third_place", "bracket_reset", "champions", "acceleration")
STAGE_KEYS = ("format", "take", "rounds", *_VOLUME, *_OPTIONS)
"""Keys of a stage."""


class StageSpec(TournamentSpec, frozen=True, kw_only=True, omit_defaults=True):
    """The specification of a stage: that of its tournament with the stage's keys in its place."""

    take: Annotated[
        Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] | None,
        Option("How many of the stage before enter it.", default="all", file_only=True),
    ] = None


def stage_specs(spec: TournamentSpec) -> tuple[StageSpec, ...]:
    """Returns the spec of each stage.

    Raises:
        BadInput: With every problem of the first stage that is wrong.
    """
    made: list[StageSpec] = []
    for number, stage in enumerate(spec.stages, 1):
        problems: list[str] = []
        keys: Mapping[str, object] = stage if isinstance(stage, dict) else _stage_of_call(stage)
        known = {key: keys[key] for key in keys if key in STAGE_KEYS}
        values = checked(known, problems, StageSpec)
        problems += [
            f"{key}: no key of a stage; they are {', '.join(STAGE_KEYS)}{meant(key, STAGE_KEYS)}"
            for key in keys
            if key not in STAGE_KEYS
        ]
        if "format" not in keys:
            problems.append("format: every stage needs one")
        if number == 1 and "take" in keys:
            problems.append("take: the first stage takes the whole field")
        if problems:
            raise BadInput(f"stage {number}: {'; '.join(problems)}")
        if any(key in keys for key in _VOLUME):
            values = {key: getattr(_DEFAULT, key) for key in _VOLUME} | values
        made.append(StageSpec(**{**msgspec.structs.asdict(spec), "stages": (), **values}))
    return tuple(made)


def _stage_of_call(text: str) -> dict[str, object]:
    name, options = parse_call(text)
    return {"format": name, **options}
