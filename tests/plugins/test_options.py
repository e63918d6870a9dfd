"""Options in errors are spelled as the caller writes them."""

from __future__ import annotations

from arena.plugins.options import in_python, option, options_spelled


def test_an_option_is_spelled_for_the_command_line_unless_a_face_says_otherwise():
    advice = [
        ("force", True),
        ("value_function", ""),
        ("trust", ["x"]),
        ("name", ...),
        ("isolation",),
    ]
    spelled = ["--force", "--value-function ''", "--trust x", "--name", "--isolation"]
    assert [option(*each) for each in advice] == spelled
    with options_spelled(in_python):
        named = ["force=True", "value_function=''", "trust=['x']", "name=...", "isolation"]
        assert [option(*each) for each in advice] == named
    assert [option(*each) for each in advice] == spelled
