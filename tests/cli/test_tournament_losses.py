"""``arena tournament losses`` and ``together``: compared with what the matches say one by one."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from itertools import permutations
from statistics import fmean

import pytest
from arena_results.file.addresses import db_option

import arena
from arena.service.report.checks.collusion import MIN_DEALS
from tests.cli.tournament_runs import Place

BOTS = """
from arena import Bot


class Late(Bot):
    def start(self, context):
        raise LookupError("no deck")

    def act(self, observation):
        return observation.legal_actions[0]


class Sore(Bot):
    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 3:
            raise ValueError("sore")
        return observation.legal_actions[-1]


class Hasty(Bot):
    def act(self, observation):
        raise ValueError("at the first decision")


class Calm(Bot):
    def act(self, observation):
        return observation.legal_actions[0]


class Rule(Bot):
    def act(self, observation):
        return 77
"""
FIELD = ("bots.py:Late", "bots.py:Sore", "bots.py:Hasty", "bots.py:Rule", "bots.py:Calm", "random")
NAMES = [each.replace(".py", "") for each in FIELD]
TRUSTED = [word for name in ("Late", "Sore", "Hasty", "Rule", "Calm") for word in ("--trust", name)]
GAMES = 4
TABLES = 3


def ledger(place, number):
    with arena.open_database(place.url) as db:
        return db.tournament(number).ledger()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Tournament 1 is of two seats, 2 of tables; tests only read it."""
    place = Place(tmp_path_factory.mktemp("losses"))
    (place.folder / "bots.py").write_text(BOTS)
    bots = [word for bot in FIELD for word in ("--bot", bot)]
    run = ("tournament", "run", *bots, *TRUSTED, "--seed", "5", "--concurrency", "1")
    assert place.arena(*run, "--games", str(GAMES)).code == 0
    tables = ("--game", "sabacc", "--format", "tables", "--seats", "3", "--games", "12")
    assert place.arena(*run[:2], *tables, *run[2:]).code == 0
    return place


def losses(place, number, *words):
    answer = place.arena("tournament", "losses", str(number), *words)
    assert (answer.code, answer.err) == (0, "")
    return answer


def test_each_bot_has_what_it_won_and_lost_by_cause(place):
    found = losses(place, 1, "-o", "json").document
    assert (found["tournament"], found["counts"], found["void"]) == (1, "matches", [])
    lost = {row["name"]: row["lost_by"] for row in found["bots"]}
    assert set(lost["bots:Late"]) == {"start-up"}
    assert set(lost["bots:Hasty"]) == {"crash"}
    assert set(lost["bots:Sore"]) <= {"crash", "play"}
    assert set(lost["bots:Rule"]) == {"illegal action"}
    assert set(lost["random"]) <= {"play"}
    for row in found["bots"]:
        assert row["won"] + row["drawn"] + row["lost"] == (len(FIELD) - 1) * GAMES
        assert (row["won"], row["lost"]) == tuple(
            sum(row[key].values()) for key in ("won_by", "lost_by")
        )
        assert row["void"] == 0
    won, lost_by = (
        sum((Counter(row[key]) for row in found["bots"]), Counter())
        for key in ("won_by", "lost_by")
    )
    assert won == lost_by


def test_each_pair_has_what_one_won_against_the_other(place):
    found = losses(place, 1, "-o", "json").document
    pairs = {(row["name"], row["against"]): row for row in found["pairs"]}
    assert set(pairs) == {*permutations(NAMES, 2)}
    for (one, other), row in pairs.items():
        assert (row["won"], row["drawn"]) == (pairs[other, one]["lost"], pairs[other, one]["drawn"])
        assert sum(row["won_by"].values()) == row["won"]
    for each in found["bots"]:
        mine = [row for row in found["pairs"] if row["name"] == each["name"]]
        assert sum((Counter(row["won_by"]) for row in mine), Counter()) == each["won_by"]
    # The first of two that fail loses: each starts half of their matches.
    assert pairs["random", "bots:Late"]["won_by"] == {"start-up": GAMES}
    assert pairs["bots:Rule", "bots:Late"]["won_by"] == {"start-up": GAMES}


def test_it_adds_up_what_the_matches_say(place):
    with arena.open_database(place.url) as db:
        cup = db.tournament(1)
        rows, faults = cup.matches(), cup.losses()
    expected = defaultdict(Counter)
    for row in rows:
        if row["return0"] == row["return1"]:
            continue
        loser = row["name0"] if row["return0"] < row["return1"] else row["name1"]
        expected[loser]["play" if row["offender"] is None else "fault"] += 1
    found = ledger(place, 1)
    for row in found["bots"]:
        on_play = row["lost_by"].get("play", 0)
        assert expected[row["name"]] == +Counter(play=on_play, fault=row["lost"] - on_play)
    started = [row for row in faults if row["name"] == "bots:Late"]
    assert {row["move"] for row in started} == {0}
    assert found == losses(place, 1, "-o", "json").document


def test_at_tables_it_counts_duels(place):
    found = losses(place, 2, "-o", "json").document
    with arena.open_database(place.url) as db:
        rows = db.tournament(2).matches()
    assert found["counts"] == "duels"
    decided = drawn = 0
    for row in rows:
        returns = [row[key] for key in row if key.startswith("return") and row[key] is not None]
        for one, other in permutations(returns, 2):
            decided += one > other
            drawn += one == other
    assert sum(row["won"] for row in found["bots"]) == decided
    assert sum(row["drawn"] for row in found["bots"]) == drawn
    lost = {row["name"]: row["lost_by"] for row in found["bots"]}
    assert set(lost["bots:Late"]) == {"start-up"}
    assert "illegal action" in lost["bots:Rule"]


def test_tables_for_people_and_rows_for_programs(place):
    shown = losses(place, 1).out
    assert shown.startswith("Won, by what decided it: matches\n bot ")
    assert "\nLost, by what decided it: matches\n" in shown
    grid = losses(place, 1, "--pairs").out.splitlines()
    assert grid[0].endswith("in brackets how many of them on play: matches")
    assert grid[8].split() == ["6", "random", *["4", "(0)"] * 4, "4", "-"]
    for words, keys, size in (
        ((), ["name", "won", "drawn", "lost", "won_by.play"], len(FIELD)),
        (("--pairs",), ["name", "against", "won", "drawn", "lost"], len(FIELD) * 5),
    ):
        rows = list(csv.reader(io.StringIO(losses(place, 1, *words, "-o", "csv").out)))
        assert rows[0][:5] == keys
        assert len(rows) == size + 1
        assert all("" not in row for row in rows)


def test_the_report_names_the_command_with_the_database(place):
    report = place.arena("tournament", "show", "1").out
    assert f" (arena tournament losses 1{db_option(place.url)}).\n" in report


def test_bad_input_is_one_line(place):
    for verb in ("losses", "together"):
        answer = place.arena("tournament", verb, "9")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == "arena: unknown tournament '9'; choices: 1, 2\n"
    answer = place.arena("tournament", "together", "1")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("arena: no table of tournament 1 had more than two seats; ")
    assert answer.err.count("\n") == 1


def test_bots_are_compared_with_another_at_their_table_and_without_it(place):
    found = place.arena("tournament", "together", "2", "-o", "json").document
    with arena.open_database(place.url) as db:
        assert found["pairs"] == db.tournament(2).together()
    pairs = {(row["name"], row["other"]): row for row in found["pairs"]}
    assert set(pairs) == {*permutations(NAMES, 2)}
    with arena.open_database(place.url) as db:
        rows = db.tournament(2).matches()
    deals = defaultdict(lambda: defaultdict(list))
    for row in rows:
        names = [row[key] for key in row if key.startswith("name") and row[key]]
        returns = [row[f"return{seat}"] for seat in range(len(names))]
        group = deals[row["round"], row["pairing"], (row["leg"] - 1) // len(names)]
        for name, mine in zip(names, returns, strict=True):
            beaten = sum((mine > each) + (mine == each) / 2 for each in returns) - 0.5
            group[name].append(beaten / (len(names) - 1))
    for (one, other), row in pairs.items():
        mine = [deal for deal in deals.values() if one in deal]
        with_it = [fmean(deal[one]) for deal in mine if other in deal]
        without = [fmean(deal[one]) for deal in mine if other not in deal]
        assert (row["deals_together"], row["deals_apart"]) == (len(with_it), len(without))
        assert row["together"] == pytest.approx(fmean(with_it))
        assert row["difference"] == pytest.approx(fmean(with_it) - fmean(without))
        assert (row["error"] is None) == (min(len(with_it), len(without)) < MIN_DEALS)
    ratios = [abs(row["difference"]) / row["error"] for row in found["pairs"] if row["error"]]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios
    shown = place.arena("tournament", "together", "2")
    assert "The 20 that stand out most of 30; all: -o csv\n" in shown.err
    assert len(shown.out.splitlines()) == 24
