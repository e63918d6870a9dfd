"""Unknown keys and arguments from Python: errors have the choices, and what is meant."""

from __future__ import annotations

import pytest

import arena
from arena.core.errors import BadInput


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda db: db.run(["random", "stand"], gams=2), "games"),
        (lambda db: db.submit("x.py", nme="careful"), "name"),
        (lambda db: db.leaderboard(gme="pazaak"), "game"),
        (lambda db: db.run(["random", "stand(att=3)"]), "at"),
        (lambda db: db.run(["random", "stand"], ruleset="standard(flp=1)"), "flip"),
        (lambda db: db.run(["random", "stand"], stages=["swiss(ruonds=3)", "knockout"]), "rounds"),
        (lambda _: arena.PythonBot(make=arena.Bot, nam="careful"), "name"),
        (lambda _: arena.BotEntry(name="careful", sumary="folds"), "summary"),
        (lambda db: arena.stats.elo(pentanomal=[1, 2, 3, 4, 5]), "pentanomial"),
    ],
)
def test_an_unknown_key_or_argument_has_what_is_meant(tmp_path, call, meant):
    with (
        arena.open_database(tmp_path / "arena.db") as results,
        pytest.raises(BadInput, match=rf"; did you mean {meant}\?$"),
    ):
        call(results)


def test_an_unknown_argument_is_a_type_error_as_of_any_function(tmp_path):
    with arena.open_database(tmp_path / "arena.db") as results, pytest.raises(TypeError):
        results.leaderboard(gme="pazaak")


def test_an_unknown_name_of_the_module_has_what_is_meant():
    with pytest.raises(AttributeError, match=r"did you mean play_match\?"):
        arena.play_mach  # noqa: B018 # reading it is the test


@pytest.mark.parametrize(
    ("spelled", "says"),
    [
        ("swiss(rounds=3)", "rounds: a key of its own, not an option of swiss; write it next"),
        ("swiss(ruonds=3)", "ruonds: no such key, and no option of swiss; the .*mean rounds?"),
        ("swiss(untill=3)", "untill: no such key, and no option of swiss; the .*mean until?"),
    ],
)
def test_a_format_has_its_options_in_brackets_and_no_other_keys(tmp_path, spelled, says):
    with arena.open_database(tmp_path / "arena.db") as results, pytest.raises(BadInput, match=says):
        results.run(["random", "stand"], format=spelled)
