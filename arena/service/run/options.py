"""The options of a run that are no keys of its spec: they are not stored with the tournament."""

from __future__ import annotations

from typing import Annotated, TypedDict

import msgspec

from arena.core.options import Option


class RunOptions(msgspec.Struct, frozen=True):
    """The options of a run. Interfaces offer a field as they offer a key of the spec.

    A round of number 0 is the running one, or the first.
    """

    pause_after_round: Annotated[
        int | None, Option("Pause when this round is finished.", group="Output", metavar="N|next")
    ] = None


class ResumeKeys(TypedDict, total=False):
    """The keys of a stored spec that may change when a tournament is resumed.

    Attributes:
        max_crash_rate: The share of crashed matches at which it stops.
        max_cost: Largest cost in dollars, its cost so far included.
        executor: Where its matches are played; by default on this machine, wherever it began.
    """

    max_crash_rate: float | None
    max_cost: float | None
    executor: str | None
