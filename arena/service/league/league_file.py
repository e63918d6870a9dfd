"""Reads the file of a league: its tournament, built-in bots, and limits for authors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec
from arena_results.bots.uploads import UploadLimits
from arena_tournaments.formats.adaptive import GAMES, Adaptive
from arena_tournaments.formats.league import League
from arena_tournaments.spec.files import in_folder
from arena_tournaments.spec.keys import TournamentSpec, gathered, read_spec

from arena.core.described import described
from arena.core.errors import BadInput, BadSpec, ParseError, meant
from arena.core.options import checked, plain_problem, rows_of
from arena.core.text.printable import MAX_TITLE_LENGTH
from arena.core.text.toml import read_toml
from arena.core.tournaments.rating import FARTHEST

FORMAT = "league"
"""The format of every season."""
FINAL_FORMAT = "adaptive"
"""The format of every final."""
NOT_OF_A_LEAGUE = {
    "name": "a season has the league's name; write it above the tables",
    "bots": "a season has the authors' bots and those of house",
    "bots_from": "a season has the authors' bots and those of house",
    "format": f"a season has the format {FORMAT}",
    "stages": f"a season has the format {FORMAT}",
    "seed": "a season draws a key of its own",
    "key": "a season draws a key of its own",
    "trust": "no submitted bot runs with your rights",
}
"""Keys of a tournament that a league does not have, and why."""
_KEYS = {
    key: row
    for key, row in {**rows_of(TournamentSpec), **rows_of(League)}.items()
    if key not in (*NOT_OF_A_LEAGUE, "format_options")
}
"""The keys of a tournament of a league, the options of its format among them."""
Whole = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=3600)]
MEGABYTE = 1_000_000


class LeagueLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[limits]``: what an author may submit.

    Attributes:
        waiting: Undecided submissions at a time.
        day: Submissions that ran, or wait, in 24 hours.
        enabled: Bots of an author that play at a time; a newer version replaces an older one.
        packed_mb: Size of the sent file in MB.
        unpacked_mb: Size of its contents in MB.
        files: Number of its files.
        qualify_seconds: Time after which a qualification has failed.
        hour: Files that an author sends per hour, accepted or not.
        address_hour: Files that come from an address per hour, of any author.
        bot_seconds: Time that a bot may think per hour while others wait for it; then it rests.
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
        """The limits of the queue."""
        return UploadLimits(self.waiting, self.day)


class FinalSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[final]``: the longer run that closes a season.

    Attributes:
        at: When submissions close.
        matches: Matches of the final at most, in all; but one round is always played.
        field: The bots that play in it: ``"top N"`` of the season's standings, or ``"all"``.
    """

    at: Annotated[datetime, msgspec.Meta(tz=True)]
    matches: Whole = 2000
    field: Annotated[str, msgspec.Meta(pattern=r"^(all|top ([2-9]|[1-9][0-9]{1,5}))$")] = "all"

    @property
    def most(self) -> int | None:
        """The most bots that play in it; ``None`` for any number."""
        return None if self.field == "all" else int(self.field.removeprefix("top "))

    @property
    def when(self) -> str:
        """The time at which submissions close, as it is shown."""
        return shown_time(self.at)

    def is_due(self, now: datetime) -> bool:
        """Returns whether submissions are closed."""
        return now >= self.at

    def left(self, now: datetime) -> timedelta:
        """Returns the time until submissions close, in whole days, hours or minutes; 0 when due."""
        left = max(self.at - now, timedelta())
        unit = next((each for each in _UNITS if left >= 2 * each), _UNITS[-1])
        return left // unit * unit


_UNITS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))


EXPECTED = {
    "final.at": "a date and time with its offset, such as 2026-12-20T18:00:00+01:00",
    "final.field": "'all' or 'top N' with N from 2, such as 'top 16'",
}
"""Values that keys expect, where a type alone does not describe them."""


def shown_left(left: timedelta) -> str:
    """Returns how long something lasts that ``FinalSpec.left`` gives: ``3 days``."""
    for unit, name in zip(_UNITS, ("days", "hours", "minutes"), strict=True):
        if left >= 2 * unit:
            return f"{left // unit} {name}"
    return "1 minute" if left else "less than a minute"


def shown_time(at: datetime) -> str:
    """Returns a time as people read it, with its offset: ``2026-12-20 18:00 UTC+01:00``."""
    return f"{at:%Y-%m-%d %H:%M}{f':{at:%S}' if at.second else ''} {at.tzname()}"


class LeagueSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a league.

    Attributes:
        name: Its name.
        season: The season that is played; a higher number ends the one before.
        house: The built-in bots that play in every season.
        anchors: Fixed ratings of built-in bots, so that seasons compare; ``None`` without such a
            table.
        tournament: The table ``[tournament]``: the keys of every season and qualification.
        limits: The limits of authors.
        final: The table ``[final]``; ``None`` for a season without a final.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    season: Whole = 1
    house: tuple[str, ...] = ()
    anchors: dict[str, float] | None = None
    tournament: TournamentSpec = TournamentSpec()
    limits: LeagueLimits = LeagueLimits()
    final: FinalSpec | None = None

    @property
    def title(self) -> str:
        """The name of the tournament of this season."""
        return f"{self.name}, season {self.season}"

    @property
    def final_title(self) -> str:
        """The name of the tournament that is the final of this season."""
        return f"{self.title}, final"

    @property
    def pinned(self) -> Mapping[str, float | None]:
        """The anchors; by default the mean of the built-in bots, without any for an empty table."""
        return dict.fromkeys(self.house) if self.anchors is None else self.anchors

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.tournament.game

    @property
    def submission_keys(self) -> dict[str, object]:
        """The keys of the spec by which a submission is qualified, without those of formats."""
        given: dict[str, object] = msgspec.to_builtins(self.tournament)  # without defaults
        given.pop("format_options", None)
        return {"require": "confined", **given}

    def keys(self, bots: tuple[str, ...]) -> dict[str, object]:
        """Returns the keys of the tournament of this season."""
        own: dict[str, object] = {"name": self.title, "format": FORMAT, "bots": list(bots)}
        if self.tournament.format_options:
            own["format_options"] = self.tournament.format_options
        return self.submission_keys | own

    def final_keys(self, bots: tuple[str, ...]) -> dict[str, object]:
        """Returns the keys of the final of this season, which are those of the season but for its
        format and length.

        Args:
            bots: Its field, the best first.
        """
        assert self.final is not None
        shared = {key: of for key, of in self.submission_keys.items() if key not in _OF_LENGTH}
        given = self.tournament.format_options
        options = {key: given[key] for key in rows_of(Adaptive) if key in given}
        options["matches"] = max(self.final.matches, one_round(len(bots)))
        own = {"name": self.final_title, "format": FINAL_FORMAT, "bots": list(bots)}
        return {**shared, **own, "format_options": options}


_OF_LENGTH = ("games", "rounds")
"""Keys about the length of a season, which a final has not."""


def one_round(bots: int) -> int:
    """Returns the matches of a round in which nobody rests."""
    return bots // 2 * GAMES


def read_league(path: Path) -> LeagueSpec:
    """Reads the file of a league.

    Raises:
        BadInput: It cannot be read.
        BadSpec: It has problems; all of them, each with its key.
    """
    try:
        found = read_toml(path.read_bytes())
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except ParseError as error:
        raise BadSpec(str(path), [str(error)]) from None
    problems: list[str] = []
    limits = _table(found, "limits", problems)
    keys = in_folder(_table(found, "tournament", problems), path.resolve().parent)
    final = _final(found, problems)
    values = _checked(LeagueSpec, found, problems, "")
    values["limits"] = LeagueLimits(**_checked(LeagueLimits, limits, problems, "limits."))
    values["tournament"] = _tournament(keys, problems)
    values["final"] = final
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
        problems.append("house: expected at least two bots, which newcomers play against")
    if "name" not in values and not any(each.startswith("name") for each in problems):
        problems.append("name: missing; give the league a name")
    if not (name := str(values.get("name", ""))).isprintable():
        problems.append(f"name: {name!r} holds a character that cannot be shown")
    if problems:
        raise BadSpec(str(path), problems)
    spec = LeagueSpec(**values)
    if final and len(spec.final_title) > MAX_TITLE_LENGTH:
        longest = f"{MAX_TITLE_LENGTH} characters with the season and ', final' behind it"
        raise BadSpec(str(path), [f"name: {name!r} is too long: at most {longest}"])
    return spec


def _final(found: dict[str, object], problems: list[str]) -> FinalSpec | None:
    if "final" not in found:
        return None
    before = len(problems)
    table = _table(found, "final", problems)
    values = _checked(FinalSpec, table, problems, "final.")
    if "at" not in table and len(problems) == before:
        problems.append(f"final.at: missing; expected {EXPECTED['final.at']}")
    if len(problems) > before:
        return None
    final = FinalSpec(**values)
    if final.most and final.matches < (least := one_round(final.most)):
        problems.append(
            f"final.matches: expected at least {least}, one round of {final.most} bots, "
            f"not {final.matches}"
        )
    return final


def _table(found: dict[str, object], key: str, problems: list[str]) -> dict[str, object]:
    table = found.pop(key, {})
    if isinstance(table, dict):
        return table
    problems.append(f"{key}: expected a table")
    return {}


def _tournament(keys: dict[str, object], problems: list[str]) -> TournamentSpec:
    found: list[str] = []
    wanted = {key: value for key, value in keys.items() if key not in NOT_OF_A_LEAGUE}
    spec = read_spec(gathered(wanted), found)
    checked(spec.format_options, found, _KEYS)
    found += [f"{key}: {NOT_OF_A_LEAGUE[key]}" for key in keys if key in NOT_OF_A_LEAGUE]
    if spec.require in ("trusted", "process"):
        found.append("require: a league needs confined or boxed")
    problems += [f"tournament.{problem}" for problem in found]
    return spec


def _checked(
    kind: type[msgspec.Struct], found: dict[str, object], problems: list[str], prefix: str
) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    good: dict[str, Any] = {}
    for key, value in found.items():
        if kind is LeagueSpec and key in _KEYS and key not in hints:
            problems.append(f"{key}: belongs in the table [tournament]")
            continue
        if key not in hints:
            choices = ", ".join(sorted(hints))
            problems.append(
                f"{prefix}{key}: no such key; the keys are {choices}{meant(key, hints)}"
            )
            continue
        try:
            good[key] = msgspec.convert(value, described(hints[key]))
        except msgspec.ValidationError as error:
            expected = EXPECTED.get(f"{prefix}{key}")
            plain = f"expected {expected}, not {_shown(value)}" if expected else ""
            plain = plain or plain_problem(error, hints[key], value)
            problems.append(f"{prefix}{key}: {plain}")
    return good


def _shown(value: object) -> str:
    return value.isoformat() if isinstance(value, date | time) else repr(value)
