"""``arena rules``: how to play a game, in ten lines or by the rules of a ruleset in full."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.terminal.completion import complete_game
from arena.cli.terminal.help import PLAYERS
from arena.cli.terminal.output import stdout, write
from arena.cli.terminal.wiring import registry, report_problems
from arena.service.bots.games import rules_text

EPILOG = """\b
Examples:
  arena rules pazaak
  arena rules sabacc
  arena rules sabacc --ruleset 'imperial(mode=chips)'
"""


def register(app: typer.Typer) -> None:
    """Adds the verb."""

    @app.command("rules", rich_help_panel=PLAYERS, epilog=EPILOG)
    def rules(
        name: Annotated[
            str,
            typer.Argument(
                metavar="GAME", help="Game, see arena games.", autocompletion=complete_game
            ),
        ],
        ruleset: Annotated[
            str, typer.Option(metavar="RULESET", help="Ruleset whose rules are shown in full.")
        ] = "",
    ) -> None:
        """Explain how a game is played.

        Its rulesets and all their options: arena games GAME.
        """
        found = registry()
        try:
            game = found.game(name)
            text = rules_text(game, ruleset)
        finally:
            report_problems(found)
        write(stdout(), f"{game.name}: {game.summary}", style="bold")
        write(stdout(), text)
        write(stdout(), f"Rulesets and options: arena games {game.name}", style="dim")
