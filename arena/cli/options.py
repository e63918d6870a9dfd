"""Options that verbs share; what is not given stays ``None``, so that a file's value stands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

BotOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="BOT",
        help="A bot: NAME, 'NAME(key=value)', or path/to/file.py[:Class]. Repeat for each.",
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
    int | None, typer.Option("--seed", help="Tournament seed. [drawn, printed and stored]")
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


def given(**options: object) -> dict[str, object]:
    """The options that were given on the command line, by the keys of a tournament file."""
    return {key: value for key, value in options.items() if value is not None}
