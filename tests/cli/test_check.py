"""``arena check game|bot|cases``: verdicts as text, documents and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.games.pazaak.game import Pazaak

CASE = {
    "id": "P-1",
    "game": "pazaak",
    "variant": "standard",
    "given": {"players": {"A": {"table": [{"value": 9, "src": "deck"}]}}, "deck_top": [5]},
    "when": [{"do": "draw"}],
    "expect": {"total": {"A": 14}},
}
FAULTY = '''
from arena import Bot


class Faulty(Bot):
    """Raises at its second decision."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 2:
            raise ValueError("out of ideas")
        return observation.legal_actions[0]
'''


@pytest.fixture
def cases(tmp_path: Path):
    def write(*cases: object, name: str = "cases.json") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(cases))
        return path

    return write


def test_cases_that_pass_close_with_their_number(arena, cases):
    answer = arena("check", "cases", cases(CASE), cases(CASE, CASE, name="more.json"))
    assert (answer.code, answer.out) == (0, "3 passed, 0 failed\n")


def test_a_failing_case_is_named_with_expected_and_actual(arena, cases):
    wrong = CASE | {"id": "P-2", "expect": {"total": {"A": 15}}}
    answer = arena("check", "cases", cases(CASE, wrong))
    assert answer.code == 1
    first, *rest = answer.out.splitlines()
    assert first.startswith("FAILED P-2: total is ")
    assert rest == [
        '  expected {"total":{"A":15}}',
        '  actual   {"total":{"A":14}}',
        "1 passed, 1 failed",
    ]


def test_an_unknown_step_fails_its_case_by_name(arena, cases):
    answer = arena("check", "cases", cases(CASE | {"when": [{"do": "sing"}]}))
    assert answer.code == 1
    assert "sing" in answer.out.splitlines()[0]
    assert answer.out.endswith("\n0 passed, 1 failed\n")


def test_cases_as_a_document(arena, cases):
    answer = arena("check", "cases", cases(CASE), "-o", "json")
    (row,) = json.loads(answer.out)
    assert (row["id"], row["passed"], row["actual"]) == ("P-1", True, {"total": {"A": 14}})
    assert answer.err == "1 passed, 0 failed\n"


def test_unreadable_cases_are_bad_input_and_no_case_is_run(arena, cases, tmp_path):
    wrong = CASE | {"expect": {"total": {"A": 15}}}
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    for bad in (tmp_path / "none.json", broken, tmp_path):
        answer = arena("check", "cases", cases(wrong), bad)
        assert (answer.code, answer.out) == (2, "")
        assert str(bad) in answer.err


def test_a_game_that_keeps_its_promises_passes(arena):
    answer = arena("check", "game", "pazaak", "--redeals", "200", "--seed", "5")
    assert answer.code == 0
    assert answer.out.startswith("pazaak, standard: ")
    assert answer.out.endswith("\npassed\n")
    document = json.loads(
        arena("check", "game", "pazaak", "--ruleset", "wiki", "--redeals", "200", "-o", "json").out
    )
    assert (document["passed"], document["ruleset"], document["problems"]) == (True, "wiki", [])
    assert document["redeals"] >= 200


def test_a_game_that_leaks_fails_with_exit_code_1(arena, monkeypatch):
    def leak(self, observation, rng):
        raise LookupError("resample is broken")

    monkeypatch.setattr(Pazaak, "resample", leak)
    answer = arena("check", "game", "pazaak", "--redeals", "200")
    assert answer.code == 1
    assert "resample is broken" in answer.out
    assert answer.out.endswith("\nFAILED\n")
    document = json.loads(arena("check", "game", "pazaak", "-o", "json").out)
    assert not document["passed"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("game", "chess"), "unknown game 'chess'; choices: "),
        (("game", "pazaak", "--ruleset", "wild"), "unknown pazaak ruleset 'wild'; choices: "),
        (("game", "pazaak", "--redeals", "0"), "--redeals"),
        (("bot", "nobody"), "unknown bot 'nobody'; choices: "),
        (("bot", "stand(up=1)"), "unknown parameter 'up' of bot stand(up=1); choices: at"),
        (("bot", "stand(at=99)"), "at must be within 1..20"),
        (("bot", "stand", "--game", "chess"), "unknown game 'chess'"),
        (("bot", "stand", "--matches", "none"), "--matches"),
    ],
)
def test_bad_input_is_refused(arena, words, message):
    answer = arena("check", *words)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_a_sound_bot_passes_and_its_badges_are_shown(arena):
    answer = arena("check", "bot", "stand(at=18)", "--matches", "4")
    assert answer.code == 0
    assert answer.out.startswith("stand(at=18): ")
    assert "deterministic (same seeds, same play): yes" in answer.out
    assert answer.out.endswith("\npassed\n")


def test_the_document_of_a_bot_is_free_of_times(arena):
    first, again = (
        arena("check", "bot", "random", "--matches", "4", "-o", "json").out for _ in range(2)
    )
    assert first == again
    document = json.loads(first)
    assert (document["passed"], document["matches"], document["failures"]) == (True, 4, [])


def test_a_faulty_bot_fails_with_its_position_and_traceback(arena, tmp_path):
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    confined, trusted = (
        arena("check", "bot", file, "--matches", "4", *trust)
        for trust in ((), ("--trust", "faulty"))
    )
    for answer in (confined, trusted):
        assert answer.code == 1
        assert "crash: ValueError" in answer.out
        assert "your hand: " in answer.out
        assert answer.out.count("Traceback (most recent call last)") == 1
        assert "ValueError: out of ideas" in answer.out
        assert answer.out.endswith("\nFAILED\n")
    outside, inside = (
        [line for line in answer.out.splitlines() if not line.strip().startswith("isolation: ")]
        for answer in (confined, trusted)
    )
    assert outside == inside


def test_a_bot_of_another_game_is_refused_with_the_option_that_helps(arena, tmp_path):
    file = tmp_path / "hand.py"
    file.write_text(FAULTY.replace("    asked = 0", '    games = ("sabacc",)\n    asked = 0'))
    for words in (("check", "bot", file), ("match", file, "random", "--db", tmp_path / "a.db")):
        answer = arena(*words)
        assert answer.code == 2
        assert "bot hand plays sabacc, not pazaak; give --game sabacc\n" in answer.err
