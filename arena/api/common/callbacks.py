"""Plays tournaments for a Python program: its keys and bots, its functions, and its warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from arena_results.file.database import Database
from arena_tournaments.spec.files import load_keys, overrule

from arena.api.common.calls import warn
from arena.api.common.keys import RunComparisonKeys, RunKeys
from arena.plugins.registry import Registry
from arena.service.answers.arguments import checked
from arena.service.lookup.python_bots import AnyBot, LocalBot, named_bots
from arena.service.run.options import RunOptions
from arena.service.run.run import Run
from arena.service.run.verbs import RunContext
from arena.service.run.watching.events import OnEvent
from arena.service.run.watching.progress import OnProgress


def split_keys(keys: RunComparisonKeys) -> tuple[dict[str, object], RunKeys]:
    """Returns the keys of the spec, and those of the run."""
    of_run = RunKeys.__optional_keys__
    own = {key: value for key, value in keys.items() if key in of_run}
    return {key: value for key, value in keys.items() if key not in of_run}, cast("RunKeys", own)


def chosen_keys(
    bots: Sequence[AnyBot], file: str | PathLike[str] | None, keys: Mapping[str, object]
) -> tuple[dict[str, object], list[LocalBot], str]:
    """The keys of a new tournament, its bots of this program, and what to call it in errors."""
    names, local = named_bots(bots)
    where = fspath(file) if file else ""
    given = {**keys, "bots": names} if names else keys
    return overrule(load_keys(Path(where)) if where else {}, given), local, where or "arguments"


class ProgramContext(RunContext):
    """The context of a run of a Python program: its warnings are those of ``warnings``."""

    def warn(self, line: str) -> None:
        warn(line)

    def began(self, run: Run, budget: str) -> None:
        self.resumed(run)

    def resumed(self, run: Run) -> None:
        if run.resolved.seeds_warning:
            warn(run.resolved.seeds_warning)


@checked
def context_of(
    registry: Registry,
    database: Database | None,
    local: Sequence[LocalBot] = (),
    /,
    *,
    progress: OnProgress | None = None,
    events: OnEvent | None = None,
    pause_after_round: int | None = None,
) -> ProgramContext:
    """Returns the context of a run with the keys of ``RunKeys``, which are checked."""
    options = RunOptions(pause_after_round)
    return ProgramContext(
        registry, database, options, local=local, on_progress=progress, on_event=events
    )
