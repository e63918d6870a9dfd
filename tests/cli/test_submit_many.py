"""Many submissions at once: each is taken or refused on its own."""

from __future__ import annotations

import json
import os
import zipfile

import pytest
from arena_results.bots.submissions import submissions
from arena_results.file.database import open_database

import arena as api
from arena.host.process.launch import MatchSettings
from arena.plugins.submissions.submission import read_package
from arena.service.bots import qualify
from arena.service.bots import submit as submit_module
from tests.cli.submitting import CAREFUL, SORE, Command, command, trust

pytestmark = pytest.mark.usefixtures("shallow_search")
NAMELESS = CAREFUL.replace('__version__ = "1.0"\n', "")
PROJECT = """
[project]
name = "arena-bot-careful"
version = "2.0"
[project.entry-points."arena.bots"]
zipped = "careful:Careful"
"""


@pytest.fixture
def arena(monkeypatch, tmp_path) -> Command:
    """The command line in a folder with good bots and bad ones."""
    trust(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    for name, code in {"good": CAREFUL, "sore": SORE, "broken": "def", "other": CAREFUL}.items():
        (tmp_path / f"{name}.py").write_text(code)
    with zipfile.ZipFile("team.zip", "w") as archive:
        archive.writestr("team/pyproject.toml", PROJECT)
        archive.writestr("team/careful.py", CAREFUL)
    return command()


def stored(tmp_path) -> list[str]:
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        return [each.spelling for each in submissions(database)]


def test_a_bad_one_does_not_stop_the_others_and_all_are_in_a_table(arena, tmp_path):
    answer = arena("submit", "sore.py", "good.py", "broken.py", "none.py", "team.zip", "good.py")
    assert answer.code == 1
    assert stored(tmp_path) == ["good@1.0", "zipped@2.0"]
    rows = {line.split()[0]: line.split() for line in answer.out.splitlines() if " " in line}
    assert rows["good.py"][1:4] == ["good", "1.0", "unchanged"]
    assert rows["team.zip"][1:4] == ["zipped", "2.0", "entered"]
    assert rows["sore.py"][1:4] == ["sore", "1.0", "refused"]
    assert "pazaak, against random: crash: ValueError: " in " ".join(rows["sore.py"])
    assert "(sore.py, line " in " ".join(rows["sore.py"])
    assert "is not valid Python" in " ".join(rows["broken.py"])
    assert "there is no none.py" in " ".join(rows["none.py"])
    assert answer.out.endswith("3 accepted, 3 refused\n")
    assert "sore.py: refused (1 of 6)\n" in answer.err
    assert "\x1b" not in answer.out


def test_of_each_refused_one_many_print_what_one_prints(arena):
    one = arena("submit", "sore.py", "--seed", "3").out
    many = arena("submit", "sore.py", "good.py", "--seed", "3").out
    assert 'File "sore.py", line ' in one
    assert f"sore.py: {one}" in many


def test_the_document_of_many_is_a_list_of_those_of_one(arena):
    many = arena("submit", "good.py", "sore.py", "none.py", "--seed", "3", "-o", "json")
    assert many.code == 1
    good, sore, missing = json.loads(many.out)
    assert [each.pop("path") for each in (good, sore)] == ["good.py", "sore.py"]
    one = json.loads(arena("submit", "good.py", "-o", "json").out)
    assert good == one | {"status": "entered"}
    assert sore == json.loads(arena("submit", "sore.py", "--seed", "3", "-o", "json").out)
    assert missing.keys() == {"path", *good}
    assert (missing["status"], missing["name"], missing["failures"]) == ("refused", None, [])
    assert missing["refusal"].startswith("there is no none.py")


def test_all_accepted_is_exit_code_0(arena):
    answer = arena("submit", "good.py", "other.py")
    assert answer.code == 0
    assert answer.out.endswith("2 accepted, 0 refused\n")


def test_two_authors_bots_of_one_name_are_no_versions_of_each_other(arena, tmp_path):
    for folder in ("ann", "bob"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(NAMELESS)
    answer = arena("submit", "ann/mine.py", "bob/mine.py", "-o", "json")
    assert answer.code == 1
    assert stored(tmp_path) == ["mine@1"]
    assert json.loads(answer.out)[1]["refusal"] == (
        "ann/mine.py is called mine, too; give this one another name with --name, or all the names "
        "of their archives or folders with --name-from path, or, if it is a new version of that, "
        "a version"
    )


def test_files_that_everybody_calls_alike_are_named_by_their_folders(arena, tmp_path):
    for folder, file in {"ann": "bot.py", "bob": "Agent.py", "Zoë": "main.py"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).write_text(NAMELESS)
    answer = arena("submit", "ann/bot.py", "bob", "Zoë")
    assert answer.code == 0, answer.out
    assert stored(tmp_path) == ["ann@1", "bob@1", "Zoe@1"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--name", "x"), "--name: expected one path; submit that bot alone"),
        (("--game", "chess"), "unknown game 'chess'"),
        (("--isolation", "trusted"), "isolation: submitted bots are never trusted"),
        (("--decision-seconds", "0"), "--decision-seconds: expected"),
    ],
)
def test_wrong_options_are_one_line_before_anything_is_played(arena, tmp_path, options, reason):
    answer = arena("submit", "good.py", "other.py", *options)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert reason in answer.err
    assert not (tmp_path / "arena.db").exists()


def test_a_bot_qualifies_within_the_time_limit_of_the_event(arena, monkeypatch):
    opened = qualify.open_driver
    limits = []

    def noting(settings: MatchSettings, field):
        limits.append((settings.limits.decision_ns, settings.resources.decision_cpu_ns))
        return opened(settings, field)

    monkeypatch.setattr(qualify, "open_driver", noting)
    assert arena("submit", "good.py", "--decision-seconds", "1.5").code == 0
    assert arena("submit", "other.py").code == 0
    assert limits == [(1_500_000_000,) * 2, (10_000_000_000,) * 2]


def test_many_are_submitted_from_python(arena, tmp_path):
    with api.open_database(tmp_path / "arena.db") as db:
        good, missing = db.submit([tmp_path / "good.py", "none.py"], seed=3, decision_seconds=5)
        assert (good["status"], missing["status"]) == ("entered", "refused")
        assert good["path"] == str(tmp_path / "good.py")
        assert db.submit("good.py")["status"] == "unchanged"
        (only,) = db.submit(["other.py"])
        assert only["status"] == "entered"
        with pytest.raises(api.BadInput, match="name: expected one path"):
            db.submit(["good.py"], name="x")
        with pytest.raises(api.BadInput, match="path: expected a text or a path, not 5"):
            db.submit([5])


def test_a_zip_archive_plays_a_match_like_its_folder(arena, tmp_path):
    with api.open_database(tmp_path / "arena.db") as db:
        with pytest.warns(UserWarning, match="CONFINED"):
            cup = db.match("team.zip", "random", games=2, isolation="process")
        assert {row["name"] for row in cup.standings()} == {"zipped", "random"}


HUGE = "0x" + "f" * 5000
ODD = {
    "huge.py": CAREFUL.replace('"pazaak"', HUGE),
    "digits.py": CAREFUL.replace('"pazaak"', "9" * 5000),
    "deep.py": "x = " + "-" * 9000 + "1\n" + CAREFUL,
    "nested.py": "x = " + "[" * 9000 + "]" * 9000 + "\n" + CAREFUL,
    "null.py": CAREFUL + "\0",
    "cookie.py": "# coding: rot13\n" + CAREFUL,
    "toml/pyproject.toml": PROJECT + f"x = {'9' * 5000}\n",
    "hex/pyproject.toml": PROJECT + f"x = {HUGE}\n",
    "brackets/pyproject.toml": PROJECT + "x = " + "[" * 9000 + "]" * 9000 + "\n",
    "dots/pyproject.toml": f"[{'.'.join('a' * 490)}]\n{'.'.join('b' * 490)}.c = {{d = [1]}}\n",
}


def test_what_no_reader_foresees_is_the_refusal_of_that_one_alone(arena, tmp_path):
    paths = []
    for name, text in ODD.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        paths.append(name.partition("/")[0])
    (tmp_path / "loop.zip").symlink_to("loop.zip")
    strange = os.fsdecode(b"na\xffme.py")
    (tmp_path / strange).write_text(CAREFUL)
    paths += ["loop.zip", strange, "x" * 5000 + ".py", "good.py"]
    answer = arena("submit", *paths, "-o", "json")
    rows = json.loads(answer.out)
    assert (answer.code, len(rows)) == (1, len(paths))
    assert [row["status"] for row in rows] == ["refused"] * (len(paths) - 1) + ["entered"]
    for row in rows[:-1]:
        assert row["refusal"].isprintable()
        assert "Arena failed" not in row["refusal"]
    assert "games of Careful: expected a list of names" in rows[0]["refusal"]
    assert "a number has too many digits" in rows[1]["refusal"]
    assert stored(tmp_path) == ["good@1.0"]


def test_a_fault_of_ours_does_not_end_the_others_submissions(arena, monkeypatch):
    def failing(typed, *names):
        if typed == "sore.py":
            raise KeyError("unforeseen")
        return read_package(typed, *names)

    monkeypatch.setattr(submit_module, "read_package", failing)
    rows = json.loads(arena("submit", "sore.py", "good.py", "-o", "json").out)
    assert [row["status"] for row in rows] == ["refused", "entered"]
    assert rows[0]["refusal"].startswith("Arena failed on it (KeyError: 'unforeseen')")
