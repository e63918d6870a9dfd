"""Groups, then play-offs, from the command line to the verified tournament."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from arena_tournaments.formats.groups import REACHED

from tests.cli.tournament_runs import Place

FILE = Path(__file__).parents[2] / "examples" / "tournaments" / "groups_then_knockout.toml"
FIELD = tuple(word for number in range(8, 20) for word in ("--bot", f"stand(at={number})"))
RUN = (
    *("tournament", "run", FILE.name, "--games", "2", "--seed", "5", "--concurrency", "1"),
    *FIELD,  # quicker ones than those of the example
)


@pytest.fixture
def place(tmp_path, preloaded):
    shutil.copy(FILE, tmp_path)
    return Place(tmp_path, preloaded)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The tournament of the example, played without a stop; tests only read."""
    place = Place(tmp_path_factory.mktemp("whole"))
    shutil.copy(FILE, place.folder)
    answer = place.arena(*RUN)
    assert answer.code == 0, answer.err
    return place


def shown(place):
    return place.arena("tournament", "show", "1", "-o", "json").document


def groups_of(stage):
    """The number of the group of each name."""
    return {
        line["name"]: number
        for number, section in enumerate(stage["sections"])
        for line in section["standings"]
    }


def first_bouts(document):
    first, _ = document["stages"]
    return [row["names"] for row in document["rounds"][first["rounds"]]["pairings"]]


def test_the_best_of_the_groups_continue_and_do_not_meet_at_once(whole):
    document = shown(whole)
    first, last = document["stages"]
    assert [each["title"] for each in first["sections"]] == ["Group A", "Group B", "Group C"]
    group = groups_of(first)
    assert len(group) == 12
    for section in first["sections"]:
        assert {line["name"] for line in section["standings"][:2]} <= {*last["entrants"]}
        places = [(-line["score"], line["rank"]) for line in section["standings"]]
        assert places == sorted(places)
    thirds = [section["standings"][2] for section in first["sections"]]
    entered = {line["name"] for line in thirds if line["name"] in last["entrants"]}
    assert len(entered) == 2
    left = next(line for line in thirds if line["name"] not in entered)
    assert all(line["score"] >= left["score"] for line in thirds)
    winners = [section["standings"][0]["name"] for section in first["sections"]]
    assert {*last["entrants"][:3]} == {*winners}
    bouts = first_bouts(document)
    assert len(bouts) == 4
    assert all(group[one] != group[other] for one, other in bouts)
    assert [row["name"] for row in document["standings"][:1]] == [last["bracket"][-1]["winner"]]


def test_it_is_verified(whole):
    answer = whole.arena("tournament", "verify", "1")
    assert answer.code == 0, answer.out
    assert "paired again among 12 bots" in answer.out


def test_the_report_has_a_table_and_a_crosstable_of_each_group(whole):
    lines = whole.arena("tournament", "show", "1").out.splitlines()
    heads = [f"Group {letter}{more}" for more in ("", ": crosstable") for letter in "ABC"]
    at = [lines.index(head) for head in heads]
    assert at == sorted(at)
    for start, end in pairwise(at):
        assert end - start == 8, "a title, a head, a line, four bots, a blank line"
    assert any(line.startswith("Bracket: ") for line in lines[at[-1] :])


def test_stopped_after_any_round_it_is_the_same(place, whole):
    assert place.arena(*RUN, "--pause-after-round", "1").code == 0
    for number in (2, 3, 4):
        answer = place.arena("tournament", "resume", "1", "--pause-after-round", str(number))
        assert answer.code == 0, answer.err
    assert place.arena("tournament", "resume", "1").code == 0
    assert shown(place) == shown(whole)  # with the chain over all records


def test_an_explanation_says_the_place_in_the_group(whole):
    for section in shown(whole)["stages"][0]["sections"]:
        for place, line in enumerate(section["standings"], 1):
            words = ("tournament", "show", "1", "--explain", line["name"])
            part = whole.arena(*words, "-o", "json").document["parts"][0]
            assert part["reason"].startswith(
                f"{line['name']} has place {place} in {section['title']}. "
            )
            assert part["steps"][0]["summary"] == REACHED
            assert f" {REACHED} " in whole.arena(*words).out


def test_whoever_leaves_is_replaced_by_the_next(place):
    assert place.arena(*RUN, "--pause-after-round", "1").code == 0
    leader = shown(place)["stages"][0]["sections"][0]["standings"][0]["name"]
    assert place.arena("tournament", "withdraw", "1", leader).code == 0
    answer = place.arena("tournament", "resume", "1", "--pause-after-round", "3")
    assert answer.code == 0, answer.err
    second = shown(place)["stages"][0]["sections"][1]["standings"][0]["name"]
    assert place.arena("tournament", "disqualify", "1", second, "--reason", "late").code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    document = shown(place)
    first, last = document["stages"]
    group = groups_of(first)
    assert not {leader, second} & {*last["entrants"]}
    counts = sorted(sum(group[name] == number for name in last["entrants"]) for number in range(3))
    assert counts == [2, 3, 3]
    assert all(group[one] != group[other] for one, other in first_bouts(document))
    assert place.arena("tournament", "verify", "1").code == 0


def test_a_dry_run_shows_the_rounds_of_the_groups(place):
    words = ("tournament", "run", "--format", "groups", "--groups", "3", *FIELD, "--dry-run")
    answer = place.arena(*words, "-o", "json")
    assert answer.code == 0, answer.err
    assert [len(row["pairings"]) for row in answer.document["rounds"]] == [6, 6, 6]
    assert answer.document["matches"] == 3 * 6 * 20
    drawn = [row["section"].removeprefix("Group ") for row in answer.document["field"]]
    assert "".join(drawn) == "ABCCBAABCCBA"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--groups", "4"), "--format: 4 groups need at least 8 entrants, not 5; give at most 2"),
        (("--groups", "2", "--group-size", "3"), "groups and group_size both say how many"),
        (("--groups", "0"), "groups: expected a whole number >= 1, not 0"),
        (("--group-size", "1"), "--group-size: expected a whole number >= 2, not 1"),
        (("--group-size", "three"), "--group-size"),
    ],
)
def test_groups_that_cannot_be_are_one_line(place, words, problem):
    bots = [word for number in range(11, 16) for word in ("--bot", f"stand(at={number})")]
    answer = place.arena("tournament", "run", "--format", "groups", *words, *bots)
    assert answer.code == 2
    assert problem in answer.err
    assert "Traceback" not in answer.err
    one = ("--format", "swiss", "--groups", "2")
    answer = place.arena("tournament", "run", *one, *bots)
    assert (answer.code, "not available for swiss" in answer.err) == (2, True)
