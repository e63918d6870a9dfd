"""Tables on terminals of any width: columns are left out, names stay whole."""

from __future__ import annotations

import pytest
from rich.console import Console

from arena.cli.terminal import output
from arena.cli.terminal.output import draw_abreast, fitted, show_table, table
from arena.core.table import Column, Table

COLUMNS = (
    Column("rank", "#", right=True),
    Column("name", "name", drop=0),
    Column("points", "points", right=True, drop=2),
    Column("won", "won", right=True),
    Column("lost", "lost", right=True),
    Column("about", "what it does", prose=True),
)
NAME = "a-bot-of-a-long-name/version-12(at=17)"
ROWS = [
    {"rank": 1, "name": NAME, "points": 1234.5, "won": 3, "lost": 4, "about": "sleeps " * 9},
    {"rank": 12, "name": "short", "points": 7, "won": 3, "lost": 4, "about": ""},
]


def drawn(width: int) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as shown:
        console.print(table(fitted(COLUMNS, ROWS, width)[0], ROWS))
    return shown.get().splitlines()


@pytest.mark.parametrize("width", range(47, 121))
def test_names_never_fold_and_lines_fit(width):
    lines = drawn(width)
    assert max(map(len, lines)) <= width
    assert sum(NAME in line for line in lines) == 1


def test_columns_go_by_their_number_the_last_of_equals_first():
    left = {tuple(column.key for column in fitted(COLUMNS, ROWS, width)[1]) for width in range(130)}
    assert left == {
        (),
        ("points",),
        ("points", "about"),
        ("points", "lost", "about"),
        ("points", "won", "lost", "about"),
    }


def test_even_a_tiny_terminal_shows_whole_names_and_what_is_left_out(monkeypatch, capsys):
    def console(**_: object) -> Console:
        return Console(width=20, color_system=None, force_terminal=True)

    monkeypatch.setattr(output, "_console", console)
    show_table("Bots", COLUMNS, ROWS)
    text = capsys.readouterr().out
    assert f" 1  {NAME}" in text
    assert "points, won, lost, what it does" in " ".join(text.split())


def test_a_pipe_gets_every_column(capsys):
    show_table("Bots", COLUMNS, ROWS)
    text = capsys.readouterr().out
    assert "Too wide" not in text
    assert "what it does" in text


@pytest.mark.parametrize(("width", "abreast"), [(59, 1), (62, 2), (100, 3), (0, 1)])
def test_small_tables_stand_side_by_side_where_a_terminal_has_room(
    monkeypatch, capsys, width, abreast
):
    def console(**_: object) -> Console:
        return Console(width=width, color_system=None, force_terminal=True)

    if width:
        monkeypatch.setattr(output, "_console", console)
    columns, names = (Column("rank", "#"), Column("name", "name")), ("ann", "bob", "cid")
    draw_abreast(
        [Table(title=name, columns=columns, rows=[{"rank": 1, "name": name * 8}]) for name in names]
    )
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert len(lines) == 4 * -(-len(names) // abreast)  # a title, a head, a line, a row
    assert lines[0].split() == [*names[:abreast]]
    assert max(map(len, lines)) <= (width or 400)


def test_no_tables_draw_nothing(monkeypatch, capsys):
    monkeypatch.setattr(output, "_console", lambda **_: Console(width=80, force_terminal=True))
    draw_abreast([])
    assert capsys.readouterr().out == ""
