"""A comparison of two bots in one sentence, and Elo differences with their intervals."""

from __future__ import annotations

from math import floor, isinf, log10

from arena_results.ratings.comparing.changes import Test, Verdict
from arena_results.ratings.comparing.sequential import Sprt

from arena.service.report.comparison import Comparison, spoken_names
from arena.service.report.report import Report

NARROW = 20.0
"""Width of an interval, in Elo, below which it is shown with a decimal."""


def sentence(found: Comparison, report: Report) -> str:
    """Says in one sentence which is better, or that this is not decided."""
    fields = [entry.participant for entry in report.stored.field[:2]]
    candidate, baseline = spoken_names(*fields)
    test, verdict = found.test, found.look.verdict
    games = found.block.games
    confidence = 95 if isinstance(test, Sprt) else test.confidence
    size = size_text(found.elo, found.look.low, found.look.high, confidence)
    size += " without luck" if found.adjusted else ""
    played = f"{games:,} {'match' if games == 1 else 'matches'}"
    if verdict is Verdict.UNDECIDED:
        if found.more is None:
            return f"Undecided: too few matches, or too alike, to say: {size}, {played}."
        return f"Undecided: about {more_text(found.more)} needed: {size}, {played}."
    return f"{candidate} is {verdict} than {baseline}{_beyond(test, verdict)}: {size}, {played}."


def _beyond(test: Test, verdict: Verdict) -> str:
    unit = f"{test.model} Elo" if isinstance(test, Sprt) else "Elo"
    low, high = (test.elo0, test.elo1) if isinstance(test, Sprt) else (test.elo, test.elo)
    by = ""
    if verdict is Verdict.NOT_WORSE:
        by = f" by {-low:g} {unit}"
    elif verdict is Verdict.NOT_BETTER:
        by = f" by {high:g} {unit}"
    if not isinstance(test, Sprt):
        return by
    error = test.alpha if verdict in (Verdict.BETTER, Verdict.NOT_WORSE) else test.beta
    return f"{by} (SPRT, error {error:g})"


def size_text(value: float | None, low: float, high: float, confidence: float = 95) -> str:
    """An Elo difference with its interval."""
    bounds = bounds_text(low, high)
    if value is None and isinf(low) and isinf(high):
        return bounds
    if value is None:
        return f"{bounds} Elo ({confidence:g} %)"
    return f"{value:+z.{_digits(low, high)}f} Elo ({confidence:g} %: {bounds})"


def bounds_text(low: float, high: float) -> str:
    """An interval, as far as it is bounded."""
    digits = _digits(low, high)
    if isinf(low) and isinf(high):
        return "no bounds yet"
    if isinf(high):
        return f"at least {low:+z.{digits}f}"
    if isinf(low):
        return f"at most {high:+z.{digits}f}"
    return f"{low:+z.{digits}f} .. {high:+z.{digits}f}"


def _digits(low: float, high: float) -> int:
    return 1 if high - low < NARROW else 0


def more_text(matches: float) -> str:
    """A number of further matches, to two digits, e.g. ``2,600 more matches``."""
    about = max(1, round(matches, 1 - floor(log10(matches)))) if matches >= 1 else 1
    return f"{about:,.0f} more {'match' if about == 1 else 'matches'}"
