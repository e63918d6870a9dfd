"""``arena reask``: a bot is asked the stored decisions of another one."""

from __future__ import annotations

import json
import re

import pytest

import arena as api
from tests.endpoints.runs import write_endpoint

BOT = """
from arena import Bot

class Mine(Bot):
    seen = []

    def act(self, observation):
        self.seen = [*self.seen, observation.history]
        assert all(later.startswith(earlier) for earlier, later in zip(self.seen, self.seen[1:]))
        if len(self.seen) > {most}:
            raise ValueError("enough")
        end_turn, stand, *plays = observation.legal_actions
        return stand if observation.total >= 15 else end_turn
"""


def asked(arena, stored, *words):
    answer = arena("reask", *words, "--against", "1", "-o", "json", "--db", stored)
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def moments(arena, stored, match):
    replay = json.loads(arena("replay", match, "-o", "json", "--db", stored).out)
    return replay["moments"]


def test_the_same_rule_decides_the_same(arena, stored):
    found = asked(arena, stored, "stand(at=17)")
    assert (found["bot"], found["old"]) == ("stand@0.1.0(at=17)", "stand@1.0(at=17)")
    assert found["same"] == found["decisions"] > 20
    assert (found["changes"], found["failed"], found["more"]) == ([], [], False)


def test_what_it_would_do_otherwise_is_listed_with_its_worth(arena, stored):
    found = asked(arena, stored, "stand(at=15)", "--bot", "stand(at=17)")
    assert found["changes"]
    assert found["same"] + len(found["changes"]) == found["decisions"]
    assert found["by"] == "pazaak-own-hand 1"
    for each in found["changes"]:
        moment = moments(arena, stored, each["match"])[each["move"]]
        assert (moment["seat"], moment["action"]) == (each["seat"], each["then"])
        assert (each["then"], each["now"]) == ("end turn", "stand")
        assert each["replay"] == f"arena replay {each['match']} --move {each['move']}"
    known = [each["change"] for each in found["changes"] if each["change"] is not None]
    assert found["change"] == pytest.approx(sum(known))
    assert found["evaluated"] == len(known)


def test_a_confined_bot_sees_the_history_of_every_match(arena, stored, tmp_path):
    (tmp_path / "mine.py").write_text(BOT.format(most=1000))
    found = asked(arena, stored, tmp_path / "mine.py", "--bot", "stand@1.0*", "--matches", "2")
    assert (found["matches"], found["more"], found["failed"]) == (2, True, [])
    inline = asked(arena, stored, "stand(at=15)", "--bot", "stand@1.0*", "--matches", "2")
    for document in (found, inline):
        del document["bot"]
    assert found == inline


def test_a_fault_ends_a_match_and_is_reported(arena, stored, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(BOT.format(most=2))
    words = (
        "reask",
        path,
        "--against",
        "1",
        "--bot",
        "stand(at=17)",
        "--trust",
        path,
        "--db",
        stored,
    )
    answer = arena(*words)
    assert re.search(
        r"^failed in match 1\.1\.1\.\d at move \d+: crash \(ValueError\)$", answer.out, re.M
    )
    assert re.search(r"^same: \d+|^the same: \d+, different: \d+$", answer.out, re.M)
    found = json.loads(arena(*words, "-o", "json").out)
    assert {each["cause"] for each in found["failed"]} == {"crash"}
    assert found["decisions"] <= 2 * found["matches"]


def test_from_python_a_class_is_asked(stored):
    class Stands(api.Bot):
        def act(self, observation):
            return observation.legal_actions[1]

    with api.open_database(stored) as db:
        found = db.tournament(1).reask(Stands, "random", matches=1)
    assert found.bot.startswith("Stands@")
    assert {each.now for each in found.changes} == {"stand"}


def test_what_does_not_go_is_refused_in_a_line(arena, stored, tmp_path):
    write_endpoint(tmp_path, "http://127.0.0.1:9/v1/chat/completions")
    model = "gpt: a language model is asked no stored decisions, as it answers differently each"
    for words, error in (
        ((str(tmp_path / "gpt.toml"), "--against", "1", "--bot", "random"), model),
        (("counter", "--against", "1"), "unknown bot 'counter' of tournament 1; choices: "),
        (("counter", "--against", "9", "--bot", "random"), "unknown tournament '9'; choices: 1, 2"),
        (("nobody", "--against", "1"), "unknown bot 'nobody'; choices: "),
        (("counter", "--against", "1", "--bot", "*"), "'*' is "),
        (("counter", "--against", "1", "--bot", "late"), "late has no decisions in tournament 1"),
    ):
        answer = arena("reask", *words, "--db", stored)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith(f"arena: {error}")
        assert answer.err.count("\n") == 1
