"""The organiser's hand on the command line: pairings, swaps, forbidden pairs and lots."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from contextlib import closing

import pytest
from arena_results.file.database import open_database
from arena_results.schema.checksums import stamp

import arena
from tests.cli.tournament_runs import PATIENCE, SLOW, Place, check_same, kill_group, until

FIELD = ("stand(at=17)", "counter", "stand(at=15)", "random", "stand(at=18)", "stand(at=16)")
BOTS = tuple(word for bot in FIELD for word in ("--bot", bot))
FEW = ("--games", "2", "--seed", "7", "--concurrency", "1")
SWISS = ("tournament", "run", "--format", "swiss", "--rounds", "4", *FEW, *BOTS)
PAIRS = "\ufeff# Round 3\nstand(at=15) | random   # the wish of both\n\ncounter|bye\n"
VERBS = (
    ("swap", "1", "random", "counter", "--reason", "same author"),
    ("pair", "1", "--round", "3", "--file", "pairs.txt", "--reason", "television"),
    ("forbid", "1", "stand(at=17) | stand(at=18)"),
    ("lots", "1", "--reason", "rule 7"),
)


@pytest.fixture
def place(tmp_path, preloaded):
    return Place(tmp_path, preloaded)


def ruled_place(folder, preloaded=None):
    """A Swiss that was paused after a round, and ruled on."""
    place = Place(folder, preloaded)
    (folder / "pairs.txt").write_text(PAIRS, "utf-8")
    paused = place.arena(*SWISS, "--pause-after-round", "1")
    assert paused.code == 0, paused.err
    for words in VERBS:
        answer = place.arena("tournament", *words)
        assert (answer.code, answer.out) == (0, ""), answer.err
    return place


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """The same, played to its end; tests only read."""
    place = ruled_place(tmp_path_factory.mktemp("ruled"))
    assert place.arena("tournament", "resume").code == 0
    return place


def names_of(document, round):
    return [set(each["names"]) for each in document["rounds"][round - 1]["pairings"]]


def test_decisions_about_pairings_are_followed_shown_and_verified(ruled):
    document = ruled.arena("tournament", "show", "1", "-o", "json").document
    swap, pair, _, lots = document["rulings"]
    assert [row["kind"] for row in document["rulings"]] == ["pair", "pair", "forbid", "lots"]
    assert [{*each} for each in swap["names"]] == names_of(document, 2)
    assert (pair["round"], pair["names"]) == (3, [["stand(at=15)", "random"], ["counter"]])
    assert document["rounds"][2]["pairings"][0]["names"] == ["stand(at=15)", "random"]
    assert "counter" in document["rounds"][2]["byes"]
    assert all(
        {"stand(at=17)", "stand(at=18)"} not in names_of(document, round) for round in (3, 4)
    )
    assert {*lots["names"][0]} == {*FIELD}
    ranks = [row["rank"] for row in document["standings"]]
    assert ranks == [1, 2, 3, 4, 5, 6]
    shown = ruled.arena("tournament", "show", "1").out
    assert "(random and counter swapped: same author).\n" in shown
    third = "round 3 is paired by hand: stand(at=15) - random, counter has the bye (television).\n"
    assert third in shown
    assert "stand(at=17) and stand(at=18) never meet from round 2 on.\n" in shown
    verified = ruled.arena("tournament", "verify", "1")
    assert (verified.code, "4 paired again among 6 bots" in verified.out) == (0, True)


def test_the_report_file_names_the_rounds_paired_by_hand(ruled):
    file = ruled.folder / "hand.trf"
    file.write_text(ruled.arena("tournament", "trf", "1").out)
    found = arena.check_trf(file)
    assert (found["passed"], found["paired"]) == (True, 2)
    assert [note for note in found["notes"] if "by hand" in note] == [
        f"round {round} is not paired again: a comment (###) says it was paired by hand"
        for round in (2, 3)
    ]
    file.write_text(file.read_text().replace("###", "#?#"))
    rounds = {row["round"] for row in arena.check_trf(file)["findings"]}
    assert rounds == {2, 3}


def test_the_preview_is_a_file_that_can_be_given_back(place):
    assert place.arena(*SWISS, "--pause-after-round", "1").code == 0
    preview = place.arena("tournament", "pair", "1")
    head, *lines = preview.out.splitlines()
    assert head == "# Round 2 of tournament 1, as it would be paired now"
    rows = place.arena("tournament", "pair", "1", "-o", "json").document
    assert [" | ".join(row["names"]) for row in rows] == lines
    (place.folder / "all.txt").write_text(preview.out)
    given = place.arena("tournament", "pair", "1", "--file", "all.txt", "--round", "2")
    assert given.code == 0, given.err
    assert place.arena("tournament", "pair", "1").out == preview.out
    one, other = rows[0]["names"]
    assert place.arena("tournament", "swap", "1", one, other).code == 0
    seats = place.arena("tournament", "pair", "1").out.splitlines()[1:]
    assert seats == [f"{other} | {one}", *lines[1:]]
    assert place.arena("tournament", "pair", "1", "--clear").code == 0
    assert place.arena("tournament", "pair", "1").out == preview.out


def test_a_stop_between_decisions_and_the_next_rounds_changes_nothing(ruled, place):
    again = ruled_place(place.folder, place.preloaded)
    for _ in range(2):
        assert again.arena("tournament", "resume", "--pause-after-round", "next").code == 0
    assert again.arena("tournament", "resume").code == 0
    check_same(again.outcome(), ruled.outcome())


@pytest.mark.thorough("decisions between rounds are followed in one process")
def test_a_running_tournament_is_paired_by_hand_and_goes_on_after_a_kill(place):
    (place.folder / "slow.py").write_text(SLOW.replace("0.006", "0.05"))
    words = ("--games", "40", "--bot", "slow.py", "--trust", "slow")
    process = place.start(*SWISS, *words)
    until(lambda: place.stored() >= 5)
    pair = place.arena("tournament", "pair", "1", "--round", "2", "--pair", "random | slow")
    assert pair.code == 0, pair.err
    assert place.arena("tournament", "lots", "1", "random | slow").code == 0
    refused = place.arena("tournament", "swap", "1", "random", "slow")
    coming, running = re.findall(r"round (\d)", refused.err)  # on a busy machine a later one
    assert int(coming) == int(running) + 1
    assert f"results of round {running}, which is not finished" in refused.err
    kill_group(process.pid)
    process.communicate(timeout=PATIENCE)
    assert place.arena("tournament", "resume", "1").code == 0
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert document["rounds"][1]["pairings"][0]["names"] == ["random", "slow"]
    assert place.arena("tournament", "verify", "1").code == 0


def tampered(ruled, folder, change, table="ruling", **key):
    """A copy of a tournament in which a row was changed, with a checksum that fits."""
    place = Place(folder)
    place.file.write_bytes(ruled.file.read_bytes())
    with closing(sqlite3.connect(place.file)) as file, file:
        change(file)
    with open_database(place.url) as database, database.writing() as connection:
        stamp(connection, table, **key)
    return place.arena("tournament", "verify", "1").err


def other_entries(number, entries):
    def change(file):
        (text,) = file.execute(f"SELECT reason FROM ruling WHERE number = {number}").fetchone()
        text = json.dumps([entries, json.loads(text)[1]])
        file.execute("UPDATE ruling SET reason = ? WHERE number = ?", (text, number))

    return change


@pytest.mark.parametrize(
    ("number", "entries", "found"),
    [
        (2, [[2, 0], [1]], "round 3: the format pairs 2 - 0 on board 1, where 2 - 3 is stored"),
        (3, [[0, 5]], "round 2: the head of its chain is not that of its results"),
        (4, [[0, 1, 2, 3, 4, 5]], "ruling 4: its lots are not those of the key"),
    ],
)
def test_a_decision_that_was_changed_is_found(ruled, tmp_path, number, entries, found):
    assert found in tampered(ruled, tmp_path, other_entries(number, entries))


def test_a_decision_without_its_entries_is_altered(ruled, tmp_path):
    def change(file):
        file.execute("UPDATE ruling SET reason = '' WHERE number = 2")

    assert "ruling 2: its entries cannot be read" in tampered(ruled, tmp_path, change)


def test_a_bundle_takes_the_decisions_along(ruled, tmp_path):
    made = ruled.arena("export", "1", "--bundle", str(tmp_path / "cup.arena"))
    assert made.code == 0, made.err
    elsewhere = Place(tmp_path)
    taken = elsewhere.arena("import", str(tmp_path / "cup.arena"))
    assert taken.code == 0, taken.err
    assert elsewhere.arena("tournament", "verify", "1").code == 0
    show = ("tournament", "show", "1", "-o", "json")
    assert elsewhere.arena(*show).document["rulings"] == ruled.arena(*show).document["rulings"]


def test_forbidden_pairs_are_in_the_report_of_fide(ruled):
    assert "\n260 002 004    1    5\n" in ruled.arena("tournament", "trf", "1").out + "\n"


@pytest.fixture(scope="module")
def paused(tmp_path_factory):
    """A paused Swiss with a forbidden pair, a bye and one who left; tests only read."""
    place = Place(tmp_path_factory.mktemp("paused"))
    forbidden = ("--forbidden", "counter | stand(at=15)", "--bye", "random | 2")
    assert place.arena(*SWISS, *forbidden, "--pause-after-round", "1").code == 0
    assert place.arena("tournament", "withdraw", "1", "stand(at=18)").code == 0
    return place


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("pair 1 --pair=counter", "--pair: expected A | B, or A | bye, not 'counter'"),
        ("pair 1 --pair=a|b|c", "--pair: unknown bot 'a' of the tournament; choices: counter, "),
        ("pair 1 --pair=counter|counter", "--pair: counter is named twice"),
        ("pair 1 --pair=counter|stand(at=15)", "--pair: counter and stand(at=15) are a forbidden"),
        ("pair 1 --pair=counter|random", "--pair: random has a bye in round 2"),
        ("pair 1 --pair=counter|stand(at=18)", "--pair: stand(at=18) has left the tournament"),
        ("pair 1 --round=1 --pair=counter|bye", "round 1 is paired already; choices: rounds 2"),
        ("pair 1 --round=5 --pair=counter|bye", "tournament 1 has 4 rounds; choices: rounds 2"),
        ("pair 1 --pair=counter|bye --pair=bye|counter", "--pair 2: counter is named in --pair 1,"),
        ("pair 1 --round=3", "round 3: only the next round (2) has its pairing"),
        ("pair 1 --file=none.txt", "none.txt cannot be read: No such file"),
        ("pair 1 --file=empty.txt", "empty.txt has no pairing; write one a line: A | B"),
        ("pair 1 --file=wrong.txt", "wrong.txt, line 3: counter is named in wrong.txt, line 2, to"),
        ("pair 1 --clear --pair=counter|bye", "expected one: --pair and --file, or --clear"),
        ("pair 1 --pair=counter|bye --reason=\x1b", "reason: expected a text of characters that"),
        ("swap 1 counter counter", "counter: expected two different bots"),
        ("swap 1 counter random", "unknown bot 'random' in round 2; choices: counter, stand("),
        ("swap 1 counter nobody", "unknown bot 'nobody' in round 2; choices: counter, "),
        ("forbid 1 counter", "expected two or more different bots, 'A | B', not 'counter'"),
        ("forbid 1 counter|nobody", "unknown bot 'nobody' of tournament 1; choices: counter, "),
        ("lots 1 counter", "expected two or more different bots, 'A | B', not 'counter'"),
        ("lots 1 counter|nobody", "unknown bot 'nobody' of tournament 1; choices: counter, "),
    ],
)
def test_what_no_hand_can_pair_is_refused_by_one_line(paused, words, line):
    (paused.folder / "empty.txt").write_text("# nobody\n\n")
    (paused.folder / "wrong.txt").write_text("# one\ncounter | stand(at=16)\nbye | counter\n")
    answer = paused.arena("tournament", *words.split(" "))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"arena: {line}")
    assert answer.err.count("\n") == 1


def test_from_python(tmp_path):
    with arena.open_database(tmp_path / "x.db") as db:
        bots = ["random", "counter", "stand", "stand(at=16)", "stand(at=12)"]
        db.run(bots, format="swiss", rounds=3, games=2, seed=1, concurrency=1, pause_after_round=1)
        organiser = db.organiser(1)
        made = organiser.pair(["random | stand(at=12)", "stand|bye"], reason="friends")
        assert (made["kind"], made["round"], made["reason"]) == ("pair", 2, "friends")
        assert made["names"] == "random | stand(at=12); stand"
        first, _, last = organiser.pairing()
        assert (first, last) == ("random | stand(at=12)", "stand | bye")
        with pytest.raises(arena.BadInput, match="pairs 2: random is named in pairs 1, too"):
            organiser.pair(["random | stand", "random | bye"])
        assert organiser.swap("stand", "random")["names"].startswith("stand | stand(at=12); ")
        assert organiser.forbid(["stand", "counter"])["kind"] == "forbid"
        drawn = organiser.lots(["stand", "counter"])["names"]
        assert organiser.lots("counter | stand")["names"] == drawn
        assert db.resume(1).finished
        assert db.verify(1)["verified"]
        assert organiser.lots()["round"] == 4
        assert db.verify(1)["verified"]
        with pytest.raises(arena.BadInput, match="tournament 1 is finished"):
            organiser.pair(["random | stand"])


def test_a_schedule_of_its_own_takes_no_hand(place):
    run = ("tournament", "run", *FEW, *BOTS, "--pause-after-round", "1")
    assert place.arena(*run).code == 0
    for words in ("pair 1 --pair=counter|random", "swap 1 counter random"):
        refused = place.arena("tournament", *words.split())
        assert refused.code == 2
        assert refused.err.startswith("arena: round-robin takes no pairings by hand; it takes ")
    refused = place.arena("tournament", "forbid", "1", "counter|random")
    assert refused.err.startswith("arena: round-robin takes no forbidden pairs; it takes ")
    assert place.arena("tournament", "lots", "1").code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    assert place.arena("tournament", "verify", "1").code == 0


def test_stages_are_paired_by_the_stage_that_is_played(place):
    stages = ("--stage", "swiss(rounds=2)", "--stage", "swiss(take=4,rounds=2)")
    run = ("tournament", "run", *stages, *FEW, *BOTS, "--pause-after-round", "1")
    assert place.arena(*run).code == 0
    early = place.arena("tournament", "pair", "1", "--round", "3", "--pair", "counter | random")
    assert early.err == "arena: round 3 is in stage 2, whose bots are not known yet\n"
    assert place.arena("tournament", "lots", "1").code == 0
    assert place.arena("tournament", "resume", "1", "--pause-after-round", "2").code == 0
    rows = place.arena("tournament", "pair", "1", "-o", "json").document
    inside = [name for row in rows for name in row["names"]]
    outside = next(name for name in FIELD if name not in inside)
    wrong = place.arena("tournament", "pair", "1", "--pair", f"{inside[0]} | {outside}")
    assert wrong.err == f"arena: --pair: {outside} does not play in stage 2\n"
    pair = f"{inside[3]} | {inside[0]}"
    assert place.arena("tournament", "pair", "1", "--pair", pair).code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert document["rounds"][2]["pairings"][0]["names"] == [inside[3], inside[0]]
    assert place.arena("tournament", "verify", "1").code == 0


def test_a_table_is_seated_by_hand(place):
    bots = ("target-total", "random", "cautious-folder", "target-total(at=21)")
    field = [word for bot in bots for word in ("--bot", bot)]
    game = ("--game", "sabacc", "--format", "table-swiss", "--seats", "3", "--rounds", "2")
    run = ("tournament", "run", *game, "--games", "3", "--seed", "7", "--concurrency", "1")
    assert place.arena(*run, *field, "--pause-after-round", "1").code == 0
    wrong = place.arena("tournament", "pair", "1", "--pair", "|".join(bots))
    assert "--pair: expected 2 to 3 bots, 'A | B | C', not 'target-total|random|" in wrong.err
    table = "random | target-total(at=21)"
    assert place.arena("tournament", "pair", "1", "--pair", table).code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    document = place.arena("tournament", "show", "1", "-o", "json").document
    assert document["rounds"][1]["pairings"][0]["names"] == table.split(" | ")
    assert place.arena("tournament", "verify", "1").code == 0


def test_pairs_come_from_standard_input(place):
    assert place.arena(*SWISS, "--pause-after-round", "1").code == 0
    process = place.start("tournament", "pair", "1", "--file", "-", stdin=subprocess.PIPE)
    _, err = process.communicate("counter | random\n", timeout=PATIENCE)
    assert err == "Tournament 1: round 2 is paired by hand: counter - random\n"
