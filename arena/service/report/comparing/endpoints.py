"""Makes columns and sentences of the calls, tokens, time and cost of language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena_results.boards.board_rows import MATCHES_PRICED
from arena_results.store.exchange_sums import ExchangeSums

from arena.core.table import Column, Row, Table, known_values
from arena.service.report.report import Report

ILLEGAL = "share of answers that were no legal move"
CAUSES = {"refused": "refused", "too_long": "prompt too long", "cut": "cut", "empty": "empty"}
"""Kinds of illegal answers with a column of their own, and their titles."""
UNANSWERED = "questions without an answer, which may have to be paid for"
PLAYED_FOR = "moves that were played for the bot, after its last attempt"
PER_DOLLAR = f"rating above the lowest one, divided by the dollars of {MATCHES_PRICED} matches"


def dollars(value: float) -> str:
    """Returns an amount of money with two digits at least, e.g. ``$0.0012`` or ``$9.40``."""
    if value >= 1 or not value:
        return f"${value:,.2f}"
    digits = 2
    while digits < 6 and round(value * 10**digits) < 10:
        digits += 1
    return f"${value:.{digits}f}"


def _cost(row: Row) -> str | None:
    return None if row["cost"] is None else dollars(row["cost"])


def _any_of(key: str) -> Callable[[Sequence[Row]], bool]:
    """Returns whether any row has more than nothing in a column."""
    return lambda rows: any(row.get(key) for row in rows)


QUALIFYING_COLUMNS = (
    Column("illegal", "illegal", right=True, drop=0, type="number", unit="%", hint=ILLEGAL),
    *(
        Column(
            key,
            title,
            right=True,
            drop=3,
            type="number",
            unit="%",
            hint=f"share of answers: {title}; part of illegal",
            when=_any_of(key),
        )
        for key, title in CAUSES.items()
    ),
    Column(
        "unanswered",
        "unanswered",
        right=True,
        drop=3,
        type="integer",
        hint=UNANSWERED,
        when=_any_of("unanswered"),
    ),
    Column("played_for", "played for", right=True, drop=0, type="integer", hint=PLAYED_FOR),
)
"""The columns that say how much of a rating is the model's own."""
MEAN_COLUMNS = (
    Column("tokens", "tokens", right=True, drop=3, digits=0, type="number", hint="of a match"),
    Column(
        "seconds",
        "time",
        right=True,
        drop=3,
        digits=1,
        unit="s",
        type="number",
        hint="seconds of all calls of a match",
    ),
    Column("cost", "cost", right=True, type="number", cell=_cost, hint="of a match"),
)
"""The columns of endpoints with the means of a match."""
COLUMNS = QUALIFYING_COLUMNS + MEAN_COLUMNS
"""The columns of endpoints; bots that are none have no values."""
PER_DOLLAR_COLUMN = Column(
    "rating_per_dollar",
    "gain per $",
    right=True,
    drop=2,
    digits=0,
    type="number",
    hint=PER_DOLLAR,
    when=known_values("rating_per_dollar"),
)
TABLE = (
    Column("name", "bot", drop=0, names="bot"),
    *QUALIFYING_COLUMNS,
    Column("matches", "matches", right=True),
    Column("decisions", "decisions", right=True, drop=4),
    Column("calls", "calls", right=True),
    *MEAN_COLUMNS,
)
"""The columns of a table of endpoints only."""


def endpoint_values(sums: ExchangeSums | None) -> dict[str, object]:
    """Returns the values of ``COLUMNS``: ``None`` for any other bot."""
    if sums is None:
        return dict.fromkeys(each.key for each in COLUMNS)
    return {
        "illegal": round(sums.share(sums.illegal), 4),
        **{key: round(sums.share(getattr(sums, key)), 4) for key in CAUSES},
        "unanswered": sums.unanswered,
        "played_for": sums.played_for,
        "tokens": _rounded(sums.tokens_per_match, 1),
        "seconds": round(sums.seconds_per_match, 3),
        "cost": _rounded(sums.cost_per_match, 6),
    }


def endpoint_rows(sums: Mapping[str, ExchangeSums]) -> list[dict[str, object]]:
    """Returns the rows of a table of endpoints, by names."""
    return [
        {
            "name": name,
            "matches": each.matches,
            "decisions": each.decisions,
            "calls": each.calls,
            **endpoint_values(each),
        }
        for name, each in sums.items()
    ]


def endpoint_table(sums: Mapping[str, ExchangeSums]) -> Table:
    """Returns the endpoints of a tournament as a table, by their names."""
    title = "Language models: tokens, time and cost of a match"
    return Table(title=title, columns=TABLE, rows=endpoint_rows(sums))


def cost_of_matches(report: Report, matches: float) -> float | None:
    """Returns the dollars of further matches of the whole field of a report.

    Returns:
        ``None`` if it has no endpoint, or the cost of one is not known.
    """
    costs = [each.cost_per_match for each in report.exchanges.values()]
    known = [each for each in costs if each is not None]
    if not costs or len(known) < len(costs):
        return None
    return sum(known) * matches


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def endpoint_lines(sums: Mapping[str, ExchangeSums]) -> Sequence[str]:
    """Returns a line for each endpoint, by its name."""
    lines = []
    for name, each in sums.items():
        tokens, cost = each.tokens_per_match, each.cost_per_match
        parts = [
            f"{each.share(each.illegal):.1%} of {each.calls:,} answers illegal",
            *(
                f"{each.share(getattr(each, key)):.1%} {title}"
                for key, title in CAUSES.items()
                if getattr(each, key)
            ),
            f"{each.played_for:,} moves played for it",
            "tokens not known" if tokens is None else f"{tokens:,.0f} tokens",
            f"{each.seconds_per_match:.1f} s",
            "cost not known" if cost is None else dollars(cost),
        ]
        lines.append(f"{name}: {', '.join(parts)} a match")
    return lines
