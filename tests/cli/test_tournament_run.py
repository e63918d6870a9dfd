"""Reports of a finished tournament: documents, tables, wagers, seeding, odd fields."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from tests.cli.tournament_runs import CONTROL, Place, without_progress

THREE = ("--bot", "stand(at=17)", "--bot", "stand(at=15)", "--bot", "random")
RUN = ("tournament", "run", "--seed", "7", "--concurrency", "1")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A database with a round robin with wagers (1) and a Swiss seeded by its ratings (2)."""
    place = Place(tmp_path_factory.mktemp("run"))
    place.first = place.arena(
        *RUN, *THREE, "--games", "6", "--rounds", "2", "--stake", "40", "--purse", "100",
        "--name", "wagers", "-o", "json",
    )  # fmt: skip
    place.second = place.arena(
        *RUN, *THREE, "--bot", "stand(at=18)", "--bot", "stand(at=12)", "--format", "swiss",
        "--games", "3", "--not-mirrored", "--seed-by", "rating",
    )  # fmt: skip
    return place


def show(place, number, *words: str):
    answer = place.arena("tournament", "show", str(number), *words)
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def test_stdout_is_one_document_and_all_else_goes_to_stderr(place):
    assert place.first.code == 0
    assert json.loads(place.first.out)["tournament"]["id"] == 1
    assert without_progress(place.first.err) == (
        "Tournament 1: pazaak standard, round-robin, 3 bots, 6 rounds, 6 games a pairing; "
        "open seed 7\n"
    )


def test_the_document_is_the_same_when_it_is_shown_and_when_it_is_resumed(place):
    assert show(place, 1, "-o", "json") == place.first.out
    resumed = place.arena("tournament", "resume", "1", "-o", "json")
    assert (resumed.code, resumed.out) == (0, place.first.out)
    assert resumed.err == "Tournament 1 is finished; there is nothing left to play\n"


def test_the_document_holds_no_times_and_its_shape_is_stable(place):
    document = place.first.document
    assert list(document) == [
        "verdict",
        "tournament",
        "standings",
        "crosstable",
        "rounds",
        "result",
    ]
    assert list(document["tournament"]) == [
        "id", "name", "game", "ruleset", "format", "games", "mirrored", "rounds", "seed", "key",
        "open", "commitment", "nonce", "value_function", "value_hash", "chain", "engine", "stake",
        "purse", "status", "entries", "matches", "scoring", "seats", "tables", "resting",
    ]  # fmt: skip
    for row in document["standings"]:
        assert list(row) == [
            "rank", "name", "version", "score", "match_points", "won", "drawn", "lost", "credits",
            "tie_breaks", "losses_by_cause", "average_place", "amount",
            "adjusted", "adjusted_error",
        ]  # fmt: skip
        assert row["average_place"] is row["amount"] is None
    assert document["tournament"]["seats"] == 2
    assert document["tournament"]["tables"] is None
    assert document["result"] is None


def test_cycles_play_everybody_again_with_the_seats_reversed(place):
    rounds = place.first.document["rounds"]
    assert [one["round"] for one in rounds] == [1, 2, 3, 4, 5, 6]
    for early, late in zip(rounds[:3], rounds[3:], strict=True):
        assert early["byes"] == late["byes"]
        for one, other in zip(early["pairings"], late["pairings"], strict=True):
            assert one["names"] == other["names"][::-1]
    assert sorted(one["byes"][0] for one in rounds[:3]) == [
        "random",
        "stand(at=15)",
        "stand(at=17)",
    ]


def test_wagers_are_settled_in_schedule_order_and_no_credit_is_lost(place):
    rows = place.first.document["standings"]
    field = ["stand(at=17)", "stand(at=15)", "random"]
    held = dict.fromkeys(field, 100)
    for match in place.played(1):
        names = [key.partition("@")[0] for key in match.record.seats]
        for name, rival, value in zip(
            names, names[::-1], match.record.outcome.returns, strict=True
        ):
            if value < 0:
                paid = min(40, held[name])
                held[name] -= paid
                held[rival] += paid
    assert {row["name"]: row["credits"] for row in rows} == held
    assert sum(held.values()) == 300
    assert min(held.values()) == 0  # somebody went broke, so the cap was needed
    assert "credits" in show(place, 1)
    assert "credits" not in place.second.out


def test_the_crosstable_adds_up_to_the_match_points(place):
    document = place.first.document
    for row, points in zip(document["standings"], document["crosstable"]["points"], strict=True):
        assert sum(value for value in points if value is not None) == row["match_points"]
        assert row["won"] + row["drawn"] + row["lost"] == 24


def test_seeding_by_rating_puts_the_best_first_and_the_unrated_at_1500(place):
    with open_database(place.url, create=False) as database:
        field = tournament(database, 2).field
    names = [entry.participant.name for entry in field]
    ratings = {entry.participant.name: entry.rating for entry in field}
    assert list(ratings.values()) == sorted(ratings.values(), reverse=True)
    assert ratings["stand(at=18)"] == ratings["stand(at=12)"] == 1500
    assert ratings["random"] < 1500 < ratings["stand(at=17)"]
    # Equals stay in the order in which they were entered.
    assert names.index("stand(at=18)") < names.index("stand(at=12)")
    # Dutch, first round of five: 1 meets 3, 2 meets 4, and 5 has the bye.
    first = json.loads(show(place, 2, "-o", "json"))["rounds"][0]
    met = [set(pairing["names"]) for pairing in first["pairings"]]
    assert met == [{names[0], names[2]}, {names[1], names[3]}]
    assert first["byes"] == [names[4]]


def test_a_swiss_of_five_plays_four_rounds_and_odd_games_unmirrored(place):
    shown = json.loads(show(place, 2, "-o", "json"))
    assert shown["tournament"]["rounds"] == 4 == len(shown["rounds"])
    assert shown["tournament"]["matches"] == 4 * 2 * 3 == place.stored() - 6 * 6
    assert shown["tournament"]["mirrored"] is False
    seeds = [match.record.seed for match in place.played(2)]
    assert len(set(seeds)) == len(seeds)
    assert all(len(one["byes"]) == 1 for one in shown["rounds"])


def test_plain_tables_have_no_control_codes_and_fit_eighty_columns(place):
    for text in (show(place, 1), place.second.out, place.second.err):
        assert CONTROL not in text
    tables = [line for line in show(place, 1).splitlines() if line.startswith(" ")]
    assert max(map(len, tables)) <= 80


def test_the_tables_show_the_results_and_the_next_commands(place):
    text = place.second.out
    verdict, space, title, *_ = text.splitlines()
    assert verdict == json.loads(show(place, 2, "-o", "json"))["verdict"]
    assert " wins the tournament: " in verdict
    assert space == ""
    assert title.startswith(
        "Tournament 2: pazaak standard, swiss, 4 of 4 rounds, 3 games a pairing"
    )
    assert "Rounds: opponent's line, first (w) or second (b) seat, score" in text
    assert "Adjudicated losses: none." in text
    for command in (
        f"arena replay 2.1.1.1 --db {place.url}",
        f"arena leaderboard --game pazaak --db {place.url}",
    ):
        assert command in text
        assert place.arena(*command.split()[1:]).code == 0


def test_hashes_and_codes_of_tie_breaks_are_details(place):
    plain, full = show(place, 2), show(place, 2, "--details")
    for text, shown in ((plain, False), (full, True)):
        (head,) = [line for line in text.splitlines() if line.startswith(" #") and "score" in line]
        assert ("BH-C1" in head) is shown
        assert ("then by MPTS" in text) is shown
        assert ("Result chain: " in text) is shown
    assert not re.search("[0-9a-f]{32}", plain)


def test_csv_is_one_table_with_a_heading(place):
    rows = list(csv.DictReader(io.StringIO(show(place, 1, "-o", "csv"))))
    assert [row["name"] for row in rows] == [
        row["name"] for row in place.first.document["standings"]
    ]
    assert {"rank", "name", "score", "won", "drawn", "lost", "credits"} <= set(rows[0])


def test_list_names_every_tournament(place):
    rows = json.loads(place.arena("tournament", "list", "-o", "json").out)
    assert [(row["id"], row["name"], row["status"]) for row in rows] == [
        (1, "wagers", "finished"),
        (2, "", "finished"),
    ]
    assert [row["matches"] for row in rows] == [36, 24]


def test_two_entrants_have_one_round_to_play(tmp_path):
    words = ("tournament", "run", "--bot", "stand", "--bot", "random", "--games", "1",
             "--format", "swiss", "-o", "json")  # fmt: skip
    document = Place(tmp_path).arena(*words).document
    assert document["tournament"]["rounds"] == 1 == document["tournament"]["matches"]
    assert document["result"]["games"] == 1
