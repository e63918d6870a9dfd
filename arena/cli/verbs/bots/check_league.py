"""``arena check league``: the file of a league, and what it plans."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.terminal.output import TextOrJson, TextOrJsonOption, counted, show_json
from arena.cli.terminal.wiring import registry, report_problems

EPILOG = """\b
Examples:
  arena check league league.toml
  arena check league league.toml --db league.db
"""


def check_league_verb(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="League file.")],
    db: Annotated[
        str, typer.Option(metavar="FILE", help="Its database: show how far the season is.")
    ] = "",
    output: TextOrJsonOption = TextOrJson.TABLE,
) -> None:
    """Check a league file, and show its season and final.

    It is checked as arena serve --league does; problems are a line each, with their key.
    """
    from arena.service.league.league_queue import now
    from arena.service.league.plan import league_plan
    from arena.service.storage.databases import database_url, open_database

    found = registry()
    try:
        with open_database(database_url(db)) if db else nullcontext() as database:
            plan = league_plan(found, file, database, now())
    finally:
        report_problems(found)
    if output is not TextOrJson.TABLE:
        show_json(plan)
        return
    print(
        f"{plan['league']}, season {plan['season']}: {plan['game']} {plan['ruleset']}, "
        f"{counted(len(plan['house']), 'bot')} from the start"
    )
    for line in _final(plan["final"]):
        print(line)


def _final(final: dict[str, Any] | None) -> list[str]:
    if final is None:
        return ["No final: the season runs until the file names a higher one"]
    from arena.service.league.league_file import shown_time

    bots = "all bots of authors" if final["field"] == "all" else f"{final['field']} of the season"
    close, at = "closed" if final.get("closed") else "close", datetime.fromisoformat(final["at"])
    lines = [
        f"Submissions {close} at {shown_time(at)}",
        f"Final: {final['format']}, {bots}, at most {final['matches']} matches, "
        f"{final['games']} games a pairing",
    ]
    if close == "closed" and "stage" not in final:
        lines.append("That is past: a season that has not begun needs a later final.at")
    if "stage" in final:
        lines.append(f"Now {final['stage']}: {final['reason']}")
    return lines
