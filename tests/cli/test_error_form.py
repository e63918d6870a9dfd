"""Errors of options: the option as typed, expected and got, and only choices that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.in_process import run_in_process

TWO = ("--bot", "stand", "--bot", "random")


def refused(folder: Path, *words: str) -> str:
    """The one line of a refusal."""
    code, out, err = run_in_process(words, folder, {})
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


def test_an_unknown_bot_has_only_choices_of_its_game(tmp_path):
    line = refused(tmp_path, "match", "random", "nobody")
    choices = line.partition("choices: ")[2].strip().split(", ")
    assert {"random", "stand", "optimal"} <= {*choices}
    assert "cautious-folder" not in choices  # it plays Sabacc
    assert "cautious-folder" in refused(tmp_path, "match", "random", "nobody", "--game", "sabacc")


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("--games", "0"), "--games"),
        (("--budget", "soon"), "--budget"),
        (("--forbidden", "stand|random"), "--forbidden"),
        (("--bye", "stand"), "--bye"),
        (("--stage", "swis"), "--stage"),
    ],
)
def test_the_option_stands_as_it_was_typed(tmp_path, words, where):
    assert refused(tmp_path, "tournament", "run", *TWO, *words).startswith(f"arena: {where}: ")


def test_an_option_that_the_format_does_not_take_names_formats_that_do(tmp_path):
    line = refused(tmp_path, "tournament", "run", *TWO, "--third-place")
    assert line == (
        "arena: --third-place: not available for round-robin; formats with it: knockout\n"
    )


def test_the_key_of_a_file_is_named_with_the_file(tmp_path):
    (tmp_path / "cup.toml").write_text('bots = ["stand", "random"]\ngames = 0\n')
    line = refused(tmp_path, "tournament", "run", "cup.toml")
    assert line == "arena: cup.toml: games: expected a whole number >= 1, not 0\n"
