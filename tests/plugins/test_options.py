"""Options in errors are spelled as the caller writes them."""

from __future__ import annotations

from arena.plugins.options import either, in_python, on_the_command_line, option, options_spelled
from arena.service.answers.arguments import checked


def test_an_option_is_spelled_for_the_command_line_by_default():
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


@checked
def advise(word: str = "") -> str:
    return f"{option('value_function', ...)}, {either('a command', 'a call')}"


@checked
async def advise_later() -> str:
    return option("cmd", ...)


async def test_methods_of_values_speak_python_unless_a_face_has_the_call():
    assert advise() == "value_function=..., a call"
    assert await advise_later() == "cmd=..."
    with options_spelled(on_the_command_line):
        assert advise() == "--value-function, a command"
        assert await advise_later() == "--cmd"
    assert (option("cmd", ...), either("a command", "a call")) == ("--cmd", "a command")
