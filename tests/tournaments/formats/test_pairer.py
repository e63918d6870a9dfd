from __future__ import annotations

import json

import pytest
from arena_tournaments.formats.pairer import Dutch

from arena.core.errors import HarnessFault
from tests.tournaments.reports import DATA, expected_pairs, lines_of, report_before, rounds_of

SWISS = DATA / "swiss"
WHOLE = sorted(SWISS.glob("bbp6_*.trf"))
GOLDEN = json.loads((SWISS / "chesspairing.json").read_text())


def test_the_vectors_are_all_there():
    assert len(WHOLE) == 9
    assert sum(rounds_of(lines_of(path)) for path in WHOLE) == 71
    assert sum(len(event["rounds"]) for event in GOLDEN.values()) == 41


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_c0403_every_round_of_a_tournament_by_bbppairings_6(path):
    lines = lines_of(path)
    for number in range(1, rounds_of(lines) + 1):
        pairs = Dutch().pair(report_before(lines, number), number)
        assert pairs is not None
        assert set(pairs) == expected_pairs(lines, number), f"round {number}"


@pytest.mark.parametrize(
    ("history", "expected", "number"),
    [
        ("mid_16p_after4.trf", "mid_16p_after4.bbp6.expected", 5),
        ("dutch_2025_C5.input", "dutch_2025_C5.output.expected", 3),
        ("dutch_2025_C9.input", "dutch_2025_C9.output.expected", 2),
        ("issue_7.input", "issue_7.output.expected", 15),
    ],
)
def test_c0403_the_next_round_in_board_order(history, expected, number):
    count, *pairs = (SWISS / expected).read_text().splitlines()
    found = Dutch().pair("\n".join([*lines_of(SWISS / history), ""]), number)
    assert found is not None
    assert len(found) == int(count)
    assert [" ".join(map(str, pair)) for pair in found] == pairs


@pytest.mark.parametrize("name", GOLDEN)
def test_c0403_golden_rounds_where_the_lower_number_wins(name):
    event = GOLDEN[name]
    numbers = range(1, event["players"] + 1)
    cells = dict.fromkeys(numbers, "")
    scores = dict.fromkeys(numbers, 0)
    for number, pairs in enumerate(event["rounds"], 1):
        absent = {who for who in numbers if number > event["withdrawn_after"].get(str(who), number)}
        cells |= {who: cells[who] + "  0000 - Z" for who in absent}
        records = [f"001 {who:4}{'':72}{scores[who]:4.1f} {who:4}{cells[who]}" for who in numbers]
        report = "\n".join([*records, f"142 {len(event['rounds'])}", "152 W", ""])
        found = Dutch().pair(report, number)
        assert found is not None
        assert set(found) == set(map(tuple, pairs)), f"round {number}"
        for first, second in pairs:
            winner = min(first, second) or first
            scores[winner] += 1
            if second:
                cells[first] += f"  {second:4} w {int(winner == first)}"
                cells[second] += f"  {first:4} b {int(winner == second)}"
            else:
                cells[first] += "  0000 - U"


def test_c0403_193_no_legal_pairing_is_none():
    met = ["  0002 w 1", "  0001 b 0"]
    records = [f"001 {who:4}{'':72}{2.0 - who:4.1f} {who:4}{met[who - 1]}" for who in (1, 2)]
    assert Dutch().pair("\n".join([*records, "142 2", "152 W", ""]), 2) is None


def test_a_report_that_is_none_is_a_harness_fault():
    with pytest.raises(HarnessFault, match="pairing library"):
        Dutch().pair("nothing at all\n", 1)


def test_pairing_prints_nothing(capfd):
    lines = lines_of(WHOLE[-1])
    Dutch().pair(report_before(lines, 5), 5)
    assert capfd.readouterr() == ("", "")
