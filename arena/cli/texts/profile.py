"""Text of the facts of a bot: form, versions, opponents, and what to look at next."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.cli.terminal.output import draw, stdout, write
from arena.core.table import Table

if TYPE_CHECKING:
    from arena.service.boards.findings import Recent
    from arena.service.bots.listing import BotDetails

RIVALS = 10
"""Opponents that are shown."""
WIDTH = 80
"""Columns of a sentence."""


def sentence(text: str) -> str:
    """Returns a sentence as lines that fit a window of 80 columns."""
    return "\n".join(wrap(text, min(stdout().width, WIDTH), subsequent_indent="  "))


def show_profile(details: BotDetails) -> None:
    """Prints the facts of a bot that has played rated matches."""
    from arena.service.boards.bot_tables import OPPONENTS
    from arena.service.boards.versions import change_table

    if details.changes:
        draw(change_table(details.changes))
    if details.profile is None or not details.profile.met.rows:
        return
    rows = details.profile.met.rows
    left = f" ({RIVALS} of {len(rows)}, the most met)" if len(rows) > RIVALS else ""
    draw(Table(title=f"Opponents{left}", columns=OPPONENTS, rows=rows[:RIVALS]))
    for line in _recent(details.profile.recent):
        write(stdout(), line)


def _recent(recent: Recent) -> Iterator[str]:
    yield f"form: {' '.join(recent.form)}, newest right"
    yield ""
    last = "the last " if recent.more else ""
    if not recent.findings:
        yield f"What to look at next: nothing stands out in {last}{recent.matches} matches"
        return
    yield f"What to look at next, in {last}{recent.matches} matches"
    for each in recent.findings:
        example = f" ({each.example})" if each.example else ""
        yield sentence(f"- {each.lead}: {each.text}{example}")
        yield f"  {each.replay}"
