"""``arena submit --letters``: a letter to each author, entered or refused."""

from __future__ import annotations

import json

import pytest

import arena as api
from arena.pages.letter import INDEX
from tests.cli.submitting import CAREFUL, SORE, Command, command, trust

pytestmark = pytest.mark.usefixtures("shallow_search")
RULE = CAREFUL.replace("observation.legal_actions[0]", "'pass'").replace('"Ann"', '"Bob"')
HOSTILE = '"../../\\x1b[2J\\nBcc: Ann"'


@pytest.fixture
def arena(monkeypatch, tmp_path) -> Command:
    """The command line in a folder with what was received."""
    trust(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    files = {
        "good": CAREFUL,
        "sore": SORE.replace("\\x1b[2J ", ""),
        "rule": RULE,
        "broken": "def",
        "needy": CAREFUL.replace('"Ann"', HOSTILE).replace('"pazaak"', '"chess"'),
    }
    (tmp_path / "received").mkdir()
    for name, code in files.items():
        (tmp_path / "received" / f"{name}.py").write_text(code)
    return command()


def paths(*names: str) -> list[str]:
    return [f"received/{name}.py" for name in names]


def letters_in(folder):
    return {each["file"]: each for each in json.loads((folder / INDEX).read_text("utf-8"))}


def test_each_author_gets_one_letter_and_the_answer_stays_the_same(arena, tmp_path):
    sent = [*paths("good", "sore", "rule", "broken", "needy"), "--seed", "3"]
    answer = arena("submit", *sent, "--letters", "letters", "--db", "one.db")
    plain = arena("submit", *sent, "--db", "two.db")
    assert (answer.code, answer.out) == (plain.code, plain.out) == (1, plain.out)
    assert answer.err == f"{plain.err}Wrote 4 letters to letters\n"
    found = letters_in(tmp_path / "letters")
    assert found.keys() == {"Ann.txt", "Bob.txt", "broken.py.txt", "2J-Bcc-Ann.txt"}
    assert {path.name for path in (tmp_path / "letters").iterdir()} == {INDEX, *found}
    assert [each["status"] for each in found["Ann.txt"]["submissions"]] == ["entered", "refused"]
    assert found["Ann.txt"]["subject"] == "your 2 bots: 1 entered, 1 refused"
    assert found["broken.py.txt"]["author"] is None
    assert found["2J-Bcc-Ann.txt"]["author"] == "../../?[2J Bcc: Ann"


def test_a_letter_has_the_cause_how_it_fared_and_what_to_do(arena, tmp_path):
    sent = paths("good", "sore", "rule")
    arena("submit", *sent, "--letters", "letters", "--seed", "3")
    found = letters_in(tmp_path / "letters")
    good, sore = found["Ann.txt"]["submissions"]
    assert (good["cause"], good["reason"], good["warnings"]) == ("", "", [])
    assert [row["faults"] for row in good["checks"]] == [0] * len(good["checks"])
    assert good["checks"][0]["against"] == "random"
    assert good["checks"][0]["matches"] == 20
    assert all(row["decision_ms"] >= 0 for row in good["checks"])
    assert "ValueError: I am sore" in sore["reason"]
    assert 'File "sore.py", line ' in sore["cause"]
    assert [(row["matches"], row["faults"]) for row in sore["checks"]] == [(3, 3)]
    text = (tmp_path / "letters" / "Ann.txt").read_text("utf-8")
    assert text.startswith("To: Ann\nSubject: your 2 bots: 1 entered, 1 refused\n\nHello Ann,\n")
    assert "sore 1.0 is NOT entered" in text
    assert "  ValueError: I am sore\n" in text
    assert "  arena check bot sore.py\n" in text
    (rule,) = found["Bob.txt"]["submissions"]
    assert rule["reason"].startswith("pazaak, against random: illegal action: ")
    everything = "".join(path.read_text("utf-8") for path in (tmp_path / "letters").iterdir())
    assert str(tmp_path) not in everything
    assert "received" not in everything
    assert "sore" not in json.dumps(found["Bob.txt"])


def test_known_content_is_said_to_be_entered_already(arena, tmp_path):
    assert arena("submit", *paths("good")).code == 0
    answer = arena("submit", *paths("good"), "--letters", "letters")
    assert answer.code == 0
    (letter,) = letters_in(tmp_path / "letters").values()
    assert letter["subject"] == "good 1.0 is entered already"
    assert [row["decision_ms"] for row in letter["submissions"][0]["checks"]][:1] == [None]
    assert "decision" not in letter["text"]


def test_a_letter_names_no_file_of_another_author(arena, tmp_path):
    nameless = CAREFUL.replace('__version__ = "1.0"\n', "")
    for folder in ("ann", "bob"):
        (tmp_path / folder).mkdir()
        code = nameless.replace('"Ann"', f'"{folder}"')
        (tmp_path / folder / "mine.py").write_text(code)
    arena("submit", "ann/mine.py", "bob/mine.py", "--letters", "letters")
    letter = letters_in(tmp_path / "letters")["bob.txt"]
    assert letter["submissions"][0]["reason"].startswith("another bot is called mine, too; ")
    assert "ann" not in json.dumps(letter)


def test_a_refusal_by_an_error_has_its_letter_and_the_error_stays(arena, tmp_path):
    answer = arena("submit", *paths("needy"), "--letters", "letters")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.splitlines() == [
        "Wrote 1 letter to letters",
        *arena("submit", *paths("needy")).err.splitlines(),
    ]
    (letter,) = letters_in(tmp_path / "letters").values()
    assert letter["submissions"][0]["reason"].startswith("unknown game 'chess'")


def test_a_folder_with_anything_in_it_stays_as_it_is(arena, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "Ann.txt").write_text("mine")
    for sent in (paths("good"), paths("good", "rule")):
        answer = arena("submit", *sent, "--letters", "letters")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == (
            "arena: --letters letters: expected a new or empty folder; it holds 'Ann.txt'\n"
        )
    assert (tmp_path / "letters" / "Ann.txt").read_text() == "mine"
    assert not (tmp_path / "arena.db").exists()


def test_a_slow_bot_is_warned(arena, tmp_path):
    slow = CAREFUL.replace(
        "        return", "        import time; time.sleep(0.01)\n        return"
    )
    (tmp_path / "slow.py").write_text(slow)
    arena("submit", "slow.py", "--letters", "letters", "--decision-seconds", "0.002")
    (letter,) = letters_in(tmp_path / "letters").values()
    (about,) = letter["submissions"]
    assert about["status"] == "entered"  # the driver of these tests has no limits
    assert about["checks"][0]["decision_ms"] >= 5
    (warning,) = about["warnings"]
    assert warning.startswith("It is slow: against random")
    assert " ".join(letter["text"].split()).count(warning) == 1


def test_letters_are_written_from_python(arena, tmp_path):
    with api.open_database(tmp_path / "arena.db") as db:
        good, broken = db.submit(paths("good", "broken"), letters=tmp_path / "letters")
        assert (good["status"], broken["status"]) == ("entered", "refused")
        assert letters_in(tmp_path / "letters").keys() == {"Ann.txt", "broken.py.txt"}
        with pytest.raises(api.BadInput, match="is not valid Python"):
            db.submit("received/broken.py", letters=tmp_path / "more")
        assert letters_in(tmp_path / "more").keys() == {"broken.py.txt"}
        with pytest.raises(api.BadInput, match=r"letters='.*expected a new or empty folder"):
            db.submit("received/good.py", letters=tmp_path / "more")
