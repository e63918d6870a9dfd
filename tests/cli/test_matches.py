"""``arena matches``: stored matches by bot, result, cause and round, and the closest of them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing

import msgspec
import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament
from arena_tournaments.formats.round_robin import RoundRobin

from arena.cli.texts.report import MAX_LOSSES, loss_lines
from arena.core.errors import AlteredResults
from arena.service.match.listing import Wanted, find_matches
from arena.service.report.report import make_report
from arena.service.setup.decoded import Decoded


@pytest.fixture
def matches(arena, stored):
    def find(*words):
        answer = arena("matches", *words, "-o", "json", "--db", stored)
        assert (answer.code, answer.err) == (0, "")
        return json.loads(answer.out)

    return find


def keys(rows):
    return [row["match"] for row in rows]


def players(row):
    return {row["name0"], row["name1"]}


def test_all_matches_of_the_database_are_there_in_order(matches):
    rows = matches()
    assert [row["match"] for row in rows if row["tournament"] == 1] == [
        f"1.1.{pairing}.{leg}" for pairing in range(1, 5) for leg in (1, 2)
    ]
    assert len([row for row in rows if row["tournament"] == 2]) == 80
    assert matches("1") == rows[:8]


def test_a_row_says_who_played_how_it_ended_and_how_to_see_it(arena, matches, stored):
    lost = next(row for row in matches("1", "--bot", "sore") if row["offender"] == "sore")
    assert players(lost) == {"sore", "stand(at=17)"}
    assert lost["winner"] == "stand(at=17)"
    assert (lost["termination"], lost["reason"]) == ("crash", "ValueError")
    assert lost["move"] == lost["decisions"]
    assert lost["replay"] == f"arena replay {lost['match']} --move {lost['move']}"
    shown = arena(*lost["replay"].split()[1:], "--db", stored)
    assert shown.code == 0
    assert f"\n\nMove {lost['move']}\n" in shown.out
    assert f"Move {lost['move'] - 1}\n" not in shown.out
    assert "lost by sore" in shown.out
    assert "\n\nMove 0\n" in arena("replay", lost["match"], "--db", stored).out


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("--bot random", lambda row: "random" in players(row)),
        ("--bot random@1.0", lambda row: "random" in players(row)),
        (
            "--bot stand* --against r*",
            lambda row: players(row) in ({"stand(at=17)", "random"}, {"stand(at=17)", "rule"}),
        ),
        ("--bot sore --lost", lambda row: "sore" in players(row) and row["winner"] != "sore"),
        ("--bot random --won", lambda row: row["winner"] == "random"),
        ("--drawn", lambda row: row["winner"] is None),
        ("--bot random --drawn", lambda row: row["winner"] is None and "random" in players(row)),
        ("--cause illegal-action", lambda row: row["termination"] == "illegal action"),
        ("--bot sore --cause crash", lambda row: row["offender"] == "sore"),
        ("--bot sore --lost --cause crash", lambda row: row["offender"] == "sore"),
        ("--bot random --won --cause crash", lambda row: row["offender"] == "late"),
        ("--bot random --lost --cause crash", lambda row: row["offender"] == "random"),
        ("--round 1", lambda row: row["round"] == 1),
    ],
)
def test_filters_choose_what_they_say(matches, words, holds):
    assert keys(matches(*words.split())) == keys(filter(holds, matches()))


def test_the_closest_have_the_smallest_margins_and_then_the_most_decisions(matches):
    def margin(row):
        return abs(row["score0"] - row["score1"])

    ended = [row for row in matches("2") if row["termination"] in ("rules", "cap")]
    ended.sort(key=lambda row: (margin(row), -row["decisions"]))
    assert margin(ended[0]) < margin(ended[-1])
    assert keys(matches("2", "--closest", "5")) == keys(ended[:5])
    assert keys(matches("2", "--closest", "1000")) == keys(ended)


def test_documents_are_the_same_rows(arena, matches, stored):
    rows = matches("2")
    lines = arena("matches", "2", "-o", "jsonl", "--db", stored).out.splitlines()
    assert [json.loads(line) for line in lines] == rows
    cells = list(
        csv.DictReader(io.StringIO(arena("matches", "2", "-o", "csv", "--db", stored).out))
    )
    assert [row["match"] for row in cells] == keys(rows)
    assert list(cells[0]) == list(rows[0])
    assert len(matches("2", "--limit", "3")) == 3


def test_a_table_shows_the_first_matches(arena, stored):
    answer = arena("matches", "2", "--bot", "random", "--limit", "2", "--db", stored)
    head, _, one, two, _, replay, more = answer.out.splitlines()
    assert head.split()[:4] == ["match", "seat", "0", "seat"]
    assert (one.split()[0], two.split()[0]) == ("2.1.1.1", "2.1.1.2")
    assert replay == f"Replay one: arena replay 2.1.1.1 --db {stored}"
    assert more == "These are the first 2 matches; more: --limit N, all: -o csv"
    none = arena("matches", "1", "--bot", "sore", "--won", "--db", stored)
    assert (none.code, none.out, none.err) == (0, "", "No match is like that\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("9", "arena: unknown tournament '9'; choices: 1, 2"),
        ("-- -1", "arena: unknown tournament '-1'; choices: 1, 2"),
        (
            "--cause crush",
            "arena: unknown cause 'crush'; choices: cap, crash, illegal action, left, out of "
            "memory, protocol error, rules, timeout, too long, too many threads, too much output; "
            "did you mean crash?",
        ),
        ("--cause harness-fault", "arena: unknown cause 'harness-fault'; choices: cap, crash, il"),
        (
            "--bot soar",
            "arena: unknown bot 'soar'; choices: late, random, rule, sore, stand(at=17); did you "
            "mean sore?",
        ),
        ("--lost", "arena: --lost: needs --bot, too"),
        ("--against random", "arena: --against: needs --bot, too"),
        ("--bot random --won --lost", "arena: won and lost: a match has one result"),
        ("--round 7", "arena: there is no round 7: rounds 1 to 1 were paired"),
    ],
)
def test_what_there_is_not_is_one_line(arena, stored, words, says):
    answer = arena("matches", "--db", stored, *words.split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(says)
    assert answer.err.count("\n") == 1


def test_a_move_that_there_is_not_is_refused(arena, stored):
    answer = arena("replay", "1.1.2.1", "--move", "9999", "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("arena: --move 9999: expected 0 to ")
    for other in ("--verify", "--summary", "-ojson"):
        words = ("replay", "1.1.2.1", "--move", "0", other, "--db", stored)
        assert (
            arena(*words).err
            == "arena: --move: cannot be combined with --summary, --verify or -o json\n"
        )


def test_rows_are_read_as_they_are_taken_and_checked(own):
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file:
        file.execute("UPDATE match SET seed = seed + 1 WHERE pairing = 4")
        file.commit()
    with open_database(own) as database:
        _, rows = find_matches(database, Wanted())
        assert keys(next(rows) for _ in range(6))[-1] == "1.1.3.2"
        with pytest.raises(AlteredResults, match=r"match 1\.4\.1: its row does not match"):
            next(rows)


def test_the_report_names_the_first_match_of_each_loss(arena, stored):
    found = json.loads(arena("matches", "2", "--cause", "crash", "-o", "json", "--db", stored).out)
    names = ("late", "sore")
    first = {name: next(row for row in found if row["offender"] == name) for name in names}
    counts = {name: sum(row["offender"] == name for row in found) for name in first}
    shown = arena("tournament", "show", "2", "--db", stored).out.splitlines()
    for name, row in first.items():
        assert row["tournament"] == 2
        line = f"{name}: crash {counts[name]} times, first: {row['replay']} --db {stored}"
        assert line in shown
    document = json.loads(arena("tournament", "show", "2", "-o", "json", "--db", stored).out)
    named = {each["name"]: each for each in document["first_losses"]}
    assert named.keys() == {"late", "sore", "rule"}
    for name, row in first.items():
        assert named[name] == {
            "name": name,
            "cause": "crash",
            "losses": counts[name],
            **{key: row[key] for key in ("match", "move", "replay")},
        }
    assert named["rule"]["cause"] == "illegal action"


def test_lines_of_first_losses_are_counted_beyond_some(arena, own):
    with open_database(own) as database:
        report = make_report(Decoded.of(tournament(database, 1), RoundRobin()))
    assert len(loss_lines(report, "")) == 3
    assert loss_lines(msgspec.structs.replace(report, first_losses=()), "") == []
    many = msgspec.structs.replace(report, first_losses=report.first_losses * 5)
    *lines, more = loss_lines(many, "")
    assert len(lines) == MAX_LOSSES
    assert more == "+3 more, see: arena matches 1 --cause CAUSE"
