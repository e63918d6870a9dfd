"""``arena leaderboard`` over stored matches."""

from __future__ import annotations

import csv
import json
import re

from results.database import open_database
from results.leaderboard import INTERVAL_NOTE, leaderboard


def test_a_table_for_each_ruleset_with_what_the_interval_is(arena, stored):
    answer = arena("leaderboard", "--db", stored)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.index("pazaak, standard") < answer.out.index("pazaak, table")
    assert INTERVAL_NOTE in answer.out
    assert answer.out.count(INTERVAL_NOTE) == 1


def test_too_few_matches_show_no_interval_but_a_mark(arena, stored):
    few = arena("leaderboard", "--ruleset", "standard", "--db", stored).out
    line = next(line for line in few.splitlines() if " stand(at=17) " in line)
    assert line.split()[:5] == ["1", "stand(at=17)", "1.0", "1545", "?"]
    assert "?: fewer than 20 matches" in few
    many = arena("leaderboard", "--ruleset", "table", "--db", stored).out
    line = next(line for line in many.splitlines() if " stand(at=17) " in line)
    assert re.fullmatch(r"\d{4}-\d{4}", line.split()[4])
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
    assert all(row["won"] + row["drawn"] + row["lost"] == row["games"] for row in rows)
    lines = list(csv.DictReader(arena("leaderboard", "--db", stored, "-o", "csv").out.splitlines()))
    assert list(lines[0]) == list(rows[0])
    assert len(lines) == len(rows)


def test_unknown_names_name_the_choices_in_the_database(arena, stored):
    answer = arena("leaderboard", "--game", "chess", "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: unknown game in the database 'chess'; choices: pazaak\n"
    answer = arena("leaderboard", "--ruleset", "wiki", "--db", stored)
    assert answer.err.endswith("'wiki'; choices: standard, table\n")


def test_without_matches_there_is_an_empty_list_and_a_word(arena, tmp_path):
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
