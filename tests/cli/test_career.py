"""``arena career`` from the command line."""

from __future__ import annotations

import json

import pytest

from arena.cli.terminal import screens


@pytest.fixture
def begun(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("--seed", "5", "--skill", "100", "--cheats", "--db", tmp_path / "a.db")
    answer = arena("career", "new", "me.json", *words)
    assert answer.code == 0, answer.err
    return answer


def test_a_career_begins_with_its_rivals(begun):
    lines = begun.out.splitlines()
    assert lines[:2] == [
        "human, standard(cheats=true,skill=100)",
        "Purse 100, level 1; open to you: novice (50)",
    ]
    assert [line.split() for line in lines if "novice" in line][-1] == [
        "1",
        "novice",
        "50",
        "20",
        "open",
    ]


def test_an_unimportant_game_needs_no_terminal(arena, begun):
    answer = arena("career", "play", "me.json", "novice", "--wager", "20", "--roll")
    assert (answer.code, answer.err) == (0, "")
    *_, result, standing = answer.out.splitlines()
    assert result == "You win 20 credits"
    assert standing == "Purse 120, level 1; open to you: novice (30)"
    document = json.loads(arena("career", "show", "me.json", "-o", "json").out)
    assert (document["purse"], document["level"], document["stake"]) == (120, 1, None)
    assert document["matches"] == [
        {
            "match": "1.1.1.1", "rival": "novice", "wager": 20, "roll": True, "result": "won",
            "purse": 120, "why": "",
        }
    ]  # fmt: skip
    shown = arena("career", "show", "me.json").out
    assert "1.1.1.1" in shown
    replayed = arena("replay", "1.1.1.1", "--db", document["database"]).out
    assert "human: succeeds in the roll of skill" in replayed
    verified = arena("tournament", "verify", "1", "--db", document["database"])
    assert (verified.code, "1 re-executed" in verified.out) == (0, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("play me.json novice --wager 51 --roll", "a wager of 51 is not within both purses"),
        ("play me.json good --wager 1 --roll", "good is of level 6, and you are of level 1"),
        ("play me.json who --wager 1 --roll", "unknown rival 'who'; choices: novice"),
        ("play none.json novice --wager 1 --roll", "there is no career none.json; begin it:"),
        ("show none.json", "there is no career none.json; begin it: arena career new none.json"),
        ("new me.json", "me.json exists already; name another file"),
        ("new me2.json --skill 200", "skill is a chance in per cent, 0 to 100"),
        ("new me2.json --purse 0", "a career begins with 1 credit or more, not 0"),
        ("play me.json novice --wager 5", "arena career play needs a terminal"),
    ],
)
def test_bad_input_is_one_line(arena, begun, words, says):
    answer = arena("career", *words.split())
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_bad_side_deck_is_refused_before_the_screen(arena, begun, monkeypatch):
    monkeypatch.setattr(screens, "_on_terminal", lambda: True)
    answer = arena("career", "play", "me.json", "novice", "--wager", "5", "--loadout", "+9")
    assert (answer.code, answer.out) == (2, "")
    assert "no side deck '+9'" in answer.err
