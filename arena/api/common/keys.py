"""Types of the keyword arguments that are keys of a tournament's spec, for type checkers.

The spec (``arena_tournaments.spec.keys.TournamentSpec``) and the formats say what they mean and
check their values; the keys are the same (tests/api/test_typing.py). Type checkers know the
options of an extension's format in ``format_options`` alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from arena_tournaments.spec.keys import Isolation, Levels, ScoringBy, SeedBy

from arena.core.text.parsing import Value
from arena.plugins.submissions.submission import NameFrom
from arena.service.bots.submit import SubmitObserver
from arena.service.run.watching.events import OnEvent
from arena.service.run.watching.progress import OnProgress

Names: TypeAlias = list[str] | tuple[str, ...]
"""Several names; a single string is refused."""
Paths: TypeAlias = list[str] | list[Path] | list[str | Path] | tuple[str | Path, ...]
"""Several paths of files."""
Points: TypeAlias = Sequence[float]
"""Points of a win, a draw and a loss."""
Groups: TypeAlias = Sequence[Sequence[str] | str]
"""Groups of names, each as a list or as ``"NAME | NAME"``."""
Stages: TypeAlias = Sequence[Mapping[str, object] | str]
"""The stages of a tournament, each as a table of keys or as ``"FORMAT(key=value)"``."""


Byes: TypeAlias = Sequence[Mapping[str, object] | str]
"""Byes on request, each as a table of bot, round and points or as ``"NAME | ROUND | POINTS"``."""


class BotKeys(TypedDict, total=False):
    """Keys that concern a bot: its limits, and where it runs."""

    decision_seconds: float
    match_seconds: float
    decision_cpu_seconds: float | None
    match_cpu_seconds: float | None
    trust: Names
    isolation: Isolation
    allow: Names
    startup_seconds: float
    memory_mb: int
    threads: int
    build_seconds: float
    build_memory_mb: int
    output_kb: int
    log_kb: int
    all_logs: bool
    incidents: int


class SubmitKeys(TypedDict, total=False):
    """Options of a submission, as those of ``arena submit``.

    ``game`` is one name or several, ``progress`` is called before the matches of each game: with
    the package, the game, the names of the opponents, and the seed. ``letters`` is a new folder to
    write, with a letter to each author.
    """

    name: str
    name_from: NameFrom
    game: str | Sequence[str]
    seed: int | None
    isolation: Isolation
    require: Levels | None
    allow: Names
    decision_seconds: float
    build_seconds: float
    build_memory_mb: int
    letters: str | PathLike[str] | None
    progress: SubmitObserver | None


class MatchKeys(BotKeys, total=False):
    """Keys that concern one match."""

    game: str
    ruleset: str
    options: Mapping[str, Value]
    seed: int | None
    key: str | None
    require: Levels | None
    confine_house: bool


class ComparisonKeys(MatchKeys, total=False):
    """Keys of a tournament that concern a comparison of two bots, too."""

    adjusted: bool
    budget: str
    mirrored: bool
    concurrency: int | None
    executor: str
    value_function: str
    max_crash_rate: float | None
    max_cost: float | None
    scoring: ScoringBy | None


class TableKeys(ComparisonKeys, total=False):
    """Keys of a tournament at one table."""

    format: str
    format_options: Mapping[str, Any]
    games: int | None
    first_to: int | None
    best_of: int | None
    until_decided: float | None
    until: str
    confidence: float
    matches: int | None
    within: float
    points: Points
    bye_points: float | None
    forfeit_points: float
    tiebreaks: Names
    test: str
    rounds: int | None
    seed_by: SeedBy
    stake: int
    purse: int
    name: str


class TournamentKeys(TableKeys, total=False):
    """Keys of a tournament, but for its bots."""

    bots_from: str
    seats: int | None
    third_place: bool
    bracket_reset: bool
    groups: int | None
    group_size: int | None
    champions: int
    acceleration: Literal["baku"] | None
    forbidden: Groups
    byes: Byes
    stages: Stages
    authors_apart: bool


class RunKeys(TypedDict, total=False):
    """The options of a run that are no keys of a tournament.

    ``progress`` is called after every event, ``events`` with every event as a document, as
    ``--events`` writes them. The run pauses after the round ``pause_after_round``, 0 for the
    running one, or the first; ``ResultsDatabase.resume`` continues.
    """

    progress: OnProgress | None
    events: OnEvent | None
    pause_after_round: int | None


class RunComparisonKeys(ComparisonKeys, RunKeys, total=False):
    """All keys of ``arena.stats.compare``."""


class RunTableKeys(TableKeys, RunKeys, total=False):
    """All keys of ``ResultsDatabase.match``."""


class RunTournamentKeys(TournamentKeys, RunKeys, total=False):
    """All keys of ``ResultsDatabase.run``."""
