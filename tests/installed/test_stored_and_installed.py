"""A bot that is installed by pip, and submitted: each version plays as it was asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig

import pytest

from tests.installed.wheels import PIP

PURELIB = sysconfig.get_path("purelib")


class Author:
    """An author with an environment of their own and a new project in it."""

    def __init__(self, place):
        self.place, self.project = place, place / "my-bot"
        self.python = place / "venv" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "venv"], check=True)
        (packages,) = (place / "venv").glob("lib/python*/site-packages")
        (packages / "arena_here.pth").write_text(f"import site; site.addsitedir({PURELIB!r})\n")

    def arena(self, *words, code=0):
        done = subprocess.run(
            [self.python, "-m", "arena", *words],
            cwd=self.place,
            env=os.environ | {"ARENA_DB": str(self.place / "a.db")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def install(self, *options):
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", *PIP]
        subprocess.run([*pip, *options, self.project], check=True)

    def change(self):
        """Makes version 0.2.0, which stands at once, and so loses."""
        about, code = self.project / "pyproject.toml", self.project / "my_bot.py"
        about.write_text(about.read_text().replace('"0.1.0"', '"0.2.0"'))
        head, _, _ = code.read_text().partition("    def act(")
        code.write_text(
            f"{head}    def act(self, observation):\n"
            "        actions = observation.legal_actions\n"
            "        return next(each for each in actions if str(each) == 'stand')\n"
        )


@pytest.mark.parametrize("options", [("-e",), ()], ids=["editable", "plain"])
@pytest.mark.thorough("tests/cli/test_names_of_bots.py installs and submits a bot in its process")
def test_versions_of_the_store_play_though_the_bot_is_installed(tmp_path, options):
    author = Author(tmp_path)
    author.arena("new", "bot", "my-bot")
    author.install(*options)
    author.arena("submit", "my-bot", "--decision-seconds", "5")
    author.change()
    author.arena("submit", "my-bot", "--decision-seconds", "5")

    out = author.arena(
        "compare", "my-bot@0.1.0", "my-bot@0.2.0", "--games", "40", "--seed", "3", "-o", "json"
    )
    found = json.loads(out)
    assert found["won"] + 10 < found["lost"]
    author.arena("tournament", "verify", "1")

    refused = author.arena("match", "my-bot", "random", code=2)
    assert "write my-bot@0.2.0 for the one in the registry, or my-bot@installed" in refused
    listed = {row["spelling"] for row in json.loads(author.arena("bots", "-o", "json"))}
    assert {"my-bot@0.2.0", "my-bot@installed"} <= listed

    author.arena("match", "my-bot@installed", "my-bot@0.2.0", "--games", "2")
    author.arena("tournament", "verify", "2")
