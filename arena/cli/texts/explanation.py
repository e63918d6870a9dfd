"""The explanation of a bot's place, in the terminal."""

from __future__ import annotations

from arena_results.schema.rows import StoredTournament

from arena.cli.terminal.output import Output, draw, show_json, stdout, write
from arena.core.errors import BadInput
from arena.plugins.registry import Registry
from arena.service.report.report import stored_report
from arena.service.report.tables.explain import explanation


def show_explanation(registry: Registry, stored: StoredTournament, name: str, output: str) -> None:
    """Prints the explanation of a bot's place.

    Raises:
        BadInput: There is no such bot, or the output is neither a table nor JSON.
    """
    if output not in (Output.TABLE, Output.JSON):
        raise BadInput(f"-o {output}: --explain has no rows of one kind; use table or json")
    try:
        found = explanation(stored_report(registry, stored), name)
    except BadInput as error:
        raise BadInput(f"--explain: {error}") from None
    if output is Output.JSON:
        show_json(found.document())
        return
    write(stdout(), f"{found.title}\n", style="bold")
    for part in found.parts:
        for table in part.tables(found.name):
            draw(table)
        write(stdout(), " ".join(filter(None, (part.reason, part.continues))) + "\n")
