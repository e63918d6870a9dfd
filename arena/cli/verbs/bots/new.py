"""``arena new``: begins something of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import AUTHORS
from arena.cli.terminal.output import say
from arena.cli.terminal.wiring import registry
from arena.core.errors import BadInput
from arena.plugins.languages import CHOICES, PYTHON

_LANGUAGES = ", ".join(CHOICES)
FolderOption: TypeAlias = Annotated[
    Path | None, typer.Option(help="New or empty folder to write.", show_default="./NAME")
]
BOT_EPILOG = """\b
Examples:
  arena new bot cautious
  cd cautious && pytest
  arena match cautious.py random
  arena submit .
  arena new bot bold --game sabacc
  arena new bot quick --language c
  arena new bot gpt --endpoint
"""
GAME_EPILOG = """\b
Examples:
  arena new game high-card
  cd high-card && pip install -e . && pytest
  arena check game high-card
  arena match random search --game high-card
  arena new game big-game --full
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    new = typer.Typer(help="Write the project of a new bot or game.", no_args_is_help=True)

    @new.callback()
    def new_group() -> None:
        """Writes a new project to begin with."""

    @new.command("bot", epilog=BOT_EPILOG)
    def new_bot_verb(
        name: Annotated[
            str, typer.Argument(metavar="NAME", help="Name of the bot and of its distribution.")
        ],
        folder: FolderOption = None,
        game: Annotated[
            str, typer.Option(help="Game of the bot.", autocompletion=complete_game)
        ] = "pazaak",
        language: Annotated[
            str, typer.Option(help=f"Language of the bot: {_LANGUAGES}.", metavar="NAME")
        ] = PYTHON,
        endpoint: Annotated[
            bool,
            typer.Option("--endpoint", help="A file for an endpoint of a language model, no code."),
        ] = False,
    ) -> None:
        """Write a bot project: bot, test, readme."""
        from arena.plugins.scaffold import new_bot

        project = folder or Path(name)
        if endpoint:
            _write_endpoint(name, project, language)
            return
        files = new_bot(registry(), name, project, game, language)
        _show(files, project, "pytest")
        python = [each.name for each in files if each.suffix == ".py"]
        file = python[0] if language == PYTHON else "."  # other languages need their folder
        named = "" if game == "pazaak" else f" --game {game}"
        say(f"Then: arena check bot {file}{named}")
        say(f"      arena match {file} random{named}\n      arena submit .")

    @new.command("game", epilog=GAME_EPILOG)
    def new_game_verb(
        name: Annotated[
            str, typer.Argument(metavar="NAME", help="Name of the game and of its distribution.")
        ],
        folder: FolderOption = None,
        full: Annotated[
            bool, typer.Option("--full", help="A module for each part, and rule cases.")
        ] = False,
    ) -> None:
        """Write a game project: one file, tests, readme."""
        from arena.plugins.scaffold import new_game

        project = folder or Path(name)
        files = new_game(registry(), name, project, full=full)
        _show(files, project, "pip install -e . && pytest")
        say(f"Then: arena check game {name}")
        say(f"      arena match random search --game {name}")

    app.add_typer(new, name="new", rich_help_panel=AUTHORS)


def _write_endpoint(name: str, project: Path, language: str) -> None:
    from arena.plugins.scaffold import new_endpoint

    if language != PYTHON:
        raise BadInput("--endpoint and --language cannot be combined")
    (path,) = new_endpoint(registry(), name, project)
    print(path)
    say("")
    say(f"Next: write url and model into {path}")
    say(f"Then: arena check bot {path}")


def _show(files: Sequence[Path], project: Path, commands: str) -> None:
    for file in files:
        print(file)
    say("")
    say(f"Next: cd {project} && {commands}")
