"""Draws charts as text: a line for each interval, a table of percentages for a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.cli.terminal.output import say, stdout, write
from arena.service.charts.charts import Chart, HeatMap, Interval, Intervals

MIN_WIDTH = 20
"""Fewest columns of an axis; in a narrower terminal lines are longer than it is wide."""
PIPED = 80
"""Width where there is no terminal."""


def write_chart(drawn: Chart, out: Path) -> None:
    """Writes a chart to a file that ends in ``.svg`` or ``.png``, and says so."""
    from arena.service.charts.figures import write_figure

    write_figure(drawn, out)
    say(f"written: {out}")


def show_chart(drawn: Chart) -> None:
    """Prints a chart as wide as the terminal."""
    console = stdout()
    write(console, chart_text(drawn, console.width if console.is_terminal else PIPED))


def chart_text(chart: Chart, width: int) -> str:
    """Draws a chart in that many columns."""
    return _heat_map(chart, width) if isinstance(chart, HeatMap) else _intervals(chart, width)


class _Axis:
    def __init__(self, chart: Intervals, columns: int) -> None:
        self.columns = columns
        self._last, self._scale = columns - 1, chart.scale(max(2, columns // 9))

    def place(self, value: float) -> int:
        return min(self._last, max(0, round(self._scale.place(value) * self._last)))

    def labels(self) -> str:
        """Returns the line of numbers above the axis; those without space are left out."""
        line, end = "", -1
        for value, text in self._scale.numbers:
            start = min(max(0, self.place(value) - len(text) // 2), self._last + 1 - len(text))
            if start > end:
                line = line.ljust(start) + text
                end = len(line)
        return line


def _intervals(chart: Intervals, width: int) -> str:
    values = [chart.text(row.value) for row in chart.rows]
    names, numbers = (max(map(len, texts)) for texts in ([row.label for row in chart.rows], values))
    notes = max(len(row.note) for row in chart.rows)
    aside = names + 2 + numbers + 2
    axis = _Axis(chart, max(MIN_WIDTH, width - aside - (notes + 2 if notes else 0)))
    signs = ["┊"] if len(chart.marks) == 1 else [*map(str, range(1, len(chart.marks) + 1))]
    marks = _placed([axis.place(mark.value) for mark in chart.marks], signs, axis.columns)
    lines = [chart.title, " " * aside + axis.labels()]
    shown: set[str] = set()
    for row, value in zip(chart.rows, values, strict=True):
        drawn = _drawn(row, axis, marks)
        note = f"  {row.note}" if row.note else ""
        shown.update(drawn)
        lines.append(f"{row.label:<{names}}  {value:>{numbers}}  {drawn}{note}".rstrip())
    if not shown.issuperset(signs):  # a rating stands on a mark in every row
        lines.append((" " * aside + _line_of(marks)).rstrip())
    legend = [f"● {chart.axis}"]
    for sign, mark in zip(signs, chart.marks, strict=True):
        value = chart.text(mark.value) if chart.unit else f"{mark.value:g}"
        legend.append(f"{sign} {mark.label} {value}")
    return "\n".join([*lines, "; ".join(legend)])


def _placed(places: Sequence[int], signs: Sequence[str], columns: int) -> dict[int, str]:
    """Returns the sign at each place; one whose place is taken stands at the nearest free one."""
    found: dict[int, str] = {}
    for place, sign in zip(places, signs, strict=True):
        free = [each for each in range(columns) if each not in found]
        found[min(free, key=lambda each: abs(each - place))] = sign
    return found


def _line_of(marks: Mapping[int, str]) -> str:
    return "".join(marks.get(place, " ") for place in range(max(marks) + 1))


def _drawn(row: Interval, axis: _Axis, marks: Mapping[int, str]) -> str:
    length = max(
        [axis.place(each) for each in (row.value, row.high) if each is not None] + [*marks]
    )
    cells = [" "] * (length + 1)
    if row.low is not None and row.high is not None:
        low, high = axis.place(row.low), axis.place(row.high)
        cells[low : high + 1] = "─" * (high + 1 - low)
        if high > low:
            cells[low], cells[high] = "├", "┤"
    for place, sign in marks.items():
        cells[place] = sign
    cells[axis.place(row.value)] = "○" if row.low is None else "●"
    return "".join(cells)


def _heat_map(chart: HeatMap, width: int) -> str:
    numbers = [str(place) for place in range(1, len(chart.names) + 1)]
    labels = [
        f"{n:>{len(numbers[-1])}} {name}" for n, name in zip(numbers, chart.names, strict=True)
    ]
    aside = max(map(len, labels))
    widest = max(len(text) for row in chart.texts for text in row)
    counts = aside + (widest + 2) * len(numbers) <= width and widest > 0
    cell = max(widest, 4) + 2 if counts else 6
    lines = [chart.title, " " * aside + "".join(f"{number:>{cell}}" for number in numbers)]
    for label, shares, texts in zip(labels, chart.shares, chart.texts, strict=True):
        cells = ["·" if share is None else f"{_shade(share)} {share:.0%}" for share in shares]
        lines.append(f"{label:<{aside}}" + "".join(f"{each:>{cell}}" for each in cells))
        if counts:
            lines.append((" " * aside + "".join(f"{text:>{cell}}" for text in texts)).rstrip())
    return "\n".join([*lines, chart.axis])


def _shade(share: float) -> str:
    return " ░▒▓█"[min(4, int(share * 5))]
