"""``arena submit``: entries, refusals with their reasons, and no trace of a refusal."""

from __future__ import annotations

import json
import shutil
import zipfile
from contextlib import contextmanager

import pytest
from arena_results.bots.submissions import submissions
from arena_results.file.database import open_database

from arena import open_database as open_results
from arena.core.errors import BadInput, BadPlugin
from arena.service.bots import qualify
from arena.service.lookup.refusals import refusal_of
from tests.cli.submitting import CAREFUL, COUNTING, SORE, Command, command, trust

pytestmark = pytest.mark.usefixtures("shallow_search")
PROJECT = """
[project]
name = "arena-bot-careful"
version = "2.0"
dependencies = ["arena-harness"{more}]
[project.entry-points."arena.bots"]
{name} = "careful:Careful"
"""


@pytest.fixture
def arena(monkeypatch, tmp_path) -> Command:
    trust(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    return command()


@pytest.fixture
def bot(tmp_path):
    """Writes a bot file; gives its path."""

    def write(code=CAREFUL, name="careful.py"):
        (tmp_path / name).write_text(code)
        return tmp_path / name

    return write


def stored(tmp_path) -> list[str]:
    """The stored submissions; empty without a database."""
    if not (tmp_path / "arena.db").exists():
        return []
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        return [f"{each.spelling} {each.content} {each.status}" for each in submissions(database)]


def test_a_bot_that_qualifies_is_entered_and_its_results_are_shown(arena, bot, tmp_path):
    answer = arena("submit", bot())
    assert answer.code == 0
    assert answer.out.startswith("careful 1.0 (python, MIT, by Ann; 1 file, content ")
    against = [line.split()[1] for line in answer.out.splitlines() if line.startswith(" pazaak")]
    assert against == ["random", "stand", "counter", "hand-saver", "optimal", "search"]
    assert answer.out.endswith("careful 1.0 is entered\n")
    assert "Qualifying careful 1.0 for pazaak: 20 matches against random" in answer.err
    assert "Next: arena match careful random\n" in answer.err
    assert len(stored(tmp_path)) == 1


def test_the_document_of_an_entry_has_the_results_of_the_check(arena, bot):
    answer = arena("submit", bot(), "-o", "json")
    document = json.loads(answer.out)
    assert (document["status"], document["name"], document["version"]) == (
        "entered", "careful", "1.0"
    )  # fmt: skip
    assert document["files"] == ["careful.py"]
    against = document["report"]["pazaak"]["against"]
    assert against["random"] == {
        "matches": 20, "points": against["random"]["points"], "deterministic": True,
        "isolation": "trusted",
    }  # fmt: skip
    assert (document["failures"], document["refusal"], document["error"]) == ([], "", "")


def test_submitting_the_same_bot_again_changes_nothing_and_is_reported(arena, bot, tmp_path):
    arena("submit", bot())
    before = stored(tmp_path)
    answer = arena("submit", bot())
    assert answer.code == 0
    assert "careful@1.0 is in the registry already with this content; nothing was" in answer.out
    document = json.loads(arena("submit", bot(), "-o", "json").out)
    assert (document["status"], list(document["report"])) == ("unchanged", ["pazaak"])
    assert stored(tmp_path) == before


def test_the_same_version_with_other_content_is_refused(arena, bot, tmp_path):
    arena("submit", bot())
    before = stored(tmp_path)
    answer = arena("submit", bot(CAREFUL + "# better\n"))
    assert answer.code == 2
    assert "careful@1.0 is in the registry with other content" in answer.err
    assert answer.err.endswith("; give the changed bot a new version\n")
    assert stored(tmp_path) == before


def test_a_new_version_is_stored_with_the_old_one(arena, bot, tmp_path):
    arena("submit", bot())
    answer = arena("submit", bot(CAREFUL.replace("1.0", "1.1")))
    assert answer.code == 0
    assert "Compared with the last version: not yet known: no matches; it takes about" in answer.out
    assert "Compare them: arena compare careful@1.0 careful@1.1" in answer.err
    assert [each.split()[0] for each in stored(tmp_path)] == ["careful@1.0", "careful@1.1"]


def test_a_bot_without_a_version_is_numbered(arena, bot, tmp_path):
    code = CAREFUL.replace("__version__", "__no_version__")
    for more in ("", "# again\n", ""):
        assert arena("submit", bot(code + more)).code == 0
    assert [each.split()[0] for each in stored(tmp_path)] == ["careful@1", "careful@2"]


def test_a_folder_and_a_wheel_are_taken(arena, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PROJECT.format(name="bold", more=""))
    (folder / "careful.py").write_text(CAREFUL)
    assert arena("submit", folder).code == 0
    with zipfile.ZipFile(tmp_path / "brave-3.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("careful.py", CAREFUL)
        wheel.writestr("brave-3.0.dist-info/METADATA", "Name: brave\nVersion: 3.0\n")
        entry = "[arena.bots]\nbrave = careful:Careful\n"
        wheel.writestr("brave-3.0.dist-info/entry_points.txt", entry)
    assert arena("submit", "brave-3.0-py3-none-any.whl").code == 0
    assert [each.split()[0] for each in stored(tmp_path)] == ["bold@2.0", "brave@3.0"]


def test_a_bot_that_breaks_a_match_is_refused_with_position_and_reason(arena, bot, tmp_path):
    answer = arena("submit", bot(SORE))
    assert answer.code == 1
    assert "against random it broke 3 of 3 matches of pazaak, standard" in answer.out
    assert "your hand: " in answer.out  # the position
    assert 'File "careful.py", line 11, in act' in answer.out  # of no folder of ours
    assert "ValueError: ?[2J I am sore" in answer.out  # it cannot write on the terminal
    assert answer.out.endswith("careful 1.0 was NOT entered\n")
    assert "stand" not in answer.out.splitlines()[-2]
    assert stored(tmp_path) == []


def test_the_document_of_a_refusal_is_the_same_every_time(arena, bot):
    answers = [arena("submit", bot(SORE), "--seed", "3", "-o", "json") for _ in range(2)]
    assert {answer.code for answer in answers} == {1}
    assert answers[0].out == answers[1].out
    document = json.loads(answers[0].out)
    assert document["status"] == "refused"
    assert [failure["cause"] for failure in document["failures"]] == ["crash"] * 3
    assert {failure["opponent"] for failure in document["failures"]} == {"random"}


def test_a_bot_that_breaks_only_against_a_house_bot_is_refused(arena, bot, tmp_path):
    code = COUNTING.replace(
        "        return", "        if self.number > 41: raise LookupError('tired')\n        return"
    )
    answer = arena("submit", bot(code), "-o", "json")
    assert answer.code == 1
    failures = json.loads(answer.out)["failures"]
    assert {(each["opponent"], each["reason"]) for each in failures} == {("stand", "LookupError")}
    assert stored(tmp_path) == []


def test_whoever_enters_a_refused_bot_reads_that_and_why(arena, bot, tmp_path):
    arena("submit", bot(SORE))
    with open_database(f"sqlite:///{tmp_path}/arena.db", create=False) as database:
        refused = refusal_of(database, "careful@1.0(at=3) with hard")
        assert refusal_of(database, "carefull") is None
    assert refused is not None
    error = str(refused.error())
    assert error.startswith("bot careful 1.0 was submitted at ")
    assert "UTC and refused: pazaak, against random: crash: ValueError: " in error
    assert "(careful.py, line 11)" in error
    command = "arena bots show careful@1.0"
    assert f"see all of it with {command}" in error
    shown = arena(*command.split()[1:])
    assert shown.code == 0
    assert 'File "careful.py", line 11, in act' in shown.out
    assert json.loads(arena("bots", "show", "careful", "-o", "json").out)["status"] == "refused"
    with open_results(tmp_path / "arena.db") as results:
        with pytest.raises(BadInput, match="and refused: pazaak, against random: crash: ValueE"):
            results.run(["careful", "random"], games=2)
        assert results.bot("careful")["status"] == "refused"


def test_a_bot_that_cannot_be_started_shows_its_traceback_and_its_log(arena, bot, monkeypatch):
    @contextmanager
    def refusing(settings, field):
        error = BadPlugin("bot careful cannot be imported: ModuleNotFoundError: 'torch'")
        error.add_note("Traceback ...")
        error.add_note("it printed\x07 this")
        raise error
        yield

    monkeypatch.setattr(qualify, "open_driver", refusing)
    answer = arena("submit", bot())
    assert answer.code == 1
    assert "pazaak: bot careful cannot be imported: ModuleNotFoundError: 'torch'\n" in answer.out
    assert "Traceback ...\nit printed? this\n" in answer.out
    document = json.loads(arena("submit", bot(), "-o", "json").out)
    assert document["refusal"].startswith("bot careful cannot be imported")
    assert document["error"].startswith("Traceback ...")


def test_randomness_of_its_own_costs_a_bot_only_the_badge(arena, bot):
    code = COUNTING.replace("legal_actions[0]", "legal_actions[self.number % 2]")
    answer = arena("submit", bot(code), "-o", "json")
    assert answer.code == 0
    assert json.loads(answer.out)["report"]["pazaak"]["against"]["random"]["deterministic"] is False
    assert "deterministic  no" in arena("bots", "show", "careful").out


@pytest.mark.thorough("tests/plugins reads what a submission declares")
def test_games_are_the_declared_or_the_requested_ones(arena, bot):
    silent = bot(CAREFUL.replace("games", "plays"))
    answer = arena("submit", silent)
    assert answer.code == 2
    assert "does not say which games it plays; add --game with one of: pazaak, sabacc" in answer.err
    both = CAREFUL.replace('("pazaak",)', '("pazaak", "sabacc")')
    document = json.loads(arena("submit", bot(both), "--game", "sabacc", "-o", "json").out)
    assert list(document["report"]) == ["sabacc"]
    answer = arena("submit", bot(both))
    assert answer.code == 2
    assert "was entered for sabacc; to enter it for pazaak too, give it a new version" in answer.err


def test_a_stored_bot_keeps_its_games_in_later_submissions(arena, bot):
    silent = bot(CAREFUL.replace("games", "plays"))
    assert arena("submit", silent, "--game", "pazaak").code == 0
    assert "nothing was changed" in arena("submit", silent).out


def test_an_installed_project_may_be_submitted_under_its_name(arena, tmp_path, monkeypatch):
    """As after ``arena new bot`` and ``pip install -e .``: the same class has that name already."""
    project = tmp_path / "careful"
    project.mkdir()
    (project / "careful.py").write_text(CAREFUL)
    entry = '"arena.bots"]\ncareful = "careful:Careful"\n'
    (project / "pyproject.toml").write_text(
        f"[project]\nname = 'careful'\nversion = '1.0'\n[project.entry-points.{entry}"
    )
    about = tmp_path / "site" / "careful-1.0.dist-info"

    def install(module: str) -> None:
        shutil.rmtree(about, ignore_errors=True)
        about.mkdir(parents=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: careful\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[arena.bots]\ncareful = {module}:Careful\n")

    install("careful")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    answer = arena("submit", project, "--game", "pazaak")
    assert answer.code == 0, answer.err
    assert "Next: arena match careful@1.0 random" in answer.err
    install("other")
    answer = arena("submit", project, "--game", "pazaak")
    assert answer.code == 2
    assert "the name careful is taken: it is installed with careful" in answer.err


BAD = {
    "an unknown game": ((CAREFUL.replace("pazaak", "chess"),), "unknown game 'chess'; choices: p"),
    "a game it does not play": ((CAREFUL, "--game", "sabacc"), "careful plays pazaak, not sabacc"),
    "a house bot's name": ((CAREFUL, "--name", "stand"), "the name stand is taken: it is a built"),
    "what is not installed": ((CAREFUL, "--allow", "no-such"), "no-such is allowed but not instal"),
    "no bot": (("x = 1",), "holds no class that derives from arena.Bot"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(arena, bot, tmp_path, what):
    (code, *words), reason = BAD[what]
    answer = arena("submit", bot(code), *words)
    assert (answer.code, answer.out) == (2, "")
    assert reason in answer.err
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "arena.db").exists()


def test_broken_archives_and_missing_programs_leave_nothing(arena, tmp_path):
    (tmp_path / "broken.whl").write_bytes(b"PK\x03\x04 no archive")
    with zipfile.ZipFile(tmp_path / "escape.whl", "w") as wheel:
        wheel.writestr("../../escaped.py", "x")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pyproject.toml").write_text(
        "[project]\nname = 'mine'\nversion = '1'\n[tool.arena.bot]\n"
        "command = ['no-such-language', 'x']\ngames = ['pazaak']\n"
    )
    for path, reason in (
        ("broken.whl", "unreadable archive"),
        ("escape.whl", "holds '../../escaped.py', a path that leads out of it"),
        ("mine", "needs the program 'no-such-language', which is not installed here"),
        ("none.py", "there is no none.py"),
    ):
        answer = arena("submit", path)
        assert (answer.code, answer.out) == (2, "")
        assert reason in answer.err
    assert not (tmp_path / "arena.db").exists()


def test_a_dependency_must_be_allowed(arena, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PROJECT.format(name="mine", more=', "numpy>=1"'))
    (folder / "careful.py").write_text(f"import numpy\n{CAREFUL}")
    answer = arena("submit", folder)
    assert answer.code == 2
    assert "bot mine requires numpy, which is not allowed; to allow it add --allow numpy" in (
        answer.err
    )
    assert arena("submit", folder, "--allow", "numpy").code == 0


def test_no_code_of_a_bot_runs_outside_its_confined_process(arena, bot, tmp_path, monkeypatch):
    """Reading, checking and looking up run none of its code; only the driver does."""
    marker = tmp_path / "it-ran"
    reached = []

    @contextmanager
    def refusing(settings, field):
        reached.append(marker.exists())
        raise BadPlugin("enough")
        yield

    monkeypatch.setattr(qualify, "open_driver", refusing)
    arena("submit", bot(f"open({str(marker)!r}, 'w')\n{CAREFUL}"))
    assert reached == [False]
    assert not marker.exists()


def test_the_seed_of_a_qualification_is_drawn_printed_and_can_be_given(arena, bot, monkeypatch):
    asked = []
    real = qualify.check_bot

    def noted(driver, game, ruleset, matches, seed):
        asked.append(seed)
        return real(driver, game, ruleset, matches, seed)

    monkeypatch.setattr(qualify, "check_bot", noted)
    for number, words in enumerate(((), (), ("--seed", "7"))):
        asked.clear()
        code = CAREFUL.replace('"1.0"', f'"1.{number}"')
        answer = arena("submit", bot(code), *words)
        assert answer.code == 0
        (seed,) = set(asked)
        assert f"; seed {seed}\n" in answer.err
        if words:
            assert seed == 7
        else:
            assert seed > 1_000  # of 2**53
