"""Text of estimates of strength, in the manner of engine testing."""

from __future__ import annotations

from arena_results.ratings.intervals.statistics import Estimate


def estimate_lines(estimate: Estimate) -> list[str]:
    """Elo and normalized Elo with half their 95 % intervals; likelihood of superiority, score."""
    return [
        f"Elo: {_pm(estimate.elo, estimate.elo_error)}, "
        f"nElo: {_pm(estimate.nelo, estimate.nelo_error)}",
        f"LOS: {_percent(estimate.los)}, score: {_percent(estimate.score)}",
    ]


def _pm(value: float | None, error: float | None) -> str:
    if value is None:
        return "not bounded"
    return f"{value:+.2f} ± " + ("not bounded" if error is None else f"{error:.2f}")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2%}"
