"""The spec of a tournament: one row a key, from which files, options and JSON are read.

Every problem of a file is reported at once, each with its key; names of games, bots and formats
are checked by whoever holds the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import index
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    SupportsIndex,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from arena.core.described import described
from arena.core.errors import AlteredResults, BadSpec, ParseError, meant
from arena.core.parsing import Value, join_loadout, split_loadout
from arena.core.printable import LONGEST_TITLE, printable_line
from arena.core.seeding import KEY_BYTES, KEY_PATTERN, SEED_BITS
from arena.core.toml import LONGEST, read_toml
from arena_tournaments.play.schedule import MOST_TESTED

MOST_GAMES = 1_000_000
"""Bound of all counts."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
Levels = Literal["trusted", "process", "confined", "boxed"]
Isolation = Literal["auto", "trusted", "process", "confined", "boxed"]
Acceleration = Literal["baku"]
ScoringBy = Literal["wins", "amount"]
SeedBy = Literal["entry", "rating"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Credits = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]

Group = Literal["Field", "Format", "Length", "Fairness", "Limits", "Isolation", "Output"]
"""Headings of options in help texts, in their order; the last is for all others."""


class Option(msgspec.Struct, frozen=True):
    """The part of a key's row by which interfaces offer it as an option.

    Attributes:
        default: Describes the default; empty where the value itself does, or there is none.
        group: Heading in help texts.
        flag: Spelling of the option where it is not the key with dashes.
        metavar: Word for its value in help texts.
        file_only: Whether it is a table, which files and Python have and the command line writes
            into another option (``--ruleset "NAME(option=value)"``).
        longest: Most characters of a text; one that was stored before may have more.
    """

    help: str
    default: str = ""
    group: Group = "Output"
    flag: str = ""
    metavar: str = ""
    file_only: bool = False
    longest: int | None = None


class TournamentSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The specification of a tournament.

    Each field is a row: key, type with bounds, meaning, default. Files, the options of the
    command line, their order in help texts, checks and JSON follow from the rows. Spellings of
    bots may end in `` with LOADOUT`` (Pazaak: ``with hard``); without it a bot chooses.
    """

    bots: Annotated[
        tuple[str, ...],
        Option(
            "Bot: NAME, 'NAME(key=value)', NAME@VERSION, FILE.py:CLASS or 'PATTERN*'. Repeatable.",
            group="Field",
            flag="--bot",
            metavar="BOT",
        ),
    ] = ()
    bots_from: Annotated[
        str,
        Option("File of bots, one per line, with comments after #.", group="Field", metavar="FILE"),
    ] = ""
    game: Annotated[str, Option("Game, see arena games.", group="Field")] = "pazaak"
    ruleset: Annotated[
        str,
        Option("Ruleset: NAME or 'NAME(option=value)'.", group="Field", default="the game's first"),
    ] = ""
    options: Annotated[
        dict[str, Value], Option("Options of the ruleset that differ from it.", file_only=True)
    ] = {}
    format: Annotated[
        str,
        Option(
            "Format: round-robin, swiss, adaptive, league, knockout, double-elimination, "
            "gauntlet, ladder, tables, table-swiss.",
            group="Format",
        ),
    ] = "round-robin"
    stages: Annotated[
        tuple[dict[str, Value] | str, ...],
        Option(
            "Stage: FORMAT or 'FORMAT(take=8, first_to=4)'. Replaces --format. Repeatable.",
            group="Format",
            flag="--stage",
            metavar="STAGE",
        ),
    ] = ()
    seats: Annotated[
        Annotated[int, msgspec.Meta(ge=2, le=100)] | None,
        Option("Seats per table.", group="Format", default="the fewest that the format plays"),
    ] = None
    games: Annotated[
        Count | None,
        Option(
            "Matches per pairing.",
            group="Length",
            default="20, adaptive 4, league 40, tables a multiple of the seats",
        ),
    ] = None
    budget: Annotated[
        str,
        Option(
            "Time for the whole tournament: 90s, 10m or 2h. Replaces --games.",
            group="Length",
            metavar="TIME",
        ),
    ] = ""
    first_to: Annotated[
        Count | None,
        Option("Match points that win a pairing. Replaces --games.", group="Length"),
    ] = None
    best_of: Annotated[
        Count | None,
        Option("Matches per pairing, won by the majority. Replaces --games.", group="Length"),
    ] = None
    until_decided: Annotated[
        Annotated[float, msgspec.Meta(ge=0.0001, le=0.5)] | None,
        Option(
            "Pairings end when decided, wrongly with this probability.",
            group="Length",
            metavar="ERROR",
            default="at most --games 1000",
        ),
    ] = None
    until: Annotated[
        str,
        Option(
            "Rule 'separated(95%)': play on until ranks separate. Round robin and Swiss.",
            group="Length",
            metavar="RULE",
        ),
    ] = ""
    confidence: Annotated[
        Annotated[float, msgspec.Meta(ge=51, le=99.99)],
        Option(
            "Confidence at which ranks separate. Adaptive and league.",
            group="Length",
            metavar="PERCENT",
        ),
    ] = 95.0
    matches: Annotated[
        Count | None,
        Option(
            "Matches at most, in all. Adaptive and --until.",
            group="Length",
            default="adaptive: 250 rounds, --until: 10 times the rounds",
        ),
    ] = None
    within: Annotated[
        Annotated[float, msgspec.Meta(ge=1, le=1000)],
        Option(
            "Precision of Elo differences between neighbours. League.",
            group="Length",
            metavar="ELO",
        ),
    ] = 30.0
    test: Annotated[
        str,
        Option(
            "Test that ends pairings: 'sequence(elo=0)' or 'sprt(elo0=0, elo1=10)'.",
            group="Length",
            default=f"at most --games {MOST_TESTED}",
            metavar="TEST",
        ),
    ] = ""
    adjusted: Annotated[
        bool,
        Option(
            "Test luck-adjusted scores, with fewer matches. Needs a value function.",
            group="Length",
            flag="--adjusted",
        ),
    ] = False
    scoring: Annotated[
        ScoringBy,
        Option(
            "Score by wins, or by amount: chips or points per match.",
            group="Format",
            metavar="wins|amount",
        ),
    ] = "wins"
    rounds: Annotated[
        Count | None,
        Option(
            "Rounds of a Swiss or adaptive tournament, cycles of a round robin.",
            group="Format",
            default="swiss: log2(bots) rounded up + 1, round-robin 1, adaptive 250",
        ),
    ] = None
    third_place: Annotated[
        bool,
        Option("Play a match for third place. Knockout.", group="Format", flag="--third-place"),
    ] = False
    bracket_reset: Annotated[
        bool,
        Option(
            "Make the lower bracket's winner win the final twice. Double elimination.",
            group="Format",
            flag="--bracket-reset",
        ),
    ] = False
    acceleration: Annotated[
        Acceleration | None,
        Option("Accelerated pairing: baku. Swiss.", group="Format", metavar="METHOD"),
    ] = None
    forbidden: Annotated[
        tuple[tuple[str, ...] | str, ...],
        Option(
            "Bots that never meet: 'NAME | NAME'. Swiss. Repeatable.",
            group="Format",
            metavar="NAMES",
        ),
    ] = ()
    authors_apart: Annotated[
        bool,
        Option(
            "Keep bots of one author at separate tables of 3-6.",
            group="Format",
            default="apart",
            flag="--authors-apart/--authors-together",
        ),
    ] = True
    byes: Annotated[
        tuple[Mapping[str, Value] | str, ...],
        Option(
            "Requested bye: 'NAME|ROUND' for half a point, 'NAME|ROUND|0' for none. Repeatable.",
            group="Format",
            flag="--bye",
            metavar="BYE",
        ),
    ] = ()
    champions: Annotated[
        Count, Option("Number of top bots that meet all others. Gauntlet.", group="Format")
    ] = 1
    seed: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=2**SEED_BITS - 1)] | None,
        Option(
            "Fixed seed, for tests only. Bots can guess it.", group="Fairness", default="random key"
        ),
    ] = None
    key: Annotated[
        Annotated[str, msgspec.Meta(pattern=KEY_PATTERN)] | None,
        Option(
            "Key of a finished tournament, to deal the same cards again.",
            group="Fairness",
            default="random",
            metavar="HEX",
        ),
    ] = None
    mirrored: Annotated[
        bool,
        Option(
            "Play every deal from every seat.",
            group="Fairness",
            default="mirrored",
            flag="--mirrored/--not-mirrored",
        ),
    ] = True
    seed_by: Annotated[
        SeedBy, Option("Initial order: entry or rating.", group="Format", metavar="entry|rating")
    ] = "entry"
    concurrency: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=1024)] | None,
        Option("Worker processes.", group="Limits", default="the number of cores"),
    ] = None
    executor: Annotated[
        str, Option("Executor of matches: local, or an extension's.", group="Isolation")
    ] = "local"
    value_function: Annotated[
        str,
        Option(
            "Learned value function for luck, from arena learn-value.",
            group="Fairness",
            default="the game's own",
            metavar="FILE",
        ),
    ] = ""
    stake: Annotated[Credits, Option("Credits staked per match.", group="Format")] = 0
    purse: Annotated[Credits, Option("Credits of each bot at the start.", group="Format")] = 1000
    decision_seconds: Annotated[
        Seconds, Option("Time per decision.", group="Limits", metavar="SECONDS")
    ] = 10.0
    match_seconds: Annotated[
        Seconds, Option("Time per bot and match.", group="Limits", metavar="SECONDS")
    ] = 120.0
    decision_cpu_seconds: Annotated[
        Seconds | None,
        Option(
            "CPU time per decision.",
            group="Limits",
            default="--decision-seconds",
            metavar="SECONDS",
        ),
    ] = None
    match_cpu_seconds: Annotated[
        Seconds | None,
        Option(
            "CPU time per bot and match.",
            group="Limits",
            default="--match-seconds",
            metavar="SECONDS",
        ),
    ] = None
    max_crash_rate: Annotated[
        Annotated[float, msgspec.Meta(gt=0, le=1)] | None,
        Option(
            "Stop when a bot crashes in more than this share of 20 or more matches.",
            group="Limits",
            metavar="SHARE",
        ),
    ] = None
    name: Annotated[
        str, Option("Name of the tournament.", group="Output", longest=LONGEST_TITLE)
    ] = ""
    trust: Annotated[
        tuple[str, ...],
        Option(
            "Untrusted bot to run in process, with your rights. Repeatable.",
            group="Isolation",
            metavar="NAME",
        ),
    ] = ()
    isolation: Annotated[
        Isolation,
        Option(
            "Sandbox for untrusted bots: process, confined, boxed, auto. See arena doctor.",
            group="Isolation",
            metavar="LEVEL",
        ),
    ] = "auto"
    require: Annotated[
        Levels | None,
        Option("Lowest acceptable isolation level.", group="Isolation", metavar="LEVEL"),
    ] = None
    confine_house: Annotated[
        bool, Option("Sandbox built-in bots as well.", group="Isolation", flag="--confine-house")
    ] = False
    allow: Annotated[
        tuple[str, ...],
        Option(
            "Installed distribution that bots may import, such as numpy. Repeatable.",
            group="Isolation",
            metavar="DIST",
        ),
    ] = ()
    startup_seconds: Annotated[
        Seconds, Option("Time until a bot's process is ready.", group="Limits", metavar="SECONDS")
    ] = 10.0
    memory_mb: Annotated[
        Annotated[int, msgspec.Meta(ge=64, le=1_048_576)],
        Option("Memory of a bot's process, in MiB.", group="Limits"),
    ] = 512
    threads: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=4_096)],
        Option("Threads of a bot's process.", group="Limits"),
    ] = 32
    output_kb: Annotated[Count, Option("Output of a bot per decision, in KiB.", group="Limits")] = (
        1_024
    )
    log_kb: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=1_024)],
        Option("Log stored per bot and match, in KiB.", group="Output"),
    ] = 16
    all_logs: Annotated[
        bool,
        Option(
            "Store the logs of all matches, not only of broken ones.",
            group="Output",
            flag="--all-logs",
        ),
    ] = False
    incidents: Annotated[
        Count,
        Option("Lost processes after which a bot forfeits its remaining matches.", group="Limits"),
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


def option_rows() -> dict[str, tuple[type, Option]]:
    """Returns the rows of the keys that are options, in order: plain type of a value, and the rest.

    Types are ``str``, ``int``, ``float``, ``bool`` and ``list`` (of ``str``), without bounds:
    those are checked by ``read_spec``, for files and options alike.
    """
    rows = {}
    for key, hint in get_type_hints(TournamentSpec, include_extras=True).items():
        bare, *_, option = get_args(hint)
        if not option.file_only:
            rows[key] = _plain_type(bare), _with_default(option, key)
    return rows


def _plain_type(hint: object) -> type:
    """Returns the type of an option's value without its bounds and without ``None``."""
    origin = get_origin(hint)
    if origin is None:
        return cast("type", hint)
    if origin is tuple:
        return list
    return str if origin is Literal else _plain_type(get_args(hint)[0])


def _with_default(option: Option, key: str) -> Option:
    """Returns the row with its default in words, where the value itself describes it."""
    default = getattr(TournamentSpec(), key)
    if option.default or isinstance(default, bool) or default in (None, "", ()):
        return option
    words = f"{default:g}" if isinstance(default, float) else str(default)
    return msgspec.structs.replace(option, default=words)


def read_spec(keys: Mapping[str, object], problems: list[str]) -> TournamentSpec:
    """Builds a spec from keys, with the defaults in place of what is wrong.

    ``problems`` gets ``"key: what is wrong"`` for every problem.
    """
    return TournamentSpec(**checked(keys, problems, TournamentSpec))


def checked(
    keys: Mapping[str, object], problems: list[str], kind: type[TournamentSpec]
) -> dict[str, Any]:
    """Returns the values of the keys that are right; ``kind`` has their rows."""
    hints = get_type_hints(kind, include_extras=True)
    good: dict[str, Any] = {}
    for key, value in keys.items():
        if key not in hints:
            listed = ", ".join(sorted(hints))
            problems.append(f"{key}: no such key; the keys are {listed}{meant(key, hints)}")
            continue
        if key == "bots" and isinstance(value, list):
            # The good entries go on, so that what is wrong with their names is reported as well.
            problems.extend(
                f"bots: expected text as entry {number}, not {entry!r}"
                for number, entry in enumerate(value, 1)
                if not isinstance(entry, str)
            )
            value = [entry for entry in value if isinstance(entry, str)]
        hidden = next((text for text in _texts(value) if not text.isprintable()), None)
        if hidden is not None:
            problems.append(f"{key}: {hidden!r} holds a character that cannot be shown")
            continue
        longest = next(row for row in get_args(hints[key]) if isinstance(row, Option)).longest
        if longest and isinstance(value, str) and len(value) > longest:
            problems.append(f"{key}: {len(value)} characters; expected at most {longest}")
            continue
        if isinstance(value, SupportsIndex) and not isinstance(value, bool):
            value = index(value)  # whole numbers of numpy, too
        try:
            good[key] = msgspec.convert(value, described(hints[key]))
        except msgspec.ValidationError as error:
            problems.append(f"{key}: {plain_problem(error, get_args(hints[key])[0], value)}")
    return good


def _texts(value: object) -> Iterator[str]:
    """Yields every text of a value: keys of its tables, and entries of its lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in (*value, *value.values()) if isinstance(value, Mapping) else value:
            yield from _texts(part)


_WORDS = {
    f"`str` matching regex {KEY_PATTERN!r}": f"{2 * KEY_BYTES} hexadecimal digits",
    "`int`": "a whole number",
    "`float`": "a number",
    "`bool`": "true or false",
    "`str`": "text",
    "`array`": "a list",
    "`object`": "a table",
    "`bool | int | float | str`": "text, a number, true or false",
    " - at `$[...]`": " for every key",
}
"""Messages of msgspec, and their form for people who write TOML."""


def plain_problem(error: msgspec.ValidationError, hint: object, value: object) -> str:
    """Rewrites msgspec's message about a value of a file for people."""
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Literal:
            return f"expected {' or '.join(map(str, get_args(part)))}, not {value!r}"
    text = re.sub(r", got `.*?`| \| null", "", str(error))
    text = re.sub(r" - at `\$\[(\d+)\]`", lambda at: f" as entry {int(at[1]) + 1}", text)
    for word, plain in _WORDS.items():
        text = text.replace(word, plain)
    return f"{text[:1].lower()}{text[1:]}, not {value!r}"


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
    return in_folder(keys, path.resolve().parent)


def in_folder(keys: dict[str, object], folder: Path) -> dict[str, object]:
    """Returns the keys of a file with the paths of other files, which are found from its folder."""
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
    return {key: value for key, value in keys.items() if key not in dropped} | dict(given)
