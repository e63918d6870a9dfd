"""A submission with a build: built once when it is submitted, and never again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from arena_results.bots.submissions import archive, submissions
from arena_results.file.database import open_database

from arena.host.box.bubblewrap import bubblewrap
from arena.host.builds import builder
from arena.plugins.hashing import named_content
from arena.plugins.submissions.archive_reading import zip_files
from tests.cli.in_process import run_in_process

pytestmark = [
    pytest.mark.usefixtures("shallow_search"),
    pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not installed"),
]
SOURCE = Path(__file__).parents[2] / "examples" / "bots" / "c" / "bot.c"
PROJECT = """
[project]
name = "mine"
version = "1"

[tool.arena.bot]
command = ["./bot"]
build = ["cc", "-O2", "-o", "bot", "bot.c"]
games = ["pazaak"]
"""


@pytest.fixture
def arena(tmp_path):
    """Runs a command; gives its exit code and its output on both streams."""

    def run(*words):
        environment = {**os.environ, "COLUMNS": "200"}
        code, out, _ = run_in_process(words, tmp_path, environment, together=True)
        return code, out

    return run


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PROJECT)
    shutil.copy(SOURCE, folder / "bot.c")
    return folder


def test_a_bot_is_built_once_and_plays_without_its_compiler(arena, folder, tmp_path, monkeypatch):
    code, out = arena("submit", "mine", "--seed", "1")
    assert code == 0, out
    assert "mine 1 (native; 3 files, content " in out
    assert not (folder / "bot").exists()  # the author's folder stays as it is
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        (stored,) = submissions(database)
        files = zip_files("it", archive(database, stored.id))
    assert sorted(files) == ["bot", "bot.c", "pyproject.toml"]
    assert files["bot"].startswith(b"\x7fELF")
    assert stored.content == named_content(files)
    code, out = arena("submit", "mine")
    assert (code, "in the registry already with this content" in out) == (0, True)

    monkeypatch.setattr(builder, "_in_a_box", None)  # nothing is built from here on
    code, out = arena("match", "mine", "random", "--games", "4")
    assert code == 0, out
    code, out = arena("tournament", "verify", "1")
    assert code == 0, out
    # Others verify it, and play with it, from a bundle.
    assert arena("export", "1", "--bundle", "cup.arena")[0] == 0
    code, out = arena("tournament", "verify", "1", "--db", "cup.arena")
    assert code == 0, out
    assert arena("import", "cup.arena", "--db", "sqlite:///theirs.db")[0] == 0
    theirs = ("--db", "sqlite:///theirs.db")
    assert arena("bots", "enable", "mine", *theirs)[0] == 0
    code, out = arena("match", "mine", "random", "--games", "2", *theirs)
    assert code == 0, out


def test_the_author_of_a_failed_build_gets_the_compilers_words(arena, folder, tmp_path):
    (folder / "bot.c").write_text("int main(void)\n{\n    return legal;\n}\n")
    why = "the build of mine failed: cc -O2 -o bot bot.c ended with exit code 1"
    code, out = arena("submit", "mine")
    assert code == 1
    assert f"{why}\nbot.c: In function ‘main’:\nbot.c:3:12: error: " in out
    assert out.endswith("mine 1 was NOT entered\n")
    code, out = arena("bots", "show", "mine")
    assert "bot.c:3:12: error: " in out
    code, out = arena("check", "bot", "mine")
    assert code == 2
    assert "bot.c:3:12: error: " in out
    assert f"arena: {why}\n" in out
    code, out = arena("match", "mine", "random")
    assert code == 2
    assert f"{why}; its output: arena check bot mine\n" in out


def test_a_build_without_output_leaves_no_empty_line(arena, folder):
    text = PROJECT.replace('["cc", "-O2", "-o", "bot", "bot.c"]', '["false"]')
    (folder / "pyproject.toml").write_text(text)
    code, out = arena("submit", "mine")
    why = "the build of mine failed: false ended with exit code 1"
    assert (code, out.partition(why)[2]) == (1, "\nmine 1 was NOT entered\n")


def test_a_folder_plays_without_being_submitted(arena, folder):
    code, out = arena("match", "mine", "random", "--games", "2")
    assert code == 0, out
    assert "mine" in out
    assert not (folder / "bot").exists()


def test_what_cannot_be_a_build_is_one_line(arena, folder):
    for build in ('"make"', '[["cc"], "x"]', "[[]]", '[""]'):
        text = PROJECT.replace('["cc", "-O2", "-o", "bot", "bot.c"]', build)
        (folder / "pyproject.toml").write_text(text)
        code, out = arena("submit", "mine")
        assert code == 2
        assert out.startswith(
            "arena: mine/pyproject.toml: build: expected one command or a list of commands"
        ), build
    for build, reason in (
        ('["/bin/cc"]', "build: a command begins with the path /bin/cc"),
        ('["nocc"]', "bot mine is built by nocc, which is not installed here; install it, or"),
    ):
        text = PROJECT.replace('["cc", "-O2", "-o", "bot", "bot.c"]', build)
        (folder / "pyproject.toml").write_text(text)
        code, out = arena("submit", "mine")
        assert (code, out.count("\n")) == (2, 1)
        assert reason in out
