"""A compiled wheel plays as the sources do, and says that it is compiled."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import hatch_build
from arena.service.answers.engine import engine
from tests.compiled_tree import kept_wheel
from tests.installed.wheels import ROOT, Installed, build_wheel, install_wheel

PLAYS = """
from hashlib import sha256
from arena.core.errors import ArenaError
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.match.replay import verify
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

class Lost:
    def start(self, context): self.left = 3 + context.seat
    def prepare(self, offer): return None
    def finish(self, outcome): pass
    def act(self, observation):
        self.left -= 1
        if not self.left: raise ValueError("lost")
        return observation.legal_actions[0]

class Liar(Lost):
    def act(self, observation):
        self.left -= 1
        return observation.legal_actions[-1] if self.left else "liar"

registry, found = Registry(), sha256()
def play(game, spelling, makers, seed):
    global found
    rules = game.ruleset(spelling)
    names = [f"bot{seat}" for seat in range(len(makers))]
    record, _ = play_inline(game, rules, seed, seed, makers, names, Limits())
    verify(game, record)
    found.update(record.to_bytes())

for name in ("pazaak", "sabacc"):
    game = registry.game(name)
    bots = [load_bot(registry.resolve_bot(each)) for each in BOTS[name]]
    for spelling in (*game.rulesets, *MORE[name]):
        for seed in range(MATCHES):
            play(game, spelling, [bots[seed % 2], bots[-1]], seed)
            play(game, spelling, [bots[seed % 2], (Lost, Liar)[seed % 2]], seed)
    if game.seats[-1] > 2:
        for spelling in MORE[name]:
            for seed in range(MATCHES):
                play(game, spelling, [*bots, Lost, Liar, bots[0]][seed % 2:], seed)
print(found.hexdigest())
"""
"""Plays matches of both games by every named ruleset, with faults, and hashes their records."""
BOTS = {
    "pazaak": ("stand(at=17)", "hand-saver", "random"),
    "sabacc": ("target-total", "cautious-folder", "random"),
}
MORE = {
    "pazaak": (
        "standard(flip=negate_deck_persistent,flip_scope=both,main_deck=forty_each)",
        "standard(hand_scope=set,next_set=random,flip_without_target=illegal,bust_check=immediate)",
        "standard(first_set=random,opening_cards=burn,auto_stand=end_of_turn,double=in_place)",
    ),
    "sabacc": (
        "old_republic(mode=chips)",
        "old_republic(betting=poker,mode=chips,short_stack=all_in)",
        "old_republic(mode=points,target=300)",
        "variable(dice=true,mode=chips)",
    ),
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Installed:
    if reason := hatch_build.obstacle():
        pytest.skip(reason)
    place = tmp_path_factory.mktemp("compiled")
    return install_wheel(place, kept_wheel() or build_wheel(place, compiled=True))


@pytest.mark.thorough("make test COMPILED=1 runs the tests of the games compiled")
def test_records_of_a_compiled_wheel_are_byte_for_byte_the_same(compiled):
    code = f"BOTS, MORE, MATCHES = {BOTS!r}, {MORE!r}, 8\n{PLAYS}"
    ours = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert compiled.run("python", "-c", code) == ours.stdout


@pytest.mark.thorough("make test COMPILED=1 runs the tests of the games compiled")
def test_a_compiled_wheel_has_every_module_compiled_and_says_so(compiled):
    assert compiled.run("arena", "--version").endswith(" (compiled)\n")
    (packages,) = compiled.environment.glob("lib/python*/site-packages")
    for name in hatch_build.COMPILED:
        assert list(packages.glob(name.replace(".py", ".*.so"))), name
        assert (packages / name).read_text() == (ROOT / name).read_text()


@pytest.mark.thorough("make test COMPILED=1 runs the tests of the games compiled")
def test_confined_bots_play_by_a_compiled_wheel(compiled):
    bot = ROOT / "examples" / "bots" / "no_sdk"
    out = compiled.run("arena", "match", str(bot), "stand(at=17)", "--games", "4")
    assert "no-sdk" in out


def test_the_checkout_runs_its_sources_and_a_compiled_copy_does_not():
    assert engine() == ("compiled" if ROOT.name == ".compiled" else "interpreted")
    left = [path for path in Path(ROOT, "arena").rglob("*.so") if ROOT.name != ".compiled"]
    assert left == []


def test_every_compiled_module_exists_and_defines_no_message():
    for name in hatch_build.COMPILED:
        assert not re.search(r"^class .*msgspec\.Struct", (ROOT / name).read_text(), re.M)


@pytest.mark.parametrize("wanted", ["yes", "2"])
def test_arena_compile_is_0_or_1(monkeypatch, wanted):
    monkeypatch.setenv("ARENA_COMPILE", wanted)
    hook = hatch_build.CompilingHook(str(ROOT), {}, None, None, "", "wheel")
    with pytest.raises(SystemExit, match="ARENA_COMPILE is 0 or 1"):
        hook.initialize("standard", {})


def test_compiling_that_was_asked_for_fails_in_one_line_where_it_cannot_be(monkeypatch):
    monkeypatch.setenv("ARENA_COMPILE", "1")
    monkeypatch.setenv("CC", "no-such-compiler")
    hook = hatch_build.CompilingHook(str(ROOT), {}, None, None, "", "wheel")
    with pytest.raises(SystemExit, match=r"cannot be compiled: there is no C compiler \(no-such"):
        hook.initialize("standard", {})


def test_an_editable_install_is_never_compiled(monkeypatch):
    """A binary beside a source would hide every later change of it."""
    monkeypatch.setenv("ARENA_COMPILE", "1")
    hook = hatch_build.CompilingHook(str(ROOT), {}, None, None, "", "wheel")
    with pytest.raises(SystemExit, match="cannot be compiled"):
        hook.initialize("editable", {})


def test_without_a_compiler_the_wheel_is_not_compiled_and_says_why(monkeypatch):
    monkeypatch.delenv("ARENA_COMPILE", raising=False)
    monkeypatch.setenv("CC", "no-such-compiler")
    shown: list[str] = []
    app = type("App", (), {"display_info": lambda self, line: shown.append(line)})()
    hook = hatch_build.CompilingHook(str(ROOT), {}, None, None, "", "wheel", app)
    data: dict[str, object] = {"force_include": {}}
    hook.initialize("standard", data)
    assert data == {"force_include": {}}
    assert hook.dependencies() == []
    assert shown == [
        "Arena is not compiled, and runs as well: there is no C compiler (no-such-compiler)."
    ]
