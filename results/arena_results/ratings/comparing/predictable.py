"""Corrections of results with coefficients that are fitted on earlier deals only.

A correction has mean zero given everything that came before its deal, and so has every multiple of
it by a coefficient that does not depend on the deal or on later ones. So the corrected results keep
their mean whatever the bots and the values are, and their sum is a martingale whenever one stops
(``docs/explanation/luck.md``). How far they vary less is up to the coefficients.

The coefficients before deal t are those of a ridge regression of the results on the corrections of
deals 1 to t - 1, drawn towards fixed ones p as by ``PRIOR`` deals that agree with these:

    b = p + (S + diag(S) * PRIOR / (t - 1))^-1 (r - S p)

where S are the mean products of corrections, and r those with the results less their mean so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

PRIOR = 30
"""Deals that count for the coefficients from which the fit begins."""


class Coefficients:
    """Fits coefficients deal by deal, in the order of the schedule.

    Args:
        begin: The coefficients from which the fit begins, one a value function.
    """

    def __init__(self, begin: Sequence[float] = (1.0,)) -> None:
        self._begin = tuple(begin)
        size = len(self._begin)
        self._deals = 0
        self._result = 0.0
        self._own = [0.0] * size
        self._with_result = [0.0] * size
        self._products = [[0.0] * size for _ in range(size)]

    def values(self) -> tuple[float, ...]:
        """Returns the coefficients that the deals so far give for the next one."""
        deals = self._deals
        if not deals:
            return self._begin
        mean = self._result / deals
        matrix = [[each / deals for each in row] for row in self._products]
        right = []
        for at, row in enumerate(matrix):
            cross = (self._with_result[at] - mean * self._own[at]) / deals
            right.append(cross - fsum(each * p for each, p in zip(row, self._begin, strict=True)))
        for at, row in enumerate(matrix):
            row[at] *= 1 + PRIOR / deals
        more = _solved(matrix, right)
        return tuple([p + each for p, each in zip(self._begin, more, strict=True)])

    def corrected(self, result: float, luck: Sequence[float]) -> float:
        """Returns the result of the next deal without luck, by the deals before; then adds it."""
        pairs = zip(self.values(), luck, strict=True)
        found = result - fsum([coefficient * own for coefficient, own in pairs])
        self._deals += 1
        self._result += result
        for at, own in enumerate(luck):
            self._own[at] += own
            self._with_result[at] += own * result
            row = self._products[at]
            for other, its in enumerate(luck):
                row[other] += own * its
        return found


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solves a positive semidefinite system; what it leaves open is 0. Changes its arguments."""
    size = len(right)
    largest = max(row[at] for at, row in enumerate(matrix))
    for at in range(size):
        pivot = matrix[at][at]
        if pivot <= 1e-12 * largest:
            matrix[at], right[at] = [float(at == other) for other in range(size)], 0.0
            pivot = 1.0
        for low in range(at + 1, size):
            factor = matrix[low][at] / pivot
            right[low] -= factor * right[at]
            for other in range(at, size):
                matrix[low][other] -= factor * matrix[at][other]
    for at in reversed(range(size)):
        rest = fsum(matrix[at][other] * right[other] for other in range(at + 1, size))
        right[at] = (right[at] - rest) / matrix[at][at]
    return right
