"""The report of a tournament, from what is stored."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from arena_results.schema.rows import (
    EntryRow,
    MatchRow,
    Status,
    StoredTournament,
    TournamentSummary,
)
from arena_tournaments.formats.round_robin import RoundRobin
from arena_tournaments.formats.swiss import Swiss
from arena_tournaments.formats.table_round_robin import TableRoundRobin
from arena_tournaments.formats.table_swiss import TableSwiss
from arena_tournaments.play.williams import williams

from arena.cli.texts.report import (
    cause_counts,
    games_text,
    print_report,
    result_text,
    seating_text,
    unfilled_text,
)
from arena.core.outcome import Fault, Termination, utilities
from arena.core.record import MatchKey
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.service.report.report import make_report
from arena.service.report.report_text import meeting_texts, seating_texts
from arena.service.report.tables.documents import document
from arena.service.setup.decoded import Decoded
from tests.pairing_sums import sums_of

SUMMARY = TournamentSummary(
    id=4, name="", game="dice", ruleset="standard", engine="1", format="round-robin", games=2,
    mirrored=True, rounds=3, seed=7, status=Status.INTERRUPTED, entries=3, matches=0,
    created_at=datetime(2026, 1, 1, tzinfo=UTC), finished_at=None,
)  # fmt: skip
NAMES = ("ann", "[bob]", "cid")
CRASH = {"termination": Termination.CRASH, "offender": 0, "move": 3}


def reported(stored, format):
    return make_report(Decoded.of(stored, format))


def match(round, pairing, leg, seats, gain, **more: object):
    place = MatchKey(round, pairing, leg)
    rules = {"termination": Termination.RULES, "offender": None, "move": None}
    return MatchRow(
        key=place, seats=seats, seed=1, returns=(gain, -gain), scores=(0, 0), **(rules | more)
    )


def stored(matches, rounds=((1, 2),), names=NAMES, **summary: object):
    made = []
    for number, pair in enumerate(rounds, start=1):
        byes = tuple(index for index in range(len(names)) if index not in pair)
        made.append(Round(number, (Pairing(pair),), byes))
    about = msgspec.structs.replace(SUMMARY, entries=len(names), **summary)
    return StoredTournament(
        summary=about,
        field=tuple(EntryRow(Participant(name, "1.0", "c" * 12)) for name in names),
        rounds=tuple(made),
        played={one.key: one for one in matches},
        sums=sums_of(matches, about.mirrored),
    )


def test_a_half_played_round_counts_as_far_as_it_went():
    report = reported(stored([match(1, 1, 1, (1, 2), 1)], [(1, 2), (0, 2)]), RoundRobin())
    assert [(line.name, line.score) for line in report.table] == [
        ("[bob]", 1),
        ("ann", 0),
        ("cid", 0),
    ]
    assert len(report.played) == 1


def test_before_the_first_match_there_is_a_table_of_noughts(capsys):
    report = reported(stored([]), RoundRobin())
    assert [line.score for line in report.table] == [0, 0, 0]
    print_report(report, "")
    assert "Replay a match" not in capsys.readouterr().out


def test_losses_are_the_offenders_in_any_seat():
    matches = [
        match(1, 1, 1, (1, 2), -1, **CRASH),
        match(1, 1, 2, (2, 1), 1, **CRASH | {"offender": 1}),
    ]
    report = reported(stored(matches), RoundRobin())
    assert report.losses == ({}, {"crash": 2}, {})
    assert cause_counts(report.losses, report.names) == "crash 2 ([bob] 2)"


def test_causes_are_one_line_or_none():
    losses = [{"crash": 1, "timeout": 2}, {}, {"crash": 3}]
    assert cause_counts(losses, "abc") == "crash 4 (a 1, c 3); timeout 2 (a 2)"
    assert cause_counts([{}, {}], "ab") == ""


def test_credits_are_shown_only_where_there_was_a_stake():
    matches = [match(1, 1, 1, (1, 2), 1), match(1, 1, 2, (2, 1), 1)]
    assert reported(stored(matches), RoundRobin()).credits is None
    report = reported(stored(matches, stake=60, purse=100), RoundRobin())
    assert report.credits == (100, 100, 100)
    assert reported(stored(matches[:1], stake=160, purse=100), RoundRobin()).credits == (
        100,
        200,
        0,
    )


def test_a_swiss_is_shown_round_by_round():
    matches = [match(1, 1, leg, (0, 1), 1) for leg in (1, 2)]
    matches += [match(2, 1, 1, (2, 0), 0), match(2, 1, 2, (0, 2), 0)]
    report = reported(stored(matches, [(0, 1), (2, 0)], format="swiss"), Swiss())
    by_name = {
        line.name: cells for line, cells in zip(report.table, meeting_texts(report), strict=True)
    }
    lines = {line.name: number for number, line in enumerate(report.table, start=1)}
    assert by_name["cid"] == ["bye", f"{lines['ann']}w0.5"]
    assert by_name["ann"][1] == f"{lines['cid']}b0.5"


def test_the_result_block_is_for_two_and_from_the_firsts_point_of_view():
    matches = [match(1, 1, 1, (0, 1), 1), match(1, 1, 2, (1, 0), -1)]
    two = reported(stored(matches, [(0, 1)], names=("ann", "bob")), RoundRobin())
    assert (two.block.won, two.block.lost, two.block.pairs) == (2, 0, (0, 0, 0, 0, 1))
    text = result_text(two.names, two.block)
    assert text.startswith("Results of ann against bob (ann's point of view):\n")
    assert document(two)["result"]["point_of_view"] == "ann"
    assert reported(stored([match(1, 1, 1, (1, 2), 1)]), RoundRobin()).block is None


@pytest.mark.parametrize("kind", [RoundRobin(), Swiss()])
def test_names_that_look_like_markup_are_printed_as_they_are(capsys, kind):
    print_report(reported(stored([match(1, 1, 1, (1, 2), 1, **CRASH)]), kind), " --db x")
    out, err = capsys.readouterr()
    assert out.count("[bob]") >= 2
    assert out.endswith(
        "arena replay 4.1.1.1 --db x\n"
        "Tie-breaks and hashes: arena tournament show 4 --details --db x\n"
        "Ratings: arena leaderboard --game dice --db x\n"
    )
    assert err == ""


def test_the_document_names_no_time():
    report = reported(stored([match(1, 1, 1, (1, 2), 1)]), RoundRobin())
    assert "2026" not in msgspec.json.encode(document(report)).decode()


def test_a_half_played_pairing_of_a_swiss_is_not_decided_yet():
    report = reported(stored([match(1, 1, 1, (1, 2), 1)], [(1, 2)]), Swiss())
    assert (report.played, report.finished) == ((), 0)
    assert {line.score for line in report.table} == {0}


FIVE = ("ann", "[bob]", "cid", "dot", "eve")
SEATS = {1: (0, 1, 2), 2: (3, 4)}


def seated(leg, pairing, places, scores, **more: object):
    """A match in the seats of its leg; places and scores are those of ``SEATS``' order."""
    order = williams(len(places))[leg - 1]
    rules = {"termination": Termination.RULES, "offender": None, "move": None}
    return MatchRow(
        key=MatchKey(1, pairing, leg),
        seats=tuple(SEATS[pairing][who] for who in order),
        seed=1,
        returns=utilities([places[who] for who in order]),
        scores=tuple(scores[who] for who in order),
        **(rules | more),
    )


def tables(*matches, format="tables"):
    """One round of a table of three and one of two, two matches each."""
    made = Round(1, (Pairing(SEATS[1]), Pairing(SEATS[2])), ())
    return StoredTournament(
        summary=msgspec.structs.replace(
            SUMMARY, entries=5, format=format, rounds=10, mirrored=False, spec='{"seats":3}'
        ),
        field=tuple(EntryRow(Participant(name, "1.0", "c" * 12)) for name in FIVE),
        rounds=(made,),
        played={one.key: one for one in matches},
        sums=sums_of(matches, mirrored=False),
    )


def whole_round(**more: object):
    return (
        seated(1, 1, (1, 2, 3), (90, 60, 0)),
        seated(2, 1, (1, 1, 3), (75, 75, 0), **more),
        seated(1, 2, (1, 2), (100, 0)),
        seated(2, 2, (2, 1), (0, 100)),
    )


def test_at_tables_the_share_of_beaten_opponents_counts():
    report = reported(tables(*whole_round()), TableRoundRobin())
    rows = {row["name"]: row for row in document(report)["standings"]}
    assert [rows[name]["score"] for name in FIVE] == [1.75, 1.25, 0, 1, 1]
    assert [rows[name]["average_place"] for name in FIVE] == [1.25, 1.75, 3, 1.5, 1.5]
    assert [rows[name]["amount"] for name in FIVE] == [165, 135, 0, 100, 100]
    tally = [(rows[name]["won"], rows[name]["drawn"], rows[name]["lost"]) for name in FIVE]
    assert tally == [(1, 1, 0), (0, 1, 1), (0, 0, 2), (1, 0, 1), (1, 0, 1)]


def test_seats_are_data_and_one_line(capsys):
    report = reported(tables(*whole_round()), TableRoundRobin())
    shown = document(report)["tournament"]
    assert (shown["seats"], shown["tables"], shown["resting"]) == (3, (3, 2), 0)
    print_report(report, "")
    out = capsys.readouterr().out
    line = "Tables: 5 entrants at tables of up to 3: 1 table of 3 and 1 of 2 a round.\n"
    assert line in out
    heading = next(line for line in out.splitlines() if "bot" in line.split())
    assert heading.split()[-3:] == ["1st", "place", "amount"]
    assert "Crosstable: match points of the row against the column" in out


def test_seats_that_were_taken_out_lost_by_their_cause():
    out = (Fault(2, Termination.CRASH, 3, "boom"), Fault(0, Termination.TIMEOUT, 4))
    report = reported(tables(*whole_round(expelled=out)), TableRoundRobin())
    # In the second leg the seats 0 and 2 are those of [bob] and ann.
    assert report.losses == ({"crash": 1}, {"timeout": 1}, {}, {}, {})


def test_a_table_swiss_is_shown_by_finished_rounds(capsys):
    report = reported(tables(*whole_round(), format="table-swiss"), TableSwiss())
    cells = {line.name: row for line, row in zip(report.table, seating_texts(report), strict=True)}
    assert [cells[name] for name in FIVE] == [["1:1.75"], ["1:1.25"], ["1:0"], ["2:1"], ["2:1"]]
    print_report(report, "")
    assert "Rounds: table and match points" in capsys.readouterr().out
    half = reported(tables(*whole_round()[:3], format="table-swiss"), TableSwiss())
    assert (half.played, half.finished) == ((), 0)
    assert reported(tables(*whole_round()[:3]), TableRoundRobin()).table[0].score == 1.75


def test_before_the_first_table_there_is_nothing_to_average():
    report = reported(tables(), TableRoundRobin())
    assert [row["average_place"] for row in document(report)["standings"]] == [None] * 5


@pytest.mark.parametrize(
    ("entrants", "seats", "sizes", "text"),
    [
        (7, 6, (4, 3), "7 entrants at tables of up to 6: 1 table of 4 and 1 of 3 a round"),
        (13, 6, (5, 4, 4), "13 entrants at tables of up to 6: 1 table of 5 and 2 of 4 a round"),
        (12, 4, (4, 4, 4), "12 entrants at tables of 4: 3 tables of 4 a round"),
        (4, 6, (4,), "4 entrants at tables of up to 6: 1 table of 4 a round"),
        (7, 3, (3, 3), "7 entrants at tables of 3: 2 tables of 3 a round, 1 rests"),
        (7, 5, (5,), "7 entrants at tables of 5: 1 table of 5 a round, 2 rest"),
    ],
)
def test_the_seats_of_a_table_are_one_line(entrants, seats, sizes, text):
    assert seating_text(entrants, seats, sizes) == text


@pytest.mark.parametrize(
    ("entrants", "seats", "sizes", "text"),
    [
        (4, 3, (2, 2), "4 bots do not fill tables of 3: they sit at tables of 2 and 2"),
        (13, 6, (5, 4, 4), "13 bots do not fill tables of 6: they sit at tables of 5, 4 and 4"),
        (4, 6, (4,), "4 bots do not fill tables of 6: they sit at a table of 4"),
        (5, 3, (3, 2), None),
    ],
)
def test_tables_of_which_none_is_full_are_reported(entrants, seats, sizes, text):
    assert unfilled_text(entrants, seats, sizes) == text


def test_games_that_are_unfair_to_seats_are_reported():
    assert games_text(24, (4, 3)) is None
    assert games_text(3, (2, 2)) is None
    assert games_text(20, (4, 3, 3)) == (
        "20 games per pairing are not a multiple of 3 seats: "
        "not everybody sits in every seat equally often"
    )
    assert games_text(5, (4, 3)).startswith(
        "5 games per pairing are not a multiple of 3 or 4 seats: "
    )
