"""Making bots where they run: parameters are checked, and failures named, before play."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.core.errors import BadPlugin, ParseError, UnknownName
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

REGISTRY = Registry()
BOT = "from arena.core.bot import Bot\n\n\nclass Quick(Bot):\n    pass\n"
STAND = """
from arena.core.bot import Bot
from typing import Literal

class Stand(Bot):
    def __init__(self, at: int, *, share: float = 0.5, mood: Literal["calm", "wild"] = "calm"):
        if at > 20:
            raise ValueError(f"at is 0 to 20, not {at}")
        self.at, self.share, self.mood = at, share, mood
"""


def load(path: Path, call: str = "", text: str | None = None):
    if text is not None:
        path.write_text(text)
    return load_bot(REGISTRY.resolve_bot(f"{path}{call}", {path.stem}))


@pytest.fixture
def stand(tmp_path: Path) -> Path:
    path = tmp_path / "stand.py"
    path.write_text(STAND)
    return path


def test_every_call_makes_a_fresh_bot_with_the_parameters(stand):
    make = load(stand, "(at=17, share=1, mood=wild)")
    first, second = make(), make()
    assert first is not second
    assert (first.at, first.share, first.mood) == (17, 1.0, "wild")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        ("(att=17)", UnknownName, "unknown parameter 'att' of bot .*; choices: at, mood, share"),
        ("", ParseError, r"needs at; write NAME\(at=...\)"),
        ("(at='x')", ParseError, "at='x' does not fit: Expected `int`, got `str`"),
        ("(at=true)", ParseError, "at=True does not fit: Expected `int`, got `bool`"),
        ("(at=1.5)", ParseError, "at=1.5 does not fit: Expected `int`, got `float`"),
        ("(at=1, mood=sad)", ParseError, "mood='sad' does not fit"),
        ("(at=21)", ParseError, "at is 0 to 20, not 21"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_before_play(stand, call, error, says):
    with pytest.raises(error, match=says) as refused:
        load(stand, call)
    assert "\n" not in str(refused.value)


def test_parameters_without_a_checkable_annotation_are_checked_by_the_bot(tmp_path):
    text = (
        "from __future__ import annotations\nfrom arena.core.bot import Bot\n"
        "class Odd(Bot):\n    def __init__(self, at: Unknown = 1, **more):\n"
        "        self.at, self.more = at, more\n"
    )
    bot = load(tmp_path / "odd.py", "(at='x', extra=2)", text)()
    assert (bot.at, bot.more) == ("x", {"extra": 2})


def test_a_bot_without_parameters_takes_none(tmp_path):
    with pytest.raises(UnknownName, match="choices: none"):
        load(tmp_path / "quick.py", "(at=1)", BOT)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("raise RuntimeError('two\\nlines')\n", "cannot be imported: RuntimeError: two lines"),
        ("raise SystemExit\n", "cannot be imported: SystemExit"),
        (
            "import nothing_of_that_name\n",
            "No module named 'nothing_of_that_name'; .*cannot import files",
        ),
        ("Quick = 7\n", "Quick does not derive from arena.Bot"),
        ("del Quick\n", "cannot be imported: AttributeError"),
        ("Quick.__init__ = lambda self: 1 / 0\n", "cannot be made: ZeroDivisionError"),
    ],
)
def test_what_fails_in_a_file_names_the_file_and_leaves_no_module(tmp_path, text, says):
    path = tmp_path / "failing.py"
    with pytest.raises(BadPlugin, match=says) as refused:
        load(path, text=BOT + text)
    assert f"bot failing of file {path}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_error_of_an_installed_bot_names_its_distribution_and_the_fix(install):
    install(
        "arena-bot-needy",
        {"arena.bots": {"needy": "needy_bot:Quick"}},
        {"needy_bot.py": "import some_missing_library\n"},
    )
    source = Registry().resolve_bot("needy", {"needy"})
    with pytest.raises(BadPlugin) as refused:
        load_bot(source)
    assert str(refused.value) == (
        "bot needy of distribution arena-bot-needy 1.0 cannot be imported: ModuleNotFoundError: "
        "No module named 'some_missing_library'; install the missing package, or leave it out"
    )


def test_files_of_one_name_are_modules_of_their_own(tmp_path):
    before = list(sys.path)
    makers = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        text = BOT + f"    folder = {folder!r}\n"
        makers.append(load(tmp_path / folder / "quick.py", text=text))
    assert [make().folder for make in makers] == ["one", "two"]
    assert sys.path == before
    assert "quick" not in sys.modules
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_file_bot_stands_alone(tmp_path):
    (tmp_path / "sibling.py").write_text("X = 1\n")
    with pytest.raises(BadPlugin, match="put its helpers into the file"):
        load(tmp_path / "quick.py", text="import sibling\n" + BOT)


def test_a_dataclass_in_a_file_bot_finds_its_module(tmp_path):
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from arena.core.bot import Bot\n@dataclass\nclass Data(Bot):\n    at: int = 3\n"
    )
    assert load(tmp_path / "data.py", "(at=4)", text)().at == 4


def test_a_file_bot_is_compiled_as_it_is_written(tmp_path):
    text = BOT + "    pace: int\n"
    assert type(load(tmp_path / "plain.py", text=text)()).__annotations__ == {"pace": int}


def test_a_changed_file_does_not_play_under_the_old_name(stand):
    source = REGISTRY.resolve_bot(f"{stand}(at=3)", {"stand"})
    stand.write_text(STAND + "# better\n")
    with pytest.raises(BadPlugin, match="has changed since the run began; start it again"):
        load_bot(source)
    stand.unlink()
    with pytest.raises(BadPlugin, match="cannot be read: No such file"):
        load_bot(source)
