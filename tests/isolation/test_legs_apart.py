"""Channels between two processes of one bot are closed at both levels, for all kinds of user."""

from __future__ import annotations

import pytest

from arena.host.box.bubblewrap import bubblewrap
from tests.isolation.tournaments import HERE
from tests.isolation.users import arena

SIGNALS = (
    *("colludes_by_numbers", "colludes_by_access_times", "counts_processes"),
    *("colludes_by_signals", "colludes_by_cookies"),
)


@pytest.mark.parametrize("level", ["confined", "boxed"])
@pytest.mark.parametrize("name", SIGNALS)
def test_no_signal_reaches_the_process_of_the_other_leg(ground, user_of, kind, level, name):
    if level == "boxed" and bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    folder = ground / f"{name}-{kind}-{level}"
    folder.mkdir()
    bot = folder / f"{name}.py"
    bot.write_bytes((HERE / "hostile" / f"{name}.py").read_bytes())
    ended = arena(
        user_of(kind), folder, "check", "bot", bot.name, "--isolation", level, "--matches", "1"
    )
    assert (ended.code, ended.err, ended.left) == (0, "", [])
    assert "GOT: " not in ended.out
