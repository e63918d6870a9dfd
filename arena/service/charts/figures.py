"""Draws charts as SVG or PNG with matplotlib, the extra ``plots``; equal ones give equal bytes."""

from __future__ import annotations

from io import BytesIO
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.errors import BadInput
from arena.service.charts.charts import Chart, HeatMap, Interval, Intervals, Mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

KINDS = (".svg", ".png")
"""The endings of files that a picture can be written to."""
_NEEDS = "pictures need matplotlib, which is not installed: pip install 'arena-harness[plots]'"
_INK, _BAND, _MARK = "#1b4965", "#9ec5d8", "#b3361e"
"""Colours of estimates, of a band, and of marks: apart in grey, too."""
_PLAIN: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "arena", "text.parse_math": False}
"""Letters stay letters, and nothing of the moment gets into a file."""
_SIDE = 30
"""Bots up to which a heat map has the counts in its cells."""


def write_figure(chart: Chart, file: Path) -> None:
    """Writes a picture to a file whose ending says what it is.

    Raises:
        BadInput: The ending is another one, matplotlib is missing, or the file cannot be written.
    """
    if file.suffix.lower() not in KINDS:
        raise BadInput(f"{file}: a picture is written to a file that ends in {' or '.join(KINDS)}")
    drawn = figure(chart, file.suffix.lower()[1:])
    try:
        file.write_bytes(drawn)
    except OSError as error:
        raise BadInput(f"{file}: cannot be written: {error.strerror}") from None


def figure(chart: Chart, kind: str) -> bytes:
    """Draws a chart as ``"svg"`` or ``"png"``; ``BadInput`` if matplotlib is missing."""
    try:
        from matplotlib import rc_context
    except ImportError:
        raise BadInput(_NEEDS) from None
    with rc_context(_PLAIN), BytesIO() as file:
        drawn = _heat_map(chart) if isinstance(chart, HeatMap) else _intervals(chart)
        dated: dict[str, str | None] = {"Date": None} if kind == "svg" else {"Software": None}
        drawn.savefig(file, format=kind, dpi=150, metadata=dated)
        return file.getvalue()


def _blank(title: str, width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    axes = made.add_subplot()
    axes.set_title(title, loc="left", fontsize=11)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return made, axes


def _intervals(chart: Intervals) -> Figure:
    along = chart.ordered and len(chart.rows) > 1
    size = (
        (max(5.0, 1.2 + 0.8 * len(chart.rows)), 4.0)
        if along
        else (8.0, 1.4 + 0.3 * len(chart.rows))
    )
    made, axes = _blank(chart.title, *size)
    _along(axes, chart) if along else _across(axes, chart)
    return made


def _across(axes: Axes, chart: Intervals) -> None:
    places = range(len(chart.rows))
    for place, row in zip(places, chart.rows, strict=True):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place, place], color=_INK, marker="|", linewidth=1.5)
        _dot(axes, row.value, place, row)
    axes.set_yticks(list(places), [_named(chart, row) for row in chart.rows])
    axes.set_ylim(len(chart.rows) - 0.5, -0.5)
    axes.set_xlabel(chart.axis)
    if chart.logarithmic:
        axes.set_xscale("log")
        number = chart.text if chart.unit else "{:g}".format
        axes.xaxis.set_major_formatter(lambda value, _: number(value))
        axes.xaxis.minorticks_off()
    axes.grid(axis="x", linewidth=0.4)
    for mark in chart.marks:
        axes.axvline(mark.value, color=_MARK, linestyle="--", linewidth=1)
        _name_mark(axes, mark, (mark.value, 1), ("data", "axes fraction"))


def _along(axes: Axes, chart: Intervals) -> None:
    places = list(range(len(chart.rows)))
    values = [row.value for row in chart.rows]
    axes.fill_between(
        places,
        [nan if row.low is None else row.low for row in chart.rows],
        [nan if row.high is None else row.high for row in chart.rows],
        color=_BAND,
        linewidth=0,
    )
    axes.plot(places, values, color=_INK)
    for place, row in zip(places, chart.rows, strict=True):
        _dot(axes, place, row.value, row)
    axes.set_xticks(places, [f"{row.label}{row.note}" for row in chart.rows])
    axes.set_ylabel(chart.axis)
    axes.grid(axis="y", linewidth=0.4)
    for mark in chart.marks:
        axes.axhline(mark.value, color=_MARK, linestyle="--", linewidth=1)
        _name_mark(axes, mark, (1, mark.value), ("axes fraction", "data"))


def _name_mark(axes: Axes, mark: Mark, at: tuple[float, float], units: tuple[str, str]) -> None:
    axes.annotate(mark.label, at, xycoords=units, color=_MARK, ha="right", va="bottom", fontsize=8)


def _dot(axes: Axes, across: float, up: float, row: Interval) -> None:
    filled = "white" if row.low is None else _INK
    axes.plot([across], [up], color=_INK, marker="o", markerfacecolor=filled)


def _named(chart: Intervals, row: Interval) -> str:
    return f"{row.label}  {chart.text(row.value)}{row.note and ' '}{row.note}"


def _heat_map(chart: HeatMap) -> Figure:
    size = len(chart.names)
    side = max(4.0, 1.5 + 0.62 * min(size, _SIDE))
    made, axes = _blank(chart.title, side + 1.5, side)
    cells = [[float("nan") if each is None else each for each in row] for row in chart.shares]
    drawn = axes.imshow(cells, vmin=0, vmax=1, cmap="RdBu")
    bar = made.colorbar(drawn, ax=axes, shrink=0.8, format=lambda share, _: f"{share:.0%}")
    bar.set_label("share of the points")
    numbers = [str(place + 1) for place in range(size)]
    labels = [f"{name}  {number}" for name, number in zip(chart.names, numbers, strict=True)]
    axes.set_yticks(range(size), labels)
    axes.set_xticks(range(size), numbers)
    axes.xaxis.tick_top()
    if size <= _SIDE:
        _write_cells(axes, chart, drawn.cmap)
    return made


def _write_cells(axes: Axes, chart: HeatMap, colours: Colormap) -> None:
    for row, (some, counts) in enumerate(zip(chart.shares, chart.texts, strict=True)):
        for column, (share, text) in enumerate(zip(some, counts, strict=True)):
            if share is None:
                continue
            red, green, blue, _ = colours(share)
            # Where black and white contrast alike (WCAG 2.2, relative luminance), roughly.
            light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.18
            label = f"{share:.0%}\n{text}" if text else f"{share:.0%}"
            axes.text(
                column,
                row,
                label,
                ha="center",
                va="center",
                color="black" if light else "white",
                fontsize=7,
            )
