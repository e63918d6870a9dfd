from __future__ import annotations

import json

import pytest
from arena_tournaments.trf.reading import read_trf

import arena as api
from tests.tournaments.reports import DATA

MIDDLE = DATA / "swiss" / "mid_16p_after4.trf"
ODD = DATA / "swiss" / "dutch_2025_C9.input"


def test_the_next_round_as_json(arena):
    answer = arena("pair", "--trf", ODD, "-o", "json")
    assert answer.code == 0
    document = {"round": 2, "pairings": [{"seats": [2, 1]}, {"seats": [3, 5]}, {"seats": [4]}]}
    assert json.loads(answer.out) == document
    assert api.pair_report(ODD) == {
        "round": 2,
        "pairings": [{"seats": tuple(each["seats"])} for each in document["pairings"]],
    }


def test_the_next_round_as_a_table(arena):
    lines = arena("pair", "--trf", MIDDLE).out.splitlines()
    assert lines[0] == "bench n=16 k=4, round 5"
    assert lines[3].split() == [
        "1",
        "2",
        "Test00002",
        "Player00002",
        "5",
        "Test00005",
        "Player00005",
    ]
    assert arena("pair", "--trf", ODD).out.rstrip().endswith("bye")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "has no players (records 001)"),
        ("001    1\nXXR x", "line 2: rounds 'x': expected a number from 1 to 999"),
        ("001    1\n192 FIDE_DUBOV", "type of tournament (192) 'FIDE_DUBOV' is not FIDE_DUTCH"),
        (f"{'001    1':91}0000 - U\nXXR 1", "all of the 1 rounds (142, XXR) are played"),
        (f"{'001    1':91}0000 - U\nXXR 2", "round 2 cannot be paired: with any bye"),
    ],
)
def test_what_cannot_be_paired_is_one_line(arena, tmp_path, text, message):
    file = tmp_path / "open.trf"
    file.write_text(text)
    answer = arena("pair", "--trf", file)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"arena: {file}: {message}")
    assert answer.err.count("\n") == 1


def test_a_report_whose_last_rounds_were_cut_off_is_paired_by_its_results(arena, tmp_path):
    whole = (DATA / "swiss" / "bbp6_12p7r_seed1.trf").read_text().splitlines()
    file = tmp_path / "cut.trf"
    expected = None
    for points in (slice(80, 84), slice(0, 0)):  # blank, and those of all seven rounds
        lines = [
            line[: points.start] + " " * len(line[points]) + line[points.stop : 91 + 10 * 4]
            if line.startswith("001")
            else line
            for line in whole
        ]
        file.write_text("\n".join(lines))
        answer = arena("pair", "--trf", file, "-o", "json")
        assert answer.code == 0
        assert expected in (None, answer.out)
        expected = answer.out
    assert answer.err.startswith(f"warning: {file}: player 1: points ")
    assert " are not the 3.5 of its results, and so for 9 others; the results" in answer.err
    assert arena("standings", "--trf", file).err.count("\n") == 1


@pytest.mark.parametrize("name", ["missing.trf", "."])
def test_a_file_that_cannot_be_read_is_one_line(arena, tmp_path, name):
    answer = arena("pair", "--trf", tmp_path / name)
    assert answer.code == 2
    assert "cannot be read" in answer.err


def test_a_swiss_is_written_as_a_report(arena, own, tmp_path):
    bots = ["stand(at=17)", "stand(at=15)", "random"]
    with api.open_database(tmp_path / "cup.db") as db:
        cup = db.run(bots, format="swiss", rounds=2, games=2, seed=1)
    answer = arena("tournament", "trf", 1, "--db", f"sqlite:///{tmp_path}/cup.db")
    assert answer.out == cup.trf()
    report = read_trf(answer.out.encode())
    points = {player.name: player.points for player in report.players}
    assert points == {line["name"]: 10 * line["score"] for line in cup.standings()}
    assert (report.rounds, report.played_rounds, report.initial_colour) == (2, 2, "w")
    refused = arena("tournament", "trf", 1, "--db", own)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("arena: tournament 1: expected a Swiss, got round-robin")


@pytest.mark.parametrize("first", ["groups(groups=1)", "swiss(rounds=1)"])
def test_stages_are_no_report_even_if_a_swiss_is_the_last(arena, tmp_path, first):
    with api.open_database(tmp_path / "cup.db") as db:
        stages = [first, "swiss(take=2, rounds=1)"]
        db.run(["stand(at=17)", "stand(at=15)", "random"], stages=stages, games=2, seed=1)
    refused = arena("tournament", "trf", 1, "--db", f"sqlite:///{tmp_path}/cup.db")
    assert (refused.code, refused.out) == (2, "")
    name = first.partition("(")[0]
    expected = f"arena: tournament 1: expected one Swiss, got the stages {name}+swiss; "
    assert refused.err.startswith(expected)


def player(number, points, *cells, rating=""):
    head = f"001 {number:>4}      {f'Player {number}':33} {rating:>4} {'':27}{points:>4}     "
    return head + "".join(f"  {cell}" for cell in cells)


CUP = [
    player(1, "1.5", "   3 w 1", "   2 b =", rating=1500),
    player(2, "1.5", "   4 w 1", "   1 w =", rating=1900),
    player(3, "1.0", "   1 b 0", "   4 w 1", rating=1200),
    player(4, "0.0", "   2 b 0", "   3 b 0", rating=2300),
]


def test_a_round_in_which_nobody_is_left_is_refused(arena, tmp_path):
    file = tmp_path / "all.trf"
    file.write_text("\n".join([*CUP, "XXR 5", "XXZ 1 2", "240 H 003    3    4"]))
    answer = arena("pair", "--trf", file)
    assert (answer.code, answer.out) == (2, "")
    assert "round 3: nobody is left to pair" in answer.err


def test_a_second_allocated_bye_of_a_round_is_named(arena, tmp_path):
    file = tmp_path / "odd.trf"
    file.write_text("\n".join([*CUP[:2], f"{CUP[2]}  0000 - U", CUP[3], "XXR 5"]))
    answer = arena("pair", "--trf", file, "-o", "json")
    assert json.loads(answer.out)["round"] == 3
    assert (
        "player 3 has the allocated bye (U), and the 3 who are left are odd: player" in answer.err
    )


def test_the_events_own_tie_breaks_are_the_default(arena, tmp_path):
    file = tmp_path / "cup.trf"

    def ranked(record, *options):
        file.write_text("\n".join(["012 Cup", record, *CUP]))
        answer = arena("standings", "--trf", file, "-o", "json", *options)
        assert answer.code == 0
        return [line["number"] for line in json.loads(answer.out)["standings"]], answer.err

    assert ranked("212 ARO,BH") == ([2, 1, 3, 4], "")
    assert ranked("212 ARO,BH", "--tiebreaks", "BH/C1,BH") == ([1, 2, 3, 4], "")
    assert ranked("212 RTNG,PTS") == ([4, 2, 1, 3], "")  # points count where PTS stands
    order, warning = ranked("212 XYZ,ARO")
    assert order == [2, 1, 3, 4]
    assert f"warning: {file}: record 212: unknown tie-break 'XYZ'; choices: AOB" in warning
    with pytest.warns(UserWarning, match="record 212: unknown tie-break 'XYZ'"):
        assert api.report_standings(file)["standings"][0]["number"] == 2
    file.write_text("\n".join(["212 ARO", *(line[:48] + "    " + line[52:] for line in CUP)]))
    answer = arena("standings", "--trf", file)
    assert answer.err == (
        f"warning: {file}: tie-break ARO needs ratings, and no player has one (001)\n"
    )
    assert "tie-breaks of 2026 as record 212 orders them" in answer.out


HELD = DATA / "held_swiss_5.trf"


def test_standings_as_json(arena):
    answer = arena(
        "standings", "--trf", HELD, "--tiebreaks", "BH,SB", "--rules", "2023", "-o", "json"
    )
    document = json.loads(answer.out)
    assert document.keys() == {"rules", "standings"}
    assert document["rules"] == 2023
    lines = document["standings"]
    first = {"number": 2, "rank": 1, "points": 4.0, "tiebreaks": {"BH": 13.0, "SB": 9.5}}
    assert lines[0] == first
    assert [line["rank"] for line in lines] == [1, 2, 3, 4, 5, *range(6, 17)]
    assert document == api.report_standings(HELD, ["BH", "SB"], rules=2023)
    assert api.report_standings(HELD, "BH,SB")["rules"] == 2026


def test_standings_as_a_table(arena):
    lines = arena("standings", "--trf", HELD, "--tiebreaks", "BH/C1,TPR").out.splitlines()
    assert lines[0] == "Held exercises 2.1 Swiss 5 rounds after 5 rounds, tie-breaks of 2026"
    assert lines[1].split() == ["rank", "#", "name", "points", "BH/C1", "TPR"]
    assert lines[3].split() == ["1", "2", "P02", "4.0", "12", "2120"]


@pytest.mark.parametrize(
    ("tie_breaks", "message"),
    [
        ("BH,BHX", "unknown tie-break 'BHX'; choices: "),
        ("DE/C1", "tie-break 'DE/C1': DE takes DE/P"),
    ],
)
def test_a_tie_break_that_there_is_not_is_one_line(arena, tie_breaks, message):
    answer = arena("standings", "--trf", HELD, "--tiebreaks", tie_breaks)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"arena: {message}")
    assert answer.err.count("\n") == 1


def test_rules_of_another_year_are_refused(arena):
    assert arena("standings", "--trf", HELD, "--rules", "2020").code == 2
    with pytest.raises(api.BadInput, match="rules of 2020: expected 2023 or 2026"):
        api.report_standings(HELD, rules=2020)


def test_the_check_of_an_event_that_is_right(arena):
    file = DATA / "swiss" / "bbp6_12p7r_seed1.trf"
    answer = arena("check", "trf", file)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == (
        "AutoTest Tournament 1: 12 players, 7 of 7 rounds paired again by FIDE Dutch 2026"
    )
    assert lines[-1] == "passed"
    document = json.loads(arena("check", "trf", file, "-o", "json").out)
    assert document == json.loads(json.dumps(api.check_trf(file)))
    assert (document["passed"], document["findings"]) == (True, [])
    assert (document["edition"], document["system"]) == (2026, "FIDE_DUTCH_2025")


def test_the_check_of_a_damaged_event_fails_and_names_the_place(arena, tmp_path):
    file = tmp_path / "open.trf"
    whole = (DATA / "swiss" / "bbp6_12p7r_seed1.trf").read_text()
    file.write_text(whole.replace(" 6.5    1     7 w =", " 6.5    1     7 b ="))
    answer = arena("check", "trf", file)
    assert answer.code == 1
    assert answer.out.endswith("FAILED: 1 finding\n")
    (row,) = json.loads(arena("check", "trf", file, "-o", "json").out)["findings"]
    assert row == {
        "round": 1,
        "board": None,
        "player": 1,
        "name": "Test0001 Player0001",
        "kind": "colour",
        "finding": "player 7 has the same colour",
        "expected": "",
        "found": "1 b =, 7 b =",
        "line": 2,
    }
    listed = arena("check", "trf", file, "-o", "csv")
    assert listed.code == 1
    assert listed.out.splitlines()[1].startswith("1,,1,Test0001 Player0001,colour,player 7 has the")
    assert "note: rounds after round 1 are not paired again" in listed.err


def test_the_check_prints_no_control_characters_of_a_file(arena, tmp_path):
    file = tmp_path / "open.trf"
    file.write_bytes(b"012 \x1b[31mOpen\n192 FIDE_\x1b[32mX\n001    1      \x1b[33mAnn\n")
    for output in ("table", "json"):
        answer = arena("check", "trf", file, "-o", output)
        assert (answer.code, "Open" in answer.out, "FIDE_?" in answer.out) == (0, True, True)
        assert "\x1b" not in answer.out + answer.err
        assert "u001b" not in answer.out


def test_the_check_of_no_report_is_one_line(arena, tmp_path):
    file = tmp_path / "none.trf"
    file.write_text("001 nothing\n")
    answer = arena("check", "trf", file)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"arena: {file}: has no players (records 001); line 1: starting")
    assert "cannot be read" in arena("check", "trf", tmp_path).err
    with pytest.raises(api.BadInput, match="has no players"):
        api.check_trf(file)
