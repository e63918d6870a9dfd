"""``arena leaderboard`` over stored matches."""

from __future__ import annotations

import csv
import json
import re
from itertools import pairwise

import pytest
import trio
from arena_results.boards.leaderboard import JOINT, leaderboard, table_note
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store

from arena.cli.terminal.wiring import registry
from arena.core.outcome import Outcome, utilities
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from tests.cli.stored_cups import store


def test_each_ruleset_has_a_table_with_a_note_on_the_interval(arena, stored):
    answer = arena("leaderboard", "--db", stored)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.index("pazaak, standard") < answer.out.index("pazaak, table")
    assert JOINT.note in answer.out
    assert answer.out.count(JOINT.note) == 1


def test_too_few_matches_show_no_interval_but_a_mark(arena, tmp_path):
    own = (
        f"sqlite:///{tmp_path}/own.db"  # in the shared one, other tests store luck: one more column
    )
    store(own)
    store(own, "table", legs=20, stake=10)
    few = arena("leaderboard", "--ruleset", "standard", "--db", own).out
    line = next(line for line in few.splitlines() if " stand(at=17) " in line)
    name, version, _, error, interval = line.split()[1:6]
    assert (name, version, error, interval) == ("stand(at=17)", "1.0", "?", "?")
    assert "?: fewer than 20 matches" in few
    assert re.match(r" *1-\d ", line)  # any rank is open
    many = arena("leaderboard", "--ruleset", "table", "--db", own).out
    line = next(line for line in many.splitlines() if " stand(at=17) " in line)
    assert re.fullmatch(r"\d{3,4} +\d+ +\d{3,4}-\d{3,4}", " ".join(line.split()[3:6]))
    assert "?" not in many


def test_credits_take_a_column_only_where_there_was_a_stake(arena, stored):
    assert "credits" not in arena("leaderboard", "--ruleset", "standard", "--db", stored).out
    assert "credits" in arena("leaderboard", "--ruleset", "table", "--db", stored).out


def test_documents_hold_every_row_and_every_key(arena, stored):
    rows = json.loads(arena("leaderboard", "--db", stored, "-o", "json").out)
    with open_database(stored) as database:
        expected = leaderboard(database)
    assert [(row["ruleset"], row["rank"], row["name"], row["rating"]) for row in rows] == [
        (row.ruleset, row.rank, row.participant.name, row.rating) for row in expected
    ]
    assert [row["few"] for row in rows] == [row.games < 20 for row in expected]
    assert [row["low"] for row in rows] == [None if row.games < 20 else row.low for row in expected]
    assert all(row["won"] + row["drawn"] + row["lost"] == row["games"] for row in rows)
    lines = list(csv.DictReader(arena("leaderboard", "--db", stored, "-o", "csv").out.splitlines()))
    assert list(lines[0]) == list(rows[0])
    assert len(lines) == len(rows)


def test_pairs_are_the_chances_of_every_two(arena, stored):
    words = ("leaderboard", "--ruleset", "table", "--db", stored)
    board = json.loads(arena(*words, "-o", "json").out)
    rows = json.loads(arena(*words, "--pairs", "-o", "json").out)
    size = len(board)
    assert len(rows) == size * (size - 1) // 2
    between = {(row["name"], row["opponent"]): row["better"] for row in rows}
    for one, other in pairwise(board):
        assert between[one["name"], other["name"]] == one["better"]
        assert one["rank_low"] <= one["rank"] <= one["rank_high"]
    assert board[-1]["better"] is None
    assert all(0.5 <= row["better"] <= 1 and row["difference"] >= 0 for row in rows)
    shown = arena(*words, "--pairs").out
    assert all(name in shown for name in ("P(better)", "difference", board[-1]["name"]))
    answer = arena(*words, "--pairs", "--rating", "elo")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("elo has no chance that one bot is better than another; joint has\n")


def test_an_anchor_has_the_rating_that_is_given(arena, stored):
    words = ("leaderboard", "--ruleset", "table", "--db", stored, "-o", "json")
    for name in ("random", "random@1.0"):
        rows = {r["name"]: r for r in json.loads(arena(*words, "--anchor", f"{name}=900").out)}
        assert (rows["random"]["rating"], rows["random"]["se"]) == (900, 0)
        assert rows["stand(at=17)"]["rating"] > 900


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--anchor", "random"), "--anchor 'random' is not NAME=RATING"),
        (("--anchor", "nobody=1"), "unknown bot 'nobody' on a leaderboard; choices: .*random"),
        (("--anchor", "random=nan"), "anchor random: expected a rating from -10000 to 10000, not"),
        (("--anchor", "random=1", "--rating", "elo"), "rating system elo takes no anchors; joint"),
        (("--tournament", "99"), "unknown tournament '99'; choices: 1, 2"),
        (("--rating", "x"), "unknown rating system 'x'; choices: bt, elo, glicko2, joint, op"),
        (("--rating", "elo(tau=1)"), "tau: not available for rating system elo, which takes k, s"),
        (("--rating", "elo(before=x)"), "before: no option in .* use arena rate --before FILE"),
        (("--rating", "elo(k=-1)"), "k: expected a number from 0 to 1000, not -1"),
        (("--rating", "elo(k=8"), r"cannot read 'elo\(k=8'; write NAME\(key=value, ...\)"),
    ],
)
def test_wrong_options_of_a_leaderboard_are_one_line(arena, stored, words, error):
    answer = arena("leaderboard", *words, "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert re.fullmatch(f"arena: {error}.*\n", answer.err)


def test_a_tournament_has_a_board_of_its_own(arena, stored):
    boards = [
        json.loads(arena("leaderboard", "--tournament", number, "--db", stored, "-o", "json").out)
        for number in ("1", "2")
    ]
    whole = json.loads(arena("leaderboard", "--db", stored, "-o", "json").out)
    games = {(row["ruleset"], row["name"]): row["games"] for row in whole}
    assert sum(row["games"] for board in boards for row in board) <= sum(games.values())
    assert all(len({row["ruleset"] for row in board}) == 1 for board in boards)


@pytest.mark.parametrize("system", ["elo", "glicko2", "openskill"])
def test_other_systems_rate_the_same_matches(arena, stored, system):
    answer = arena("leaderboard", "--rating", system, "--db", stored)
    assert answer.code == 0
    assert registry().rating_system(system).note in answer.out
    assert ("P(beats next)" in answer.out) == (system != "elo")


def test_unknown_names_name_the_choices_in_the_database(arena, stored):
    answer = arena("leaderboard", "--game", "chess", "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: unknown game 'chess' in the database; choices: pazaak\n"
    answer = arena("leaderboard", "--ruleset", "wiki", "--db", stored)
    assert answer.err.endswith("'wiki' in the database; choices: standard, table\n")


def test_without_matches_there_is_an_empty_list_and_a_note(arena, tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    open_database(url).close()
    answer = arena("leaderboard", "--db", url, "-o", "json")
    assert (answer.code, answer.out) == (0, "[]\n")
    assert "no matches" in answer.err


def test_without_a_database_nothing_is_made(arena, tmp_path):
    answer = arena("leaderboard", "--db", f"sqlite:///{tmp_path}/none.db")
    assert answer.code == 2
    assert "there is no results database at" in answer.err
    assert not list(tmp_path.iterdir())


RULESETS = ("old_republic", "old_republic(mode=chips)")
CAST = [Participant(f"bot{index}", "1.0", f"{index:012x}") for index in range(7)]


def table(ruleset: str, place: MatchKey, seats: tuple[int, ...]) -> PlayedMatch:
    """A match that lower indices win, except that the last two share the last place."""
    places = [min(seats.index(index), len(seats) - 2) for index in sorted(seats)]
    record = MatchRecord(
        game="sabacc",
        ruleset=ruleset,
        engine="1",
        seed=1,
        seats=tuple(CAST[index].key for index in seats),
        loadouts=(b"",) * len(seats),
        actions=b"",
        outcome=Outcome(utilities(places), tuple(100 - 10 * each for each in places)),
    )
    nothing = (0,) * len(seats)
    return PlayedMatch(place, record, Measurement(nothing, nothing))


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """URL of a database of two rulesets of Sabacc: tables of four and three, 24 matches each."""
    url = f"sqlite:///{tmp_path_factory.mktemp('tables')}/arena.db"
    pairings = ((0, 1, 2, 3), (4, 5, 6))

    async def write() -> None:
        with open_database(url) as database:
            store = Store(database)
            for ruleset in RULESETS:
                new = NewTournament(
                    name="cup", game="sabacc", ruleset=ruleset, engine="1", format="tables",
                    games=24, mirrored=True, rounds=1, seed=7,
                )  # fmt: skip
                number = await store.create_tournament(new, [EntryRow(who) for who in CAST])
                await store.save_round(number, Round(1, tuple(map(Pairing, pairings))))
                for pairing, seats in enumerate(pairings, start=1):
                    legs = [
                        table(ruleset, MatchKey(1, pairing, leg), seats) for leg in range(1, 25)
                    ]
                    await store.sink(number).write(legs)

    trio.run(write)
    return url


def test_each_ruleset_of_tables_has_a_board_and_never_shares_it(arena, tables):
    out = arena("leaderboard", "--db", tables).out
    for ruleset in RULESETS:
        title = f"sabacc, {ruleset}; all ran trusted; seats at a table: "
        for number, seats in enumerate((4, 3), 1):
            assert f"{title}{seats}; group {number} of 2 that never met\n" in out
    assert "2 groups that never met, whose ratings do not compare: bot0, bot1, " in out
    one = arena("leaderboard", "--ruleset", RULESETS[1], "--db", tables).out
    assert one.count("seats at a table") == 2
    assert sum(" bot0 " in line for line in one.splitlines()) == 1


def test_a_board_of_tables_shows_firsts_duels_and_what_they_are(arena, tables, stored):
    out = arena("leaderboard", "--ruleset", "old_republic", "--db", tables).out
    line = next(line for line in out.splitlines() if " bot0 " in line)
    assert line.split()[7:] == ["24", "24", "24", "72-0-0"]
    line = next(line for line in out.splitlines() if " bot3 " in line)
    assert line.split()[7:] == ["24", "4", "0", "0-24-48"]
    assert table_note() in out
    assert JOINT.note in out
    two = arena("leaderboard", "--db", stored).out
    assert "1st" not in two
    assert table_note() not in two


def test_many_matches_of_few_deals_show_no_interval(arena, tables):
    """24 matches of a table of four are six deals; of a table of three they are eight."""
    out = arena("leaderboard", "--ruleset", "old_republic", "--db", tables).out
    lines = [line.split() for line in out.splitlines() if re.match(r" +\S+ +bot\d ", line)]
    assert [line[0] for line in lines] == ["1-4"] * 4 + ["1-3"] * 3
    assert {tuple(line[4:7]) for line in lines} == {("?", "?", "-")}
    assert "?: fewer than 20 matches, or 10 deals, too few for an interval" in out


def test_documents_of_tables_have_seats_and_firsts(arena, tables):
    words = ("leaderboard", "--ruleset", "old_republic", "--db", tables, "-o")
    rows = {row["name"]: row for row in json.loads(arena(*words, "json").out)}
    shown = ("games", "seats", "points", "firsts", "won", "drawn", "lost")
    assert [rows["bot4"][key] for key in shown] == [24, [3], 24.0, 24, 48, 0, 0]
    assert [rows["bot6"][key] for key in shown] == [24, [3], 6.0, 0, 0, 24, 24]
    lines = list(csv.DictReader(arena(*words, "csv").out.splitlines()))
    assert {line["seats"] for line in lines} == {"3", "4"}


def test_tournaments_by_amount_have_a_board_of_mean_amounts(arena, tmp_path):
    url = f"sqlite:///{tmp_path}/amounts.db"
    words = ("tournament", "run", "--bot", "random", "--bot", "stand(at=17)", "--db", url)
    assert arena(*words, "--games", "24", "--seed", "1").code == 0
    assert arena(*words, "--games", "30", "--seed", "2", "--scoring", "amount").code == 0
    rows = json.loads(arena("leaderboard", "--db", url, "-o", "json").out)
    assert [(row["games"], row["unit"]) for row in rows] == [(24, "")] * 2 + [(30, "points")] * 2
    shown = json.loads(arena("tournament", "show", "2", "--db", url, "-o", "json").out)
    assert {row["name"]: round(row["mean_amount"], 4) for row in shown["standings"]} == {
        row["name"]: row["rating"] for row in rows[2:]
    }
    assert "; by amount: mean " in arena("leaderboard", "--db", url).out
    form = json.loads(arena("leaderboard", "--db", url, "--rating", "elo", "-o", "json").out)
    assert [row["games"] for row in form] == [54, 54]
