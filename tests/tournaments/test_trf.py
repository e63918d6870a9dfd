from __future__ import annotations

import re

import pytest
from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.trf.checking import odd_entries, odd_results, wrong_points
from arena_tournaments.trf.reading import MAX_LENGTH, read_trf
from arena_tournaments.trf.report import USUAL_POINTS, Cell, Player, Report
from arena_tournaments.trf.writing import write_trf
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import ParseError
from tests.sizes import volume
from tests.tournaments.reports import DATA, play_report

FILES = sorted([*DATA.glob("*.trf"), *DATA.glob("swiss/*.trf"), *DATA.glob("swiss/*.input")])


def record(number, points="", *cells, rating=""):
    """A record 001: every cell is an opponent, a colour and a result, as in ``"12 w 1"``."""
    rounds = "".join(f"  {cell.rjust(8)}" for cell in cells)
    return f"001 {number:>4} {'':3} {'':34}{rating:>4} {'':27}{points:>4} {'':>4}{rounds}"


TWO = [record(1, "1.0", "2 w 1"), record(2, "0.0", "1 b 0")]


def read(*lines):
    return read_trf("\n".join(lines).encode())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_file_reads_back_equal_with_any_line_ending(path, ending):
    report = read_trf(path.read_bytes())
    assert read_trf(write_trf(report).replace("\n", ending).encode()) == report


def test_every_file_is_here():
    assert len(FILES) == 20


@settings(max_examples=volume(25), deadline=None)
@given(size=st.integers(2, 12), rounds=st.integers(0, 6), seed=st.integers(0, 10**6))
def test_a_random_tournament_reads_back_equal(size, rounds, seed):
    report = play_report(size, rounds, seed)
    assert read_trf(write_trf(report).encode()) == report


def test_the_fields_of_a_player_stand_in_their_columns():
    line = (
        "001    7 wWGM Polgar, Judit                     2735 HUN      700070 1976/07/23 "
        " 1.5   12  0000 - H"
    )
    (player,) = read(line, "BBD 1.5").players
    assert player == Player(
        number=7,
        sex="w",
        title="WGM",
        name="Polgar, Judit",
        rating=2735,
        federation="HUN",
        fide_number="700070",
        birth="1976/07/23",
        points=15,
        rank=12,
        cells=(Cell(result="H"),),
    )


def test_bom_blank_lines_teams_and_unknown_records_do_not_matter():
    lines = ["\ufeff012 Cup", "", "  ", "### comment", "013 Team", "801 7", "DAT 1 x", *TWO]
    report = read(*lines)
    assert report.name == "Cup"
    assert [player.number for player in report.players] == [1, 2]
    assert report.other == ("### comment", "013 Team", "801 7", "DAT 1 x")


def test_columns_may_be_counted_in_bytes():
    line, name = record(1, "0.5", "0000 - H").encode(), "Müller, Jürgen"
    report = read_trf(line[:14] + name.encode().ljust(33) + line[47:])
    assert report.players[0].name == name
    assert report.players[0].points == 5


def test_names_of_old_files_are_latin_1():
    line = record(1).encode()[:14] + "Müller".encode("latin-1")
    assert read_trf(line).players[0].name == "Müller"


@pytest.mark.parametrize("in_bytes", [False, True])
def test_names_may_mix_utf_8_and_latin_1(in_bytes):
    def line(number, cell, name):
        start, end = record(number, "0.5", cell)[:14], record(number, "0.5", cell)[47:]
        return start.encode() + name + end.encode()

    warnings = []
    new = "Žižek".encode().ljust(33) if in_bytes else "Žižek".ljust(33).encode()
    old = "Müller".encode("latin-1").ljust(33)
    data = line(1, "0000 - H", new) + b"\r\n" + line(2, "0000 - H", old)
    report = read_trf(data, warnings.append)
    assert [(player.name, player.points) for player in report.players] == [
        ("Žižek", 5),
        ("Müller", 5),
    ]
    assert warnings == ["mixes two encodings: line 2 read as ISO-8859-1, the others as UTF-8"]


def test_results_are_read_in_any_case_and_byes_in_any_spelling():
    cells = ["2 W 1", "0000 - h", "-", "", "0000 - +", "0000 - =", "2 b +"]
    others = ["1 B 0", "0000 - Z", "0000 - z", "", "0000 - U", "", "1 w -"]
    first, second = read(record(1, "", *cells), record(2, "", *others)).players
    assert "".join(cell.result for cell in first.cells) == "1HZZUH+"
    assert "".join(cell.result for cell in second.cells) == "0ZZZUZ-"


@pytest.mark.parametrize(
    ("lines", "points"),
    [
        (["162  W 3.0    D 1.0    L 0.0"], {"WW": 30, "BD": 10, "HPB": 10, "PAB": 30}),
        (["162  P 0.5    W 2.0"], {"WW": 20, "FPB": 20, "PAB": 5}),
        (["162  A 0.5"], {"ZPB": 5, "FL": 5, "WL": 0}),
        (["BBW  3.0", "BBU  1.0", "BBF  0.5"], {"WW": 30, "PAB": 10, "FL": 5, "ZPB": 0}),
        (["XXS W=2 D=1 PAB=1.5", "XXS BL=0.5"], {"BW": 20, "WD": 10, "PAB": 15, "BL": 5, "WL": 0}),
    ],
)
def test_other_points_than_usual(lines, points):
    report = read(record(1), *lines)
    assert report.points == {**USUAL_POINTS, **report.points}
    assert {code: report.points[code] for code in points} == points
    assert read_trf(write_trf(report).encode()) == report


def test_rounds_colour_byes_accelerations_forbidden_pairs_and_points():
    report = read(
        record(1, "", "2 w 1"),
        record(2, "", "1 b 0"),
        "XXR 9",
        "XXC black1 rank",
        "240 H 002    2",
        "XXA    1  1.0  0.5",
        "250      02.0 003 004 0001 0002",
        "260 001 002    1    2",
        "XXP 1 2",
        "XXZ 2",
        "299 H          0.0 002    2",
        "299           -0.5        2",
    )
    assert (report.rounds, report.initial_colour, report.by_line) == (9, "b", True)
    assert report.byes == {(2, 2): "H"}
    assert [report.virtual_points(round) for round in (1, 2, 3, 5)] == [
        {1: 10},
        {1: 5},
        {1: 20, 2: 20},
        {},
    ]
    assert [(each.first_round, each.last_round) for each in report.forbidden] == [(1, 2), (1, 0)]
    assert report.absent == {2}
    assert report.scores(report.players[1], 2) == [0, 0]
    assert report.bonus(report.players[1]) == -5
    assert read_trf(write_trf(report).encode()) == report


def test_c0451_baku_acceleration_by_the_type_of_tournament():
    lines = [record(number) for number in range(1, 11)]
    report = read(*lines, "142 9", "192 FIDE_DUTCH_2025_BAKU")
    ahead = [report.virtual_points(round) for round in range(1, 7)]
    assert ahead[0] == ahead[2] == dict.fromkeys(range(1, 7), 10)
    assert ahead[3] == ahead[4] == dict.fromkeys(range(1, 7), 5)
    assert ahead[5] == {}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "has no players (records 001)"),
        (["001    x"], "line 1: starting rank 'x': expected a number from 1 to 9999"),
        (["001    0"], "line 1: starting rank '0': expected a number from 1 to 9999"),
        (["", record(1), record(1)], "line 3: player 1 is there twice"),
        ([record(1, rating="12x")], "line 1: rating '12x': expected a number from 0 to 9999"),
        ([record(1, "1,x")], "line 1: points '1,x': expected a number of points such as 1.5"),
        ([record(1, "", "2 x 1")], "line 1: player 1, round 1: colour 'x': expected w, b or -"),
        (
            [record(1, "", "2 w ?")],
            "player 1, round 1: result '?': expected one of 1 0 = + - W D L",
        ),
        ([record(1, "", "1 w 1")], "player 1, round 1: the opponent is the player"),
        ([record(1, "", "0000 - 1")], "player 1, round 1: result '1' has no opponent"),
        ([record(1, "", "2 w  ")], "player 1, round 1: no result against 2"),
        ([record(1, "", "2 - 1")], "player 1, round 1: no colour against 2"),
        ([record(1, "", "2 w U")], "player 1, round 1: a bye (U) has the opponent 2"),
        ([record(1, "", "2 w 1")], "player 1, round 1: there is no player 2"),
        ([TWO[0], record(2, "", "")], "player 1, round 1: player 2 has another opponent"),
        ([TWO[0], record(2, "", "1 w 0")], "player 1, round 1: player 2 has the same colour"),
        ([TWO[0], record(2, "", "1 b -")], "of a game with 2, one result is a forfeit"),
        ([TWO[0], record(2, "", "1 b 1")], "player 1, round 1: both have won, it and player 2"),
        ([record(1), "XXR many"], "line 2: rounds 'many': expected a number from 1 to 999"),
        ([*TWO, "XXR 1", "142 0"], "line 4: rounds '0': expected a number from 1 to 999"),
        ([record(1), "152 R"], "line 2: 152: initial colour 'r' is neither W nor B"),
        ([record(1), "162  Q 1.0"], "line 2: 162: 'Q': expected one of W D L A Z P X"),
        ([record(1), "BBW many"], "line 2: BBW 'many': expected a number of points such as 1.5"),
        ([record(1), "XXS Q=1"], "line 2: XXS: 'Q': expected one of W D L"),
        ([record(1), "240 Q 001    1"], "line 2: 240: type of bye 'Q': expected F, H or Z"),
        (
            [record(1), "240 H 001    x"],
            "line 2: 240, player 'x': expected a number from 1 to 9999",
        ),
        ([record(1), "250"], "line 2: 250, first round '': expected a number from 1 to 999"),
        ([record(1), "260 003 001    1    2"], "line 2: 260: the last round, 1, is before"),
        (
            [record(1), "XXP 1 10000"],
            "line 2: XXP, player '10000': expected a number from 1 to 9999",
        ),
        ([record(1), "299 Q"], "line 2: 299: type 'Q': expected one of W D L F H Z + -"),
    ],
)
def test_bad_files_are_one_line_that_names_line_and_field(lines, message):
    with pytest.raises(ParseError, match=re.escape(message)):
        read(*lines)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b" " * (MAX_LENGTH + 1), "is longer than"),
        (b"XXP " + b"1 " * 1_000_001, "line 1: XXP: more than 1000000 numbers"),
        (b"250      01.0 001 999 0001 9999\n" * 101, "line 101: 250: more than 1000000 numbers"),
        (b"299           -0.5        2\n" * 1_000, "line 1000: 299: more than 999 records"),
        (record(1).ljust(12_000).encode() + b"x", "line 1: more than 999 rounds"),
    ],
)
def test_no_file_makes_unbounded_work(data, message):
    with pytest.raises(ParseError, match=message):
        read_trf(data)


def test_a_report_without_rounds_has_none_played():
    assert Report(players=(Player(number=1),)).played_rounds == 0


def columns(number, *cells, rating="", points="0.0"):
    """A record 001 with every field in FIDE's columns; a cell as in ``"   2 w 1"``."""
    head = f"001 {number:>4}      {'Name':33} {rating:>4} {'':27}{points:>4}     "
    return head + "".join(f"  {cell}" for cell in cells)


FOUR = [
    columns(1, "   3 w 1", rating=1900, points="1.0"),
    columns(2, "   4 b 1", rating=1800, points="1.0"),
    columns(3, "   1 b 0", rating=1700),
    columns(4, "   2 w 0", rating=1600),
]


def test_the_columns_are_fides():
    assert read(*FOUR).players[0].rating == 1900
    assert read(*FOUR).played_rounds == 1


@pytest.mark.parametrize(
    ("at", "by", "words"),
    [
        (0, 1, "record 001 begins in column 2; its place is column 1"),
        (0, -1, "shifted to the left, its place is column 1"),
        (8, 1, "rating '1800' ends behind its columns (columns 49-52); shifted by 1 to the right"),
        (
            13,
            -1,
            "rating '1800' begins before its columns (columns 49-52); shifted by 1 to the left",
        ),
        (79, 1, "points '1.0' ends behind its columns (columns 81-84); shifted by 1 to the right"),
        (
            89,
            1,
            "opponent in columns 92-95, colour in 97, result in 99); shifted by 1 to the right",
        ),
        (
            97,
            1,
            "result in 99); shifted by 1 to the right: what begins in column 99 belongs 1 further",
        ),
    ],
)
def test_a_shifted_line_is_named_with_its_columns(at, by, words):
    line = FOUR[1]
    shifted = line[:at] + " " * by + line[at:] if by > 0 else line[:at] + line[at - by :]
    with pytest.raises(ParseError, match="line 2: ") as raised:
        read(FOUR[0], shifted, *FOUR[2:])
    assert words in str(raised.value)


def test_a_player_who_is_there_twice_is_not_called_shifted():
    with pytest.raises(ParseError, match=r"line 5: player 1 is there twice$"):
        read(*FOUR, FOUR[0])


def test_tabs_are_named():
    with pytest.raises(ParseError, match="line 2: has a tab in column 92; the fields of 001 stand"):
        read(FOUR[0], FOUR[1].replace("   4 b", "\t4 b"), *FOUR[2:])


def test_a_bye_given_early_does_not_make_the_round_played():
    given = columns(3, "   1 b 0", "0000 - U", rating=1700)
    report = read(*FOUR[:2], given, FOUR[3])
    assert report.played_rounds == 1
    assert [pair for pair in pair_next_round(report) if 3 in pair] == []
    everybody = [f"{line}  0000 - {'U' if line is given else 'Z'}" for line in FOUR]
    everybody[2] = given
    assert read(*everybody).played_rounds == 1  # its points leave the bye out
    counted = [*everybody[:2], given.replace(" 0.0 ", " 1.0 "), everybody[3]]
    assert read(*counted).played_rounds == 2


@pytest.mark.parametrize("entry", ["0000 - Z", "0000 -  ", "-"])
@pytest.mark.parametrize("before", [0, 1])
def test_placeholders_of_everybody_are_no_round(entry, before):
    cut = [line[: 89 + 10 * before] for line in FOUR]
    report = read(*(f"{line}  {entry:>8}."[:-1].rstrip() for line in cut))
    assert (report.played_rounds, report.placeholders) == (before, True)
    assert len(pair_next_round(report)) == 2


def test_odd_entries_are_named():
    twice = [f"{FOUR[0]}  0000 - U", f"{FOUR[1]}  0000 - U", *FOUR[2:]]
    assert odd_entries(read(*twice)) == [
        "round 2: players 1 and 2 have the allocated bye (0000 - U); a round has one (C.04.3, 1.5)"
    ]
    again = [columns(1, "0000 - U", "0000 - U"), columns(2, "   3 w 1"), columns(3, "   2 b 0")]
    (line,) = odd_entries(read(*again))
    assert line.startswith("round 2: player 1 has the allocated bye (U), but had a win without a")
    assert odd_entries(read(*FOUR)) == odd_results(read(*FOUR)) == []


def test_forfeits_alone_are_named():
    lines = [columns(1, "   2 - +"), columns(2, "   1 - -")]
    (line,) = odd_results(read(*lines))
    assert line.startswith("all results are forfeits (+ and -), which are not games")


def test_the_events_own_tie_breaks_are_read():
    report = read(*FOUR, "212 PTS,BH/C1; SB", "212 ARO")
    assert report.tie_breaks == ("PTS", "BH/C1", "SB", "ARO")
    assert read_trf(write_trf(report).encode()) == report


def test_the_results_count_where_points_are_others():
    report = read_trf("\n".join([record(1, "1.0", "2 w 0"), record(2, "1.0", "1 b 1")]).encode())
    assert wrong_points(report) == ["player 1: points 1.0 are not the 0.0 of its results"]
