"""The values that pictures are drawn from: intervals on one axis, and heat maps.

The command line draws them as text, ``figures`` as SVG or PNG. They do not depend on the drawing,
and colour never carries a meaning of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import ceil, floor, log10
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from arena.core.described import described
from arena.core.errors import BadInput, ParseError
from arena.core.table import Estimate
from arena.core.text.decoding import decode_text
from arena.service.answers.rows import Document
from arena.service.report.tables.standings import Rated, Ratings


def three_figures(value: float) -> str:
    """Writes a value of any size with three figures, without an exponent."""
    return format(Decimal(f"{value:.3g}"), "f")


def time_text(milliseconds: float) -> str:
    """Writes a time with three figures in seconds, milliseconds or microseconds: ``"8.89 ms"``."""
    rounded = float(f"{milliseconds:.3g}")
    if rounded >= 1000:
        return f"{three_figures(milliseconds / 1000)} s"
    if rounded >= 1:
        return f"{three_figures(milliseconds)} ms"
    return f"{three_figures(milliseconds * 1000)} µs"


class Scale:
    """The scale of an axis: places of values from 0 to 1, and round numbers on it.

    Args:
        ends: The least and the greatest value.
        logarithmic: Whether equal ratios are equal lengths.
        least: The span of values that it has at least, unless it is logarithmic.
        numbers: About how many numbers there are.
        text: Writes a number, with the decimals in which it differs from its neighbours.

    Attributes:
        numbers: The numbers, as values with their strings.
    """

    def __init__(
        self,
        ends: tuple[float, float],
        *,
        logarithmic: bool = False,
        least: float = 0,
        numbers: int = 4,
        text: Callable[[float, int], str] = "{:z.{}f}".format,
    ) -> None:
        self._logarithmic = logarithmic
        low, high = map(self._length, ends)
        if not logarithmic and high - low < least:
            low, high = ((low + high + side * least) / 2 for side in (-1, 1))
        if high - low < 1e-300:  # as good as equal: no step could be computed
            low, high = low - 1, high + 1
        self._low, self._high = low, high
        step = _round_step((high - low) / numbers)
        if logarithmic:
            step = max(1, round(step))
        found = []
        for each in range(ceil(low / step), floor(high / step) + 1):
            digits = max(0, round(-step * each) if logarithmic else -floor(log10(step)))
            value = 10 ** (step * each) if logarithmic else step * each
            found.append((value, text(value, digits)))
        self.numbers = tuple(found)

    def place(self, value: float) -> float:
        """Returns the place of a value; 0 and 1 are the ends."""
        return (self._length(value) - self._low) / (self._high - self._low)

    def _length(self, value: float) -> float:
        return log10(value) if self._logarithmic else value


def _round_step(least: float) -> float:
    """Returns the least of 1, 2 and 5 times a power of ten that is no less."""
    power: float = 10.0 ** floor(log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a chart.

    Attributes:
        value: The estimate.
        low: Lower end of its interval; ``None`` where too little is known for one.
        high: Upper end.
        note: What else is known of it, in a few characters.
        group: What it shares with its neighbours; a picture marks where another one begins.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    group: str = ""


class Mark(msgspec.Struct, frozen=True):
    """A value that is marked over all rows, such as a limit."""

    label: str
    value: float


class Intervals(msgspec.Struct, frozen=True, kw_only=True, tag_field="chart", tag="intervals"):
    """Estimates with their intervals on one axis.

    Attributes:
        axis: The meaning of the values, with their unit.
        rows: From top to bottom.
        marks: Values that are marked.
        ordered: Whether rows follow each other, as versions do: a picture joins them by a band.
        logarithmic: Whether equal ratios are equal lengths; all values are then above 0.
        digits: Decimals of a value; ``None`` for three figures of any size.
        unit: ``"ms"`` where values are times, which strings have in µs, ms or s; else empty.
    """

    title: str
    axis: str
    rows: tuple[Interval, ...]
    marks: tuple[Mark, ...] = ()
    ordered: bool = False
    logarithmic: bool = False
    digits: int | None = 0
    unit: Literal["", "ms"] = ""

    def ratings(self) -> Ratings:
        """Returns the rows as ratings of standings."""

        def rated(row: Interval) -> Rated:
            text = f"{self.text(row.value)}{row.note and ' '}{row.note}"
            return Rated(text, Estimate(row.value, row.low, row.high))

        return Ratings(self.axis, {row.label: rated(row) for row in self.rows})

    def text(self, value: float) -> str:
        """Returns a value as it is written."""
        if self.unit:
            return time_text(value)
        if self.digits is None:
            return three_figures(value)
        return f"{value:z.{self.digits}f}"

    def on_axis(self, value: float, digits: int) -> str:
        """Returns a number of the axis.

        Args:
            digits: Decimals in which it differs from its neighbours.
        """
        return self.text(value) if self.unit else f"{value:z.{digits}f}"

    def scale(self, numbers: int = 4, least: float = 0) -> Scale:
        """Returns the scale of its axis, with about that many numbers."""
        return Scale(
            self.ends, logarithmic=self.logarithmic, least=least, numbers=numbers, text=self.on_axis
        )

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest value of all rows and marks."""
        known = [mark.value for mark in self.marks]
        for row in self.rows:
            known += [each for each in (row.value, row.low, row.high) if each is not None]
        return min(known), max(known)


class HeatMap(msgspec.Struct, frozen=True, kw_only=True, tag_field="chart", tag="heatmap"):
    """A square of shares: each row against each column.

    Attributes:
        axis: The meaning of a share.
        names: Of the rows, and of the columns in the same order.
        shares: 0..1 by row and column; ``None`` without one.
        texts: The counts behind each share, such as ``12-3-5``; empty where there are none.
    """

    title: str
    axis: str
    names: tuple[str, ...]
    shares: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]

    def first(self, most: int) -> HeatMap:
        """Returns the part of the first rows and columns."""
        return msgspec.structs.replace(
            self,
            names=self.names[:most],
            shares=tuple([row[:most] for row in self.shares[:most]]),
            texts=tuple([row[:most] for row in self.texts[:most]]),
        )


Chart: TypeAlias = Intervals | HeatMap
"""A picture before it is drawn."""


def chart_document(chart: Chart) -> Document:
    """Returns a chart as a JSON document; its key ``chart`` names the kind."""
    document: Document = msgspec.to_builtins(chart)
    return document


def read_chart(file: Path) -> Chart:
    """Reads a chart from a file with its document.

    Raises:
        BadInput: The file cannot be read, or holds none.
    """
    try:
        found: Chart = _DECODER.decode(decode_text(file.read_bytes()))
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, ParseError) as error:
        raise BadInput(f"{file}: no chart: {error}") from None
    if not (found.rows if isinstance(found, Intervals) else found.names):
        raise BadInput(f"{file}: no chart: it has no rows")
    return found


_DECODER = msgspec.json.Decoder(described(Intervals | HeatMap))
