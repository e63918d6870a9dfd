"""``arena replay``: showing and verifying stored matches."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import msgspec
import pytest
from arena_results.schema.packing import pack

from arena.core.record import MatchKey, SeatLog
from tests.cli.forging import add_log, put_record, seal_again, stored_record


def change(url: str, key: MatchKey, **changes: object) -> None:
    """Falsifies a stored record, and its row's checksum."""
    put_record(url, msgspec.structs.replace(stored_record(url, key), **changes), key)


def test_a_match_is_shown_from_the_first_move_to_the_end(arena, stored):
    answer = arena("replay", "1.1.1.1", "--db", stored)
    assert (answer.code, answer.err) == (0, "")
    blocks = answer.out.strip().split("\n\n")
    assert blocks[0].startswith("Match 1.1.1.1: pazaak, standard (engine 1), seed 100; view: all\n")
    assert "seat 0: stand(at=17) 1.0, brings +1 +2" in blocks[0]
    assert [block.split("\n")[0] for block in blocks[1:-1]] == [
        f"Move {number}" for number in range(len(blocks) - 2)
    ]
    assert "  > random decides: " in blocks[1]
    assert "stand(at=17)'s hand: " in blocks[1]
    assert blocks[-1].startswith("The end: won by ")
    assert "wins the set" in answer.out
    assert "the score is 1 : 0" in answer.out
    held = [line for line in answer.out.splitlines() if line.startswith("* ")]
    assert " wins set 1, " in held[0]
    assert " wins the match, " in held[-1]


def test_a_summary_has_a_line_for_each_set(arena, stored):
    whole = arena("replay", "1.1.1.1", "--db", stored).out
    answer = arena("replay", "1.1.1.1", "--summary", "--db", stored)
    head, lines, end = answer.out.rstrip("\n").split("\n\n")
    assert whole.startswith(head)
    assert whole.rstrip("\n").endswith(end)
    sets = [line.split(": ")[0] for line in lines.splitlines()]
    assert sets == [f"Set {number}" for number in range(1, len(sets) + 1)]
    assert lines.splitlines()[0].count(" gained, ") == 1
    moves = sum(line.startswith("Move ") for line in whole.splitlines())
    assert sum(int(line.split()[-2]) for line in lines.splitlines()) == moves - 1
    refused = arena("replay", "1", "--summary", "--step", "--db", stored)
    assert refused.err == "arena: --summary: cannot be combined with --step, --verify or -o json\n"


def test_lines_fit_a_terminal_of_80_columns(arena, stored):
    for view in ("public", "seat0", "seat1", "all"):
        text = arena("replay", "1.1.1.1", "--view", view, "--db", stored).out
        assert max(map(len, text.splitlines())) <= 80


def test_a_crash_shows_cause_seat_move_and_the_bots_own_traceback(arena, stored):
    text = arena("replay", "1.1.2.1", "--db", stored).out
    assert "0 : 0; cause: crash\n  lost by sore (seat 1) at move 4\n  reason: ValueError" in text
    assert "Traceback (most recent call last)" in text
    assert 'raise ValueError(f"I hold {observation.hand}")' in text


def test_an_illegal_action_shows_what_was_answered(arena, stored):
    text = arena("replay", "1.1.3.1", "--db", stored).out
    assert "cause: illegal action\n  lost by rule (seat 0) at move 0" in text
    assert "reason: str is not one of: end turn, stand" in text


def test_a_match_that_ended_before_the_deal_is_shown(arena, stored):
    text = arena("replay", "1.1.4.1", "--db", stored).out
    assert "lost by late (seat 0) at move 0\n  reason: LookupError" in text
    assert "Move" not in text


@pytest.mark.parametrize("view", ["public", "seat0"])
def test_a_view_hides_an_offenders_text_about_its_hand(arena, stored, view):
    text = arena("replay", "1.1.2.1", "--view", view, "--db", stored).out
    assert "cause: crash\n  lost by sore (seat 1) at move 4\n" in text
    assert "I hold" not in text
    assert "--view all" in text
    assert "seed" not in text


def test_a_shorter_number_is_the_first_match_there(arena, stored):
    for short in ("2", "2.1", "2.1.1"):
        assert arena("replay", short, "--db", stored).out.startswith("Match 2.1.1.1: ")


def test_json_is_one_document(arena, stored):
    document = json.loads(arena("replay", "1.1.2.1", "--db", stored, "-o", "json").out)
    assert list(document) == [
        "match", "view", "game", "ruleset", "engine", "seed", "seats", "moments", "ending", "logs",
    ]  # fmt: skip
    assert document["seats"][1] | {"loadout": ""} == {
        "seat": 1,
        "name": "sore",
        "version": "1.0",
        "content": "000000000002",
        "loadout": "",
    }
    assert document["moments"][0]["action"] == "end turn"
    assert document["moments"][-1]["action"] is None
    assert document["ending"]["move"] == len(document["moments"]) - 1
    assert "I hold" in document["ending"]["error"]


def test_json_has_the_table_of_each_moment_as_data_where_it_is_asked_for(arena, stored):
    asked = ("replay", "1.1.2.1", "--view", "seat0", "--db", stored)
    document = json.loads(arena(*asked, "-o", "json", "--scenes").out)
    for moment in document["moments"][:-1]:
        assert moment["scene"]["turn"] == moment["seat"]
    hands = {
        zone["seat"]: zone["cards"]
        for zone in document["moments"][0]["scene"]["zones"]
        if zone["label"] == "hand"
    }
    assert hands[1] == [{"hidden": True}] * 4
    assert all(card["name"] and card["kind"] for card in hands[0])
    held = [moment["held"] for moment in document["moments"]]
    assert held[-1][-1]["verdict"]["over"] == "match"
    for moment in document["moments"]:
        del moment["scene"], moment["held"]
    assert document == json.loads(arena(*asked, "-o", "json").out)
    refused = arena(*asked, "--scenes")
    assert (refused.code, refused.err) == (2, "arena: --scenes: needs -o json\n")


def test_a_match_is_written_as_one_page(arena, stored, tmp_path):
    file = tmp_path / "match.html"
    asked = ("replay", "1.1.2.1", "--db", stored, "--html", file)
    answer = arena(*asked, "--view", "seat0", "--move", "3")
    assert (answer.code, answer.out, answer.err) == (0, "", f"written: {file}\n")
    page = file.read_text()
    assert page.startswith("<!doctype html>")
    assert "I hold" not in page
    assert arena(*asked).code == 0
    assert "I hold" in file.read_text()
    assert arena("replay", "1.1.4.1", "--db", stored, "--html", file).code == 0
    assert "LookupError" in file.read_text()  # a match that ended before the deal


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "json"), "--html: cannot be combined with --step, "),
        (("--luck",), "--html: cannot be combined with --step, "),
        (("--move", "99"), "there is no move 99: the match has moves 0 to 4"),
        (("--view", "seat2"), "--view: unknown view 'seat2'; choices: all, public, seat0, seat1"),
        (("--mistakes", "2"), "mistakes of 2.0: expected a win probability from 0 to 1"),
    ],
)
def test_a_page_is_refused_with_the_reason_and_not_written(arena, stored, tmp_path, words, message):
    file = tmp_path / "match.html"
    answer = arena("replay", "1.1.2.1", "--db", stored, "--html", file, *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"arena: {message}")
    assert answer.err.count("\n") == 1
    assert not file.exists()


@pytest.mark.parametrize(
    ("match", "message"),
    [
        ("last", "write TOURNAMENT.ROUND.PAIRING.MATCH, all from 1, e.g. 3.1.2.1; there are"),
        ("1.0.1.1", "there are tournaments 1 to 2"),
        ("1.1.1.1.1", "cannot read the match '1.1.1.1.1'"),
        ("99999999999999999999", "cannot read the match"),
        ("5", "unknown tournament '5'; choices: 1, 2"),
        ("1.1.1.7", "tournament 1 has no match 1.1.7; its matches go from 1.1.1 to 1.4.2"),
    ],
)
def test_an_unknown_match_is_refused_with_form_and_stored_ones(arena, stored, match, message):
    for verify in ((), ("--verify",)):
        answer = arena("replay", match, *verify, "--db", stored)
        assert (answer.code, answer.out) == (2, "")
        assert message in answer.err
        assert answer.err.count("\n") == 1


def test_an_unknown_view_names_the_choices(arena, stored):
    answer = arena("replay", "1", "--view", "seat2", "--db", stored)
    assert answer.code == 2
    choices = "all, public, seat0, seat1; did you mean seat1?"
    assert answer.err == f"arena: --view: unknown view 'seat2'; choices: {choices}\n"


def test_verify_counts_the_decisions(arena, stored):
    moves = len(json.loads(arena("replay", "1", "--db", stored, "-o", "json").out)["moments"]) - 1
    answer = arena("replay", "1.1.1.1", "--verify", "--db", stored)
    assert (answer.code, answer.out) == (0, f"verified: {moves} decisions\n")


def test_verify_takes_a_whole_tournament_round_or_pairing(arena, stored):
    assert arena("replay", "1", "--verify", "--db", stored).out.endswith(" of 8 matches\n")
    assert arena("replay", "1.1", "--verify", "--db", stored).out.endswith(" of 8 matches\n")
    answer = arena("replay", "1.1.2", "--verify", "--db", stored, "-o", "json")
    assert json.loads(answer.out) == {"verified": True, "matches": 2, "decisions": 9}


@pytest.mark.parametrize("changes", [{"seed": 99}, {"actions": b"\x01"}, {"engine": "0"}])
def test_verify_fails_loudly_at_the_first_difference(arena, own, changes):
    change(own, MatchKey(1, 1, 2), **changes)
    for words in (("1.1.1.2",), ("1",)):
        answer = arena("replay", *words, "--verify", "--db", own)
        assert (answer.code, answer.out) == (1, "")
        assert answer.err.startswith("arena: match 1.1.1.2 is not what its record says: ")
        assert answer.err.count("\n") == 1
    answer = arena("replay", "1", "--verify", "--db", own, "-o", "json")
    document = json.loads(answer.out)
    assert answer.code == 1
    assert (document["verified"], document["match"]) == (False, "1.1.1.2")
    assert document["difference"] in answer.err


def test_a_record_that_does_not_replay_is_not_shown(arena, own):
    change(own, MatchKey(1, 1, 1), seed=99)
    answer = arena("replay", "1.1.1.1", "--db", own)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("arena: match 1.1.1.1 cannot be replayed: ")


def test_the_text_of_a_bot_has_no_control_characters(arena, own):
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file:
        file.execute("UPDATE match SET error = ? WHERE pairing = 2", ("\x1b[2Jgone\n",))
        file.commit()
    seal_again(own)
    text = arena("replay", "1.1.2.1", "--db", own).out
    assert "\x1b" not in text
    assert "\\x1b[2Jgone" in text


def test_stepping_needs_a_terminal(arena, stored):
    answer = arena("replay", "1", "--step", "--db", stored)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == ("arena: --step needs a terminal; leave it out to print the whole match\n")
    answer = arena("replay", "1", "--step", "--verify", "--db", stored)
    assert answer.code == 2
    assert "--step: cannot be combined with --verify" in answer.err


@pytest.mark.parametrize(
    ("column", "value", "difference"),
    [
        ("returns", pack((-1, 1)), "the outcome is "),
        ("scores", pack((9, 9)), "the outcome is "),
        ("termination", "cap", "the outcome is "),
        ("offender", 1, "the outcome is "),
        ("seed", 7, ""),
        ("expelled", pack([(0, "crash", 1, "")]), "pazaak expels nobody"),
    ],
)
def test_verify_finds_another_value_in_the_columns_of_a_record(
    arena, own, column, value, difference
):
    with closing(sqlite3.connect(own.removeprefix("sqlite:///"))) as file:
        file.execute(f"UPDATE match SET {column} = ? WHERE pairing = 1 AND leg = 1", (value,))
        file.commit()
    seal_again(own)
    answer = arena("replay", "1", "--verify", "--db", own)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("arena: match 1.1.1.1 is not what its record says: ")
    assert difference in answer.err
    assert answer.err.count("\n") == 1


def test_verify_compares_the_tournament_with_the_record(arena, own):
    change(own, MatchKey(1, 1, 1), ruleset="wiki")  # stored whole: it does not follow
    answer = arena("replay", "1.1.1.1", "--verify", "--db", own)
    assert answer.code == 1
    assert "the results say ruleset standard, the record says wiki\n" in answer.err


def test_logs_are_shown_to_those_who_may_know_them(arena, own):
    add_log(own, MatchKey(1, 1, 1), SeatLog(1, "thinks of \x1b[31m +3\nand -2\n"))
    shown = arena("replay", "1.1.1.1", "--log", "--db", own)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == (
        "random (seat 1) printed in match 1.1.1.1:\n  thinks of \\x1b[31m +3\n  and -2\n"
    )
    words = ("replay", "1.1.1.1", "-o", "json", "--db", own, "--view")
    for view, seen in (("all", True), ("seat1", True), ("seat0", False), ("public", False)):
        logs = json.loads(arena(*words, view).out)["logs"]
        known = [{"seat": 1, "name": "random", "text": "thinks of \x1b[31m +3\nand -2\n"}]
        assert logs == (known if seen else [])
        assert arena("replay", "1.1.1.1", "--log", "--view", view, "--db", own).code == 0
    none = arena("replay", "1.1.1.2", "--log", "--db", own)
    assert (none.code, none.out) == (0, "")
    assert none.err == "no log of match 1.1.1.2 is kept: see arena replay --help\n"
    refused = arena("replay", "1.1.1.1", "--log", "--verify", "--db", own)
    assert refused.err.startswith("arena: --log: cannot be combined with --step, ")
