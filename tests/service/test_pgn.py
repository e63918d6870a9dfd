"""PGN is read by the import format of its standard, as far as tags and results go."""

from __future__ import annotations

import time

import pytest

from arena.core.errors import BadInput
from arena.service.rating.pgn import plain_result, read_games


def game(white="A", black="B", result="1-0", moves="1. e4 e5 1-0", blank="\n"):
    return f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n{blank}{moves}\n'


def found(text):
    return [(each.tag("White"), each.tag("Black"), each.result) for each in read_games(text)]


AB = [("A", "B", "1-0")]


@pytest.mark.parametrize(
    "text",
    [
        game(),
        game(blank=""),
        game(moves=""),
        game(moves='{ [White "Z"] }\n1. e4 {\n[White "Z"]\n[Result "0-1"]\n} e5 1-0'),
        game(moves='1. e4 ; [White "Z"] 0-1\n1-0'),
        game(moves='1. e4\n% [White "Z"] 0-1\n1-0'),
        game(moves="1. e4 (1. d4 0-1 (1. c4 *)) e5 $1 1-0 {Black resigns}"),
        game(moves="1. e4 {a { b} e5 1-0"),
        "{before}\n; and\n" + game(),
        '[White "A"] [Black "B"][ Result"1-0" ] 1. e4 1-0',
        '[Event "x"]\n\n[White "A"]\n\n[Black "B"]\n[Result "1-0"]\n1. e4',
        '[Annotator "x"]\n[Annotator "y"]\n' + game(),
        game(result="*"),
        game(result="?"),
        '[White "A"]\n[Black "B"]\n\n1.e4 1-0',
        game(moves="1. 0-0 0-0-0 1-0"),
        game(moves="1. e4 1-0 1-0"),
        game(moves="1. e4 1-0 forfeit"),
        game(result="1-0 {forfeit}", moves=""),
        game(moves="1. e4 (1. d4 1-0"),
    ],
)
def test_one_game_of_a_against_b_is_read(text):
    assert found(text) == AB
    assert found(text + game("C", "D", "0-1")) == [*AB, ("C", "D", "0-1")]


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        (r'[White "A \"the\" bot"]', 'A "the" bot'),
        ('[White "A "the" bot"]', 'A "the" bot'),
        (r'[White "A\\B"]', r"A\B"),
        ('[White " A "]', "A"),
        ('[White "{A; (B)"]', "{A; (B)"),
        ('[White "?"]', ""),
        ('[White ""]', ""),
    ],
)
def test_names_are_read_with_what_they_hold(tag, name):
    (only,) = read_games(f'{tag}\n[Black "B"]\n\n1. e4 1-0')
    assert (only.tag("White"), only.tag("Black")) == (name, "B")


def test_games_without_tags_count_as_games():
    games = list(read_games("1. e4 1-0\n\n1. d4 (1. c4) 0-1\n*\n"))
    assert [(each.line, each.result) for each in games] == [(1, "1-0"), (1, "0-1")]


def test_the_tag_counts_where_tag_and_moves_differ():
    (only,) = read_games(game(result="1-0", moves="1. e4 0-1"))
    assert (only.result, only.disagrees) == ("1-0", True)
    (only,) = read_games(game(result="1/2", moves="1. e4 1/2-1/2"))
    assert (only.result, only.disagrees) == ("1/2-1/2", False)


@pytest.mark.parametrize(
    ("plain", "spelled"),
    [
        ("1-0", "1-0|1:0|1 - 0|1–0|1.0-0.0|+/-|+-|+ : -|1-0 {forfeit}|1-0 (time)|1-0 Forfeit"),
        ("1-0", "1-0F|1-0 by default|+/- forfeit"),
        ("0-1", "0-1|0:1|0−1|0,0-1,0|-/+|-+|--+|{late} 0-1|0-1 walkover"),
        ("1/2-1/2", "1/2-1/2|1/2|½|½-½|½ : ½|0.5-0.5|.5-.5|0,5:0,5|1/2 - 1/2 {agreed}"),
        ("0-0", "0-0|0:0|-/-|--|-:-|0-0 forfeit"),
        ("*", "*|* {adjourned}"),
    ],
)
def test_results_are_read_as_people_write_them(plain, spelled):
    assert {each: plain_result(each) for each in spelled.split("|")} == dict.fromkeys(
        spelled.split("|"), plain
    )


@pytest.mark.parametrize(
    "text",
    [
        "2-0",
        "10",
        "1-1",
        "1-0.5",
        "1-0 0-1",
        "forfeit",
        "1/22",
        "10.5",
        "0.55",
        "1",
        "-",
        "{" * 10**6,
    ],
    ids=lambda text: text[:10],
)
def test_other_results_stay_as_they_are(text):
    assert plain_result(text) == text


def test_each_game_has_its_line():
    assert [each.line for each in read_games("\n" + (game() + "\n") * 3)] == [2, 8, 14]


def test_a_comment_that_does_not_end_is_named_by_its_line():
    with pytest.raises(
        BadInput, match=r"^line 5: the comment that begins here does not end; add }"
    ):
        list(read_games(game(moves="{ open 1-0") + game()))


@pytest.mark.parametrize(
    "text",
    [
        '[a "' * 50_000,
        "{" * 500_000 + "}",
        "(" * 500_000,
        "a {b} " * 100_000,
        '[a "b' + " " * 500_000,
    ],
    ids=["tags", "braces", "brackets", "comments", "spaces"],
)
def test_hostile_text_is_read_soon(text):
    begun = time.process_time()
    list(read_games(text))
    assert time.process_time() - begun < 5
