"""Every text file that a command reads may begin with a byte order mark and end lines as Windows.

What is UTF-16 is read or named, in one line.
"""

from __future__ import annotations

import re

import pytest

CUP = 'format = "round-robin"\ngames = 2\nseed = 1\nbots = ["stand", "nobody"]\n'
PLAYERS = [(1, "Ann"), (2, "Bob"), (3, "Cid"), (4, "Dan")]
TRF = "012 Cup\nXXR 3\n" + "".join(
    f"001 {number:4}      {name:33} 1000 XXX {number:11} 1999/01/01  0.0 {number:4}\n"
    for number, name in PLAYERS
)
FIELD = "# all\nstand\nnobody\n"
BEFORE = "player,rating\na,1600\n"
CASES = '[{"id": "x", "game": "nothing"}]'
BOT = """from arena import Bot


class Mine(Bot):
    games = ("nothing",)

    def act(self, observation):
        return observation.legal_actions[0]
"""
PROJECT = (
    '[project]\nname = "red"\nversion = "1.0"\n\n'
    '[project.entry-points."arena.bots"]\nred = "red:Mine"\n'
)
LEAGUE = 'name = "L"\nhouse = ["stand"]\n'


@pytest.fixture
def read(arena, tmp_path):
    """Runs each command on a text as a file in an encoding; returns its answer without paths."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "red.py").write_text(BOT)
    dry = ("tournament", "run", "--dry-run", "--isolation", "process")
    files = {
        "cup": ((*dry,), "cup.toml", CUP),
        "field": ((*dry, "--format", "round-robin", "--seed", 1, "--bots-from"), "field", FIELD),
        "trf": (("pair", "--trf"), "cup.trf", TRF),
        "csv": (("rate",), "r.csv", "player1,player2,score\na,b,1\nb,a,1\n"),
        "pgn": (("rate",), "r.pgn", '[White "a"]\n[Black "b"]\n\n1. e4 1-0\n'),
        "before": (("rate", tmp_path / "b.csv", "--model", "elo", "--before"), "before", BEFORE),
        "league": (("serve", "--port", 0, "--league"), "league.toml", LEAGUE),
        "cases": (("check", "cases"), "cases.json", CASES),
        "chart": (("plot", "chart"), "chart.json", '{"chart": "HeatMap"}'),
        "career": (("career", "show"), "career.json", '{"format": 1}'),
        "bot": (("submit",), "mine.py", BOT),
        "project": (("submit",), "p/pyproject.toml", PROJECT),
    }
    (tmp_path / "b.csv").write_text("player1,player2,score\na,b,1\n")

    def run(kind, encoding, end="\n"):
        command, name, text = files[kind]
        path = tmp_path / name
        path.write_bytes(text.replace("\n", end).encode(encoding))
        answer = arena(*command, path.parent if kind == "project" else path)
        return answer.code, *(re.sub(r"[\d.]+ m?s\b", "", t) for t in (answer.out, answer.err))

    return run


KINDS = (
    *("cup", "field", "trf", "csv", "pgn", "before"),
    *("league", "cases", "chart", "career", "bot", "project"),
)
WIDE = {"field", "trf", "csv", "pgn", "before"}
"""The kinds that are read as UTF-16, too; the formats of the others demand UTF-8."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_mark_and_the_line_ends_of_windows_change_nothing(read, kind):
    assert read(kind, "utf-8-sig", "\r\n") == read(kind, "utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_utf_16_is_read_or_named_in_one_line(read, kind):
    code, out, err = read(kind, "utf-16", "\r\n")
    if kind in WIDE:
        assert (code, out, err) == read(kind, "utf-8")
    else:
        assert (code, out) == (2, "")
        assert "is UTF-16 text; save it as UTF-8" in err
        assert err.count("\n") == 1
