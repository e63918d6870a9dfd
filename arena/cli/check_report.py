"""The options that checks share, and the drawing of their reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from arena.cli.exits import CHECK_FAILED
from arena.cli.output import TextOrJson, show_json

CheckRulesetOption = Annotated[
    str,
    typer.Option(help="Ruleset: NAME or 'NAME(option=value)'.", show_default="the game's first"),
]
CheckSeedOption = Annotated[
    int, typer.Option(min=0, max=2**63 - 1, metavar="SEED", help="Everything follows from it.")
]


def answer(
    output: TextOrJson, document: Mapping[str, object], show: Callable[[], None], *, passed: bool
) -> None:
    """Shows a report, and says with the exit code whether the check passed."""
    if output is TextOrJson.TABLE:
        show()
        print("passed" if passed else "FAILED")
    else:
        show_json({"passed": passed, **document})
    if not passed:
        raise typer.Exit(CHECK_FAILED)
