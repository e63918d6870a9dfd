"""HTML for notebooks: tables of rows, and pages in a frame of their own.

Nothing asks the network for anything. A table takes the colours of the notebook; a page in a frame
has its own, and can neither see nor change the notebook.
"""

from __future__ import annotations

from markupsafe import Markup

from arena.core.table import Column, Table
from arena.pages.tables import MISSING

MAX_ROWS = 60
"""Rows of a table that are shown; longer ones show the first and the last."""
HEIGHT = 760
"""Pixels of a frame."""
_CELL = Markup('<{0} style="text-align:{1};white-space:nowrap;padding:2px 8px">{2}</{0}>')


def table_html(table: Table) -> Markup:
    """Draws a table with its title, as people see it everywhere else."""
    columns, rows = table.drawn()
    shown = [(number, row) for number, row in enumerate(rows, 1)]
    left_out = len(rows) - MAX_ROWS
    lines = [_line("th", columns, [column.heading for column in columns])]
    for number, row in shown:
        if left_out > 0 and MAX_ROWS // 2 < number <= len(rows) - MAX_ROWS // 2:
            if number == MAX_ROWS // 2 + 1:
                text = f"… {left_out:,} more rows"
                lines.append(Markup('<tr><td colspan="{}">{}</td></tr>').format(len(columns), text))
            continue
        cells = [_text(column, row[column.key]) for column in columns]
        lines.append(_line("td", columns, cells))
    title = Markup("<caption>{}</caption>").format(table.title) if table.title else ""
    head, *body = lines
    return Markup("<table>{}<thead>{}</thead><tbody>{}</tbody></table>").format(
        title, head, Markup("").join(body)
    )


def _text(column: Column, value: object) -> str:
    return MISSING if value is None or value == "" else column.text(value)


def _line(tag: str, columns: tuple[Column, ...], cells: list[str]) -> Markup:
    drawn = [
        _CELL.format(tag, "right" if column.right else "left", cell)
        for column, cell in zip(columns, cells, strict=True)
    ]
    return Markup("<tr>{}</tr>").format(Markup("").join(drawn))


def framed(page: str, title: str) -> Markup:
    """Draws a whole page in a frame; its scripts run, and reach nothing outside of it.

    Its links within the page stay in the frame. Without a base of its own they would open the
    notebook there, since a frame takes the address of the page around it.
    """
    page = page.replace("<head>", '<head><base href="about:srcdoc">', 1)
    return Markup(
        '<iframe title="{}" sandbox="allow-scripts" loading="lazy" srcdoc="{}" '
        'style="width:100%;height:{}px;border:0"></iframe>'
    ).format(title, page, HEIGHT)
