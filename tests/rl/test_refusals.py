"""Wrong arguments are one line that names the thing, the place and the choices."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import util

import pytest

import arena.rl
from arena.core.errors import ArenaError, BadInput
from arena.rl import aec, single, vector
from arena.service.answers import extras


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: aec("pazak"), "unknown game 'pazak'"),
        (lambda: aec("pazaak", "standart"), "unknown pazaak ruleset 'standart'"),
        (lambda: aec("pazaak", seats=3), "seats: pazaak is not played by 3; choices: 2"),
        (lambda: aec("sabacc", seats=9), "choices: 2, 3, 4, 5, 6"),
        (lambda: aec("pazaak", render_mode="human"), "unknown render_mode 'human'; choices: ansi"),
        (lambda: aec(5), "game"),
        (lambda: single("pazaak", "stnd"), "unknown bot 'stnd'"),
        (lambda: single("pazaak", "stand", seat=2), "seat: 2 is not a seat of this table; choices"),
        (
            lambda: single("pazaak", ["stand", "random"]),
            "opponents: pazaak is played against 1, no",
        ),
        (lambda: single("pazaak", "stand", colour="red"), "colour"),
        (lambda: single("pazaak", "stand", ruleset="nope"), "unknown pazaak ruleset 'nope'"),
        (lambda: vector("pazaak", 0), "tables"),
        (lambda: vector("pazaak", trust=["x"]), "trust: not available without opponents"),
        (lambda: vector("pazaak", 2, "stnd"), "unknown bot 'stnd'"),
        (lambda: aec("pazaak").reset(options={"deal": -1}), "option deal is a whole number from 0"),
        (lambda: aec("pazaak").step(0), r"call reset\(\) before anything else"),
        (lambda: vector("pazaak", 2).step([0, 0]), r"call reset\(\) before step"),
        (lambda: vector("pazaak", 2).reset(options={"dael": 1}), "'dael'.*; choices: deal"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(ask, message):
    with pytest.raises(ArenaError, match=message) as refused:
        ask()
    assert "\n" not in str(refused.value)


def test_a_game_without_a_view_is_refused_by_name(monkeypatch):
    from arena.core.parts import Views
    from arena.games.pazaak.game import Pazaak

    monkeypatch.setattr(Pazaak, "view", property(Views))
    for make in (aec, single, vector):
        with pytest.raises(BadInput, match=r"^pazaak has no view"):
            make("pazaak")


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    monkeypatch.delitem(vars(arena.rl), "aec", raising=False)
    with pytest.raises(BadInput) as refused:
        arena.rl.aec  # noqa: B018 - it is imported when it is asked for
    assert str(refused.value) == (
        "arena.rl needs gymnasium and pettingzoo, which are not installed: "
        "pip install 'arena-harness[rl]'"
    )


def test_importing_the_package_imports_neither_library():
    code = (
        "import sys, arena, arena.rl; print({'gymnasium', 'pettingzoo', 'numpy'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
    assert util.find_spec("gymnasium")


def bot_file(tmp_path, name, body):
    bot = tmp_path / f"{name}.py"
    bot.write_text(f"from arena import Bot\n\n\nclass Made(Bot):\n    calls = 0\n{body}")
    return str(bot)


def test_a_bot_that_fails_in_every_match_is_named_with_its_error(tmp_path):
    bot = bot_file(
        tmp_path, "late",
        "    def prepare(self, offer):\n        raise RuntimeError('no')\n\n"
        "    def act(self, observation):\n        return observation.legal_actions[0]\n"
    )  # fmt: skip
    env = single("pazaak", bot, trust=[bot], seat=0)
    line = (
        r"^10 matches in a row were over before the learner's first decision: "
        r"bot late failed: RuntimeError"
    )
    with (
        pytest.warns(UserWarning, match="^bot late failed: RuntimeError") as found,
        pytest.raises(ArenaError, match=line),
    ):
        env.reset(seed=1)
    assert len(found) == 1
    env.close()


def test_a_bot_that_fails_at_times_is_one_warning(tmp_path):
    bot = bot_file(
        tmp_path, "rare",
        "    def act(self, observation):\n        Made.calls += 1\n"
        "        if Made.calls % 3 == 0:\n            raise ValueError\n"
        "        return observation.legal_actions[0]\n"
    )  # fmt: skip
    env, alone = vector("pazaak", 4, bot, trust=[bot]), single("pazaak", bot, trust=[bot])
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        seen, info = env.reset(seed=1, options={"deal": 100})
        assert (info["deal"] >= [100, 101, 102, 103]).all()
        for _ in range(30):
            before = info["deal"]
            seen, _, over, _, info = env.step(seen["action_mask"].argmax(1))
            assert (info["deal"][over] == before[over]).all()
        deals = [alone.reset(seed=n, options={"deal": 5, "seat": 1})[1]["deal"] for n in range(6)]
    assert {*deals} == {5, 6}  # its third call is before the learner's first decision
    assert [str(each.message) for each in found] == 2 * ["bot rare failed: ValueError"]
    env.close()
    alone.close()
