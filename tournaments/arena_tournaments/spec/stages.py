"""The specs of a tournament's stages, each made of the tournament's and of the stage's keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option, checked, rows_of
from arena.core.text.parsing import parse_call
from arena_tournaments.formats.playoff import CutTies
from arena_tournaments.play.volume import RULES
from arena_tournaments.spec.keys import TournamentSpec, gathered

_VOLUME = ("games", *RULES)
_DEFAULT = TournamentSpec()
STAGE_KEYS = ("format", "take", "cut_ties", "rounds", *_VOLUME)
"""Keys of a stage, besides the options of its format."""


class StageSpec(TournamentSpec, frozen=True, kw_only=True, omit_defaults=True):
    """The specification of a stage: that of its tournament with the stage's keys in its place."""

    take: Annotated[
        Annotated[int, msgspec.Meta(ge=2, le=1_000_000)] | None,
        Option("How many of the stage before enter it.", default="all", file_only=True),
    ] = None
    cut_ties: Annotated[
        CutTies, Option("Bots level at the cut: order, playoff or share.", file_only=True)
    ] = "order"


def stage_specs(spec: TournamentSpec) -> tuple[StageSpec, ...]:
    """Returns the spec of each stage.

    Raises:
        BadInput: With every problem of the first stage that is wrong.
    """
    made: list[StageSpec] = []
    for number, stage in enumerate(spec.stages, 1):
        problems: list[str] = []
        keys = _keys_of(stage)
        known = {key: keys[key] for key in keys if key in (*STAGE_KEYS, "format_options")}
        values = {"format_options": {}, **checked(known, problems, rows_of(StageSpec))}
        problems += [
            f"{key}: no key of a stage; they are {', '.join(STAGE_KEYS)}, and its format's options"
            for key in keys
            if key not in known
        ]
        if "format" not in keys:
            problems.append("format: every stage needs one")
        if number == 1 and "take" in keys:
            problems.append("take: the first stage takes the whole field")
        if "cut_ties" in keys and ("take" not in keys or number == 1):
            problems.append("cut_ties: only for a stage with take, which cuts the stage before")
        if problems:
            raise BadInput(f"stage {number}: {'; '.join(problems)}")
        if any(key in keys for key in _VOLUME):
            values = {key: getattr(_DEFAULT, key) for key in _VOLUME} | values
        made.append(StageSpec(**{**msgspec.structs.asdict(spec), "stages": (), **values}))
    return tuple(made)


def _keys_of(stage: Mapping[str, object] | str) -> dict[str, object]:
    """Returns the keys of a stage, with those of its format in ``format_options``."""
    if not isinstance(stage, str):
        return gathered(stage, StageSpec)
    name, keys = parse_call(stage)
    return gathered({"format": name, **keys}, StageSpec)
