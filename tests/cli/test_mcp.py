"""``arena mcp`` from the command line: what it refuses before it speaks the protocol."""

from __future__ import annotations

import pytest

from arena.service.answers import extras


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("pazak --against stand", "game: unknown game 'pazak'"),
        ("pazaak --against nobody", "unknown bot 'nobody'"),
        ("pazaak --against stand --against random", "pazaak plays at tables of 2, not 3"),
        ("pazaak --against stand --seat 2", "there is no seat 2: seats are 0 to 1"),
        ("pazaak --against stand --name a/b", "'a/b': expected a name for a bot"),
        ("pazaak-career --against search", "pazaak-career is played by commands of its own"),
    ],
)
def test_bad_input_is_one_line(arena, tmp_path, words, says):
    answer = arena("mcp", *words.split(), "--db", tmp_path / "a.db")
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert all(line.startswith("arena: ") for line in answer.err.splitlines())


def test_without_the_library_it_names_the_extra(arena, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    answer = arena("mcp", "pazaak", "--against", "stand")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "arena: arena mcp needs mcp, which is not installed: pip install 'arena-harness[mcp]'\n"
    )
