"""Rulings on the command line: late entries, withdrawals, disqualifications, byes on request."""

from __future__ import annotations

import pytest
from arena_results.file.database import open_database

import arena
from arena.plugins.registry import Registry
from arena.service.run.changes.rulings import Rulings
from tests.cli.tournament_runs import PATIENCE, SLOW, Place, check_same, until

FIELD = ("stand(at=17)", "counter", "stand(at=15)", "random", "stand(at=18)")
BOTS = tuple(word for bot in FIELD for word in ("--bot", bot))
FEW = ("--games", "2", "--seed", "7", "--concurrency", "1")
SWISS = ("tournament", "run", "--format", "swiss", "--rounds", "4", *FEW, *BOTS)
VERBS = (
    ("withdraw", "1", "random"),
    ("add", "1", "stand(at=12)", "--missed-points", "0.5"),
    ("bye", "1", "stand(at=15)", "--round", "3", "--points", "0"),
    ("bye", "1", "stand(at=18)"),
)
RULINGS = [
    "counter has a bye in round 3 for 0.5",
    "random withdraws before round 2; its results stand",
    "stand(at=12) enters in round 2, 0.5 for each round missed",
    "stand(at=15) has a bye in round 3 for 0",
    "stand(at=18) has a bye in round 2 for 0.5",
]


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


def rule(place, *verbs):
    for words in verbs:
        answer = place.arena("tournament", *words)
        assert (answer.code, answer.out) == (0, ""), answer.err
        yield answer.err


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """A Swiss that was paused after a round, ruled on, and played to its end; tests only read."""
    place = Place(tmp_path_factory.mktemp("ruled"))
    paused = place.arena(*SWISS, "--bye", "counter | 3", "--pause-after-round", "1")
    assert paused.code == 0, paused.err
    expected = [f"Tournament 1: {text}\n" for text in RULINGS[1:]]
    assert list(rule(place, *VERBS)) == expected
    assert place.arena("tournament", "resume").code == 0
    return place


def test_rulings_are_followed_shown_and_verified(ruled):
    shown = ruled.arena("tournament", "show", "1").out
    lines = "\n".join(f"  {text}." for text in RULINGS)
    assert f"Rulings:\n{lines}\n" in shown
    document = ruled.arena("tournament", "show", "1", "-o", "json").document
    assert document["rulings"][1] == {
        "kind": "withdraw", "name": "random", "round": 2, "now": False, "points": 0.0,
        "void": False, "reason": "",
    }  # fmt: skip
    absent = [
        [(each["name"], each["points"]) for each in row["absent"]] for row in document["rounds"]
    ]
    assert absent == [
        [("stand(at=12)", 0.5)],
        [("random", 0.0), ("stand(at=18)", 0.5)],
        [("counter", 0.5), ("stand(at=15)", 0.0), ("random", 0.0)],
        [("random", 0.0)],
    ]
    assert {row["name"] for row in document["standings"]} == {*FIELD, "stand(at=12)"}
    verified = ruled.arena("tournament", "verify", "1")
    assert (verified.code, "4 paired again among 6 bots" in verified.out) == (0, True)


def scores_of_the_list(place) -> dict[str, float]:
    """The sums of what the rounds scored, from the exported pairings."""
    sums: dict[str, float] = {}
    for row in place.arena("export", "1", "pairings", "-o", "json").document:
        sums[row["name"]] = sums.get(row["name"], 0.0) + row["score"]
    return sums


def scores_of_the_table(place) -> dict[str, float]:
    shown = place.arena("tournament", "show", "1", "-o", "json").document
    return {row["name"]: row["score"] for row in shown["standings"]}


def test_scores_follow_from_the_exported_pairings(ruled):
    rows = ruled.arena("export", "1", "pairings", "-o", "json").document
    unpaired = [
        (row["round"], row["name"], row["score"], row["status"])
        for row in rows
        if row["pairing"] is None
    ]
    assert [row for row in unpaired if row[3] == "absent"] == [
        (1, "stand(at=12)", 0.5, "absent"),
        (2, "random", 0.0, "absent"),
        (2, "stand(at=18)", 0.5, "absent"),
        (3, "counter", 0.5, "absent"),
        (3, "stand(at=15)", 0.0, "absent"),
        (3, "random", 0.0, "absent"),
        (4, "random", 0.0, "absent"),
    ]
    byes = [row for row in unpaired if row[3] == "bye"]
    assert byes
    assert {score for _, _, score, _ in byes} == {1.0}
    assert scores_of_the_list(ruled) == scores_of_the_table(ruled)


def test_a_final_that_both_forfeit_is_no_draw(place):
    knockout = ("tournament", "run", "--format", "knockout", *FEW, *BOTS[:8])
    assert place.arena(*knockout, "--pause-after-round", "1").code == 0
    bouts = place.arena("tournament", "show", "1", "-o", "json").document["bracket"]
    both = [bout["winner"] for bout in bouts if bout["winner"]]
    list(rule(place, *(("withdraw", "1", name) for name in both)))
    assert place.arena("tournament", "resume", "1").code == 0
    final = place.arena("tournament", "show", "1", "-o", "json").document["bracket"][-1]
    assert (final["points"], final["forfeited"]) == ([0, 0], final["names"])
    shown = place.arena("tournament", "show", "1").out
    to = f"to {final['winner']} as the higher seed"
    assert f"\nForfeited by both, final, 0-0: {to}\n" in shown
    assert "Drawn final" not in shown


def test_annulled_pairings_are_marked_in_the_list(place):
    assert place.arena(*SWISS, "--pause-after-round", "1").code == 0
    words = ("disqualify", "1", "random", "--reason", "cheats", "--void")
    list(rule(place, words, ("withdraw", "1", "stand(at=18)", "--now")))
    assert place.arena("tournament", "resume").code == 0
    rows = place.arena("export", "1", "pairings", "-o", "json").document
    void = {row["name"]: row["score"] for row in rows if row["status"] == "void"}
    assert void.pop("random") == 0
    assert set(void.values()) == {1.0}
    assert scores_of_the_list(place) == scores_of_the_table(place)
    lucky = place.arena("tournament", "luck", "1", "-o", "json").document
    assert {"random"} == {*FIELD} - {row["name"] for row in lucky["bots"]} - {"stand(at=18)"}


def test_the_report_of_fide_has_the_same_standings(ruled, tmp_path):
    (tmp_path / "cup.trf").write_text(ruled.arena("tournament", "trf", "1").out)
    found = ruled.arena("standings", "--trf", str(tmp_path / "cup.trf"), "-o", "json").document
    document = ruled.arena("tournament", "show", "1", "-o", "json").document
    numbers = {name: number for number, name in enumerate((*FIELD, "stand(at=12)"), 1)}
    assert {
        row["number"]: (row["points"], row["tiebreaks"]["BH"]) for row in found["standings"]
    } == {
        numbers[row["name"]]: (row["score"], row["tie_breaks"]["BH"])
        for row in document["standings"]
    }


def test_the_report_of_fide_passes_its_check(ruled, tmp_path):
    (tmp_path / "cup.trf").write_text(ruled.arena("tournament", "trf", "1").out)
    found = ruled.arena("check", "trf", str(tmp_path / "cup.trf"), "-o", "json")
    assert (found.code, found.document["findings"], found.document["paired"]) == (0, [], 4)


def test_a_stop_between_rulings_and_the_next_rounds_changes_nothing(ruled, place):
    paused = place.arena(*SWISS, "--bye", "counter | 3", "--pause-after-round", "1")
    assert paused.code == 0
    list(rule(place, *VERBS))
    for _ in range(2):
        assert place.arena("tournament", "resume", "--pause-after-round", "next").code == 0
    assert place.arena("tournament", "resume").code == 0
    check_same(place.outcome(), ruled.outcome())


@pytest.mark.thorough("rulings between rounds are followed in one process")
def test_a_running_tournament_follows_rulings_of_another_process(place):
    words = ("--games", "150", "--bot", "slow.py", "--trust", "slow")
    # The first round takes half a minute, unless the slow bot leaves it: so that goes last.
    (place.folder / "slow.py").write_text(SLOW.replace("0.006", "0.2"))
    process = place.start(*SWISS, *words)
    until(lambda: place.stored() >= 5)
    (late,) = rule(place, ("add", "1", "stand(at=12)"))
    assert late == "Tournament 1: stand(at=12) enters in round 2, 0 for each round missed\n"
    (now,) = rule(place, ("withdraw", "1", "slow", "--now"))
    assert now == "Tournament 1: slow withdraws in round 1; its results stand\n"
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in err) == (0, False)
    assert "4 of 4 rounds" in out
    assert place.arena("tournament", "verify", "1").code == 0
    document = place.arena("tournament", "show", "1", "-o", "json").document
    first = document["rounds"][0]["pairings"]
    (lost,) = [each for each in first if "slow" in each["names"]]
    assert lost["forfeited"] == ["slow"]
    rows = place.arena("export", "1", "pairings", "-o", "json").document
    (left,) = [row for row in rows if row["status"] == "forfeited"]
    assert (left["round"], left["name"], left["score"]) == (1, "slow", 0)
    assert all(
        "slow" not in each["names"] for row in document["rounds"][1:] for each in row["pairings"]
    )
    scores = {row["name"]: row["score"] for row in document["standings"]}
    (other,) = {*lost["names"]} - {"slow"}
    assert (scores["slow"], scores[other] >= 1) == (0, True)
    assert "stand(at=12)" in scores


def test_a_disqualified_bot_is_last_and_its_results_count_for_nobody(place):
    robin = ("tournament", "run", *FEW, *BOTS, "--pause-after-round", "4")
    assert place.arena(*robin).code == 0
    list(rule(place, ("disqualify", "1", "stand(at=15)", "--reason", "reads  the cards", "--void")))
    list(rule(place, ("withdraw", "1", "counter")))
    assert place.arena("tournament", "resume").code == 0
    assert place.arena("tournament", "verify", "1").code == 0
    document = place.arena("tournament", "show", "1", "-o", "json").document
    *_, last = document["standings"]
    assert (last["name"], last["rank"], last["score"], last["won"]) == ("stand(at=15)", 5, 0, 0)
    row = document["crosstable"]["names"].index("stand(at=15)")
    assert document["crosstable"]["points"][row] == [None] * 5
    # Counter played most of its pairings: they stand, and the last one is forfeited.
    assert [(each["name"], each["void"]) for each in document["rulings"]] == [
        ("stand(at=15)", True), ("counter", False),
    ]  # fmt: skip
    shown = place.arena("tournament", "show", "1").out
    assert (
        "stand(at=15) is disqualified before round 5 (reads the cards); its results are annulled."
        in shown
    )


def test_one_who_leaves_a_round_robin_early_is_annulled(place):
    assert place.arena("tournament", "run", *FEW, *BOTS, "--pause-after-round", "1").code == 0
    (answer,) = rule(place, ("withdraw", "1", "counter"))
    assert answer == "Tournament 1: counter withdraws before round 2; its results are annulled\n"


@pytest.fixture(scope="module")
def robin(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("robin"))
    assert place.arena("tournament", "run", *FEW, *BOTS, "--pause-after-round", "1").code == 0
    return place


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("add 1 stand", "round-robin takes no late entries; it takes withdrawals, "),
        ("bye 1 random", "round-robin takes no byes on request; it takes withdrawals, "),
        ("withdraw 1 nobody", "unknown bot 'nobody' of tournament 1; choices: counter, random, "),
        ("withdraw 9 random", "unknown tournament '9'; choices: 1"),
        ("disqualify 1 random --reason ''", "reason: expected a text"),
        ("disqualify 1 random", "Missing option '--reason'."),
    ],
)
def test_what_cannot_be_ruled_is_refused_by_one_line(robin, words, line):
    answer = robin.arena("tournament", *[word.strip("'") for word in words.split(" ")])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"arena: {line}")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("add 1 random", "tournament 1 is finished"),
        ("bye 1 counter", "tournament 1 is finished"),
        ("withdraw 1 counter", "tournament 1 is finished"),
        ("add 1 random --missed-points 2", "points: expected 0 or 0.5, not 2.0"),
    ],
)
def test_nothing_is_ruled_on_a_finished_tournament(ruled, words, line):
    answer = ruled.arena("tournament", *words.split())
    assert (answer.code, answer.err) == (2, f"arena: {line}\n")


@pytest.mark.parametrize(
    ("byes", "problem"),
    [
        (["nobody | 2"], "byes: unknown bot 'nobody' of the tournament; choices: counter, rand"),
        (["random | 4"], "byes: random: expected a round from 1 to 3, not 4"),
        (["random | x"], "byes: random: expected a round from 1 to 3, not x"),
        (["random"], "byes: expected 'NAME | ROUND', "),
        (["random | 2 | 1"], "byes: points: expected 0 or 0.5, not '1'"),
        ([{"bot": "random", "round": 2, "half": True}], "expected 'NAME | ROUND', "),
        (["random | 2", {"bot": "random", "round": 2}], "byes: random has two byes in round 2"),
    ],
)
def test_a_wrong_bye_of_a_spec_is_named(tmp_path, byes, problem):
    with arena.open_database(tmp_path / "x.db") as db, pytest.raises(arena.BadInput) as refused:
        db.run(["random", "counter", "stand"], format="swiss", rounds=3, byes=byes)
    assert problem in str(refused.value)


def test_rulings_from_python(tmp_path):
    with arena.open_database(tmp_path / "x.db") as db:
        bots = ["random", "counter", "stand", "stand(at=16)"]
        byes = [{"bot": "stand", "round": 1, "points": 0}]
        cup = db.run(
            bots,
            format="swiss",
            rounds=3,
            games=2,
            seed=1,
            byes=byes,
            concurrency=1,
            pause_after_round=1,
        )
        assert cup.rounds()[-1]["name"] == "stand"
        organiser = db.organiser(1)
        assert organiser.add("stand(at=12)", missed_points=0.5) == {
            "kind": "add", "name": "stand(at=12)", "round": 2, "now": False, "points": 0.5,
            "void": False, "reason": "",
        }  # fmt: skip
        assert organiser.bye("random", round=3)["points"] == 0.5
        with pytest.raises(arena.BadInput, match="random has a bye in round 3 already"):
            organiser.bye("random", round=3)
        with pytest.raises(
            arena.BadInput, match="round 1 can have no bye on request; choices: rounds 2 to 3"
        ):
            organiser.bye("random", round=1)
        assert organiser.disqualify("counter", "cheats", void=True)["void"]
        with open_database(f"sqlite:///{tmp_path}/x.db") as database:
            signed = Rulings(Registry(), database, 1, by="Olga")
            assert str(signed.withdraw("stand", reason="ill")).endswith(
                "stand withdraws before round 2 (ill); its results stand, by Olga"
            )
            signed.forbid("random | stand(at=16)", reason="twins")
        with pytest.raises(arena.BadInput, match="stand has left tournament 1 already"):
            organiser.withdraw("stand")
        with pytest.raises(arena.BadInput, match="entered twice"):
            organiser.add("stand(at=12)")
        done = db.resume(1)
        assert done.finished
        assert [row["name"] for row in done.standings()][-1] == "counter"
        assert db.verify(1)["verified"]
        assert [(row["reason"], row.get("by")) for row in done.document()["rulings"][-2:]] == [
            ("ill", "Olga"), ("twins", "Olga"),
        ]  # fmt: skip
        done.export_bundle(tmp_path / "cup.arena")
        with arena.open_database(tmp_path / "there.db") as there:
            there.import_bundle(tmp_path / "cup.arena")
            assert there.tournament(1).document()["rulings"] == done.document()["rulings"]


def test_stages_take_rulings_by_the_stage_that_is_played(place):
    stages = ("--stage", "swiss(rounds=2)", "--stage", "knockout(take=4)")
    run = ("tournament", "run", *stages, *FEW, *BOTS, "--pause-after-round")
    assert place.arena(*run, "1").code == 0
    list(rule(place, ("add", "1", "stand(at=12)"), ("bye", "1", "random")))
    refused = place.arena("tournament", "bye", "1", "random", "--round", "3")
    assert (refused.code, "knockout takes no byes on request" in refused.err) == (2, True)
    assert place.arena("tournament", "resume", "--pause-after-round", "2").code == 0
    refused = place.arena("tournament", "add", "1", "stand(at=11)")
    assert refused.err == "arena: stage 2 has begun; late entries join the first stage\n"
    first = place.arena("tournament", "show", "1", "-o", "json").document["standings"][0]["name"]
    list(rule(place, ("withdraw", "1", first)))
    assert place.arena("tournament", "resume").code == 0
    stage = place.arena("tournament", "show", "1", "-o", "json").document["stages"][1]
    assert (len(stage["entrants"]), first in stage["entrants"]) == (4, False)
    assert place.arena("tournament", "verify", "1").code == 0
