"""``arena new bot`` and ``arena new game``: new projects work at once and replace no file."""

from __future__ import annotations

import os
import subprocess

import pytest

from arena.core.errors import BadInput, UnknownName
from arena.plugins.languages import LANGUAGES
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry
from arena.plugins.scaffold import new_bot, new_game
from arena.plugins.submissions.submission import read_package
from tests.testing.plugin_runs import PYTEST

REGISTRY = Registry()


def own_tests(project, site=""):
    """Runs the tests of a project, which pass; returns their output."""
    done = subprocess.run(
        PYTEST,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_project_passes_its_own_tests_and_installs(tmp_path, pip_install, monkeypatch):
    project = tmp_path / "my-First-bot"
    written = new_bot(REGISTRY, "my-First-bot", project)
    assert sorted(str(path.relative_to(project)) for path in written) == [
        ".gitignore",
        "README.md",
        "my_first_bot.py",
        "pyproject.toml",
        "tests/test_my_first_bot.py",
    ]
    assert "3 passed" in own_tests(project)
    pip_install(project, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    source = Registry().resolve_bot("my-First-bot(at=18)", {"my-First-bot"})
    assert source.participant.version == "0.1.0"
    bot = load_bot(source)()
    assert (type(bot).__name__, bot.at) == ("MyFirstBot", 18)


@pytest.mark.thorough("the one for Pazaak does so")
def test_a_new_project_for_sabacc_plays_every_mode_by_the_rules(tmp_path):
    new_bot(REGISTRY, "bold", tmp_path, game="sabacc")
    assert "7 passed" in own_tests(tmp_path)


CALLER = """
from arena import Bot

class Caller(Bot):
    games = ("my-First-game",)

    def act(self, observation):
        return observation.legal_actions[observation.card < 6]
"""


def test_a_new_game_of_one_file_passes_its_own_tests(tmp_path):
    written = new_game(REGISTRY, "my-Tiny-game", tmp_path)
    assert sorted(str(path.relative_to(tmp_path)) for path in written) == [
        ".gitignore",
        "README.md",
        "my_tiny_game.py",
        "pyproject.toml",
        "tests/test_my_tiny_game.py",
    ]
    assert len((tmp_path / "my_tiny_game.py").read_text().splitlines()) <= 150
    assert "7 passed" in own_tests(tmp_path)


@pytest.mark.thorough("the test before, of one file; the next plays it")
def test_a_new_game_of_many_files_passes_its_own_tests(tmp_path):
    new_game(REGISTRY, "tiny", tmp_path, full=True)
    assert "11 passed" in own_tests(tmp_path)


@pytest.mark.thorough("the test before runs its tests; those of the example game install and play")
def test_a_new_game_passes_its_own_tests_and_plays_where_it_is_installed(
    tmp_path, pip_install, preloaded
):
    project, site = tmp_path / "project", tmp_path / "site"
    written = new_game(REGISTRY, "my-First-game", project, full=True)
    assert sorted(str(path.relative_to(project)) for path in written) == [
        ".gitignore",
        "README.md",
        *(
            f"my_first_game/{part}.py"
            for part in (
                "__init__", "actions", "cases", "game", "notation", "observation", "plugin",
                "render", "resample", "rulesets", "situation", "state",
            )
        ),
        "pyproject.toml",
        "tests/cases.json",
        "tests/test_my_first_game.py",
    ]  # fmt: skip
    assert "11 passed" in own_tests(project)
    pip_install(project, site)
    (tmp_path / "caller.py").write_text(CALLER)

    def arena(*words: str) -> str:
        code, out, err = preloaded.run(words, tmp_path, {"PYTHONPATH": str(site)})
        assert code == 0, out + err
        return out

    checked = arena("check", "game", "my-First-game", "--redeals", "500")
    assert "scenes that show nothing hidden" in checked
    assert checked.endswith("\npassed\n")
    cases = project / "tests" / "cases.json"
    assert arena("check", "cases", str(cases)) == "8 passed, 0 failed\n"
    field = "--game", "my-First-game", "--bot", "caller.py", "--bot", "random", "--games", "4"
    shown = arena("tournament", "run", *field, "--db", "sqlite:///mine.db")
    assert "Adjudicated losses: none." in shown
    replayed = arena("replay", "1.1.1.4", "--verify", "--db", "sqlite:///mine.db")
    assert replayed.startswith("verified")

    arena("new", "bot", "chancer", "--game", "my-First-game")
    assert "2 passed" in own_tests(tmp_path / "chancer", site)
    assert arena("check", "bot", "chancer/chancer.py", "--game", "my-First-game")


@pytest.mark.parametrize("name", ["game", "state", "cases", "chance", "x"])
def test_the_classes_of_a_game_never_take_a_name_that_the_files_import(tmp_path, name):
    full, one = tmp_path / "full", tmp_path / "one"
    for path in (*new_game(REGISTRY, name, full, full=True), *new_game(REGISTRY, name, one)):
        if path.suffix == ".py":
            compile(path.read_text(), path.name, "exec")
    module = (full / name / "game.py").read_text()
    assert f"class {name.capitalize()}Game(Game[{name.capitalize()}Rules, " in module
    assert f"class {name.capitalize()}Game(Game):" in (one / f"{name}.py").read_text()


@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
@pytest.mark.parametrize("name", ["bot", "action", "pazaak", "card", "x"])
def test_a_class_never_takes_a_name_that_the_files_import(tmp_path, name, game):
    new_bot(REGISTRY, name, tmp_path, game)
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
        ("class", "'class' is a word of the language; choose another name"),
        ("random", "would hide the module 'random'"),
        ("pytest", "would hide the module 'pytest'"),
        ("Arena", "would hide the module 'arena'"),
    ],
)
@pytest.mark.parametrize(("write", "kind"), [(new_bot, "bot"), (new_game, "game")])
def test_a_name_that_cannot_work_is_refused_and_nothing_written(tmp_path, name, says, write, kind):
    folder = tmp_path / "project"
    with pytest.raises(BadInput, match=says) as refused:
        write(REGISTRY, name, folder)
    assert kind in str(refused.value)
    assert not folder.exists()


@pytest.mark.parametrize(("write", "name"), [(new_bot, "stand"), (new_game, "sabacc")])
def test_a_name_that_is_taken_is_refused(tmp_path, write, name):
    with pytest.raises(BadInput, match=f"there is a (bot|game) '{name}' already"):
        write(REGISTRY, name, tmp_path / "project")


WRITERS = pytest.mark.parametrize("write", [new_bot, new_game])


@WRITERS
def test_a_folder_with_anything_in_it_is_left_as_it_is(tmp_path, write):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="is not empty; nothing was written"):
        write(REGISTRY, "fresh", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@WRITERS
def test_a_folder_that_cannot_be_made_is_one_line(tmp_path, write):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"cannot write the project in .*Not a directory"):
        write(REGISTRY, "fresh", tmp_path / "file" / "project")


def test_an_unknown_game_names_the_choices(tmp_path):
    with pytest.raises(UnknownName, match="game 'chess'; choices: pazaak, sabacc"):
        new_bot(REGISTRY, "fresh", tmp_path, game="chess")


def test_a_project_in_another_language_passes_its_own_tests(tmp_path):
    written = new_bot(REGISTRY, "9-lives", tmp_path / "new", language="javascript")
    assert sorted(str(path.relative_to(tmp_path / "new")) for path in written) == [
        ".gitignore",
        "README.md",
        "bot.js",
        "pyproject.toml",
        "tests/test_bot.py",
    ]
    assert "1 passed" in own_tests(tmp_path / "new")


@pytest.mark.parametrize("language", LANGUAGES, ids=[each.name for each in LANGUAGES])
@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
def test_a_project_in_a_language_can_be_read_and_has_no_trace_of_others(tmp_path, language, game):
    written = new_bot(REGISTRY, "class", tmp_path / "new", game, language.name)
    package = read_package(str(tmp_path / "new"))
    assert (package.name, package.games, package.language) == ("class", (game,), language.name)
    assert package.command == language.command
    assert package.build == ((language.build,) if language.build else ())
    text = "".join(path.read_text() for path in written)
    assert not [mark for mark in ("$", "@pazaak", "@other") if mark in text]
    assert ("good total" in text) is (game == "pazaak")


@pytest.mark.parametrize(
    ("name", "language", "says"),
    [
        ("new", "cobol", "unknown language 'cobol'; choices: c, cpp, go, java, javascript, python"),
        ("new", "cp", "did you mean c"),
        ("no name", "c", "cannot name a distribution"),
        ("stand", "c", "there is a bot 'stand' already"),
    ],
)
def test_a_project_that_cannot_be_in_a_language_is_refused(tmp_path, name, language, says):
    with pytest.raises(BadInput, match=says):
        new_bot(REGISTRY, name, tmp_path / "new", language=language)
    assert not (tmp_path / "new").exists()
