"""Places charts on a page: forest plots and heat maps as tables, ordered values as curves.

Places are in percent, so that a chart is as wide as there is room while its letters keep their
size. Every value stands in a table as text, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

import msgspec

from arena.pages.page import Link
from arena.pages.tables import Bar, Cell, Cells, Head, Heat, Piece, Spot, Table, Tick
from arena.service.charts.charts import HeatMap, Interval, Intervals, Scale

LARGE = 16
"""Names up to which a heat map has the counts in its cells."""
MAX_LABELS = 6
"""Labels below a curve."""
CLEAR = 18
"""Percent of an axis that the name of a mark takes."""
TONES = 8
"""Colours of pieces of bars."""
FAULTS = 1
"""The colour that faults begin with; 0 is of matches lost on play."""
RATING_SPAN = 200
"""Points that an axis of ratings shows at least: over fewer, small differences look large."""
_EDGE, _LEFT, _TOP, _BOTTOM = 4.0, 12.0, 8.0, 86.0
"""Room next to the drawn values, in percent."""


class Axis:
    """An axis from one percentage to another, with numbers on it.

    Args:
        first: Place of the least value, in percent.
        last: Place of the greatest.
    """

    def __init__(self, scale: Scale, first: float = _EDGE, last: float = 100 - _EDGE) -> None:
        self._scale, self._first, self._last = scale, first, last
        self.ticks = tuple([Tick(self.place(each), text) for each, text in scale.numbers])

    def place(self, value: float) -> float:
        """Returns the place of a value, in percent."""
        part = self._scale.place(value)
        return round(self._first + part * (self._last - self._first), 2)

    def marks(self, chart: Intervals) -> tuple[Tick, ...]:
        """Returns the values that a chart marks."""
        return tuple([Tick(self.place(mark.value), mark.label) for mark in chart.marks])

    def apart(self, marks: Sequence[Tick]) -> tuple[Tick, ...]:
        """Returns the numbers that stand clear of the names of marks, which end at their places."""
        return tuple(
            [
                tick
                for tick in self.ticks
                if not any(-CLEAR < tick.place - mark.place < CLEAR / 2 for mark in marks)
            ]
        )


def least_span(digits: int | None) -> float:
    """Returns the span of an axis at least; of values with these decimals, ratings have none."""
    return RATING_SPAN if digits == 0 else 0


def forest(
    chart: Intervals,
    links: Mapping[str, str] | None = None,
    *,
    name: str = "name",
    value: str = "value",
) -> Table:
    """Returns a forest plot: a row for each estimate, drawn with its interval.

    Args:
        links: Addresses by label.
        name: Title of the column of labels.
        value: Title of the column of estimates.
    """
    axis = Axis(chart.scale(least=least_span(chart.digits)))
    marks = axis.marks(chart)
    rows = [
        {
            "label": linked(row.label, links),
            "value": chart.text(row.value),
            "interval": interval_text(chart, row),
            "drawn": spot(axis, row),
            "note": row.note,
        }
        for row in chart.rows
    ]
    columns = [
        Head(key="label", head=name, row=True),
        Head(key="value", head=value, right=True),
        Head(key="drawn", head="range", drawn=True, ticks=axis.apart(marks), marks=marks),
        Head(key="interval", head="interval", right=True),
    ]
    if any(row.note for row in chart.rows):
        columns.append(Head(key="note", head="note"))
    caption = f"{chart.title}: {chart.axis}"
    return Table(caption=caption, columns=tuple(columns), rows=rows, kind="forest")


def spot(axis: Axis, row: Interval) -> Spot:
    """Returns an estimate with its interval as a cell; other cells say the same in words."""
    low, high = (None if each is None else axis.place(each) for each in (row.low, row.high))
    return Spot(value=axis.place(row.value), low=low, high=high)


def interval_text(chart: Intervals, row: Interval) -> str | None:
    """Returns an interval in words; ``None`` where too little is known for one."""
    if row.low is None or row.high is None:
        return None
    return f"{chart.text(row.low)} to {chart.text(row.high)}"


def linked(label: str, links: Mapping[str, str] | None) -> Cell:
    """Returns a name, as a link if there is an address for it."""
    return Link(label, links[label]) if links and links.get(label) else label


def heat_map(chart: HeatMap, links: Mapping[str, str] | None = None) -> Table:
    """Returns a heat map: a square of shares, with counts in its cells or, in a large one, titles.

    Args:
        links: Addresses by name.
    """
    large = len(chart.names) > LARGE
    numbers = [str(number) for number in range(1, len(chart.names) + 1)]
    columns = [
        Head(key="place", head="#", right=True),
        Head(key="label", head="bot", row=True),
        *(
            Head(key=f"c{number}", head=number, hint=name)
            for number, name in zip(numbers, chart.names, strict=True)
        ),
    ]
    rows: list[Cells] = []
    for number, name, shares, texts in zip(
        numbers, chart.names, chart.shares, chart.texts, strict=True
    ):
        cells = {
            f"c{other}": _heat(share, text, large=large)
            for other, share, text in zip(numbers, shares, texts, strict=True)
        }
        rows.append({"place": number, "label": linked(name, links), **cells})
    return Table(
        caption=f"{chart.title}: {chart.axis}",
        columns=tuple(columns),
        rows=rows,
        kind="heat large" if large else "heat",
    )


def _heat(share: float | None, text: str, *, large: bool) -> Heat | str:
    if share is None:
        return ""
    percent = f"{share * 100:.0f}"
    return Heat(round(share * 10), percent if large else f"{percent} %", text)


class Point(msgspec.Struct, frozen=True):
    """A point of a curve, in percent; ``known`` says whether there is an interval about it."""

    across: float
    up: float
    known: bool
    label: str = ""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """Values in order, from left to right, with a band about them; all places are in percent.

    Attributes:
        summary: Its content, in one sentence.
        line: The points of the line, as SVG writes them.
        bands: The outlines of the band, in pieces where intervals are missing.
        begins: Where another group of values begins, with its name.
        table: The values.
    """

    title: str
    axis: str
    summary: str
    ticks: tuple[Tick, ...]
    marks: tuple[Tick, ...]
    line: str
    bands: tuple[str, ...]
    points: tuple[Point, ...]
    table: Table
    begins: tuple[Tick, ...] = ()


def curve(chart: Intervals) -> Curve:
    """Returns ordered values as a curve."""
    axis = Axis(chart.scale(least=least_span(chart.digits)), _BOTTOM, _TOP)
    last = max(1, len(chart.rows) - 1)
    across = [round(_LEFT + (96 - _LEFT) * each / last, 2) for each in range(len(chart.rows))]
    every = ceil(len(chart.rows) / MAX_LABELS)
    labels = ["" if number % every else row.label for number, row in enumerate(chart.rows)]
    points = tuple(
        [
            Point(place, axis.place(row.value), row.low is not None, label)
            for place, row, label in zip(across, chart.rows, labels, strict=True)
        ]
    )
    first, end = chart.rows[0], chart.rows[-1]
    return Curve(
        title=chart.title,
        axis=chart.axis,
        summary=(
            f"{chart.title}: from {chart.text(first.value)} ({first.label}) "
            f"to {chart.text(end.value)} ({end.label})"
        ),
        ticks=axis.ticks,
        marks=axis.marks(chart),
        line=_path((point.across, point.up) for point in points),
        bands=tuple(_bands(axis, across, chart.rows)),
        points=points,
        table=forest(chart),
        begins=tuple(
            [
                Tick(round((across[number] + across[number + 1]) / 2, 2), later.group)
                for number, (row, later) in enumerate(pairwise(chart.rows))
                if later.group != row.group
            ]
        ),
    )


def _path(points: Iterator[tuple[float, float]]) -> str:
    return " ".join(f"{across:g},{up:g}" for across, up in points)


def _bands(axis: Axis, across: Sequence[float], rows: Sequence[Interval]) -> Iterator[str]:
    """Yields the outlines of the intervals of neighbours; one without neighbours is a bar."""
    upper: list[tuple[float, float]] = []
    lower: list[tuple[float, float]] = []
    for place, row in [*zip(across, rows, strict=True), (0.0, None)]:
        if row is None or row.low is None or row.high is None:
            if len(upper) == 1:  # a line of no width would not be seen
                upper, lower = ([(x + side, y) for x, y in end for side in (-0.6, 0.6)]
                                for end in (upper, lower))  # fmt: skip
            if upper:
                yield _path(iter([*upper, *reversed(lower)]))
            upper, lower = [], []
        else:
            upper.append((place, axis.place(row.high)))
            lower.append((place, axis.place(row.low)))


def bars(
    caption: str,
    parts: Sequence[str],
    rows: Mapping[str, Sequence[int]],
    links: Mapping[str, str] | None = None,
    *,
    tone: int = 0,
) -> Table:
    """Returns stacked bars: a row of counts for each name.

    Where all rows are equal there are only the counts.

    Args:
        parts: Titles of the parts.
        rows: Counts by name, one a part.
        tone: The first part's colour.
    """
    keys = [f"part{number}" for number in range(len(parts))]
    most = max([sum(counts) for counts in rows.values()], default=0) or 1
    columns = [
        Head(key="label", head="bot", row=True),
        *(
            Head(key=key, head=part, right=True, piece=number % TONES)
            for number, (key, part) in enumerate(zip(keys, parts, strict=True), tone)
        ),
    ]
    if len({*map(tuple, rows.values())}) > 1:  # equal bars say nothing
        columns.append(Head(key="drawn", head="together", drawn=True))
    return Table(
        caption=caption,
        columns=tuple(columns),
        rows=[
            {"label": linked(name, links), "drawn": _bar(counts, most, tone)}
            | dict(zip(keys, counts, strict=True))
            for name, counts in rows.items()
        ],
        kind="bars",
    )


def _bar(counts: Sequence[int], most: int, tone: int) -> Bar:
    pieces, start = [], 0.0
    for number, count in enumerate(counts, tone):
        length = 100 * count / most
        if count:
            pieces.append(Piece(round(start, 2), round(length, 2), number % TONES))
        start += length
    return Bar(tuple(pieces))
