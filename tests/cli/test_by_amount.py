"""``--scoring amount`` from the options to standings, documents, lists, resume and verification."""

from __future__ import annotations

import csv
import io
import statistics

import pytest

import arena
from arena.core.errors import BadSpec
from tests.cli.tournament_runs import Place

SABACC = ("--game", "sabacc", "--ruleset", "old_republic(mode=chips,hands=3)")
FIELD = ("--bot", "target-total", "--bot", "cautious-folder", "--bot", "random")
STAGES = ("--stage", "round-robin", "--stage", "knockout(take=2)")
FEW = ("--games", "8", "--seed", "5", "--concurrency", "1", "--scoring", "amount")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Tournament 1: a round robin; 2: a match; 3: a Swiss; 4: a knockout; 5: stages."""
    place = Place(tmp_path_factory.mktemp("amount"))
    run = ("tournament", "run", *SABACC, *FIELD, *FEW)
    place.table = place.arena(*run)
    place.duel = place.arena("match", "target-total", "random", *SABACC, *FEW)
    place.swiss = place.arena(*run, "--format", "swiss")
    place.knockout = place.arena(*run, "--format", "knockout")
    place.stages = place.arena(*run, *STAGES)
    return place


def show(place, number):
    return place.arena("tournament", "show", str(number), "-o", "json").document


def credits_of(place, number):
    """The credits that each bot won or lost, by deal, from the stored matches."""
    with arena.open_database(place.file) as db:
        rows = db.tournament(number).matches()
    deals: dict[str, dict[tuple, list[int]]] = {}
    for row in rows:
        deal = row["round"], row["pairing"], (row["leg"] - 1) // 2
        for seat in (0, 1):
            taken = deals.setdefault(row[f"name{seat}"], {}).setdefault(deal, [])
            taken.append(row[f"score{seat}"] - 100)
    return {name: [*by_deal.values()] for name, by_deal in deals.items()}


def test_standings_are_ordered_by_mean_credits_with_an_interval_over_deals(place):
    document, credits = show(place, 1), credits_of(place, 1)
    rows = document["standings"]
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    for row in rows:
        deals = credits[row["name"]]
        mean = statistics.mean(map(statistics.mean, deals))
        assert row["score"] == pytest.approx(row["mean_amount"]) == pytest.approx(mean)
        deviation = statistics.stdev(map(statistics.mean, deals)) / len(deals) ** 0.5
        assert row["deals"] == len(deals) == 8
        assert row["mean_amount_error"] == pytest.approx(2.3646 * deviation, rel=1e-3)
    assert document["tournament"]["scoring"] == "amount"
    assert document["tournament"]["unit"] == "credits"


def test_the_crosstable_and_the_rounds_have_amounts(place):
    document = show(place, 1)
    names, amounts = (document["crosstable"][key] for key in ("names", "amounts"))
    for line, row in enumerate(document["standings"]):
        others = [each for each in amounts[line] if each is not None]
        assert names[line] == row["name"]
        assert amounts[line][line] is None
        assert statistics.mean(others) == pytest.approx(row["score"])
    for round in document["rounds"]:
        for pairing in round["pairings"]:
            assert len(pairing["amounts"]) == 2
            assert sum(pairing["points"]) == 8


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_match_points_count_the_matches_won_and_drawn(place, number):
    """Not the totals: who took more of a pairing has not won all of its matches."""
    document = show(place, number)
    names, points = (document["crosstable"][key] for key in ("names", "points"))
    by_name = {row["name"]: row["match_points"] for row in document["standings"]}
    for line, row in enumerate(document["standings"]):
        assert names[line] == row["name"]
        if "stage" not in row:
            assert row["match_points"] == row["won"] + row["drawn"] / 2
        whole = sum(
            taken
            for round in document["rounds"]
            for pairing in round["pairings"]
            for name, taken in zip(pairing["names"], pairing["points"], strict=True)
            if name == row["name"]
        )
        assert whole == row["won"] + row["drawn"] / 2 == sum(each or 0 for each in points[line])
    for stage in document.get("stages", ()):
        for row in stage["standings"]:
            assert row["match_points"] == row["won"] + row["drawn"] / 2
    if number == 5:
        for row in document["stages"][-1]["standings"]:
            assert by_name[row["name"]] == row["match_points"]


@pytest.mark.parametrize("number", [1, 3, 4, 5])
def test_pairings_have_amounts_from_which_the_standings_follow(place, number):
    rows = place.arena("export", str(number), "pairings", "-o", "json").document
    for line in show(place, number)["standings"]:
        own = [row for row in rows if row["name"] == line["name"]]
        played = [row for row in own if row["status"] == "played"]
        assert {row["amount"] is None for row in own if row not in played} <= {True}
        matches = sum(row["matches"] for row in played)
        mean = sum(row["amount"] for row in played) / matches
        assert mean == pytest.approx(line["mean_amount"])
        if number == 1:
            assert {row["score"] for row in own} == {None}
        elif number == 3:
            assert sum(row["score"] for row in own) == line["score"]


def test_people_see_the_unit(place):
    out = place.table.out
    assert "credits/match  ± 95 %" in out
    assert "Crosstable: mean credits a match of the row against the column" in out
    detailed = place.arena("tournament", "show", "1", "--details").out
    assert "Scoring: ranked by the mean amount a match, a bye nothing.\n" in out
    assert "Scoring: ranked by the mean amount a match, a bye nothing; then by DE" in detailed
    assert "with fewer than 30 deals (Student's t) it is rough." in out
    assert "Bracket: credits" in place.knockout.out


def test_the_block_of_two_begins_with_the_amount(place):
    result = show(place, 2)["result"]
    mean, error = result["mean_amount"], result["mean_amount_error"]
    lines = place.duel.out.splitlines()
    start = lines.index("Results of target-total against random (target-total's point of view):")
    amount = f"Amount: {mean:+.3f} ± {error:.3f} credits a match (95 %, 4 deals)"
    assert lines[start + 1] == amount
    assert lines[start + 2].startswith("Elo: ")


def test_pairings_of_a_swiss_and_of_a_bracket_go_by_the_total(place):
    swiss, knockout = show(place, 3), show(place, 4)
    assert swiss["tournament"]["scoring"] == "pairing-amount"
    for row in swiss["standings"]:
        assert row["tie_breaks"]["AMT"] == pytest.approx(row["mean_amount"])
    assert "MPTS" not in swiss["standings"][0]["tie_breaks"]
    final = knockout["bracket"][-1]
    ahead = final["names"][final["points"].index(max(final["points"]))]
    assert knockout["standings"][0]["name"] == final["winner"] == ahead


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_it_is_verified_as_any_other(place, number):
    assert place.arena("tournament", "verify", str(number)).out.startswith(
        f"Tournament {number} is verified"
    )


def test_a_resumed_swiss_is_the_one_that_was_never_stopped(place):
    """Matches that were played before the stop count by amount, too."""
    run = ("tournament", "run", *SABACC, *FIELD, *FEW, "--format", "swiss")
    place.arena(*run, "--pause-after-round", "1")
    place.arena("tournament", "resume", "6")
    one, other = show(place, 3), show(place, 6)
    for document in (one, other):
        del document["tournament"]["id"]
    assert one == other


def test_lists_have_the_means(place):
    text = place.arena("tournament", "show", "1", "-o", "csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["mean_amount"]) for row in rows] == pytest.approx(
        [row["mean_amount"] for row in show(place, 1)["standings"]]
    )
    with arena.open_database(place.file) as db:
        cup = db.tournament(1)
        for row in cup.crosstable():
            others = [value for key, value in row.items() if key != "name" and value is not None]
            mean = next(r["mean_amount"] for r in cup.standings() if r["name"] == row["name"])
            assert statistics.mean(others) == pytest.approx(mean)


def test_a_tournament_file_and_python_take_it(tmp_path):
    keys = 'bots = ["stand(at=17)", "random"]\ngames = 4\nseed = 1\nscoring = "amount"\n'
    (tmp_path / "cup.toml").write_text(keys)
    with arena.open_database(tmp_path / "cups.db") as db:
        one = db.run(file=tmp_path / "cup.toml")
        other = db.run(["stand(at=17)", "random"], games=4, seed=1, scoring="amount")
        plain = db.run(["stand(at=17)", "random"], games=4, seed=1)
    assert one.standings() == other.standings()
    row = one.standings()[0]
    assert row["mean_amount"] == (row["won"] - row["lost"]) / 4
    assert "mean_amount" not in plain.standings()[0]
    assert plain.summary.spec.count("scoring") == 0
    assert one.document()["tournament"]["chain"] == plain.document()["tournament"]["chain"]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"scoring": "chips"}, "scoring: expected wins or amount, not 'chips'"),
        ({"scoring": "amount", "best_of": 3}, "best_of: counts wins; by amount"),
    ],
)
def test_what_does_not_go_together_is_one_line(tmp_path, keys, problem):
    with arena.open_database(tmp_path / "cups.db") as db, pytest.raises(BadSpec) as refusal:
        db.run(["stand(at=17)", "random"], **keys)
    assert problem in str(refusal.value)
