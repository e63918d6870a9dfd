"""The rule cases, and the runner that checks them.

``data/pazaak.json`` and ``data/sabacc.json`` are the shared lists of cases; ``data/*_more.json``
are ours, clause by clause of the rule books (each case's note names its clause, its seed the
source document), and so is ``data/pazaak_career.json`` for the extras of Pazaak's section 7.
"""

import copy
import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from arena.core.errors import BadInput
from arena.games.pazaak.cases.driver import STEPS
from arena.plugins.registry import Registry
from arena.testing import conformance
from arena.testing.conformance import CaseResult

DATA = Path(__file__).parent / "data"
FILES = ("pazaak", "sabacc", "pazaak_more", "sabacc_more", "pazaak_career")
LISTS = {name: json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")) for name in FILES}
DRIVERS = Registry().case_drivers()
run_case = partial(conformance.run_case, drivers=DRIVERS)
run_file = partial(conformance.run_file, drivers=DRIVERS)
CASES = [one for cases in LISTS.values() for one in cases]


def case(*steps: object, expect=None, given=None, **more: object):
    return {
        "id": "X",
        "game": "pazaak",
        "variant": "standard",
        "given": given or {},
        "when": [{"do": step} if isinstance(step, str) else step for step in steps],
        "expect": expect or {},
        **more,
    }


@pytest.mark.parametrize("one", CASES, ids=lambda one: one["id"])
def test_case(one):
    result = run_case(one)
    assert result.passed, result.detail
    assert result.id == one["id"]
    assert result.detail == ""


def test_there_are_at_least_so_many_cases():
    assert len(LISTS["pazaak"]) == 43
    assert len(LISTS["sabacc"]) == 72
    assert len(LISTS["pazaak_more"]) >= 60
    assert len(LISTS["sabacc_more"]) >= 300
    assert len(LISTS["pazaak_career"]) >= 50
    assert len({one["id"] for one in CASES}) == len(CASES)


def falsified(value):
    if isinstance(value, dict):
        return {key: falsified(part) for key, part in value.items()}
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 9
    if isinstance(value, list):
        return [*value, 99]
    return {"A": "B", "B": "A"}.get(value, "A")


def with_one_wrong(one):
    """Yields a case with each of its expectations falsified, one at a time."""
    for key, wanted in one["expect"].items():
        for part in wanted if isinstance(wanted, dict) else [None]:
            wrong = copy.deepcopy(one)
            if part is None:
                wrong["expect"][key] = falsified(wanted)
            else:
                wrong["expect"][key][part] = falsified(wanted[part])
            yield wrong


@pytest.mark.thorough("a longer list of the same kinds", everyday=["pazaak*", "sabacc"])
@pytest.mark.parametrize("name", LISTS)
def test_every_single_expectation_can_fail(name):
    for one in LISTS[name]:
        for wrong in with_one_wrong(one):
            result = run_case(wrong)
            assert not result.passed, wrong
            assert result.detail, wrong


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (case("fly"), "unknown step 'fly'; choices: build_main_deck"),
        (case({"do": "draw", "how": 1}), "unknown key 'how' of step draw"),
        (case(expect={"mood": 1}), "unknown expect key 'mood'; choices"),
        (case(given={"weather": 1}), "unknown given key 'weather'"),
        (case(given={"players": {"C": {}}}), "unknown player 'C'; choices: A, B"),
        (case(given={"players": {"A": {"mood": 1}}}), "unknown player key 'mood'"),
        (
            case(given={"players": {"A": {"table": [{"value": 1, "colour": 2}]}}}),
            "unknown key 'colour' of a card on a table",
        ),
        (
            case(given={"players": {"A": {"table": [{"value": 1, "src": "sleeve"}]}}}),
            "unknown src 'sleeve'; choices: deck, side",
        ),
        (case(given={"phase": "dusk"}), "unknown phase 'dusk'; choices: act, draw"),
        (case(given={"to_move": "C"}), "unknown player 'C' in to_move"),
        (case({"do": "draw", "by": "C"}), "unknown player 'C'"),
        (case(expect={"total": {"C": 1}}), "unknown player 'C'"),
        (case(options={"gravity": 1}), "unknown option 'gravity' of ruleset standard"),
        (case(options={"flip": "sideways"}), "sideways"),
        (case(variant="nosuch"), "unknown pazaak variant 'nosuch'"),
        (case(game="whist"), "unknown game 'whist'; choices: pazaak, pazaak-career, sabacc"),
        (case(game=None), "unknown game"),
        (case(mood="good"), "unknown case key 'mood'"),
        (case(given=[1]), "given is an object"),
        (case(expect=[1]), "expect is an object"),
        ({**case(), "when": "draw"}, "when is a list of steps"),
        ({**case(), "when": [{}]}, "does not say what to do"),
        ({**case(), "when": ["draw"]}, "a step is an object"),
        (case(given={"deck_top": "12"}), "deck_top is a list"),
        (case(given={"wager": "50"}), "wager is a whole number"),
        (case(given={"players": {"A": {"sets": True}}}), "sets is a whole number"),
        ({"game": "pazaak"}, "unknown pazaak variant ''"),
        ([], "a case is an object, not list"),
        (None, "a case is an object, not NoneType"),
    ],
)
def test_unknown_names_fail_and_are_named(broken, why):
    result = run_case(broken)
    assert not result.passed
    assert why in result.detail


ACT = {"phase": "act", "players": {"A": {"table": [{"value": 5}], "hand": ["+1"]}}}


def test_a_refused_step_fails_the_case_with_its_reason():
    result = run_case(case({"do": "play", "card": "-1"}, given=ACT))
    assert result.detail.startswith("step 0 (play) was refused: play -1 is not one of: end turn")


def test_a_step_that_must_be_refused_but_is_legal_fails_the_case():
    result = run_case(case("stand", given=ACT, expect={"illegal_step": 0}))
    assert result.detail == "step 0 (stand) is legal, but must be refused"


def test_the_illegal_step_is_the_last():
    result = run_case(case("stand", "stand", given=ACT, expect={"illegal_step": 0}))
    assert result.detail == "illegal_step 0 is not the last of the 2 steps"


def test_a_refused_step_that_changes_something_fails_the_case(monkeypatch):
    def play(self, step):
        self.state.sides[0].total += 1
        original(self, step)

    keys, original = STEPS["play"]
    monkeypatch.setitem(STEPS, "play", (keys, play))
    broken = case({"do": "play", "card": "-1"}, given=ACT, expect={"illegal_step": 0})
    assert run_case(broken).detail == "step 0 (play) was refused but changed something"


def test_a_fault_of_the_engine_fails_its_own_case(monkeypatch):
    monkeypatch.setitem(STEPS, "play", ((), lambda driver, step: 1 // 0))
    assert "ZeroDivisionError" in run_case(case("play", given=ACT)).detail


def test_a_failing_case_shows_what_is_and_what_should_be():
    result = run_case(case(given=ACT, expect={"total": {"A": 6}, "sets": {"B": 0}}))
    assert result == CaseResult(
        "X",
        False,
        {"total": {"A": 6}, "sets": {"B": 0}},
        {"total": {"A": 5}, "sets": {"B": 0}},
        "total is {'A': 5}, not {'A': 6}",
    )


def test_true_is_not_one():
    assert not run_case(case(given=ACT, expect={"standing": {"A": 0}})).passed
    assert not run_case(case(given=ACT, expect={"sets": {"A": False}})).passed


def test_hands_compare_as_multisets_in_any_spelling():
    given = {"players": {"A": {"hand": ["±3", "+1", "+1"]}}}
    assert run_case(case(given=given, expect={"hand": {"A": ["+1", "+/-3", "+1"]}})).passed
    assert not run_case(case(given=given, expect={"hand": {"A": ["+1", "±3"]}})).passed


def test_without_named_deck_cards_the_deck_gives_one():
    assert run_case(case("draw", expect={"table_count": {"A": 1}})).passed


def test_a_file_gives_a_result_for_each_case(tmp_path):
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([CASES[0], case("fly"), 7]))
    assert [result.passed for result in run_file(path)] == [True, False, False]
    assert [result.id for result in run_file(str(path))] == [CASES[0]["id"], "X", "?"]


@pytest.mark.parametrize(
    ("text", "why"), [("{", "is not JSON"), ("{}", "is not a list of cases"), (None, "cannot read")]
)
def test_what_is_no_file_of_cases_is_bad_input(tmp_path, text, why):
    path = tmp_path / "cases.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInput, match=why):
        run_file(path)


def test_the_runner_imports_nothing_heavy():
    code = (
        "import sys, arena.testing.conformance;"
        "import arena.games.pazaak.cases.driver, arena.games.sabacc.cases.driver;"
        "print(*{'typer', 'rich', 'sqlmodel', 'trio', 'numpy', 'pluggy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
