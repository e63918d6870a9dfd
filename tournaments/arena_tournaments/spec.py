"""What a tournament is asked to be: from a TOML file, the command line, or both.

Every problem of a file is reported at once, each with its key; names of games, bots and formats
are checked by whoever holds the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from arena.core.errors import BadSpec, ParseError
from arena.core.parsing import Value, join_loadout, split_loadout
from arena.core.seeding import KEY_BYTES, SEED_BITS
from arena.core.toml import LONGEST, read_toml

KEY_PATTERN = f"^[0-9a-fA-F]{{{2 * KEY_BYTES}}}\\Z"
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Levels = Literal["trusted", "process", "confined", "boxed"]
Isolation = Literal["auto", "trusted", "process", "confined", "boxed"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]


class TournamentSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament as it is asked for; the fields are the keys of a tournament file.

    Attributes:
        name: Free text for people.
        game: Name of the game.
        ruleset: Name of the ruleset, with options in brackets; empty for the default one.
        options: Options of the ruleset that differ from it.
        format: Name of the format.
        bots: The field in entry order: ``name``, ``name(key=value)``, ``path/to/file.py``; each
            ``with LOADOUT`` if it is not to choose what it brings (Pazaak: ``with hard``).
        seats: Seats of a full table; ``None`` for the fewest that game and format both play.
        trust: Bots from outside that the operator vouches for: they run with the user's rights.
        games: Matches a pairing; ``None`` for 20, or the next number that is fair to every seat.
        rounds: Rounds of a Swiss, cycles of a round robin; ``None`` for the format's default.
        seed: Open seed, for tests; ``None`` takes the key.
        key: Key of a finished tournament that is dealt again; ``None`` draws one.
        mirrored: Whether the legs of a pairing share their deals with the seats swapped.
        seed_by: Initial order: as entered, or by rating.
        concurrency: Matches played at a time; ``None`` for the number of cores.
        stake: Credits each match is played for.
        purse: Credits each entry starts with.
        decision_seconds: Time for one decision.
        match_seconds: Time for all of a bot's decisions of one match.
        decision_cpu_seconds: CPU time for one decision; ``None`` for as much as wall-clock time.
        match_cpu_seconds: The same for all decisions of one match.
        startup_seconds: Time until the process of a bot from outside is ready.
        memory_mb: MiB of memory that such a process may use.
        threads: Threads that it may have at a time.
        output_kb: KiB that it may write to stdout and stderr during one request.
        log_kb: KiB of them that are kept.
        incidents: Lost processes after which such a bot forfeits its matches that are left.
        isolation: How bots from outside are kept apart: ``auto`` takes the best there is.
        require: Do not play where it would be weaker than this.
        confine_house: Whether house bots are kept apart in the same way.
        allow: Installed distributions that bots from outside may import.
    """

    name: str = ""
    game: str = "pazaak"
    ruleset: str = ""
    options: dict[str, Value] = {}
    format: str = "round-robin"
    bots: tuple[str, ...] = ()
    seats: Annotated[int, msgspec.Meta(ge=2, le=100)] | None = None
    trust: tuple[str, ...] = ()
    games: Count | None = None
    rounds: Count | None = None
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**SEED_BITS - 1)] | None = None
    key: Annotated[str, msgspec.Meta(pattern=KEY_PATTERN)] | None = None
    mirrored: bool = True
    seed_by: Literal["entry", "rating"] = "entry"
    concurrency: Annotated[int, msgspec.Meta(ge=1, le=1024)] | None = None
    stake: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0
    purse: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 1000
    decision_seconds: Seconds = 10.0
    match_seconds: Seconds = 120.0
    decision_cpu_seconds: Seconds | None = None
    match_cpu_seconds: Seconds | None = None
    startup_seconds: Seconds = 10.0
    memory_mb: Annotated[int, msgspec.Meta(ge=64, le=1_048_576)] = 512
    threads: Annotated[int, msgspec.Meta(ge=1, le=4_096)] = 32
    output_kb: Count = 1_024
    log_kb: Annotated[int, msgspec.Meta(ge=0, le=1_024)] = 16
    incidents: Count = 20
    isolation: Isolation = "auto"
    require: Levels | None = None
    confine_house: bool = False
    allow: tuple[str, ...] = ()

    def to_json(self) -> str:
        """For the database; ``from_json`` reads it."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> TournamentSpec:
        """Reads what ``to_json`` wrote."""
        return msgspec.json.decode(text, type=cls)


def read_spec(keys: Mapping[str, object], problems: list[str]) -> TournamentSpec:
    """Makes a spec of keys; what is wrong with each is added to ``problems``.

    Args:
        keys: The keys of a file, or the options of a command line.
        problems: Gets ``"key: what is wrong"`` for every problem.

    Returns:
        The spec, with the defaults in place of what is wrong.
    """
    hints = get_type_hints(TournamentSpec, include_extras=True)
    good: dict[str, Any] = {}
    for key, value in keys.items():
        if key not in hints:
            problems.append(f"{key}: no such key; the keys are {', '.join(sorted(hints))}")
            continue
        if key == "bots" and isinstance(value, list):
            # The good entries go on, so that what is wrong with their names is told as well.
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
        try:
            good[key] = msgspec.convert(value, hints[key])
        except msgspec.ValidationError as error:
            problems.append(f"{key}: {_plain(str(error), hints[key], value)}")
    return TournamentSpec(**good)


def _texts(value: object) -> Iterator[str]:
    """Every text of a value: keys of its tables, and entries of its lists."""
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
"""What msgspec says, and what people who write TOML say."""


def _plain(error: str, hint: object, value: object) -> str:
    """What msgspec says, in the words of people."""
    if get_origin(hint) is Literal:
        return f"expected {' or '.join(map(str, get_args(hint)))}, not {value!r}"
    text = re.sub(r", got `.*?`| \| null", "", error)
    text = re.sub(r" - at `\$\[(\d+)\]`", lambda at: f" as entry {int(at[1]) + 1}", text)
    for word, plain in _WORDS.items():
        text = text.replace(word, plain)
    return f"{text[:1].lower()}{text[1:]}, not {value!r}"


def load_keys(path: Path) -> dict[str, object]:
    """The keys of a tournament file.

    A bot's file is looked for beside it first.

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
    for key in ("bots", "trust"):
        names = keys.get(key)
        if isinstance(names, list):
            folder = path.resolve().parent
            keys[key] = [placed(name, folder) if isinstance(name, str) else name for name in names]
    return keys


_LONGEST_BOT = 10_000
"""Characters of a bot's spelling; longer ones name no file."""
_FILE = re.compile(r"(?P<path>.+?\.py)(?P<rest>(:\w+)?\s*(\(.*\)\s*)?)", re.DOTALL)


def placed(bot: str, folder: Path) -> str:
    """A bot's spelling with its file in that folder, if that is where it is.

    Args:
        bot: ``path/to/file.py:Name(at=3) with hard``; other spellings stay as they are.
        folder: Where to look for a relative path.
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
