"""``arena play`` and ``arena watch`` from the command line: what they refuse without a screen."""

from __future__ import annotations

import pytest

from arena.cli.terminal import screens
from arena.core.errors import BadInput


def test_without_a_terminal_it_is_one_line(arena, tmp_path):
    answer = arena("play", "pazaak", "counter", "--db", tmp_path / "a.db")
    assert (answer.code, answer.out) == (2, "")
    assert (
        answer.err == "arena: arena play needs a terminal; from a program: docs/howto/python.md\n"
    )
    assert not (tmp_path / "a.db").exists()


def test_watching_needs_a_terminal_and_a_tournament(arena, stored, monkeypatch):
    answer = arena("watch", "--db", stored)
    assert (answer.code, answer.err) == (
        2,
        "arena: arena watch needs a terminal; from a program: docs/howto/python.md\n",
    )
    monkeypatch.setattr(screens, "_on_terminal", lambda: True)
    answer = arena("watch", "99", "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("arena: unknown tournament '99'; choices: 1")


def test_without_textual_it_names_the_extra(monkeypatch):
    monkeypatch.setattr(screens, "_on_terminal", lambda: True)
    monkeypatch.setattr(screens, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'arena-harness\[tui\]'$"):
        screens.check_screen("play")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("pazak counter", "game: unknown game 'pazak'"),
        ("pazaak nobody", "unknown bot 'nobody'"),
        ("pazaak-career search", "pazaak-career is played by commands of its own, and never rated"),
        ("pazaak counter random", "pazaak plays at tables of 2, not 3"),
        ("pazaak counter --seat 2", "there is no seat 2: seats are 0 to 1"),
        ("pazaak counter --name a/b", "the person's name 'a/b': expected a name for a bot"),
        ("pazaak counter --loadout +9", "human with +9:"),
        ("pazaak counter --ruleset odd", "ruleset: unknown pazaak ruleset 'odd'"),
    ],
)
def test_bad_input_is_one_line_before_the_screen(arena, tmp_path, monkeypatch, words, says):
    monkeypatch.setattr(screens, "_on_terminal", lambda: True)
    answer = arena("play", *words.split(), "--db", tmp_path / "a.db")
    assert answer.code == 2
    assert says in answer.err
    assert all(line.startswith("arena: ") for line in answer.err.splitlines())
