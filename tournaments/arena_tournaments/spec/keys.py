"""The spec of a tournament: one row a key, from which files, options and JSON are read.

Every problem of a file is reported at once, each with its key; names of games, bots and formats
are checked by whoever holds the registry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from arena.core.described import described
from arena.core.errors import AlteredResults, BadSpec, ParseError
from arena.core.options import Option, checked, rows_of
from arena.core.parsing import Value, join_loadout, parse_call, split_loadout
from arena.core.printable import LONGEST_TITLE, printable_line
from arena.core.seeding import KEY_PATTERN, SEED_BITS
from arena.core.toml import LONGEST, read_toml
from arena_tournaments.play.schedule import MOST_TESTED

MOST_GAMES = 1_000_000
"""Bound of all counts."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
Levels = Literal["trusted", "process", "confined", "boxed"]
Isolation = Literal["auto", "trusted", "process", "confined", "boxed"]
ScoringBy = Literal["wins", "amount"]
SeedBy = Literal["entry", "rating"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Credits = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class TournamentSpec(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The specification of a tournament.

    Each field is a row: key, type with bounds, meaning, default. Files, the options of the
    command line, their order in help texts, checks and JSON follow from the rows. Spellings of
    bots may end in `` with LOADOUT`` (Pazaak: ``with hard``); without it a bot chooses.
    """

    bots: Annotated[
        tuple[str, ...],
        Option(
            "A bot: NAME, 'NAME(key=value)', NAME@VERSION of a submitted one, or "
            "path/to/file.py[:Class]. Repeat for each. A pattern such as 'team*' enters all "
            "enabled bots of such names that play the game, '*' all that there are.",
            flag="--bot",
            metavar="BOT",
        ),
    ] = ()
    bots_from: Annotated[
        str, Option("A file of bots, one a line; # begins a comment.", metavar="FILE")
    ] = ""
    game: Annotated[str, Option("The game (see: arena games).")] = "pazaak"
    ruleset: Annotated[
        str, Option("Ruleset: NAME or 'NAME(option=value)'.", default="the game's first")
    ] = ""
    options: Annotated[
        dict[str, Value], Option("Options of the ruleset that differ from it.", file_only=True)
    ] = {}
    format: Annotated[
        str,
        Option("The kind of tournament: NAME or 'NAME(option=value)', with its options below."),
    ] = "round-robin"
    stages: Annotated[
        tuple[dict[str, Any] | str, ...],
        Option(
            "A stage: FORMAT or 'FORMAT(take=8, first_to=4)'; take: so many of the stage before. "
            "Repeat for each. In files: [[stages]].",
            flag="--stage",
            metavar="STAGE",
        ),
    ] = ()
    format_options: Annotated[
        dict[str, Any],
        Option("Options of the format; files have them beside the other keys.", file_only=True),
    ] = {}
    seats: Annotated[
        Annotated[int, msgspec.Meta(ge=2, le=100)] | None,
        Option("Seats of a full table.", default="the fewest that the format plays"),
    ] = None
    games: Annotated[
        Count | None,
        Option(
            "Matches a pairing, mirrored or not.",
            default="20; adaptive 4; league 40; at tables, the next number fair to all",
        ),
    ] = None
    budget: Annotated[
        str,
        Option(
            "Instead: the time of all (90s, 10m, 2h): as many games as fit, by a calibration.",
            metavar="TIME",
        ),
    ] = ""
    first_to: Annotated[
        Count | None,
        Option("Instead: match points with which a pairing is won; whole mirrored groups."),
    ] = None
    best_of: Annotated[
        Count | None,
        Option("Instead: matches of which a pairing is won by the majority; whole groups."),
    ] = None
    until_decided: Annotated[
        Annotated[float, msgspec.Meta(ge=0.0001, le=0.5)] | None,
        Option(
            "Instead: play until it is decided who is better, wrongly with this probability at "
            "most; --games is then the most [1000].",
            metavar="ERROR",
        ),
    ] = None
    test: Annotated[
        str,
        Option(
            "Instead: play until a test decides which is better: 'sequence(elo=0)' or "
            "'sprt(elo0=0, elo1=10)', see arena compare; --games is then the most "
            f"[{MOST_TESTED}].",
            metavar="TEST",
        ),
    ] = ""
    adjusted: Annotated[
        bool,
        Option(
            "The test goes by scores without luck: many times fewer matches. Only games with a "
            "value function.",
            flag="--adjusted",
        ),
    ] = False
    scoring: Annotated[
        ScoringBy,
        Option("What counts: wins, or the amount (chips, points) that a bot takes a match."),
    ] = "wins"
    rounds: Annotated[
        Count | None,
        Option(
            "Rounds of a Swiss [log(bots) to the base of the seats, rounded up, + 1]; "
            "cycles of a round robin [1]; adaptive: at most [250]."
        ),
    ] = None
    authors_apart: Annotated[
        bool,
        Option(
            "Tables of 3-6: bots of one author never sit together.",
            default="apart",
            flag="--authors-apart/--authors-together",
        ),
    ] = True
    byes: Annotated[
        tuple[Mapping[str, Value] | str, ...],
        Option(
            "Swiss: a bye on request, 'NAME | ROUND' or 'NAME | ROUND | 0': half a point, or none. "
            "Repeat for more. In files: [[byes]].",
            flag="--bye",
            metavar="BYE",
        ),
    ] = ()
    seed: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=2**SEED_BITS - 1)] | None,
        Option(
            "Open seed, for tests: bots can find it, and all cards.",
            default="none: a secret key is drawn",
        ),
    ] = None
    key: Annotated[
        Annotated[str, msgspec.Meta(pattern=KEY_PATTERN)] | None,
        Option(
            "Deals once more what the finished tournament of this key dealt.",
            default="drawn",
            metavar="HEX",
        ),
    ] = None
    mirrored: Annotated[
        bool,
        Option(
            "Play every deal from every seat: with two, twice with the seats swapped.",
            default="mirrored",
            flag="--mirrored/--not-mirrored",
        ),
    ] = True
    seed_by: Annotated[SeedBy, Option("Initial order: entry or rating.")] = "entry"
    concurrency: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=1024)] | None,
        Option("Worker processes.", default="the number of cores"),
    ] = None
    executor: Annotated[
        str, Option("Where matches are played: local, or an extension's executor.")
    ] = "local"
    value_function: Annotated[
        str,
        Option(
            "Fix these learned values for luck (arena learn-value) before play.",
            default="the game's own",
            metavar="FILE",
        ),
    ] = ""
    stake: Annotated[Credits, Option("Credits each match is played for.")] = 0
    purse: Annotated[Credits, Option("Credits each bot starts with.")] = 1000
    decision_seconds: Annotated[Seconds, Option("Time for one decision.")] = 10.0
    match_seconds: Annotated[Seconds, Option("Time for a bot's decisions of one match.")] = 120.0
    decision_cpu_seconds: Annotated[
        Seconds | None,
        Option("CPU time for one decision.", default="decision_seconds"),
    ] = None
    match_cpu_seconds: Annotated[
        Seconds | None,
        Option("CPU time for all of one match.", default="match_seconds"),
    ] = None
    max_crash_rate: Annotated[
        Annotated[float, msgspec.Meta(gt=0, le=1)] | None,
        Option(
            "Stop when a bot has crashed in more than this share of its matches, of 20 or more.",
            metavar="SHARE",
        ),
    ] = None
    name: Annotated[str, Option("What to call it.", longest=LONGEST_TITLE)] = ""
    trust: Annotated[
        tuple[str, ...],
        Option(
            "Run this untrusted bot in process, with your rights. Repeat for more.", metavar="NAME"
        ),
    ] = ()
    isolation: Annotated[
        Isolation,
        Option(
            "How they are kept apart: process, confined, boxed; trusted runs none; auto the "
            "best there is (see: arena doctor).",
            metavar="LEVEL",
        ),
    ] = "auto"
    require: Annotated[
        Levels | None,
        Option("Do not run where they would be kept apart less than this.", metavar="LEVEL"),
    ] = None
    confine_house: Annotated[
        bool, Option("Keep house bots apart in the same way.", flag="--confine-house")
    ] = False
    allow: Annotated[
        tuple[str, ...],
        Option(
            "An installed distribution that they may import, such as numpy. Repeat for more.",
            metavar="DIST",
        ),
    ] = ()
    startup_seconds: Annotated[Seconds, Option("Time until its process is ready.")] = 10.0
    memory_mb: Annotated[
        Annotated[int, msgspec.Meta(ge=64, le=1_048_576)], Option("Memory of its process, MiB.")
    ] = 512
    threads: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=4_096)], Option("Threads of its process.")
    ] = 32
    output_kb: Annotated[Count, Option("What it may print during one decision, KiB.")] = 1_024
    log_kb: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1_024)],
        Option("KiB of what it prints that are kept."),
    ] = 16
    all_logs: Annotated[
        bool,
        Option("Keep what it prints in all matches, not only if it breaks one.", flag="--all-logs"),
    ] = False
    incidents: Annotated[
        Count, Option("Lost processes after which it forfeits its matches left.")
    ] = 20

    def to_json(self) -> str:
        """Returns the spec as JSON for the database and ``from_json``."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> TournamentSpec:
        """Reads the JSON of ``to_json``.

        Raises:
            AlteredResults: It is none.
        """
        try:
            return msgspec.json.decode(text, type=described(cls))
        except (msgspec.MsgspecError, RecursionError) as error:
            reason = printable_line(str(error))
            raise AlteredResults(f"the stored spec of a tournament is damaged: {reason}") from None


def read_spec(keys: Mapping[str, object], problems: list[str]) -> TournamentSpec:
    """Builds a spec from keys, with the defaults in place of what is wrong.

    ``problems`` gets ``"key: what is wrong"`` for every problem.
    """
    return TournamentSpec(**checked(keys, problems, rows_of(TournamentSpec)))


def gathered(
    keys: Mapping[str, object], kind: type[TournamentSpec] = TournamentSpec
) -> dict[str, object]:
    """Returns the keys with all options of the format in ``format_options``.

    Those are the keys that are none of the spec, and what stands in brackets behind the format:
    ``"knockout(third_place=true)"``. A key of its own counts more than one in brackets.

    Args:
        kind: The spec: of a tournament, or of a stage.
    """
    rows = rows_of(kind)
    own = {key: value for key, value in keys.items() if key in rows}
    options = {key: value for key, value in keys.items() if key not in rows}
    given = own.get("format_options", {})
    if not isinstance(given, Mapping):
        return dict(keys)  # as it is wrong
    spelling = own.get("format")
    if isinstance(spelling, str) and "(" in spelling:
        with suppress(ParseError):  # the format is then looked for by what was typed
            own["format"], called = parse_call(spelling)
            given = {**called, **given}
    if given or options:
        own["format_options"] = {**given, **options}
    return own


def load_keys(path: Path) -> dict[str, object]:
    """Returns the keys of a tournament file; a bot's file is looked for beside it first.

    Raises:
        BadSpec: It cannot be read, or is not TOML; says where.
    """
    try:
        with path.open("rb") as file:
            keys = read_toml(file.read(LONGEST + 1))
    except OSError as error:
        raise BadSpec(str(path), [f"cannot be read: {error.strerror}"]) from None
    except ParseError as error:
        raise BadSpec(str(path), [str(error)]) from None
    folder = path.resolve().parent
    for key in ("bots_from", "value_function"):
        name = keys.get(key)
        if isinstance(name, str) and name and not name.startswith(BY_HASH):
            keys[key] = str(folder / name)
    for key in ("bots", "trust"):
        names = keys.get(key)
        if isinstance(names, list):
            keys[key] = [placed(name, folder) if isinstance(name, str) else name for name in names]
    return keys


BY_HASH = "sha256:"
"""Begins a value function that is named by its SHA-256, not by its file."""
_LONGEST_BOT = 10_000
"""Characters of a bot's spelling; longer ones name no file."""
_FILE = re.compile(r"(?P<path>.+?\.py)(?P<rest>(:\w+)?\s*(\(.*\)\s*)?)", re.DOTALL)


def placed(bot: str, folder: Path) -> str:
    """Returns a bot's spelling with its file in that folder, if it is there.

    Spellings that name no file stay as they are.
    """
    spelling, loadout = split_loadout(bot)
    file = _FILE.fullmatch(spelling.strip()) if len(bot) <= _LONGEST_BOT else None
    if file is None:
        return bot
    path = folder / file["path"]
    try:
        there = path.is_file()
    except OSError:  # e.g. a name that is longer than names can be
        there = False
    return join_loadout(f"{path}{file['rest']}", loadout) if there else bot


def overrule(keys: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Returns the keys of a file with those that were given beside it, which count more.

    What is given of a pair that says the same in two ways stands for the file's, whichever of them
    it has: seed and key, bots and a file of them, games and a budget for them.
    """
    pairs = ({"seed", "key"}, {"bots", "bots_from"}, {"games", "budget"})
    dropped = {key for pair in pairs if pair & given.keys() for key in pair}
    kept = gathered({key: value for key, value in keys.items() if key not in dropped})
    made = gathered(given)
    both = kept.get("format_options"), made.get("format_options")
    if isinstance(both[0], Mapping) and isinstance(both[1], Mapping):
        made["format_options"] = {**both[0], **both[1]}
    return kept | made
