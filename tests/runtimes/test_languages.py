"""A project of ``arena new bot`` plays as it was written, in each language."""

from __future__ import annotations

import shutil

import pytest

from arena.host.box.bubblewrap import bubblewrap
from arena.plugins.languages import LANGUAGES
from arena.plugins.registry import Registry
from arena.plugins.scaffold import new_bot
from arena.service.bots.bot_checks import check_bot


@pytest.fixture
def project(tmp_path):
    """Writes a new project; skips where its language is not installed."""

    def write(language, game="pazaak", name="odd_-9Name"):
        for program in (*language.build[:1], *language.command[:1]):
            if "/" not in program and shutil.which(program) is None:
                pytest.skip(f"{program} is not installed")
        if language.build and bubblewrap() is None:
            pytest.skip("bubblewrap is not installed")
        new_bot(Registry(), name, tmp_path / "new", game, language.name)
        return tmp_path / "new"

    return write


@pytest.mark.thorough(
    "C and JavaScript stand for all: most of the rest is the compiler's time",
    everyday=["pazaak-c", "sabacc-javascript"],
)
@pytest.mark.parametrize("language", LANGUAGES, ids=[each.name for each in LANGUAGES])
@pytest.mark.parametrize("game", ["pazaak", "sabacc"])
def test_a_new_bot_breaks_no_match(project, language, game):
    report = check_bot(Registry(), str(project(language, game)), game=game, matches=4)
    assert report.passed, report.complaint
    assert report.deterministic
