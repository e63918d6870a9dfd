"""A comparison of two bots in one sentence."""

from __future__ import annotations

from math import isinf

from arena_results.ratings.comparing.changes import Test, Verdict
from arena_results.ratings.comparing.sequential import Sprt

from arena.service.report.comparing.comparison import Comparison, spoken_names
from arena.service.report.comparing.elo_text import more_text, size_text
from arena.service.report.comparing.endpoints import cost_of_matches, dollars
from arena.service.report.report import Report


def sentence(found: Comparison, report: Report) -> str:
    """Says in one sentence which is better, or that this is not decided."""
    fields = [entry.participant for entry in report.stored.field[:2]]
    candidate, baseline = spoken_names(*fields)
    test, verdict = found.test, found.look.verdict
    games = found.block.games
    confidence = 95 if isinstance(test, Sprt) else test.confidence
    if found.amounts:
        size = amount_text(found, confidence)
    else:
        size = size_text(found.elo, found.look.low, found.look.high, confidence)
    size += " without luck" if found.adjusted else ""
    played = f"{games:,} {'match' if games == 1 else 'matches'}"
    if verdict is Verdict.UNDECIDED:
        return f"Undecided: {_needed(found, report)}: {size}, {played}."
    beyond = _beyond(test, verdict, found.unit)
    return f"{candidate} is {verdict} than {baseline}{beyond}: {size}, {played}."


def amount_text(found: Comparison, confidence: float) -> str:
    """Returns the mean amount per match with its interval."""
    assert found.amounts is not None
    bounds = amount_bounds(found)
    return f"{found.amounts.mean:+.3f} {found.unit} a match ({confidence:g} %: {bounds})"


def amount_bounds(found: Comparison) -> str:
    """Returns the interval of the mean amount, if it is bounded."""
    low, high = found.look.low, found.look.high
    return "no bounds yet" if isinf(low) else f"{low:+.3f} .. {high:+.3f}"


def _needed(found: Comparison, report: Report) -> str:
    """Says how many further matches decide it, and their price."""
    about, more = "about", found.more
    if more is None and found.least_more is not None:
        about, more = "at least", found.least_more
    if more is None:
        return "too few matches, or too alike, to say"
    cost = cost_of_matches(report, more)
    price = "" if cost is None else f", {about} {dollars(cost)},"
    return f"{about} {more_text(more)}{price} needed"


def _beyond(test: Test, verdict: Verdict, amounts: str) -> str:
    unit = f"{test.model} Elo" if isinstance(test, Sprt) else amounts or "Elo"
    low, high = (test.elo0, test.elo1) if isinstance(test, Sprt) else (test.limit, test.limit)
    by = ""
    if verdict is Verdict.NOT_WORSE:
        by = f" by {-low:g} {unit}"
    elif verdict is Verdict.NOT_BETTER:
        by = f" by {high:g} {unit}"
    if not isinstance(test, Sprt):
        return by
    error = test.alpha if verdict in (Verdict.BETTER, Verdict.NOT_WORSE) else test.beta
    return f"{by} (SPRT, error {error:g})"
