"""``arena tournament losses`` and ``together``: what decided the matches, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from arena_results.file.addresses import db_option
from arena_results.schema.rows import VoidMatch
from arena_results.store.queries import tournament

from arena.cli.terminal.output import (
    Output,
    counted,
    say,
    show_json,
    show_rows,
    show_table,
    stdout,
    write,
)
from arena.core.table import Column
from arena.service.answers.rows import Document, rows_of
from arena.service.report.collusion import FEWEST_DEALS, Pair, fares_together, together_document
from arena.service.report.ledger import PLAY, Ledger, ledger_document, make_ledger, void_rows
from arena.service.storage.databases import open_database

WIDEST_CROSSTABLE = 12
"""Bots up to which the crosstable fits a terminal; more are listed pair by pair."""
MOST_VOID = 6
"""Void matches that are named; the others are counted."""
MOST_PAIRS = 20
"""Pairs that a table shows."""


def show_losses(number: int, db: str, output: str, *, pairs: bool) -> None:
    """Shows the ledger of a tournament, of bots or of pairs."""
    with open_database(db) as results:
        ledger = make_ledger(results, tournament(results, number))
    if output is Output.JSON:
        show_json(ledger_document(ledger, number))
        return
    documents = ledger.pairs() if pairs else ledger.bots()
    if output is not Output.TABLE:
        rows = rows_of([_with_every_cause(each, ledger.causes) for each in documents])
        show_rows(output, "", [Column(key, key) for key in (rows[0] if rows else ())], rows)
        return
    unit = "matches" if ledger.seats == 2 else "duels (any two at a table)"
    if pairs and len(ledger.names) <= WIDEST_CROSSTABLE:
        _show_crosstable(ledger, unit)
    elif pairs:
        _show_by_cause(f"Won, by what decided it: {unit}", documents, "won", _AGAINST)
    else:
        _show_by_cause(f"Won, by what decided it: {unit}", documents, "won")
        _show_by_cause(f"Lost, by what decided it: {unit}", documents, "lost")
    if line := void_text(ledger.void, ledger.names, number, db_option(db)):
        write(stdout(), line)


def _with_every_cause(document: Document, causes: Sequence[str]) -> Document:
    return {
        key: {cause: value.get(cause, 0) for cause in causes} if isinstance(value, dict) else value
        for key, value in document.items()
    }


_AGAINST = (Column("against", "against", drop=0),)


def _show_by_cause(
    title: str, documents: Sequence[Document], what: str, more: Sequence[Column] = ()
) -> None:
    """Shows numbers by cause; a cause without any takes no column."""
    numbers: list[Mapping[str, int]] = [each[f"{what}_by"] for each in documents]
    causes = list(dict.fromkeys([PLAY, *(cause for row in numbers for cause in row)]))
    columns = [
        Column("name", "bot", drop=0),
        *more,
        Column(what, what, True, drop=0),
        *(
            Column(f"by.{cause}", f"on {cause}" if cause == PLAY else cause, True, drop=2)
            for cause in causes
        ),
    ]
    if what == "lost":
        columns += [Column("drawn", "drawn", True, drop=3), Column("void", "void", True, drop=3)]
    rows = [
        each | {f"by.{cause}": row.get(cause, 0) for cause in causes}
        for each, row in zip(documents, numbers, strict=True)
    ]
    show_table(title, columns, rows)


def _show_crosstable(ledger: Ledger, unit: str) -> None:
    cells = {(each["name"], each["against"]): each for each in ledger.pairs()}
    heads = [str(number) for number in range(1, len(ledger.names) + 1)]
    columns = [Column("number", "#", True), Column("name", "bot", drop=0)]
    columns += [Column(head, head, True) for head in heads]
    rows = [
        {"number": number, "name": name}
        | {
            head: _cell(cells.get((name, other)))
            for head, other in zip(heads, ledger.names, strict=True)
        }
        for number, name in enumerate(ledger.names, 1)
    ]
    title = f"Won by the row against the column, and in brackets how many of them on play: {unit}"
    show_table(title, columns, rows)


def _cell(pair: Document | None) -> str:
    if pair is None:
        return "-"
    won, on_play = pair["won"], pair["won_by"].get(PLAY, 0)
    return f"{won}" if won == on_play else f"{won} ({on_play})"


def void_text(void: Sequence[VoidMatch], names: Sequence[str], number: int, db: str) -> str:
    """Names the matches that do not count, in one line; empty without any.

    ``db`` is what a command needs to find the database.
    """
    rows = void_rows(void, names, number)
    if not rows:
        return ""
    named = [
        f"{' '.join(str(row['match']) for row in alike)} ({why})"
        for why, alike in groupby(rows[:MOST_VOID], key=_why)
    ]
    left = len(rows) - MOST_VOID
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
    if output is Output.JSON:
        show_json(document)
        return
    rows: Sequence[Mapping[str, object]] = document["pairs"]
    if output is not Output.TABLE:
        show_rows(output, "", TOGETHER, rows)
        return
    title = "Match points a match of a bot with another at its table, and without it"
    show_table(title, TOGETHER, rows[:MOST_PAIRS])
    for line in _remarks(pairs):
        say(line)


def _remarks(pairs: Sequence[Pair]) -> list[str]:
    lines = []
    known = [pair for pair in pairs if pair.error is not None]
    if len(pairs) > MOST_PAIRS:
        lines.append(f"The {MOST_PAIRS} that stand out most of {len(pairs)}; all: -o csv")
    if few := len(pairs) - len(known):
        few_ones = counted(few, "pair has", "pairs have")
        lines.append(f"{few_ones} fewer than {FEWEST_DEALS} deals of either kind: no interval")
    if known:
        lines.append(
            f"Of {counted(len(known), 'interval')} about {len(known) * 0.05:.0f} leave out 0 by "
            "chance alone, and who else sits at a table counts, too"
        )
    return lines
