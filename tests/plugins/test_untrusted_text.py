"""Texts of a submission or a bot file are printable, short, and obeyed by no tool."""

from __future__ import annotations

import pytest

from arena.core.errors import BadPlugin
from arena.plugins.botfile import read_bot_file
from arena.plugins.submissions.submission import read_package
from tests.plugins.packages import BOT, WHEEL, wheel, write

HOSTILE = ["\x1b[2J\x1b]0;x\x07", "1\u202e0.1", "1\n2\r3", "9" * 10_000, "\ud800"]


@pytest.mark.parametrize("word", HOSTILE)
def test_the_texts_of_a_bot_file_are_one_short_printable_line(tmp_path, word):
    code = BOT.format(extra="").replace('"1.2"', ascii(word)).replace('("pazaak",)', f"({word!a},)")
    folder = write(tmp_path, {"bot.py": code})
    found = read_bot_file(str(folder / "bot.py"), None)
    assert found.version.isprintable()
    assert 0 < len(found.version) <= 200


@pytest.mark.parametrize(
    "name", [".git/config", "careful_bot/.vscode/tasks.json", ".gitignore", "a/.b"]
)
def test_hidden_files_of_an_archive_are_refused_by_name(tmp_path, name):
    path = wheel(tmp_path / "it-1-py3-none-any.whl", {**WHEEL, name: "[core]\nfsmonitor = id\n"})
    with pytest.raises(BadPlugin, match=rf"holds the hidden file {name}"):
        read_package(str(path))


def test_a_folder_that_is_a_git_checkout_is_taken_without_its_hidden_files(tmp_path):
    files = {"bot.py": BOT.format(extra=""), ".git/config": "[core]\n", ".gitignore": "x\n"}
    assert list(read_package(str(write(tmp_path / "it", files))).files) == ["bot.py"]
