"""``arena replay --luck`` and ``arena tournament luck``: luck of cards, and scores without it."""

from __future__ import annotations

import json
import re
from math import fsum

import pytest
from arena_results.file.database import open_database
from arena_results.schema.checksums import stamp
from arena_results.store.luck_sums import keep_luck
from arena_results.store.queries import tournament
from msgspec import structs

from arena.core.parts.value import LESS_LUCK, ValueFunction
from arena.games.pazaak.game import Pazaak, PazaakLuck

HASH = Pazaak().luck.value_function(Pazaak().ruleset()).hash


def test_every_card_that_came_has_its_luck_and_nothing_else_is_changed(arena, stored):
    plain = arena("replay", "1.1.1.1", "--db", stored).out
    text = arena("replay", "1.1.1.1", "--luck", "--db", stored).out
    drawn = [line for line in text.splitlines() if "draws" in line]
    assert all(re.search(r" \(\+0\.\d{3} for (stand\(at=17\)|random)\)$", line) for line in drawn)
    whole, end = text.split("\n\nLuck in match points, by ")
    assert re.sub(r" \(\+0\.\d{3} for [^ ]+\)$", "", whole, flags=re.MULTILINE) == plain.rstrip(
        "\n"
    )
    assert end.startswith(f"pazaak-no-hands 1 (sha256 {HASH[:12]})\n  stand(at=17)  score ")
    assert max(map(len, text.splitlines())) <= 80


def test_the_document_has_luck_only_where_it_is_asked_for(arena, stored):
    plain = json.loads(arena("replay", "1", "-o", "json", "--db", stored).out)
    document = json.loads(arena("replay", "1", "--luck", "-o", "json", "--db", stored).out)
    luck = document.pop("luck")
    assert document == plain
    assert (luck["value_function"], luck["hash"]) == ("pazaak-no-hands 1", HASH)
    for seat in luck["seats"]:
        sums = fsum(event["luck"][seat["seat"]] for event in luck["events"])
        assert seat["luck"] == pytest.approx(sums)
        assert seat["adjusted"] == seat["score"] - seat["luck"]
    for event in luck["events"]:
        assert plain["moments"][event["move"]]["events"][event["line"]] == event["event"]
        assert sum(event["luck"]) == 0
        assert sum(event["value"]) == pytest.approx(1)


def test_views_show_the_luck_of_public_cards(arena, stored):
    everything = json.loads(arena("replay", "1", "--luck", "-o", "json", "--db", stored).out)
    for view in ("public", "seat0"):
        found = arena("replay", "1", "--luck", "--view", view, "-o", "json", "--db", stored).out
        assert json.loads(found)["luck"] == everything["luck"]


def test_matches_that_were_broken_have_the_luck_up_to_there(arena, stored):
    crashed = arena("replay", "1.1.2.1", "--luck", "--summary", "--db", stored).out
    assert re.search(r"sore +score 0\.000, luck [+-]0\.(?!000)\d{3}, luck-adjusted", crashed)
    unseated = arena("replay", "1.1.4.1", "--luck", "--db", stored).out
    assert unseated.count("luck +0.000") == 2


def test_a_tournament_has_every_score_with_and_without_luck(arena, stored):
    answer = arena("tournament", "luck", "1", "-o", "json", "--db", stored)
    document = json.loads(answer.out)
    assert (document["tournament"], document["hash"]) == (1, HASH)
    for row in (*document["bots"], *document["pairs"]):
        assert row["adjusted"] == pytest.approx(row["score"] - row["luck"])
    assert fsum(row["luck"] * row["matches"] for row in document["bots"]) == pytest.approx(0)
    named = {row["name"]: row for row in document["bots"]}
    first = json.loads(arena("replay", "1.1.4.1", "--luck", "-o", "json", "--db", stored).out)
    assert first["luck"]["events"] == []
    assert named["late"]["luck"] == 0
    adjusted = [row["adjusted"] for row in document["bots"]]
    assert adjusted == sorted(adjusted, reverse=True)


def test_tables_and_rows_of_bots_and_of_pairs(arena, stored):
    text = arena("tournament", "luck", "2", "--db", stored)
    assert text.out.startswith(
        "Match points a match, with luck and luck-adjusted (pazaak-no-hands 1, "
    )
    assert "so many times the matches" in text.err
    assert f"Luck-adjusted: {LESS_LUCK}\n" in text.err
    rows = arena("tournament", "luck", "2", "--pairs", "-o", "csv", "--db", stored).out.splitlines()
    assert rows[0].startswith("name,against,score,score_error,luck,adjusted,adjusted_error,fitted")
    bots = arena("tournament", "luck", "2", "-o", "csv", "--db", stored).out.splitlines()
    assert "against" not in bots[0]


def test_what_does_not_go_is_refused_in_a_line(arena, stored, tmp_path):
    for other in ("--log", "--verify"):
        answer = arena("replay", "1", "--luck", other, "--db", stored)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == "arena: --luck: cannot be combined with --log or --verify\n"
    answer = arena("tournament", "luck", "9", "--db", stored)
    assert (answer.code, answer.err) == (2, "arena: unknown tournament '9'; choices: 1, 2\n")


def test_a_game_without_values_has_no_luck(arena, tmp_path):
    url = f"sqlite:///{tmp_path}/sabacc.db"
    bots = "--bot", "random", "--bot", "target-total"
    arena(
        *("tournament", "run", "--game", "sabacc", *bots),
        *("--games", "2", "--seed", "1", "--db", url),
    )
    none = "arena: no luck is known of sabacc: the game has no value function\n"
    for command in (("replay", "1", "--luck"), ("tournament", "luck", "1")):
        answer = arena(*command, "--db", url)
        assert (answer.code, answer.out, answer.err) == (2, "", none)


class Even(ValueFunction):
    """Another value function than a tournament began with."""

    name, hash, public = "even 2", "e" * 64, True

    def value(self, state):
        return 0.0, 0.0


def test_a_tournament_fixes_its_value_function_before_play(arena, stored):
    shown = arena("tournament", "show", "1", "--details", "--db", stored).out
    assert f"\nValue function: pazaak-no-hands 1, sha256 {HASH}\n" in shown
    about = json.loads(arena("tournament", "show", "1", "-o", "json", "--db", stored).out)
    assert about["tournament"]["value_function"] == "pazaak-no-hands 1"
    assert about["tournament"]["value_hash"] == HASH
    assert "luck_off" not in about
    document = json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", stored).out)
    assert document["frozen"] is True


@pytest.mark.parametrize(
    ("present", "named"), [(Even(), "even 2 (sha256 eeeeeeeeeeee)"), (None, "none")]
)
def test_with_another_value_function_luck_is_off_and_both_are_named(
    arena, stored, monkeypatch, present, named
):
    monkeypatch.setattr(PazaakLuck, "value_function", lambda self, ruleset: present)
    line = (
        "luck is switched off: the value function fixed before play is pazaak-no-hands 1 "
        f"(sha256 {HASH[:12]}), and the game now has {named}"
    )
    for command in (("replay", "1", "--luck"), ("tournament", "luck", "1")):
        answer = arena(*command, "--db", stored)
        assert (answer.code, answer.out, answer.err) == (2, "", f"arena: {line}\n")
    assert f"\nNote: {line}.\n" in arena("tournament", "show", "1", "--db", stored).out
    shown = json.loads(arena("tournament", "show", "1", "-o", "json", "--db", stored).out)
    assert shown["luck_off"] == line


def test_reports_have_scores_without_luck_beside_all_scores(arena, own):
    document = json.loads(arena("tournament", "show", "1", "-o", "json", "--db", own).out)
    luck = json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", own).out)
    bots = {row["name"]: (row["adjusted"], row["adjusted_error"]) for row in luck["bots"]}
    pairs = {(row["name"], row["against"]): row["adjusted"] for row in luck["pairs"]}
    assert bots == {
        row["name"]: (row["adjusted"], row["adjusted_error"]) for row in document["standings"]
    }
    names, table = document["crosstable"]["names"], document["crosstable"]["adjusted"]
    assert pairs == {
        (one, other): table[i][j]
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if table[i][j] is not None
    }
    wide = arena("tournament", "show", "1", "--db", own).out
    assert f"\nLuck-adjusted: {LESS_LUCK}.\n± 95 % over deals; " in wide
    rows = arena("export", "1", "standings", "--db", own).out.splitlines()
    assert ",adjusted,adjusted_error," in rows[0]
    with open_database(own) as database:
        assert sorted(tournament(database, 1).luck) == sorted(tournament(database, 1).sums)


def test_sums_of_luck_are_kept_and_read_again(arena, own, monkeypatch):
    first = arena("tournament", "show", "1", "-o", "json", "--db", own).out
    monkeypatch.setattr("arena.service.match.luck.luck_by_seat", None)
    assert arena("tournament", "show", "1", "-o", "json", "--db", own).out == first


def test_the_luck_of_many_matches_is_computed_when_it_is_asked_for(arena, own, monkeypatch):
    monkeypatch.setattr("arena.service.match.adjusted.AT_ONCE", 3)
    show = ("tournament", "show", "1", "--db", own)
    without = arena(*show).out
    assert "Luck is not computed yet: arena tournament luck 1" in without
    assert "Luck-adjusted: " not in without
    arena("tournament", "luck", "1", "--db", own)
    assert "Luck-adjusted: " in arena(*show).out


def test_verification_computes_kept_luck_again(arena, tmp_path):
    url = f"sqlite:///{tmp_path}/arena.db"
    bots = "--bot", "random", "--bot", "stand(at=17)"
    arena("tournament", "run", *bots, "--games", "5", "--seed", "1", "--db", url)
    alone = "1 match without a twin: each counts as a deal of its own\n"
    assert alone in arena("tournament", "luck", "1", "--db", url).err
    verify = ("tournament", "verify", "1", "--db", url)
    assert json.loads(arena(*verify, "-o", "json").out)["luck"] == 5
    by = "pazaak-no-hands 1, which was fixed before play"
    assert f"  luck        5 matches computed again by {by}\n" in arena(*verify).out
    with open_database(url) as database:
        kept = tournament(database, 1).luck
        member, other = kept[1, 1].members
        forged = structs.replace(member, luck=member.luck + 0.01)
        keep_luck(database, 1, {(1, 1): structs.replace(kept[1, 1], members=(forged, other))})
    answer = arena(*verify)
    assert answer.code == 1
    difference = "tournament 1, pairing 1.1: its luck is not that of its matches"
    assert difference in answer.out + answer.err


def test_a_tournament_that_fixed_no_value_function_says_so(arena, own):
    fixed = json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", own).out)
    with open_database(own) as database, database.writing() as connection:
        connection.exec_driver_sql("UPDATE tournament SET value_function = NULL, value_hash = NULL")
        stamp(connection, "tournament")
    answer = arena("tournament", "luck", "1", "--db", own)
    assert "note: the value function was not fixed before play\n" in answer.err
    document = json.loads(arena("tournament", "luck", "1", "-o", "json", "--db", own).out)
    assert document == fixed | {"frozen": False}
    assert "Values:" not in arena("tournament", "show", "1", "--db", own).out
