"""Programs whose files ask for more than they need: refused before they run, at every level."""

from __future__ import annotations

import pytest

from arena.host.box.bubblewrap import bubblewrap
from tests.isolation.expectations import REFUSED_PROGRAMS
from tests.isolation.tournaments import BY_AN_ORDINARY_USER, program
from tests.isolation.users import arena


@BY_AN_ORDINARY_USER
@pytest.mark.parametrize("level", ["confined", "boxed"])
@pytest.mark.parametrize("name", REFUSED_PROGRAMS)
def test_a_forged_program_is_refused_before_it_reads_anything(ground, user_of, kind, level, name):
    if level == "boxed" and bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    place = ground / f"{name}-{kind}-{level}"
    folder = program(name, place / name)
    words = ("check", "bot", str(folder), "--isolation", level, "--matches", "1")
    ended = arena(user_of(kind), ground, *words)
    assert ended.code == 2, (ended.out, ended.err)
    assert REFUSED_PROGRAMS[name] in ended.err.splitlines()[-1]
    assert "GOT: " not in ended.out + ended.err
