"""The options of a run that are no keys of its spec: they are not stored with the tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from arena.core.errors import BadInput
from arena.core.options import Option, checked, rows_of


class RunOptions(msgspec.Struct, frozen=True):
    """The options of a run. Interfaces offer a field as they offer a key of the spec.

    A round of number 0 is the running one, or the first.
    """

    pause_after_round: Annotated[
        Annotated[int, msgspec.Meta(ge=0)] | None,
        Option("Pause when this round is finished.", group="Output", metavar="N|next"),
    ] = None


def read_run_options(given: Mapping[str, object]) -> RunOptions:
    """Reads options by name.

    Raises:
        BadInput: There is no such option, or its value cannot be used.
    """
    problems: list[str] = []
    values = checked(given, problems, rows_of(RunOptions))
    if problems:
        raise BadInput(problems[0])
    return RunOptions(**values)
