"""``arena tournament losses`` and ``together``: what decided the matches, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from arena_results.file.addresses import db_option
from arena_results.schema.rows import VoidMatch
from arena_results.store.queries import tournament

from arena.cli.terminal.output import Output, answer, counted, draw, say, stdout, write
from arena.core.table import Column, Table
from arena.service.answers.rows import Document, rows_of
from arena.service.report.checks.collusion import MIN_DEALS, Pair, fares_together, together_document
from arena.service.report.sums.ledger import ledger_document, make_ledger, void_rows
from arena.service.storage.databases import open_database

MAX_CROSSTABLE = 12
"""Bots up to which the crosstable fits a terminal; more are listed pair by pair."""
MAX_VOID = 6
"""Void matches that are named; the others are counted."""
MAX_PAIRS = 20
"""Pairs that a table shows."""


def show_losses(number: int, db: str, output: str, *, pairs: bool) -> None:
    """Shows the ledger of a tournament, of bots or of pairs."""
    with open_database(db) as results:
        ledger = make_ledger(results, tournament(results, number))
    if output is not Output.TABLE:
        documents = ledger.pairs() if pairs else ledger.bots()
        rows = rows_of([_with_every_cause(each, ledger.causes) for each in documents])
        columns = tuple(map(Column, rows[0])) if rows else ()
        answer(output, ledger_document(ledger, number), Table(columns=columns, rows=rows))
        return
    if pairs and len(ledger.names) <= MAX_CROSSTABLE:
        draw(ledger.grid())
    elif pairs:
        draw(ledger.by_cause("won", ledger.pairs()))
    else:
        draw(ledger.by_cause("won", ledger.bots()))
        draw(ledger.by_cause("lost", ledger.bots()))
    if line := void_text(ledger.void, ledger.names, number, db_option(db)):
        write(stdout(), line)


def _with_every_cause(document: Document, causes: Sequence[str]) -> Document:
    return {
        key: {cause: value.get(cause, 0) for cause in causes} if isinstance(value, dict) else value
        for key, value in document.items()
    }


def void_text(void: Sequence[VoidMatch], names: Sequence[str], number: int, db: str) -> str:
    """Names the matches that do not count, in one line; empty without any.

    ``db`` is what a command needs to find the database.
    """
    rows = void_rows(void, names, number)
    if not rows:
        return ""
    named = [
        f"{' '.join(str(row['match']) for row in alike)} ({why})"
        for why, alike in groupby(rows[:MAX_VOID], key=_why)
    ]
    left = len(rows) - MAX_VOID
    more = f", +{left} more: arena tournament losses {number} -o json{db}" if left > 0 else ""
    were = "was" if len(rows) == 1 else "were"
    matches = counted(len(rows), "match", "matches")
    return f"{matches} {were} void and played again: {', '.join(named)}{more}"


def _why(row: Document) -> str:
    whose = f" of {row['name']}" if row["name"] else ""
    return f"{row['cause']}{whose}: {row['reason']}"


TOGETHER = (
    Column("name", "bot", drop=0),
    Column("other", "with or without", drop=0),
    Column("difference", "difference", True, 3, drop=0),
    Column("error", "± 95 %", True, 3, drop=0),
    Column("together", "with", True, 3, drop=2),
    Column("deals_together", "deals", True, drop=3),
    Column("apart", "without", True, 3, drop=2),
    Column("deals_apart", "deals", True, drop=3),
    Column("same_author", "one author", drop=1),
)


def show_together(number: int, db: str, output: str) -> None:
    """Shows how each bot fares with each other one at its table and without it."""
    with open_database(db) as results:
        pairs = fares_together(results, tournament(results, number))
    document = together_document(number, pairs)
    rows = document["pairs"][: MAX_PAIRS if output is Output.TABLE else None]
    title = "Match points a match of a bot with another at its table, and without it"
    answer(output, document, Table(title=title, columns=TOGETHER, rows=rows))
    for line in _remarks(pairs) if output is Output.TABLE else ():
        say(line)


def _remarks(pairs: Sequence[Pair]) -> list[str]:
    lines = []
    known = [pair for pair in pairs if pair.error is not None]
    if len(pairs) > MAX_PAIRS:
        lines.append(f"The {MAX_PAIRS} that stand out most of {len(pairs)}; all: -o csv")
    if few := len(pairs) - len(known):
        few_ones = counted(few, "pair has", "pairs have")
        lines.append(f"{few_ones} fewer than {MIN_DEALS} deals of either kind: no interval")
    if known:
        lines.append(
            f"Of {counted(len(known), 'interval')} about {len(known) * 0.05:.0f} leave out 0 by "
            "chance alone, and who else sits at a table counts, too"
        )
    return lines
