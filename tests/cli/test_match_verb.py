"""``arena match``: a tournament of one pairing, with results from the first bot's side."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.submitting import CAREFUL
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")
WORDS = ("--games", "40", "--seed", "7", "--concurrency", "1")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("match"))
    place.answer = place.arena("match", "stand(at=17)", "random", *WORDS, "-o", "json")
    place.table = place.arena("match", "random", "stand(at=17)", *WORDS)
    return place


def test_the_result_is_from_the_first_bots_side(place):
    result = place.answer.document["result"]
    assert (result["point_of_view"], result["against"]) == ("stand(at=17)", "random")
    assert result["games"] == result["won"] + result["lost"] + result["drawn"] == 40
    assert sum(result["ptnml"]) == 20
    points = sum(count * half / 2 for half, count in enumerate(result["ptnml"]))
    assert points == result["won"] + result["drawn"] / 2
    assert result["won"] > result["lost"]
    assert result["elo"] > 0
    assert result["los"] > 0.5


def test_the_table_ends_with_the_block_of_engine_testers(place):
    lines = place.table.out.splitlines()
    start = lines.index("Results of random against stand(at=17) (random's point of view):")
    elo, los, games, pairs = lines[start + 1 : start + 5]
    assert elo.startswith("Elo: -")
    assert ", nElo: -" in elo
    assert "±" in elo
    assert los.startswith("LOS: ")
    assert games.startswith("Games: 40, Wins: ")
    assert pairs.startswith("Ptnml(0-2): [")


def test_mirrored_matches_share_their_deals_and_swap_the_seats(place):
    played = place.played(1)
    assert len(played) == 40
    for first, second in zip(played[::2], played[1::2], strict=True):
        assert first.record.seed == second.record.seed
        assert first.record.seats == second.record.seats[::-1]


def test_it_is_stored_like_any_tournament(place):
    rows = json.loads(place.arena("tournament", "list", "-o", "json").out)
    assert [(row["name"], row["matches"]) for row in rows] == [("match", 40), ("match", 40)]


def test_csv_is_the_table_and_the_block_goes_to_stderr(tmp_path):
    place = Place(tmp_path)
    answer = place.arena("match", "stand", "random", "--games", "3", "--not-mirrored", "-o", "csv")
    assert answer.code == 0
    assert answer.out.startswith("rank,name,score,")
    assert len(answer.out.splitlines()) == 3
    assert "Games: 3, Wins: " in answer.err
    assert "Ptnml" not in answer.err


@pytest.mark.parametrize(("games", "alone"), [("5", True), ("4", False)])
def test_a_match_that_is_in_no_pair_is_reported(tmp_path, games, alone):
    answer = Place(tmp_path).arena("match", "stand", "random", "--games", games)
    note = "1 of the games is in no pair: Ptnml, Elo and LOS count whole pairs only, the score all"
    assert (note in answer.out) is alone
    won, drawn = (int(re.search(rf"{each}: (\d+)", answer.out)[1]) for each in ("Wins", "Draws"))
    assert f"score: {(won + drawn / 2) / int(games):.2%}" in answer.out


def test_a_folder_plays_a_match_and_is_found_again(tmp_path):
    folder = tmp_path / "careful"
    folder.mkdir()
    (folder / "careful.py").write_text(CAREFUL)
    place = Place(tmp_path)
    words = ("--games", "2", "--isolation", "process")
    answer = place.arena("match", "careful/", "random", *words, "-o", "json")
    assert answer.code == 0, answer.err
    assert {row["name"] for row in json.loads(answer.out)["standings"]} == {"careful", "random"}
    assert place.arena("submit", "careful", "--isolation", "process").code == 0
    (folder / "careful.py").write_text("a folder of the stored bot's name is not the bot meant")
    assert place.arena("match", "careful", "random", *words).code == 0
    assert place.arena("match", "careful/", "random", *words).code == 2
