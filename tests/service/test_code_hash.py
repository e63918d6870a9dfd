"""The content hash of a program's bots changes with what plays, and with nothing else."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest

import arena
from arena.service.lookup.code_hash import bot_content

CELL = """
import functools
import arena

LIMIT = 1

class Base(arena.Bot):
    STEP = 16
    KINDS = {"a", "b", "c", "d"}
    TABLE = {"plus": [1, 2], "odd": lambda self: 3}
    AGAIN = TABLE

    def act(self, observation):
        return observation.legal_actions[5 if observation.total in {"x", "y", "z"} else 0]

class Mine(Base):
    "Plays."

    def __init__(self, at=17):
        super().__init__()

    @staticmethod
    def still():
        return 21

    @classmethod
    def kind(cls):
        return 22

    @property
    def size(self):
        return 23

    @functools.cached_property
    def whole(self):
        return 24

    @functools.lru_cache
    def cached(self):
        return 25
"""


def content(code: str, make: str = "Mine", module: str = "cell") -> str:
    names: dict[str, object] = {"__name__": module}
    exec(code, names)
    maker = eval(make, names)
    return bot_content(maker, type(maker()))


@pytest.mark.parametrize(
    "edit",
    [
        ("STEP = 16", "STEP = 18"),
        ('"d"}', '"e"}'),
        ("[1, 2]", "[1, 3]"),
        ("self: 3", "self: 4"),
        ("[5 if", "[6 if"),
        ('"z"}', '"w"}'),
        ("at=17", "at=18"),
        ("return 21", "return 31"),
        ("return 22", "return 32"),
        ("return 23", "return 33"),
        ("return 24", "return 34"),
        ("return 25", "return 35"),
        ("class Mine(Base)", "class Mine(arena.Bot)"),
    ],
    ids=lambda edit: edit[1],
)
def test_an_edit_of_the_class_or_its_base_is_seen(edit):
    assert content(CELL.replace(*edit)) != content(CELL)


def test_lines_comments_and_globals_are_not():
    moved = "\n\n# a comment\n" + CELL.replace("LIMIT = 1", "LIMIT = 2").replace("Plays", "Wins")
    assert content(moved) == content(CELL)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("functools.partial(Mine, 1)", "functools.partial(Mine, 2)"),
        ("functools.partial(Mine, at=1)", "functools.partial(Mine, at=2)"),
        ("lambda: Mine(1)", "lambda: Mine(2)"),
        ("lambda at=1: Mine(at)", "lambda at=2: Mine(at)"),
        ("(lambda at: lambda: Mine(at))(1)", "(lambda at: lambda: Mine(at))(2)"),
    ],
)
def test_arguments_are_seen(one, other):
    assert content(CELL, one) == content(CELL, one)
    assert content(CELL, one) != content(CELL, other)


@pytest.mark.thorough("an edited bot is another")
def test_a_second_class_of_the_same_name_is_another(tmp_path):
    script = """
import arena

class Mine(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[0]

first = Mine

class Mine(arena.Bot):
    def act(self, observation):
        return observation.legal_actions[-1]

for bot in (first, Mine):
    print(arena.play_match(bot, "random", seed=1).players[0].content)
"""
    (tmp_path / "twice.py").write_text(script)
    shown = subprocess.run(
        [sys.executable, "twice.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    one, other = shown.stdout.split()
    assert one != other


def test_it_is_the_same_in_every_process(tmp_path):
    (tmp_path / "cell.py").write_text(CELL)
    code = (
        "from cell import Mine; from arena.service.lookup.code_hash import bot_content; "
        "print(bot_content(Mine, Mine))"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],  # from its source, then from bytecode that was stored
            cwd=tmp_path,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1", "2")
    }
    assert shown == {content(CELL)} == {content(CELL, module="__main__")}


class Ruled(arena.Bot):
    AT = 16

    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= self.AT else end_turn


class EnoughError(Exception):
    pass


def test_an_edited_bot_does_not_resume_what_another_began(tmp_path, monkeypatch):
    def enough(progress):
        if progress.done:
            raise EnoughError

    with arena.open_database(tmp_path / "a.db") as db:
        with pytest.raises(EnoughError):
            db.run([Ruled, "random"], games=1000, progress=enough)
        monkeypatch.setattr(Ruled, "AT", 18)
        with pytest.raises(arena.BadInput, match="bot Ruled has changed"):
            db.resume(1, [Ruled])
        monkeypatch.setattr(Ruled, "AT", 16)
        assert db.resume(1, [Ruled]).finished


@pytest.mark.parametrize(
    "name",
    ["=1+1", "a@2", "x.py", "_x", "x" * 5000, "x y", f"x(at={'1' * 300!r})", "x(", "Größe", "-x"],
)
def test_a_name_is_one_that_submitted_bots_may_have(name):
    with pytest.raises(arena.BadInput) as raised:
        arena.PythonBot(Ruled, name)
    assert len(str(raised.value)) < 400


def test_a_name_may_have_parameters():
    bots = [arena.PythonBot(partial(Ruled), name) for name in ("x(b=2, a='1 2')", "x.y-z_1")]
    assert arena.play_match(*bots).names == ("x(a='1 2',b=2)", "x.y-z_1")


@pytest.mark.parametrize("name", ["optimal", "stand(at=17)"])
def test_a_name_of_the_house_is_taken(name, tmp_path):
    with pytest.raises(arena.BadInput, match="is taken: it is a built-in bot; give another"):
        arena.play_match(arena.PythonBot(Ruled, name), "random")
