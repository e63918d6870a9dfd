"""Tests whether one side is better than another, from counts of results only.

Each kind is written as a call: ``sprt(elo0=0,elo1=10)`` is a sequential probability ratio test;
``sequence(elo=0)`` asks whether the difference is more or less than ``elo``, by a confidence
sequence, which holds however often one looks; ``fixed(elo=0)`` asks the same once, after a number
of matches that was given before. ``amount_sequence(amount=0)`` and ``amount_fixed(amount=0)`` ask
the same of the mean amount per match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from math import isfinite
from typing import TypeAlias

import msgspec

from arena.core.errors import BadInput, UnknownName
from arena.core.text.parsing import Value, format_call, parse_call
from arena_results.ratings.comparing.by_amount import AmountScores
from arena_results.ratings.comparing.sequential import (
    MAX_ELO,
    Decision,
    Evidence,
    Model,
    Sprt,
    evidence,
)
from arena_results.ratings.comparing.without_luck import AdjustedScores
from arena_results.ratings.intervals.statistics import FEWEST, elo_interval, elo_sequence

USUAL_STEP = 10
"""Elo between the hypotheses of an SPRT, unless it is given."""
MAX_MORE = 1_000
"""Multiple of the units so far after which a number of further ones is no longer estimated."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A test of whether the difference in Elo is more, or less, than a given one.

    Attributes:
        confidence: The chance in percent that the interval holds the difference, at all looks
            together.
    """

    elo: float = 0
    confidence: float = 95

    @property
    def limit(self) -> float:
        """The difference that is asked for."""
        return self.elo

    @property
    def miss(self) -> float:
        """The chance that the interval does not hold the difference."""
        return 1 - self.confidence / 100

    def __post_init__(self) -> None:
        _check_values("elo", self.elo, self.confidence)
        if not abs(self.elo) <= MAX_ELO:
            raise BadInput(f"elo: expected {-MAX_ELO:g} to {MAX_ELO:g}, not {self.elo:g}")

    def bounds(self, counts: Sequence[float]) -> tuple[float, float]:
        """Returns the interval of the Elo difference after these units."""
        return elo_sequence(counts, self.miss)

    def bounds_without_luck(self, scores: AdjustedScores) -> tuple[float, float]:
        """Returns the interval of the Elo difference by luck-adjusted scores."""
        return scores.sequence(self.miss)


class Once(Interval, frozen=True, kw_only=True):
    """The same, with one look at a number of units that was given before."""

    def bounds(self, counts: Sequence[float]) -> tuple[float, float]:
        """Returns the interval of the Elo difference for one look."""
        return elo_interval(counts, self.miss)

    def bounds_without_luck(self, scores: AdjustedScores) -> tuple[float, float]:
        """Returns the interval for one look by luck-adjusted scores."""
        return scores.interval(self.miss)


class AmountInterval(msgspec.Struct, frozen=True, kw_only=True):
    """A test of whether the mean amount per match is more, or less, than a given one.

    Attributes:
        confidence: As of ``Interval``.
    """

    amount: float = 0
    confidence: float = 95

    @property
    def limit(self) -> float:
        """The mean amount that is asked for."""
        return self.amount

    @property
    def miss(self) -> float:
        """The chance that the interval does not hold the mean."""
        return 1 - self.confidence / 100

    def __post_init__(self) -> None:
        _check_values("amount", self.amount, self.confidence)
        if not isfinite(self.amount):
            raise BadInput(f"amount: expected a finite number, not {self.amount:g}")

    def bounds(self, scores: AmountScores) -> tuple[float, float]:
        """Returns the interval of the mean amount after these deals."""
        return scores.sequence(self.miss)


class AmountOnce(AmountInterval, frozen=True, kw_only=True):
    """The same, with one look at a number of units that was given before."""

    def bounds(self, scores: AmountScores) -> tuple[float, float]:
        """Returns the interval of the mean amount for one look."""
        return scores.interval(self.miss)


def _check_values(name: str, limit: object, confidence: object) -> None:
    for key, value in ((name, limit), ("confidence", confidence)):  # from Python: anything
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadInput(f"{key}: expected a number, not {value!r:.40}")
    assert isinstance(confidence, int | float)
    if not 51 <= confidence <= 99.99:
        raise BadInput(f"confidence: expected 51 to 99.99 (percent), not {confidence:g}")


Test: TypeAlias = Sprt | Interval | AmountInterval
KINDS: Mapping[str, Callable[..., Test]] = {
    "sprt": Sprt,
    "sequence": Interval,
    "fixed": Once,
    "amount_sequence": AmountInterval,
    "amount_fixed": AmountOnce,
}
ONCE = (Once, AmountOnce)
"""The tests with one look."""


def by_amount_test(test: Interval) -> AmountInterval:
    """Returns the same test of the mean amount per match: its Elo is that amount."""
    make = AmountOnce if isinstance(test, Once) else AmountInterval
    return make(amount=test.elo, confidence=test.confidence)


class Verdict(StrEnum):
    """Findings of a test about the first side."""

    BETTER = "better"
    WORSE = "worse"
    NOT_WORSE = "not worse"
    NOT_BETTER = "not better"
    UNDECIDED = "undecided"


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a test after some units.

    Attributes:
        decision: ``H1``: the difference is more than ``elo`` (or ``elo1`` rather than ``elo0``);
            ``H0``: less.
        low: The lower end of the interval of the Elo difference, or of the mean amount per match;
            infinite where it has none. It holds however often one looks, unless the test has one
            look only.
        high: Its upper end.
        llr: Log likelihood ratio of an SPRT.
        more: Number of further units until a decision, about, if they continue as they did;
            ``None`` with a decision, or where there is nothing to go by.
    """

    decision: Decision
    verdict: Verdict
    low: float
    high: float
    llr: float | None = None
    more: float | None = None


def read_test(text: str) -> Test:
    """Reads a test, e.g. ``"sprt(elo0=0,elo1=10)"``.

    Raises:
        BadInput: There is no such test, or a value of it is wrong.
    """
    name, values = parse_call(text)
    if name not in KINDS:
        raise UnknownName("test", name, KINDS)
    return make_test(name, values)


def make_test(kind: str, values: Mapping[str, Value]) -> Test:
    """Makes a test of a kind; the Elos of an SPRT are 0 and 10 above that unless they are given.

    Raises:
        BadInput: A value is wrong, or of no use to it.
    """
    make = KINDS[kind]
    keys = msgspec.structs.fields(make)  # type: ignore[arg-type]
    for name in values:
        if name not in [each.name for each in keys]:
            raise UnknownName(f"value of {kind}", name, [each.name for each in keys])
    if kind != "sprt":
        return make(**values)
    elo0 = values.get("elo0", 0)
    above = elo0 + USUAL_STEP if isinstance(elo0, int | float) else USUAL_STEP
    model = str(values.get("model", Model.NORMALIZED))
    if model not in list(Model):
        raise UnknownName("model", model, list(Model))
    return make(**{"elo0": elo0, "elo1": above, **values, "model": Model(model)})


def write_test(test: Test) -> str:
    """Returns a test as typed that ``read_test`` reads."""
    name = next(name for name, kind in KINDS.items() if type(test) is kind)
    values = msgspec.to_builtins(test)
    return format_call(name, values)


def check_units(test: Test, mirrored: bool, adjusted: bool, single: str) -> None:
    """Refuses the bayesian model for mirrored matches and adjusted scores, by ``BadInput``.

    ``single`` is the option that the error advises for single matches.
    """
    if not (isinstance(test, Sprt) and test.model is Model.BAYESIAN):
        return
    if adjusted:
        raise BadInput(
            "the model bayesian is of wins, draws and losses; adjusted scores take normalized or "
            "logistic"
        )
    if mirrored:
        raise BadInput(
            "the model bayesian is of single matches, and mirrored ones come in pairs; "
            f"add {single}"
        )


def look(test: Sprt | Interval, counts: Sequence[int]) -> Look:
    """Returns the state of a test after units by their points (see ``evidence``)."""

    def bounds(times: float) -> tuple[float, float]:
        more = [count * times for count in counts]
        return elo_sequence(more) if isinstance(test, Sprt) else test.bounds(more)

    found = evidence(test, counts) if isinstance(test, Sprt) else None
    return _look(test, found, sum(counts), bounds)


def look_without_luck(test: Sprt | Interval, scores: AdjustedScores) -> Look:
    """Returns the state of a test by luck-adjusted scores."""

    def bounds(times: float) -> tuple[float, float]:
        more = scores.times(times)
        return more.sequence() if isinstance(test, Sprt) else test.bounds_without_luck(more)

    found = scores.evidence(test) if isinstance(test, Sprt) else None
    return _look(test, found, scores.units, bounds)


def look_by_amount(test: AmountInterval, scores: AmountScores) -> Look:
    """Returns the state of a test by amounts."""
    return _look(test, None, scores.units, lambda times: test.bounds(scores.times(times)))


Bounds: TypeAlias = Callable[[float], tuple[float, float]]
"""Returns the interval after that many times the units, if the others are like these."""


def _look(test: Test, found: Evidence | None, units: float, bounds: Bounds) -> Look:
    low, high = bounds(1)
    if isinstance(test, Sprt):
        assert found is not None
        decision, llr, more = found.decision, found.llr, found.more
    else:
        decision, llr, more = _decided(test, units, low, high), None, None
        if decision is Decision.CONTINUE:
            more = _more(test, units, bounds)
    verdict = _verdict(test, decision, low, high)
    return Look(decision=decision, verdict=verdict, low=low, high=high, llr=llr, more=more)


def _decided(test: Interval | AmountInterval, units: float, low: float, high: float) -> Decision:
    """Returns the side of its limit on which an interval lies."""
    if units < FEWEST or low <= test.limit <= high:
        return Decision.CONTINUE
    return Decision.H1 if low > test.limit else Decision.H0


def _more(test: Interval | AmountInterval, units: float, bounds: Bounds) -> float | None:
    """Returns the number of further units after which the interval leaves its limit out."""
    low, high = 1.0, float(MAX_MORE)

    def decides(times: float) -> bool:
        return _decided(test, units * times, *bounds(times)) is not Decision.CONTINUE

    if units < 2 or not decides(high):
        return None
    while high - low > 1 / units:
        middle = (low + high) / 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return (high - 1) * units


def _verdict(test: Test, decision: Decision, low: float, high: float) -> Verdict:
    """Says how the first side compares: by what an SPRT tests, or where an interval lies."""
    if decision is Decision.H1:
        better = test.elo0 >= 0 if isinstance(test, Sprt) else low > 0
        return Verdict.BETTER if better else Verdict.NOT_WORSE
    if decision is Decision.H0:
        worse = test.elo1 <= 0 if isinstance(test, Sprt) else high < 0
        return Verdict.WORSE if worse else Verdict.NOT_BETTER
    return Verdict.UNDECIDED
