"""Bots that break before they can be entered: refused in one line, and nothing is stored."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.cli.in_process import run_in_process
from tests.isolation.expectations import REFUSED
from tests.isolation.tournaments import BY_AN_ORDINARY_USER, HERE, markers
from tests.isolation.users import arena

RUN = (
    "tournament", "run", "--games", "2", "--seed", "7", "--startup-seconds", "2",
    "--memory-mb", "256", "--isolation", "confined", "--require", "confined",
    "--bot", "random",
)  # fmt: skip


@BY_AN_ORDINARY_USER
@pytest.mark.parametrize("name", REFUSED)
def test_a_bot_that_cannot_be_started_is_refused_with_its_reason(ground, user_of, kind, name):
    folder = ground / f"refused-{kind}-{name}"
    folder.mkdir()
    user = user_of(kind)
    shutil.copy(HERE / "refused" / f"{name}.py", folder)
    if user.name:
        shutil.chown(folder, user.name)
    url = f"sqlite:///{folder / 'arena.db'}"
    ended = arena(user, folder, *RUN, "--db", url, "--bot", f"{name}.py")
    assert ended.code == 2, ended.err
    assert ended.left == []
    assert ended.out == ""
    last = ended.err.splitlines()[-1]
    assert last.startswith("arena: ")
    assert name in last
    assert REFUSED[name] in last
    assert len(ended.err) < 2_000
    assert markers(folder) == []
    listed = run_in_process(["tournament", "list", "--db", url, "-o", "json"], folder, os.environ)
    assert listed[1] in ("", "[]\n")
