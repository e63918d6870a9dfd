"""Options that verbs share; what is not given stays ``None``, so that a file's value stands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

OUTSIDE = "Bots from outside"
"""Heading of the options that concern bots that are not of the house."""

BotOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="BOT",
        help="A bot: NAME, 'NAME(key=value)', NAME@VERSION of a submitted one, or "
        "path/to/file.py[:Class]. Repeat for each.",
    ),
]
GameOption: TypeAlias = Annotated[
    str | None, typer.Option("--game", help="The game (see: arena games). [pazaak]")
]
RulesetOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--ruleset", help="Ruleset: NAME or 'NAME(option=value)'. [the game's first]"),
]
GamesOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--games",
        help="Matches a pairing, mirrored or not. [20; at tables, the next number fair to all]",
    ),
]
SeedOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--seed",
        help="Open seed, for tests: bots can find it, and all cards. [none: a secret key is drawn]",
    ),
]
KeyOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="HEX",
        help="Deals once more what the finished tournament of this key dealt. [drawn]",
    ),
]
MirroredOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--mirrored/--not-mirrored",
        help="Play every deal from every seat: with two, twice with the seats swapped. [mirrored]",
    ),
]
ConcurrencyOption: TypeAlias = Annotated[
    int | None, typer.Option("--concurrency", help="Worker processes. [the number of cores]")
]

DecisionSecondsOption: TypeAlias = Annotated[
    float | None, typer.Option("--decision-seconds", help="Time for one decision. [10]")
]
MatchSecondsOption: TypeAlias = Annotated[
    float | None,
    typer.Option("--match-seconds", help="Time for a bot's decisions of one match. [120]"),
]
TrustOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--trust",
        metavar="NAME",
        help="Run this bot from outside in process, with your rights. Repeat for more.",
        rich_help_panel=OUTSIDE,
    ),
]
IsolationOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--isolation",
        metavar="LEVEL",
        help="How they are kept apart: process, confined, boxed; trusted runs none; auto the "
        "best there is (see: arena doctor). [auto]",
        rich_help_panel=OUTSIDE,
    ),
]
RequireOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--require",
        metavar="LEVEL",
        help="Do not run where they would be kept apart less than this.",
        rich_help_panel=OUTSIDE,
    ),
]
ConfineHouseOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--confine-house",
        help="Keep house bots apart in the same way.",
        rich_help_panel=OUTSIDE,
    ),
]
AllowOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="DIST",
        help="An installed distribution that they may import, such as numpy. Repeat for more.",
        rich_help_panel=OUTSIDE,
    ),
]
StartupSecondsOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--startup-seconds", help="Time until its process is ready. [10]", rich_help_panel=OUTSIDE
    ),
]
MemoryOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--memory-mb", help="Memory of its process, MiB. [512]", rich_help_panel=OUTSIDE),
]
ThreadsOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--threads", help="Threads of its process. [32]", rich_help_panel=OUTSIDE),
]
OutputLimitOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--output-kb",
        help="What it may print during one decision, KiB. [1024]",
        rich_help_panel=OUTSIDE,
    ),
]


def given(**options: object) -> dict[str, object]:
    """The options that were given on the command line, by the keys of a tournament file."""
    return {key: value for key, value in options.items() if value is not None}
