"""``make calibrate``, made small: populations of known strength, and how many intervals hold it."""

from __future__ import annotations

import pytest

from benchmarks.calibrate import chart, report

pytestmark = pytest.mark.thorough("test_joint.py compares errors with reference values")
SHARE = 0.02
"""Of the populations that ``make calibrate`` plays."""


@pytest.fixture(scope="module")
def rows():
    return list(report(SHARE))


def test_intervals_hold_the_truth_about_as_often_as_they_say(rows):
    """Errors a third too small would hold it in 81 %, without the sandwich in less."""
    for row in rows:
        assert row.share >= 0.95 - 2.5 * max(row.error / 1.96, (0.05 * 0.95 / row.intervals) ** 0.5)
    held, intervals = sum(row.held for row in rows), sum(row.intervals for row in rows)
    assert 0.93 <= held / intervals <= 0.98


def test_the_picture_has_a_row_for_every_population(rows):
    drawn = chart(rows)
    assert [row.label for row in drawn.rows] == [row.name for row in rows]
    assert [mark.value for mark in drawn.marks] == [94, 96]
    assert all(row.low <= row.value <= row.high for row in drawn.rows)
