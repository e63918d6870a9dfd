"""The report of a tournament, from what is stored."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from arena.cli.report import cause_counts, document, first_place, make_report, meeting_texts
from arena.cli.report_text import print_report, result_text
from arena.core.outcome import Termination
from arena.core.record import Place
from arena.core.tournament import Pairing, Participant, Round
from results.rows import EntryRow, MatchRow, Status, StoredTournament, TournamentSummary
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.swiss import Swiss

SUMMARY = TournamentSummary(
    id=4, name="", game="dice", ruleset="standard", engine="1", format="round-robin", games=2,
    mirrored=True, rounds=3, seed=7, status=Status.INTERRUPTED, entries=3, matches=0,
    created_at=datetime(2026, 1, 1, tzinfo=UTC), finished_at=None,
)  # fmt: skip
NAMES = ("ann", "[bob]", "cid")
CRASH = {"termination": Termination.CRASH, "offender": 0, "move": 3}


def match(round, pairing, leg, seats, gain, **more: object):
    place = Place(round, pairing, leg)
    rules = {"termination": Termination.RULES, "offender": None, "move": None}
    return MatchRow(
        place=place, seats=seats, seed=1, returns=(gain, -gain), scores=(0, 0), **(rules | more)
    )


def stored(matches, rounds=((1, 2),), names=NAMES, **summary: object):
    made = []
    for number, pair in enumerate(rounds, start=1):
        byes = tuple(index for index in range(len(names)) if index not in pair)
        made.append(Round(number, (Pairing(pair),), byes))
    return StoredTournament(
        summary=msgspec.structs.replace(SUMMARY, entries=len(names), **summary),
        field=tuple(EntryRow(Participant(name, "1.0", "c" * 12)) for name in names),
        rounds=tuple(made),
        played={one.place: one for one in matches},
    )


def test_a_half_played_round_counts_as_far_as_it_went():
    report = make_report(stored([match(1, 1, 1, (1, 2), 1)], [(1, 2), (0, 2)]), RoundRobin())
    assert [(line.name, line.score) for line in report.table] == [
        ("[bob]", 1),
        ("ann", 0),
        ("cid", 0),
    ]
    assert len(report.played) == 1


def test_before_the_first_match_there_is_a_table_of_noughts(capsys):
    report = make_report(stored([]), RoundRobin())
    assert [line.score for line in report.table] == [0, 0, 0]
    assert first_place(report.stored) is None
    print_report(report, "")
    assert "Replay a match" not in capsys.readouterr().out


def test_losses_are_the_offenders_whatever_seat_he_sat_in():
    matches = [
        match(1, 1, 1, (1, 2), -1, **CRASH),
        match(1, 1, 2, (2, 1), 1, **CRASH | {"offender": 1}),
    ]
    report = make_report(stored(matches), RoundRobin())
    assert report.losses == ({}, {"crash": 2}, {})
    assert cause_counts(report.losses, report.names) == "crash 2 ([bob] 2)"


def test_causes_are_told_in_one_line_and_nothing_if_there_are_none():
    losses = [{"crash": 1, "timeout": 2}, {}, {"crash": 3}]
    assert cause_counts(losses, "abc") == "crash 4 (a 1, c 3); timeout 2 (a 2)"
    assert cause_counts([{}, {}], "ab") == ""


def test_credits_are_shown_only_where_there_was_a_stake():
    matches = [match(1, 1, 1, (1, 2), 1), match(1, 1, 2, (2, 1), 1)]
    assert make_report(stored(matches), RoundRobin()).credits is None
    report = make_report(stored(matches, stake=60, purse=100), RoundRobin())
    assert report.credits == (100, 100, 100)
    assert make_report(stored(matches[:1], stake=160, purse=100), RoundRobin()).credits == (
        100,
        200,
        0,
    )


def test_a_swiss_is_told_round_by_round():
    matches = [match(1, 1, leg, (0, 1), 1) for leg in (1, 2)]
    matches += [match(2, 1, 1, (2, 0), 0), match(2, 1, 2, (0, 2), 0)]
    report = make_report(stored(matches, [(0, 1), (2, 0)], format="swiss"), Swiss())
    by_name = {
        line.name: cells for line, cells in zip(report.table, meeting_texts(report), strict=True)
    }
    lines = {line.name: number for number, line in enumerate(report.table, start=1)}
    assert by_name["cid"] == ["bye", f"{lines['ann']}w0.5"]
    assert by_name["ann"][1] == f"{lines['cid']}b0.5"


def test_the_result_block_is_for_two_and_from_the_firsts_point_of_view():
    matches = [match(1, 1, 1, (0, 1), 1), match(1, 1, 2, (1, 0), -1)]
    two = make_report(stored(matches, [(0, 1)], names=("ann", "bob")), RoundRobin())
    assert (two.block.won, two.block.lost, two.block.pairs) == (2, 0, (0, 0, 0, 0, 1))
    text = result_text(two.names, two.block)
    assert text.startswith("Results of ann against bob (ann's point of view):\n")
    assert document(two)["result"]["point_of_view"] == "ann"
    assert make_report(stored([match(1, 1, 1, (1, 2), 1)]), RoundRobin()).block is None


@pytest.mark.parametrize("kind", [RoundRobin(), Swiss()])
def test_names_that_look_like_markup_are_printed_as_they_are(capsys, kind):
    print_report(make_report(stored([match(1, 1, 1, (1, 2), 1, **CRASH)]), kind), " --db x")
    out, err = capsys.readouterr()
    assert out.count("[bob]") >= 2
    assert out.endswith(
        "arena replay 4.1.1.1 --db x\nRatings: arena leaderboard --game dice --db x\n"
    )
    assert err == ""


def test_the_document_names_no_time():
    report = make_report(stored([match(1, 1, 1, (1, 2), 1)]), RoundRobin())
    assert "2026" not in msgspec.json.encode(document(report)).decode()


def test_a_half_played_pairing_of_a_swiss_is_not_decided_yet():
    report = make_report(stored([match(1, 1, 1, (1, 2), 1)], [(1, 2)]), Swiss())
    assert (report.played, report.finished) == ((), 0)
    assert {line.score for line in report.table} == {0}
