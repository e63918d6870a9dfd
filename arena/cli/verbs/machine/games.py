"""``arena games``: what can be played, and by which rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import Output, OutputOption, show_json, show_rows, stdout, write
from arena.cli.terminal.wiring import registry, report_problems
from arena.core.table import Column
from arena.service.bots.games import (
    game_document,
    game_row,
    option_descriptions,
    option_rows,
    options,
)

if TYPE_CHECKING:
    from arena.core.game import AnyGame, Ruleset

EPILOG = """\b
Examples:
  arena games
  arena games pazaak
  arena games sabacc -o json

An option is set in the ruleset's name: --ruleset "standard(max_sets=9,flip=negate_positive)"
The rule books are in docs/rules.
"""

GAMES = (
    Column("name", "game"),
    Column("summary", "what it is", prose=True, drop=0),
    Column("seats", "seats", cell=lambda row: _range(row["seats"])),
    Column("rulesets", "rulesets", prose=True, drop=2, cell=lambda row: _first(row["rulesets"])),
    Column("version", "engine", right=True, drop=3),
)
RULESETS = (
    Column("name", "ruleset"),
    Column("differences", "differs from the default in", prose=True, drop=0),
    Column("source", "source", prose=True),
)
OPTIONS = (
    Column("option", "option"),
    Column("values", "values, the default first", prose=True, drop=0),
    Column("elsewhere", "in other rulesets", prose=True),
)
WIDTH = 80
"""Columns of the lines that say what the options mean."""

FLAT = (Column("ruleset", ""), Column("option", ""), Column("value", ""), Column("default", ""))


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("games", rich_help_panel=PLAYERS, epilog=EPILOG)
    def games(
        name: Annotated[
            str | None,
            typer.Argument(
                metavar="NAME",
                help="Game of which to show rulesets and options.",
                autocompletion=complete_game,
            ),
        ] = None,
        output: OutputOption = Output.TABLE,
    ) -> None:
        """List the games, or the rulesets and options of one."""
        found = registry()
        try:
            if name is None:
                show_rows(output, "", GAMES, [game_row(game) for game in found.games()])
            else:
                _show_game(found.game(name), output)
        finally:
            report_problems(found)


def _show_game(game: AnyGame, output: str) -> None:
    rows = list(game.rulesets.values())
    values_of = [options(row) for row in rows]
    if output is Output.JSON:
        show_json(game_document(game))
    elif output is not Output.TABLE:
        show_rows(output, "", FLAT, option_rows(game))
    else:
        write(stdout(), f"{game.name}: {game.summary}; {_seats(game)} seats")
        show_rows(output, "", RULESETS, list(_ruleset_rows(game, values_of)))
        if not values_of[0]:
            write(stdout(), f"{game.name} has no options.")
            return
        show_rows(output, "", OPTIONS, list(_option_rows(rows, values_of)))
        about = option_descriptions(type(rows[0]))
        for key in (key for key in values_of[0] if key in about):
            write(stdout(), fill(f"{key}: {about[key]}", WIDTH, subsequent_indent="  "))


def _seats(game: AnyGame) -> str:
    first, last = game.seats[0], game.seats[-1]
    return str(first) if first == last else f"{first} to {last}"


def _range(seats: Sequence[int]) -> str:
    first, last = seats[0], seats[-1]
    return str(first) if first == last else f"{first}-{last}"


def _first(rulesets: Sequence[str]) -> str:
    """Returns the default ruleset and the number of others, which a game's own page lists."""
    first, *others = rulesets
    return f"{first}, {len(others)} more" if others else first


def _ruleset_rows(
    game: AnyGame, options: list[dict[str, object]]
) -> Iterator[Mapping[str, object]]:
    for (name, row), values in zip(game.rulesets.items(), options, strict=True):
        changed = [f"{key}={_text(values[key])}" for key in _changed(values, options[0])]
        differences = "(the default)" if values is options[0] else "\n".join(changed) or "nothing"
        yield {"name": name, "source": row.source, "differences": differences}


def _option_rows(
    rows: list[Ruleset], options: list[dict[str, object]]
) -> Iterator[Mapping[str, object]]:
    kinds = {field.name: field.type for field in _fields(type(rows[0]))}
    for key, value in options[0].items():
        elsewhere = [
            f"{row.name}: {_text(values[key])}"
            for row, values in zip(rows, options, strict=True)
            if key in _changed(values, options[0]) and values[key] != row.name
        ]
        values_of = dict.fromkeys((_text(value), *_values(kinds[key])))
        if any(values[key] == row.name for row, values in zip(rows, options, strict=True)):
            values_of = {"set by the ruleset's name": None}
        yield {
            "option": key,
            "values": fill(", ".join(values_of), 36),
            "elsewhere": "\n".join(elsewhere),
        }


def _changed(values: Mapping[str, object], default: Mapping[str, object]) -> list[str]:
    return [key for key, value in values.items() if value != default.get(key)]


def _fields(kind: type[Ruleset]) -> tuple[msgspec.inspect.Field, ...]:
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType)
    return described.fields


def _values(kind: msgspec.inspect.Type) -> list[str]:
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return [str(value) for value in values]
        case msgspec.inspect.UnionType(types=types):
            return [word for each in types for word in _values(each)]
        case msgspec.inspect.BoolType():
            return ["true", "false"]
        case msgspec.inspect.IntType():
            return ["a number"]
        case _:
            return ["text"]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return '""' if value == "" else str(value)
