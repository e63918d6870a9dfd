"""Computes sequential probability ratio tests (SPRT) of a difference in Elo, from counts only.

The ratio is the generalized one: of all laws of a unit's score that have the Elo of a hypothesis
the most likely one stands for it. A unit is a match (lost, drawn, won) or a mirrored pair (0, 1/2,
1, 3/2, 2 points), whose matches share their luck. Empty cells count ``EMPTY``, as in fastchess
(``sprt.cpp``) and fishtest (``LLRcalc.py``).

Sources: M. Van den Bergh, Comparing the approximations for the generalized log likelihood ratio of
a multinomial distribution, proposition 1.1 (a given mean), and Comments on normalized Elo, section
4.1 (a given mean in standard deviations); A. Wald, Sequential Analysis (1947), for the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import copysign, exp, isfinite, log, log10, sqrt

import msgspec

from arena.core.errors import BadInput
from arena_results.ratings.intervals.statistics import NELO, matches, moments
from arena_results.ratings.systems.elo import expected

EMPTY = 1e-3
"""Units that an empty cell counts, so that its logarithm is finite."""
MAX_ELO = 1_000.0
"""Largest Elo of a hypothesis."""
ERROR_RATE = 0.05
"""Chance of each error of a test, unless another is chosen."""
_STEPS = 1_000
"""Most steps towards the likeliest law of a normalized Elo; some fifty are usual."""
_CLOSE = 1e-10
"""Change of a probability in a step at which they end."""

Law = list[float]
"""Probabilities of a unit's scores, in equal steps of 0..1."""


class Model(StrEnum):
    """Scales of Elo in which hypotheses are given.

    Normalized Elo measures the mean score in standard deviations of a match, logistic Elo on the
    usual logistic curve, bayesian Elo by wins and losses besides draws (``drawelo``).
    """

    NORMALIZED = "normalized"
    LOGISTIC = "logistic"
    BAYESIAN = "bayesian"


class Decision(StrEnum):
    """Results of a test: a hypothesis is accepted, or more units are needed."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A test of the hypothesis H1 that the difference is ``elo1`` against H0 that it is ``elo0``.

    Attributes:
        alpha: Chance to accept H1 where H0 is true.
        beta: Chance to accept H0 where H1 is true.
        model: The scale of both Elos.
    """

    elo0: float
    elo1: float
    alpha: float = ERROR_RATE
    beta: float = ERROR_RATE
    model: Model = Model.NORMALIZED

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            value: object = getattr(self, name)  # from Python it may be anything
            if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
                raise BadInput(f"{name}: expected a number, not {value!r:.40}")
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not (isfinite(elo) and abs(elo) <= MAX_ELO):
                raise BadInput(f"{name}: expected {-MAX_ELO:g} to {MAX_ELO:g}, not {elo:g}")
        if self.elo0 >= self.elo1:
            raise BadInput(f"elo0: expected less than elo1, {self.elo1:g}, not {self.elo0:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 1:
                raise BadInput(f"{name}: expected a number between 0 and 1, not {chance:g}")
        if self.alpha + self.beta >= 1:
            raise BadInput(
                f"alpha and beta must add up to less than 1: {self.alpha:g}, {self.beta:g}"
            )

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which H1 is accepted."""
        return log((1 - self.beta) / self.alpha)


class Evidence(msgspec.Struct, frozen=True):
    """The state of a test after some units.

    Attributes:
        llr: Log likelihood ratio of H1 to H0; 0 where a model has none yet.
        more: Mean number of units until a decision, if they continue as they did; ``None`` if there
            is a decision, or nothing to go by.
    """

    llr: float
    lower: float
    upper: float
    decision: Decision
    more: float | None


def evidence(test: Sprt, counts: Sequence[int]) -> Evidence:
    """Returns the state of a test after at least one unit.

    Args:
        counts: Numbers of matches lost, drawn and won; or of mirrored pairs with 0, 1/2, 1, 3/2
            and 2 points.

    Raises:
        BadInput: The model is bayesian, and the units are pairs.
    """
    if test.model is Model.BAYESIAN and len(counts) != 3:
        raise BadInput("the model bayesian is of wins, draws and losses, not of pairs")
    if test.model is Model.BAYESIAN and not (counts[0] and counts[-1]):
        return Evidence(0.0, test.lower, test.upper, Decision.CONTINUE, None)
    weights = [count or EMPTY for count in counts]
    total = sum(weights)
    law = [weight / total for weight in weights]
    null, other = (_likeliest(test.model, elo, law) for elo in (test.elo0, test.elo1))
    gains = [log(high) - log(low) for low, high in zip(null, other, strict=True)]
    mean = sum(chance * gain for chance, gain in zip(law, gains, strict=True))
    variance = sum(chance * (gain - mean) ** 2 for chance, gain in zip(law, gains, strict=True))
    return reached(test, total * mean, mean, variance)


def reached(test: Sprt, llr: float, drift: float, variance: float) -> Evidence:
    """Returns the state of a test with a log likelihood ratio.

    Args:
        drift: Mean of what a unit adds to it.
        variance: Of what a unit adds.
    """
    lower, upper = test.lower, test.upper
    if llr >= upper:
        return Evidence(llr, lower, upper, Decision.H1, None)
    if llr <= lower:
        return Evidence(llr, lower, upper, Decision.H0, None)
    more = _steps_to_a_bound(llr - lower, upper - llr, drift, variance)
    return Evidence(llr, lower, upper, Decision.CONTINUE, more)


def _steps_to_a_bound(below: float, above: float, drift: float, variance: float) -> float:
    """Returns the mean time until a Brownian motion leaves an interval; the distances are given."""
    if drift < 0:
        below, above, drift = above, below, -drift
    pull = 2 * drift / variance
    if pull * (below + above) < 1e-6:
        return below * above / variance
    upwards = (1 - exp(-pull * below)) / (1 - exp(-pull * (below + above)))
    return (upwards * (below + above) - below) / drift


def _likeliest(model: Model, elo: float, law: Law) -> Law:
    """Returns the law with this Elo under which units like those of ``law`` are likeliest."""
    if model is Model.NORMALIZED:
        return _with_ratio(law, elo / NELO * sqrt(matches(law)))
    if model is Model.LOGISTIC:
        return _with_mean(law, expected(elo, 0.0))
    lost, _, won = law
    draw_elo = 200 * log10((1 - lost) / lost * (1 - won) / won)
    return _with_mean(law, (1 + expected(elo, draw_elo) - expected(-elo, draw_elo)) / 2)


def _with_mean(law: Law, mean: float) -> Law:
    """Returns the likeliest law whose mean score is ``mean``."""
    return _tilted(law, [score - mean for score in _scores(law)])


def _with_ratio(law: Law, ratio: float) -> Law:
    """Returns the likeliest law whose mean lies that many standard deviations above 1/2.

    Each step solves the problem with the ratio made linear at the last law. The first one is the
    law with the right ratio among those that ``_with_mean`` gives.
    """
    scores = _scores(law)
    if not ratio:
        return _with_mean(law, 0.5)
    shift = _root(
        lambda shift: abs(ratio) - abs(_ratio(_with_mean(law, 0.5 + copysign(shift, ratio)))),
        (0.0, 0.5),
    )
    found = _with_mean(law, 0.5 + copysign(shift, ratio))
    for _ in range(_STEPS):
        mean, variance = moments(found)
        width = sqrt(variance)
        slopes = [
            score - 0.5 - ratio * width / 2 * (1 + ((score - mean) / width) ** 2)
            for score in scores
        ]
        before, found = found, _tilted(law, slopes)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < _CLOSE:
            break
    return found


def _ratio(law: Law) -> float:
    mean, variance = moments(law)
    return (mean - 0.5) / sqrt(variance)


def _scores(law: Law) -> list[float]:
    return [step / (len(law) - 1) for step in range(len(law))]


def _tilted(law: Law, slopes: Sequence[float]) -> Law:
    """Returns the likeliest law under which the mean of ``slopes`` is 0; they have both signs."""
    rows = [*zip(law, slopes, strict=True)]
    tilt = _root(
        lambda tilt: sum(chance * slope / (1 + tilt * slope) for chance, slope in rows),
        (-1 / max(slopes), -1 / min(slopes)),
    )
    return [chance / (1 + tilt * slope) for chance, slope in rows]


def _root(falling: Callable[[float], float], between: tuple[float, float]) -> float:
    """Returns the root of a falling function strictly between two points, by bisection."""
    low, high = between
    while low < (middle := (low + high) / 2) < high:
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return middle
