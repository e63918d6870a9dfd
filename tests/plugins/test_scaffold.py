"""``arena new bot``: what it writes works at once, and it never writes over anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.core.errors import BadInput, UnknownName
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from arena.plugins.scaffold import new_bot


def own_tests(project):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_new_project_passes_its_own_tests_and_installs(tmp_path, pip_install, monkeypatch):
    project = tmp_path / "my-First-bot"
    written = new_bot("my-First-bot", project)
    assert sorted(str(path.relative_to(project)) for path in written) == [
        ".gitignore",
        "README.md",
        "my_first_bot.py",
        "pyproject.toml",
        "tests/test_my_first_bot.py",
    ]
    tests = own_tests(project)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "3 passed" in tests.stdout
    pip_install(project, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    source = Registry().resolve_bot("my-First-bot(at=18)", {"my-First-bot"})
    assert source.participant.version == "0.1.0"
    bot = load_bot(source)()
    assert (type(bot).__name__, bot.at) == ("MyFirstBot", 18)


def test_a_new_project_for_sabacc_plays_every_mode_by_the_rules(tmp_path):
    new_bot("bold", tmp_path, game="sabacc")
    tests = own_tests(tmp_path)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "7 passed" in tests.stdout


@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
@pytest.mark.parametrize("name", ["bot", "action", "pazaak", "card", "x"])
def test_a_class_never_takes_a_name_that_the_files_import(tmp_path, name, game):
    new_bot(name, tmp_path, game)
    module = (tmp_path / f"{name}.py").read_text()
    assert f"class {name.capitalize()}Bot(Bot[" in module
    compile(module, name, "exec")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "cannot name a distribution"),
        ("-x", "cannot name a distribution"),
        ("a b", "cannot name a distribution"),
        ("../x", "cannot name a distribution"),
        ("bot.py", "cannot name a distribution"),
        ("bot\n", "cannot name a distribution"),
        ("7up", "begin with a letter"),
        ("class", "begin with a letter"),
        ("random", "would hide the module 'random'"),
        ("pytest", "would hide the module 'pytest'"),
        ("Arena", "would hide the module 'arena'"),
        ("stand", "there is a bot 'stand' already"),
    ],
)
def test_a_name_that_cannot_work_is_refused_and_nothing_written(tmp_path, name, says):
    folder = tmp_path / "project"
    with pytest.raises(BadInput, match=says):
        new_bot(name, folder, taken=("stand",))
    assert not folder.exists()


def test_a_folder_with_anything_in_it_is_left_as_it_is(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="is not empty; nothing was written"):
        new_bot("fresh", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"cannot write the project in .*Not a directory"):
        new_bot("fresh", tmp_path / "file" / "project")


def test_a_game_without_a_template_names_the_choices(tmp_path):
    with pytest.raises(UnknownName, match="'chess'; choices: pazaak, sabacc"):
        new_bot("fresh", tmp_path, game="chess")
