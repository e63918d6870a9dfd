"""Ties at a cut that a play-off decides or that share a place, and a Swiss in cycles: verified."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import arena as api
from tests.cli.tournament_runs import Place, kill_group, until

SIX = [f"stand(at={at})" for at in (15, 16, 17, 14, 18, 13)]
PLAYOFF, SHARE = 1, 2
LONG, ONE_GROUP, TWO_GROUPS = 3, 4, 5
GROUPS = {
    ONE_GROUP: (4, (15, 16, 17, 14, 18, 13, 12, 19)),
    TWO_GROUPS: (2, (16, 18, 19, 14, 12, 13, 15, 17)),
}
CYCLES = (0, 7), (7, 14), (14, 18)


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """A database that tests only read."""
    file = tmp_path_factory.mktemp("cuts") / "cuts.db"
    with api.open_database(file) as db:
        for choice in ("playoff", "share"):
            cut = {"format": "knockout", "take": 4, "cut_ties": choice}
            db.run(SIX, stages=[{"format": "swiss", "rounds": 2}, cut], games=2, seed=5)
        bots = [f"stand(at={at})" for at in range(12, 20)]
        db.run(bots, format="swiss", rounds=18, games=2, seed=5)
        for seed, field in GROUPS.values():
            stages = [{"format": "groups", "groups": 2}, cut | {"cut_ties": "playoff"}]
            bots = [f"stand(at={at})" for at in field]
            db.run(bots, stages=stages, games=2, seed=seed)
    return f"sqlite:///{file}"


@pytest.fixture
def shown(arena, url, tmp_path):
    """Returns a tournament as text, as a document, and as a page."""

    def read(number):
        text = arena("tournament", "show", number, "--db", url).out
        document = json.loads(arena("tournament", "show", number, "-o", "json", "--db", url).out)
        page = tmp_path / f"{number}.html"
        answer = arena("report", number, "--single", page, "--replays", 0, "--db", url)
        assert answer.code == 0, answer.err
        return text, document, page.read_text()

    return read


@pytest.mark.parametrize("number", [PLAYOFF, SHARE, LONG, *GROUPS])
def test_they_are_verified(arena, url, number):
    answer = arena("tournament", "verify", number, "--db", url)
    assert (answer.code, answer.out.split(",")[0]) == (0, f"Tournament {number} is verified")


def test_a_play_off_is_shown_with_its_rounds(shown, arena, url):
    text, document, page = shown(PLAYOFF)
    cut = document["stages"][0]["cut"]
    rounds = cut["playoff"]["rounds"]
    assert rounds == [*range(3, 3 + len(rounds))]
    assert (cut["takes"], cut["by"], {*cut["level"]}) == (4, "play-off", {*SIX})
    assert [row["name"] for row in document["stages"][0]["standings"]][:4] == cut["taken"]
    assert document["stages"][1]["entrants"] == cut["taken"]
    line = f"By a play-off (rounds 3 to {rounds[-1]}) {cut['taken'][0]}, "
    for face in (text, page):
        assert line in face
        assert "Play-off: opponent" in face
    assert "Round 3, play-off" in page
    assert document["tournament"]["rounds"] == 2 + 3 * 5 + 2  # the most
    first = arena("replay", f"{PLAYOFF}.3.1.1", "--db", url)
    assert first.code == 0


def test_all_who_are_level_share_the_places(shown):
    text, document, page = shown(SHARE)
    cut = document["stages"][0]["cut"]
    assert (cut["takes"], cut["by"], cut["taken"]) == (6, "share", cut["level"])
    assert document["stages"][1]["entrants"] == cut["level"]
    assert document["stages"][1]["rounds"] == 3
    for face in (text, page):
        assert "All of them enter, so that stage 2 takes 6." in face


def test_eighteen_rounds_of_eight_are_two_cycles_and_a_half(shown, arena, url):
    document = shown(LONG)[1]
    rounds = [
        [frozenset(each["names"]) for each in made["pairings"]] for made in document["rounds"]
    ]
    met = [Counter(pair for made in rounds[a:b] for pair in made) for a, b in CYCLES]
    assert [{*each.values()} for each in met] == [{1}] * 3
    assert [len(each) for each in met] == [28, 28, 16]
    report = arena("tournament", "trf", LONG, "--db", url).out
    assert "142 18\n" in report


@pytest.mark.parametrize(("number", "titles"), [(ONE_GROUP, "B"), (TWO_GROUPS, "AB")])
def test_ties_inside_groups_are_played_off_side_by_side(shown, number, titles):
    text, document, page = shown(number)
    groups, knockout = document["stages"]
    cut, ties = groups["cut"], groups["cut"]["ties"]
    assert [tie["section"] for tie in ties] == [f"Group {title}" for title in titles]
    assert {tie["playoff"]["rounds"][0] for tie in ties} == {4}
    assert cut["level"] == [name for tie in ties for name in tie["level"]]
    assert {*cut["taken"]} == {name for tie in ties for name in tie["taken"]}
    assert {*cut["taken"]} <= {*knockout["entrants"]}
    standings = {each["title"]: each["standings"] for each in groups["sections"]}
    first = document["rounds"][3]["pairings"]
    for tie in ties:
        assert any({*each["names"]} <= {*tie["level"]} for each in first)
        rank = {row["name"]: row["rank"] for row in standings[tie["section"]]}
        out = {*tie["level"]} - {*tie["taken"]}
        assert max(rank[name] for name in tie["taken"]) < min(rank[name] for name in out)
        for face in (text, page):
            assert f"are level in {tie['section']} after all tie-breaks. By a play-off" in face
            assert f"Play-off, {tie['section']}: opponent" in face
    assert all({*each["names"]} <= {*cut["level"]} for each in first)


def test_the_start_names_the_rounds_without_play_offs(arena, tmp_path):
    bots = [word for at in range(12, 20) for word in ("--bot", f"stand(at={at})")]
    stages = ("--stage", "groups(groups=2)", "--stage", "knockout(take=4, cut_ties=playoff)")
    words = ("tournament", "run", *stages, *bots, "--games", 2, "--seed", 4)
    answer = arena(*words, "--db", f"sqlite:///{tmp_path / 'new.db'}")
    assert "8 bots, 5 rounds, and play-offs, 2 games a pairing" in answer.err


STAGES = ("--stage", "round-robin", "--stage", "knockout(take=2, cut_ties=playoff)")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("--stage", "swiss", "--stage", "knockout(take=2, cut_ties=lot)"),
            "stage 2: cut_ties: expected order or playoff or share",
        ),
        (
            ("--stage", "swiss", "--stage", "knockout(cut_ties=share)"),
            "stage 2: cut_ties: only for a stage with take",
        ),
        (
            (
                *("--stage", "swiss", "--stage", "swiss(take=3, cut_ties=share)"),
                *("--stage", "knockout(take=2)"),
            ),
            "stage 2: cut_ties: share needs stages of equal pairings from there on",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(arena, words, error):
    bots = [word for bot in SIX for word in ("--bot", bot)]
    answer = arena("tournament", "run", *words, *bots, "--dry-run")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert error in answer.err


@pytest.mark.thorough(
    "test_ties_at_a_cut.py pairs every round again; test_tournament_stops.py kills every day"
)
def test_a_play_off_that_was_killed_is_resumed_to_the_same_end(tmp_path, preloaded):
    """Equal bots draw all of it: the order decides after three times."""
    answers = []
    for name in ("whole", "killed"):
        folder = tmp_path / name
        folder.mkdir()
        place = Place(folder, preloaded)
        bots = []
        for bot in ("slow", "same", "like"):
            (folder / f"{bot}.py").write_text((folder / "slow.py").read_text())
            bots += ["--bot", f"{bot}.py", "--trust", bot]
        run = ("tournament", "run", *STAGES, "--games", "2", "--seed", "7", *bots)
        if name == "whole":
            assert place.arena(*run).code == 0
        else:
            process = place.start(*run)
            until(lambda place=place: place.stored() > 40)
            kill_group(process.pid)
            process.communicate()
            assert place.stored() < 300
            (part,) = place.arena("tournament", "show", "1", "-o", "json").document["stages"]
            assert (part["cut"]["by"], part["cut"]["taken"]) == ("play-off", [])
            assert place.arena("tournament", "resume", "1").code == 0
        assert place.arena("tournament", "verify", "1").code == 0
        document = place.arena("tournament", "show", "1", "-o", "json").document
        assert document["stages"][0]["cut"]["playoff"]["still_level"] == ["slow", "same", "like"]
        answers.append([document[key] for key in ("standings", "stages", "rounds")])
    assert answers[0] == answers[1]
