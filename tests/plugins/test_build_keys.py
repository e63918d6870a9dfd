"""The key ``build`` of a project file: one command or several, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BadPlugin
from arena.plugins.submissions.metadata import build_of_folder

WORDS = st.lists(st.text("ab ./-\"'é", min_size=1, max_size=4), min_size=1, max_size=3)
ANYTHING = st.recursive(
    st.text("a/.\0", max_size=3) | st.integers(0, 9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


def read(build):
    text = f"[tool.arena.bot]\ncommand = ['x']\nbuild = {json.dumps(build)}\n"
    return build_of_folder("bot", {"pyproject.toml": text.encode()})


def may_begin(command):
    return not command[0].startswith("/") and ".." not in command[0].split("/")


@given(WORDS.filter(may_begin))
def test_the_words_of_one_command_are_a_list_of_one_command(words):
    assert read(words) == read([words]) == (tuple(words),)


@given(st.lists(WORDS.filter(may_begin), max_size=3))
def test_commands_keep_their_order(commands):
    assert read(commands) == tuple(map(tuple, commands))


@given(ANYTHING)
def test_whatever_else_stands_there_is_one_line(build):
    try:
        commands = read(build)
    except BadPlugin as error:
        commands, lines = (), str(error).splitlines()
    else:
        lines = ["none"]
        assert build in ([list(each) for each in commands], *map(list, commands))
    assert len(lines) == 1
    assert all(command and command[0] for command in commands)


@pytest.mark.parametrize("program", ["/bin/cc", "../cc", "a/../../cc"])
def test_a_program_outside_of_the_folder_is_named_without_a_path(program):
    with pytest.raises(BadPlugin, match=f"a command begins with the path {program}; name an"):
        read([program])


def test_a_folder_without_a_project_file_has_no_build():
    assert build_of_folder("bot", {"bot.py": b""}) == ()
