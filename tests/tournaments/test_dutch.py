from __future__ import annotations

import json

import pytest
from arena_tournaments.dutch.bracket import Bracket
from arena_tournaments.dutch.counting import Counting
from arena_tournaments.dutch.field import field_of
from arena_tournaments.dutch.rounds import pair_next_round
from arena_tournaments.trf.reading import read_trf
from arena_tournaments.trf.report import Forbidden
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from arena.core.errors import BadInput
from tests.sizes import volume
from tests.tournaments.reports import (
    DATA,
    expected_pairs,
    lines_of,
    play_report,
    report_before,
    rounds_of,
)

seeds = st.integers(0, 10**6)
SWISS = DATA / "swiss"
WHOLE = sorted(SWISS.glob("bbp6_*.trf"))
GOLDEN = json.loads((SWISS / "chesspairing.json").read_text())


def paired(text):
    return pair_next_round(read_trf(text.encode()))


def test_the_vectors_are_all_there():
    assert len(WHOLE) == 15
    assert sum(rounds_of(lines_of(path)) for path in WHOLE) == 125
    assert sum(len(event["rounds"]) for event in GOLDEN.values()) == 41


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_c0403_every_round_of_a_tournament_by_bbppairings_6(path):
    lines = lines_of(path)
    for number in range(1, rounds_of(lines) + 1):
        pairs = paired(report_before(lines, number))
        assert pairs is not None
        assert set(pairs) == expected_pairs(lines, number), f"round {number}"


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ("mid_16p_after4.trf", "mid_16p_after4.bbp6.expected"),
        ("dutch_2025_C5.input", "dutch_2025_C5.output.expected"),
        ("dutch_2025_C9.input", "dutch_2025_C9.output.expected"),
        ("issue_7.input", "issue_7.output.expected"),
    ],
)
def test_c0403_the_next_round_in_board_order(history, expected):
    count, *pairs = (SWISS / expected).read_text().splitlines()
    found = pair_next_round(read_trf((SWISS / history).read_bytes()))
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
        found = paired(report)
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
    assert paired("\n".join([*records, "142 2", "152 W", ""])) is None


@settings(max_examples=volume(25), deadline=None)
@given(size=st.integers(4, 24), rounds=st.integers(1, 9), seed=st.integers(0, 10**6))
def test_c0403_absolute_criteria_hold_in_random_tournaments(size, rounds, seed):
    report = play_report(size, rounds, seed)
    for player in report.players:
        met = [cell.opponent for cell in player.cells if cell.played]
        assert len(met) == len(set(met))
        assert sum(cell.result == "U" for cell in player.cells) <= 1
        colours = "".join(cell.colour for cell in player.cells[: report.rounds - 1] if cell.played)
        assert "www" not in colours
        assert "bbb" not in colours
        assert abs(colours.count("w") - colours.count("b")) <= 2
    for round in range(report.played_rounds):
        cells = [player.cells[round : round + 1] for player in report.players]
        assert sum(cell[0].result == "U" for cell in cells if cell) <= 1


def test_c0403_everybody_of_a_large_field_is_paired_once():
    report = play_report(300, 4, 1)
    for player in report.players:
        met = [cell.opponent for cell in player.cells if cell.played]
        assert len(met) == len(set(met))
    pairs = pair_next_round(structs.replace(report, rounds=9))
    assert pairs is not None
    paired = [number for pair in pairs for number in pair if number]
    assert len(paired) == len(set(paired)) > 200


@settings(max_examples=10, deadline=None)
@given(size=st.integers(8, 20), seed=st.integers(0, 10**6))
def test_forbidden_pairs_never_meet(size, seed):
    report = play_report(size, 5, seed)
    apart = Forbidden(1, 0, tuple(range(1, size // 3)))
    pairs = pair_next_round(structs.replace(report, rounds=9, forbidden=(apart,)))
    assert pairs is None or not any(set(pair) <= set(apart.numbers) for pair in pairs)


@settings(max_examples=volume(15), deadline=None)
@given(size=st.integers(10, 40), rounds=st.integers(0, 6), clubs=st.integers(3, 12), seed=seeds)
def test_counting_gives_what_the_exact_matching_gives(size, rounds, clubs, seed):
    report = play_report(size, rounds, seed)
    apart = [Forbidden(1, 0, tuple(range(club, size + 1, clubs))) for club in range(1, clubs)]
    report = structs.replace(report, rounds=rounds + 1 + seed % 3, forbidden=tuple(apart))
    counted = pair_next_round(report)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Counting, "pairs", lambda counting, bracket: None)
        assert counted == pair_next_round(report)


def test_counting_looks_ahead_for_those_with_few_opponents():
    """Number 20 may meet 21 alone, whom a search by order gives to number 1."""
    lines = [f"001 {who:4}" for who in range(1, 41)]
    apart = [f"XXP 20 {other}" for other in (*range(1, 20), *range(22, 41))]
    report = read_trf("\n".join([*lines, "XXR 5", *apart]).encode())
    bracket = Bracket(
        moved_down=(), residents=tuple(range(40)), next=(), rest=(), candidates=frozenset()
    )
    found = Counting(field_of(report)).pairs(bracket)
    assert found is not None
    assert (found[0][0], found[0][-1]) == ((0, 21), (19, 20))


def test_byes_on_request_absences_and_withdrawals_are_not_paired():
    lines = [f"001 {who:4}" for who in range(1, 8)]
    late = f"001 {8:4}".ljust(91) + "0000 - Z"
    text = "\n".join([*lines, late, "XXR 5", "240 H 001    2", "XXZ 5 6", "152 B"])
    assert paired(text) == ((4, 1), (3, 7))


def test_c0451_accelerated_players_meet_each_other_first():
    lines = [f"001 {who:4}" for who in range(1, 9)]
    plain = paired("\n".join([*lines, "142 5"]))
    ahead = paired("\n".join([*lines, "142 5", "192 FIDE_DUTCH_BAKU"]))
    by_xxa = paired("\n".join([*lines, "142 5", *(f"XXA {who:4}  1.0" for who in range(1, 5))]))
    by_250 = paired("\n".join([*lines, "142 5", "250      01.0 001 002 0001 0004"]))
    assert plain == ((1, 5), (6, 2), (3, 7), (8, 4))
    assert ahead == by_xxa == by_250 == ((1, 3), (4, 2), (5, 7), (8, 6))


def test_gaps_in_the_numbers_and_the_order_of_the_lines():
    lines = [f"001 {who:4}" for who in (30, 7, 12, 101)]
    assert paired("\n".join(lines)) == ((7, 30), (101, 12))
    assert paired("\n".join([*lines, "XXC rank"])) == ((30, 12), (101, 7))


def test_a_field_that_cannot_be_paired_in_bounded_time_is_refused():
    lines = [f"001 {who:4}" for who in range(1, 2001)]
    forbidden = "XXP " + " ".join(map(str, range(1, 1200)))
    with pytest.raises(BadInput, match="2000 players with this many forbidden pairs"):
        paired("\n".join([*lines, forbidden]))
