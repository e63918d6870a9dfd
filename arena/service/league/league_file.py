"""Reads the file of a league: what is played, by which house bots, and what authors may submit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec
from arena_results.boards.leaderboard import FARTHEST
from arena_results.bots.uploads import UploadLimits
from arena_results.ratings.systems.elo import START
from arena_tournaments.formats.league import GAMES, WITHIN
from arena_tournaments.spec.keys import plain_problem

from arena.core.described import described
from arena.core.errors import BadInput, BadSpec, ParseError, meant
from arena.core.toml import read_toml

Whole = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]
MEGABYTE = 1_000_000


class LeagueLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[limits]``: what an author may submit.

    Attributes:
        waiting: Submissions that are not decided, at a time.
        day: Submissions that ran, or wait, in 24 hours.
        enabled: Bots of an author that play at a time; a newer version replaces an older one.
        packed_mb: Size of the file that is sent, in MB.
        unpacked_mb: Size of its contents, in MB.
        files: Number of its files.
        qualify_seconds: Time after which a qualification has failed.
        hour: Files that an author sends in an hour, whether they are taken or not.
        address_hour: Files that come from an address in an hour, whoever sends them.
        bot_seconds: Time that a bot may think in an hour while others wait for it; then it rests.
    """

    waiting: Whole = 3
    day: Whole = 10
    enabled: Whole = 5
    packed_mb: Whole = 5
    unpacked_mb: Whole = 25
    files: Whole = 200
    qualify_seconds: Seconds = 300.0
    hour: Whole = 30
    address_hour: Whole = 120
    bot_seconds: Annotated[float, msgspec.Meta(ge=1, le=3600)] = 360.0

    @property
    def uploads(self) -> UploadLimits:
        """Those that the queue keeps."""
        return UploadLimits(self.waiting, self.day)


class LeagueSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a league.

    Attributes:
        name: Its name.
        season: The season that is played; a higher number ends the one before.
        ruleset: Empty for the game's first.
        house: The house bots that play in every season.
        anchors: Ratings to which house bots are pinned, so that seasons compare; ``None`` where the
            file has no such table.
        within: Elo points, to either side, within which each is to be known against neighbours.
        games: Matches of a pairing.
        isolation: The level of untrusted bots; at least ``confined``.
        concurrency: Worker processes; ``None`` for the number of processors.
        decision_seconds: Time for one decision.
        allow: Distributions that bots may import.
        limits: What an author may submit.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    game: str = "pazaak"
    ruleset: str = ""
    season: Whole = 1
    house: tuple[str, ...] = ()
    anchors: dict[str, float] | None = None
    within: Annotated[float, msgspec.Meta(ge=1, le=1000)] = WITHIN
    games: Whole = GAMES
    isolation: str = "auto"
    concurrency: Annotated[int, msgspec.Meta(ge=1, le=1024)] | None = None
    decision_seconds: Seconds = 5.0
    allow: tuple[str, ...] = ()
    limits: LeagueLimits = LeagueLimits()

    @property
    def title(self) -> str:
        """The name of the tournament of this season."""
        return f"{self.name}, season {self.season}"

    @property
    def pinned(self) -> dict[str, float]:
        """The anchors: by default the first house bot is one, and an empty table is none."""
        return dict.fromkeys(self.house[:1], START) if self.anchors is None else self.anchors

    def keys(self, bots: tuple[str, ...]) -> dict[str, object]:
        """Returns the keys of the tournament of this season."""
        keys: dict[str, object] = {
            "name": self.title,
            "game": self.game,
            "ruleset": self.ruleset,
            "format": "league",
            "bots": list(bots),
            "within": self.within,
            "games": self.games,
            "isolation": self.isolation,
            "require": "confined",
            "decision_seconds": self.decision_seconds,
            "allow": list(self.allow),
        }
        return keys if self.concurrency is None else {**keys, "concurrency": self.concurrency}

    @property
    def submission_keys(self) -> dict[str, object]:
        """The keys of the spec by which a submission is qualified."""
        shared = ("isolation", "require", "decision_seconds", "allow")
        keys = self.keys(())
        return {key: keys[key] for key in shared}


def read_league(path: Path) -> LeagueSpec:
    """Reads the file of a league.

    Raises:
        BadInput: It cannot be read.
        BadSpec: It holds what it may not, with every problem at once, each with its key.
    """
    try:
        found = read_toml(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except ParseError as error:
        raise BadSpec(str(path), [str(error)]) from None
    problems: list[str] = []
    limits = found.pop("limits", {})
    values = _checked(LeagueSpec, found, problems, "")
    if isinstance(limits, dict):
        values["limits"] = LeagueLimits(**_checked(LeagueLimits, limits, problems, "limits."))
    else:
        problems.append("limits: expected a table")
    house = ", ".join(values.get("house", ())) or "none"
    problems += [
        f"anchors: expected a bot of the key house, not {name}; choices: {house}"
        for name in values.get("anchors", {})
        if name not in values.get("house", ())
    ]
    problems += [
        f"anchors: {name}: expected a rating from {-FARTHEST:g} to {FARTHEST:g}, not {value:g}"
        for name, value in values.get("anchors", {}).items()
        if not abs(value) <= FARTHEST
    ]
    if len(values.get("house", ())) < 2 and not any(each.startswith("house") for each in problems):
        problems.append("house: a league needs at least two house bots, whom newcomers meet")
    if "name" not in values and not any(each.startswith("name") for each in problems):
        problems.append("name: a league has a name")
    if not (name := str(values.get("name", ""))).isprintable():
        problems.append(f"name: {name!r} holds a character that cannot be shown")
    if problems:
        raise BadSpec(str(path), problems)
    return LeagueSpec(**values)


def _checked(
    kind: type[msgspec.Struct], found: dict[str, object], problems: list[str], prefix: str
) -> dict[str, Any]:
    """Returns the values that are right; ``problems`` gets a line for each that is not."""
    hints = get_type_hints(kind, include_extras=True)
    good: dict[str, Any] = {}
    for key, value in found.items():
        if key not in hints:
            choices = ", ".join(sorted(hints))
            problems.append(
                f"{prefix}{key}: no such key; the keys are {choices}{meant(key, hints)}"
            )
            continue
        try:
            good[key] = msgspec.convert(value, described(hints[key]))
        except msgspec.ValidationError as error:
            problems.append(f"{prefix}{key}: {plain_problem(error, hints[key], value)}")
    return good
