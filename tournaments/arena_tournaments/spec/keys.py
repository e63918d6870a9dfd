"""The spec of a tournament: one row a key, from which files, options and JSON are read.

Every problem of a file is reported at once, each with its key; names of games, bots and formats
are checked by whoever holds the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec

from arena.core.chance.seeding import KEY_PATTERN, SEED_BITS
from arena.core.described import described
from arena.core.errors import AlteredResults, ParseError
from arena.core.options import Option, checked, rows_of
from arena.core.text.parsing import Value, parse_call
from arena.core.text.printable import MAX_TITLE_LENGTH, printable_line
from arena_tournaments.play.schedule import MAX_TESTED

LOCAL = "local"
"""The executor of this machine."""
MAX_GAMES = 1_000_000
"""Bound of all counts."""
MAX_DOLLARS = 1_000_000.0
"""Bound of a limit of cost."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_GAMES)]
Levels = Literal["trusted", "process", "confined", "boxed"]
Isolation = Literal["auto", "trusted", "process", "confined", "boxed"]
ScoringBy = Literal["wins", "amount"]
STORED_SCORING: ScoringBy = "wins"
"""The scoring of a stored spec that names none."""
SeedBy = Literal["entry", "rating"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
Credits = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class TournamentSpec(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The specification of a tournament.

    Each field is a row: key, type with bounds, meaning, default. Files, the options of the
    command line, their order in help, checks and JSON follow from the rows. Spellings of
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
        str, Option("Format, with options as in NAME(option=value).", group="Format")
    ] = "round-robin"
    stages: Annotated[
        tuple[dict[str, Any] | str, ...],
        Option(
            "Stage: FORMAT or 'FORMAT(take=8, first_to=4)'. Replaces --format. Repeatable.",
            group="Format",
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
        Count | None, Option("Match points that win a pairing. Replaces --games.", group="Length")
    ] = None
    best_of: Annotated[
        Count | None,
        Option(
            "End a pairing when one bot has the majority of N. Replaces --games.", group="Length"
        ),
    ] = None
    until_decided: Annotated[
        Annotated[float, msgspec.Meta(ge=0.0001, le=0.5)] | None,
        Option(
            "End a pairing when the better bot is clear, with at most this error rate.",
            group="Length",
            metavar="ERROR",
            default="at most --games 1000",
        ),
    ] = None
    test: Annotated[
        str,
        Option(
            "Test that ends pairings: 'sequence(elo=0)' or 'sprt(elo0=0, elo1=10)'.",
            group="Length",
            default=f"at most --games {MAX_TESTED}",
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
        ScoringBy | None,
        Option(
            "Score by wins, or by amount: chips or points per match.",
            group="Format",
            default="amount for chips or credits, else wins",
            metavar="wins|amount",
        ),
    ] = None
    rounds: Annotated[
        Count | None,
        Option(
            "Rounds of a Swiss or adaptive tournament, cycles of a round robin.",
            group="Format",
            default="swiss: log2(bots) rounded up + 1, round-robin 1, adaptive 250",
        ),
    ] = None
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
        str,
        Option(
            "Where matches are played: local, or an extension's NAME(key=value).", group="Isolation"
        ),
    ] = LOCAL
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
            "Largest share of its matches that a bot may crash in, from 20 matches on.",
            group="Limits",
            metavar="SHARE",
        ),
    ] = None
    max_cost: Annotated[
        Annotated[float, msgspec.Meta(gt=0, le=MAX_DOLLARS)] | None,
        Option(
            "Dollars that calls of language models may cost. The run pauses before more.",
            group="Limits",
            metavar="DOLLARS",
        ),
    ] = None
    name: Annotated[
        str, Option("Name of the tournament.", group="Output", longest=MAX_TITLE_LENGTH)
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
    build_seconds: Annotated[
        Seconds, Option("Time to build a bot.", group="Limits", metavar="SECONDS")
    ] = 120.0
    build_memory_mb: Annotated[
        Annotated[int, msgspec.Meta(ge=64, le=1_048_576)],
        Option("Memory to build a bot, in MiB.", group="Limits"),
    ] = 1_024
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
        """Returns the spec as JSON for the database and ``from_json``.

        It has no executor, which may name other machines, and scoring by wins is left out.
        """
        scoring = None if self.scoring == STORED_SCORING else self.scoring
        stored = msgspec.structs.replace(self, executor=LOCAL, scoring=scoring)
        return msgspec.json.encode(stored).decode()

    @classmethod
    def from_json(cls, text: str) -> TournamentSpec:
        """Reads the JSON of ``to_json``.

        Raises:
            AlteredResults: It is not one.
        """
        try:
            found = msgspec.json.decode(text, type=described(cls))
        except (msgspec.MsgspecError, RecursionError) as error:
            reason = printable_line(str(error))
            raise AlteredResults(f"the stored spec of a tournament is damaged: {reason}") from None
        return msgspec.structs.replace(found, scoring=found.scoring or STORED_SCORING)


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
