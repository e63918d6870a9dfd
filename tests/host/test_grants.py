"""Paths granted to the processes of a field: each its own, and nothing that is kept apart."""

from __future__ import annotations

import sys

import msgspec
import pytest

from arena.core.errors import BadPlugin
from arena.host.process.grants import Grants
from arena.plugins.command import command_source
from tests.host.confined_plays import match_settings, renamed, untrusted


def program(folder, name):
    folder.mkdir(exist_ok=True)
    script = folder / f"{name}.py"
    script.write_text("input()")
    return renamed(command_source(f"'{sys.executable}' '{script}'"), name)


def test_a_bot_is_granted_its_own_folder_and_none_that_holds_anothers(tmp_path):
    above, below = program(tmp_path, "above"), program(tmp_path / "below", "below")
    grants = Grants(match_settings(), [above, below, untrusted("random")])
    assert str(tmp_path / "below") in grants.of(below).read
    with pytest.raises(BadPlugin, match="put the bot into a folder of its own"):
        grants.of(above)
    assert not {str(tmp_path)} & set(grants.of_all())


def test_a_bot_beside_the_database_is_not_granted_its_folder(tmp_path):
    bot = program(tmp_path / "bot", "bot")
    apart = msgspec.structs.replace(match_settings(), apart=(str(tmp_path / "bot" / "arena.db"),))
    assert Grants(match_settings(), [bot]).of(bot)
    with pytest.raises(BadPlugin, match=r"arena\.db is there"):
        Grants(apart, [bot]).of(bot)
