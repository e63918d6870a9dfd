"""Transcripts of models are shown, exported and removed; boards show the cost."""

from __future__ import annotations

import json
from zipfile import ZipFile

import pytest
import trio

from tests.cli.asked_models import MATCHES, ask_all
from tests.cli.tournament_runs import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A comparison of two bots, of which the first was asked as an endpoint is."""
    place = Place(tmp_path_factory.mktemp("asked"))
    answer = place.arena(
        *("compare", "stand", "counter", "--games", str(MATCHES)),
        *("--seed", "1", "--concurrency", "1"),
    )
    assert answer.code == 0, answer.err
    trio.run(ask_all, place.url)
    return place


def test_a_transcript_is_exported_as_json_lines(place):
    rows = [
        *map(json.loads, place.arena("transcripts", "show", "1", "-o", "jsonl").out.splitlines())
    ]
    assert len(rows) == 4 * MATCHES
    first = rows[0]
    assert (first["match"], first["seat"], first["decision"], first["attempt"]) == (
        "1.1.1.1",
        0,
        1,
        1,
    )
    assert (first["name"], first["reading"], first["action"]) == ("counter", "illegal", "")
    assert (first["prompt_tokens"], first["completion_tokens"]) == (1000, 10)
    assert (first["seconds"], first["cost"], first["finish"]) == (0.5, 0.01, "stop")
    assert first["messages"] == [{"role": "user", "content": "Decision 1:\x1b[31m which?"}]
    assert first["request"] == {"model": "m"}
    assert json.loads(first["answer"])["choices"]


def test_a_list_is_a_table_and_csv_has_a_row_a_question(place):
    assert "illegal" in place.arena("transcripts", "show", "1").out
    assert len(place.arena("transcripts", "show", "1.1.1", "-o", "csv").out.splitlines()) == 17


def test_the_texts_of_a_match_are_shown_without_control_characters(place):
    shown = place.arena("transcripts", "show", "1.1.1.2").out
    assert "decision 1, attempt 2: legal, stand, 1,000 + 10 tokens, 0.5 s, $0.010000, stop" in shown
    assert "Decision 1:?[31m which?" in shown
    assert "    I stand.\n    stand" in shown


def test_a_replay_shows_answers_to_views_that_may_know_them(place):
    for view, there in (("all", True), ("seat0", True), ("seat1", False), ("public", False)):
        shown = place.arena("replay", "1.1.1.1", "--transcripts", "--view", view)
        assert shown.code == 0
        assert ("I stand." in shown.out) is there
        assert ("no transcript of match 1.1.1.1 is kept for this view" in shown.err) is not there


def test_what_cannot_be_shown_is_one_line(place):
    for words in (
        ("replay", "1.1.1.1", "--transcripts", "--summary"),
        ("transcripts", "show", "7"),
        ("transcripts", "purge", "7"),
    ):
        answer = place.arena(*words)
        assert (answer.code, len(answer.err.splitlines())) == (2, 1)


def test_a_leaderboard_has_columns_of_endpoints_where_one_is(place, tmp_path):
    rows = {row["name"]: row for row in json.loads(place.arena("leaderboard", "-o", "json").out)}
    found = rows["counter"]
    assert (found["illegal"], found["played_for"], found["tokens"]) == (0.5, 0, 4040.0)
    assert (found["seconds"], found["cost"]) == (2.0, 0.04)
    assert found["rating_per_dollar"] is None  # too few matches for a rating
    assert rows["stand"]["cost"] is None
    assert "illegal" in place.arena("leaderboard").out
    other = Place(tmp_path)
    run = ("tournament", "run", "--bot", "random", "--bot", "stand", "--games", "2")
    assert other.arena(*run).code == 0
    assert "illegal" not in other.arena("leaderboard").out


def test_a_report_and_a_comparison_say_what_it_took(place):
    report = json.loads(place.arena("tournament", "show", "1", "-o", "json").out)
    (endpoint,) = report["endpoints"]
    assert (endpoint["name"], endpoint["matches"], endpoint["calls"]) == ("counter", 4, 16)
    assert "Language models" in place.arena("tournament", "show", "1").out


def test_a_bundle_keeps_the_numbers_and_no_message(place, tmp_path):
    assert place.arena("tournament", "verify", "1").code == 0
    assert place.arena("export", "1", "--bundle", "cup.arena").code == 0
    bundle = place.folder / "cup.arena"
    with ZipFile(bundle) as members:
        content = b"".join(map(members.read, members.namelist()))
    assert b"which?" not in content
    assert b"I stand." not in content
    there = Place(tmp_path)
    assert there.arena("import", str(bundle)).code == 0
    show = ("tournament", "show", "1", "-o", "json")
    assert there.arena(*show).document["endpoints"] == place.arena(*show).document["endpoints"]
    assert there.arena("export", "1", "--bundle", "again.arena").code == 0
    assert (tmp_path / "again.arena").read_bytes() == bundle.read_bytes()
    assert place.arena("transcripts", "show", "cup.arena").code == 2


def test_a_purge_keeps_the_numbers(place):
    before = place.arena("leaderboard", "-o", "json").out
    answer = place.arena("transcripts", "purge", "1")
    assert answer.err.endswith("removed the texts of 16 questions of tournament 1\n")
    rows = [
        *map(json.loads, place.arena("transcripts", "show", "1", "-o", "jsonl").out.splitlines())
    ]
    assert {(row["answer"], str(row["messages"]), row["cost"]) for row in rows} == {
        ("", "[]", 0.01)
    }
    assert place.arena("leaderboard", "-o", "json").out == before
