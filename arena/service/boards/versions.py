"""Verdicts on versions: each is compared with the last one, by their joint ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log10, sqrt
from shlex import quote

import msgspec
from arena_results.boards.board_rows import Board, LeaderboardRow
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.table import INTERVAL_HEAD, Column, Estimate, Row, Table, several_values
from arena.core.text.parsing import parse_call, split_loadout
from arena.core.tournaments.rating import Z95
from arena.service.answers.rows import Document
from arena.service.boards.table import board_name
from arena.service.report.sums.separation import ELO

BETTER, WORSE, UNKNOWN = "better", "worse", "not yet known"
"""Verdicts on a version."""
TOLD_APART = 30
"""Elo difference that matches are counted for, where too few were played to estimate one."""
MIN_DIFFERENCE = 10
"""Elo difference that a number of matches is given for, at least."""
_SPREAD = 4 * ELO**2
"""Variance of a difference of strengths by one match of equals."""


class VersionChange(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a bot compared with the last one on a leaderboard.

    Attributes:
        name: The bot, as it was entered.
        elo: The difference of their ratings; ``None`` where too few matches were played.
        low: Lower end of its 95 % interval; also ``high``.
        verdict: ``better``, ``worse`` or ``not yet known``.
        matches: Number of rated matches of the version.
        needed: Number of matches of each version that a verdict takes, about; ``None`` with one,
            and where nothing is known of amounts.
        unit: The unit of the difference, in the plural, where ratings are mean amounts per match.
    """

    game: str
    ruleset: str
    name: str
    version: str
    previous: str
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str = UNKNOWN
    matches: int = 0
    needed: int | None = None
    unit: str = ""

    @property
    def text(self) -> str:
        """The comparison in words: ``better than 1.0: +31 (12 to 50)``."""
        if self.elo is None or self.low is None or self.high is None:
            if self.needed is None:
                return f"{UNKNOWN}: {_counted(self.matches)}, too few for an interval"
            return (
                f"{UNKNOWN}: {_counted(self.matches)}; it takes about {self.needed:,} of each "
                f"version to tell {TOLD_APART} points apart from {self.previous}"
            )
        digits = 3 if self.unit else 0
        number = f"{self.elo:+.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"
        number += f" {self.unit} a match" if self.unit else ""
        if self.verdict == UNKNOWN:
            more = f"; it takes about {self.needed:,} of each version" if self.needed else ""
            return (
                f"{UNKNOWN}: {number} against {self.previous} after {_counted(self.matches)}{more}"
            )
        return f"{self.verdict} than {self.previous}: {number}"

    def document(self) -> Document:
        """One of ``changes`` in the JSON document of ``arena bots show``."""
        document: Document = msgspec.to_builtins(self)
        return document | {"text": self.text}

    @property
    def compare_command(self) -> str:
        """The command that plays the two versions until it is clear which is better."""
        one, other = (quote(f"{self.name}@{each}") for each in (self.previous, self.version))
        return f"arena compare {one} {other}{rules_options(self.game, self.ruleset)}"


def rules_options(game: str, ruleset: str = "") -> str:
    """Returns the options that name a game and a ruleset; none for what is the default."""
    options = "" if game == TournamentSpec().game else f" --game {game}"
    return options + (f" --ruleset {quote(ruleset)}" if ruleset else "")


def _interval(row: Row) -> Estimate | str:
    low, high = row["low"], row["high"]
    if row["unit"] and low is not None:  # on no common axis
        return f"{low:+.3f} to {high:+.3f}"
    return "?" if low is None else Estimate(row["elo"], low, high, " to ")


def _difference(row: Row) -> str:
    return "?" if row["elo"] is None else f"{row['elo']:+.{3 if row['unit'] else 0}f}"


def verdict_tone(row: Row) -> str:
    """Returns the tone of the verdict on a version."""
    return {BETTER: "good", WORSE: "bad"}.get(row["verdict"], "")


CHANGES = (
    Column("board", "leaderboard", drop=2, names="leaderboard", when=several_values("board")),
    Column("name", "entered as", drop=3, when=several_values("name")),
    Column("version", "version", drop=0, names="version"),
    Column("previous", "last one", drop=0),
    Column("verdict", "verdict", drop=0, tone=verdict_tone),
    Column("elo", "difference", right=True, cell=_difference),
    Column("interval", INTERVAL_HEAD, right=True, cell=_interval, hint="95 % of the difference"),
    Column("matches", "matches", right=True, hint="rated matches of the version"),
    Column("needed", "needed", right=True, hint="matches of each version for a verdict, about"),
)
"""The columns of the verdicts on versions."""


def change_table(changes: Sequence[VersionChange]) -> Table:
    """The verdicts on the versions of a bot, the newest first."""
    rows: list[Row] = [
        each.document() | {"board": board_name(each.game, each.ruleset, each.unit)}
        for each in changes
    ]
    return Table(title="Better than the last version?", columns=CHANGES, rows=rows)


def version_changes(boards: Iterable[Board], bot: str, version: str = "") -> list[VersionChange]:
    """Compares each version of a bot with the last one before it on each leaderboard.

    Args:
        boards: With a row for every version (``Boards.now``).
        bot: The name, also without parameters and loadout.
        version: Only this one.

    Returns:
        Leaderboard by leaderboard the newest versions first.
    """
    found: list[VersionChange] = []
    for board in boards:
        rows = [
            row
            for row in board.rows
            if row.history
            and version in ("", row.participant.version)
            and bot in (row.participant.name, plain_name(row.participant.name))
        ]
        rows.sort(key=lambda row: (row.participant.name, -len(row.history)))
        found += map(change_of, rows)
    return found


def unplayed_change(game: str, ruleset: str, name: str, versions: Sequence[str]) -> VersionChange:
    """Returns the comparison of a version that has no rated match yet.

    Args:
        versions: The last one and it.
    """
    previous, version = versions
    return VersionChange(
        game=game, ruleset=ruleset, name=name, version=version, previous=previous,
        needed=needed_matches(_SPREAD, TOLD_APART),
    )  # fmt: skip


def needed_matches(spread: float, difference: float, least: float = MIN_DIFFERENCE) -> int:
    """Returns how many matches of each of two bots show which is better, in two digits.

    Args:
        spread: The variance of the rating of one, times its number of matches.
        least: The least difference that a number is given for.
    """
    exact = 2 * Z95**2 * spread / max(abs(difference), least) ** 2
    unit = int(10 ** max(0, int(log10(max(exact, 1))) - 1))
    return ceil(exact / unit) * unit


def change_of(row: LeaderboardRow) -> VersionChange:
    """Compares a version with the one before it, the first of its history."""
    last = row.history[0]
    versions = last.version, row.participant.version
    change = unplayed_change(row.game, row.ruleset, row.participant.name, versions)
    change = msgspec.structs.replace(change, matches=row.games, unit=row.unit)
    if last.error is None:
        return msgspec.structs.replace(change, needed=None) if row.unit else change
    value, half = row.rating - last.rating, Z95 * last.error
    low, high = value - half, value + half
    verdict = BETTER if low > 0 else WORSE if high < 0 else UNKNOWN
    spread = last.error**2 / (1 / row.games + 1 / last.games)
    # Of amounts the same part of the spread of a match.
    least = MIN_DIFFERENCE * sqrt(spread / _SPREAD) if row.unit else MIN_DIFFERENCE
    needed = needed_matches(spread, value, least) if verdict == UNKNOWN and spread else None
    digits = 4 if row.unit else 2
    return msgspec.structs.replace(
        change, elo=round(value, digits), low=round(low, digits), high=round(high, digits),
        verdict=verdict, needed=needed,
    )  # fmt: skip


def plain_name(name: str) -> str:
    """Returns the name of a bot without parameters and loadout."""
    return parse_call(split_loadout(name)[0])[0]


def _counted(matches: int) -> str:
    return "1 match" if matches == 1 else f"{matches or 'no'} matches"
