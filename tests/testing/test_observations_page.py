"""docs/reference/observations.md: its tables name every field with its type, its bot plays."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from arena_bots.uniform_random import UniformRandom

from arena.core.bot import MatchContext
from arena.core.outcome import Termination
from arena.games.pazaak.engine.observation import PazaakObservation, SideDeckOffer
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.engine.observation import SabaccObservation
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "observations.md").read_text("utf-8")


def test_the_bot_of_the_page_plays_without_a_fault(tmp_path):
    name, code = re.findall(r"^```python\n# (\S+)\n(.*?)^```$", PAGE, re.M | re.S)[0]
    (tmp_path / name).write_text(code)
    bots = [load_bot(Registry().resolve_bot(str(tmp_path / name))), UniformRandom]
    game = Pazaak()
    record, _ = play_inline(game, game.ruleset(), 1, 2, bots, ["bot", "random"], Limits())
    assert record.outcome.termination is Termination.RULES, record.outcome.reason


def section(heading: str) -> str:
    return PAGE.partition(heading)[2].partition("\n## ")[0]


def documented(text: str) -> dict[str, str]:
    """Type by field, from the rows of a table; one type may stand for all fields of a row."""
    rows = re.findall(r"^\| (`[^|]*) \| (`[^|]*) \|", text, re.M)
    found = {}
    for left, right in rows:
        names, types = re.findall(r"`(.*?)`", left), re.findall(r"`(.*?)`", right)
        given = types * len(names) if len(types) == 1 else types
        if len(given) != len(names):
            given = [*given, *[given[-1]] * (len(names) - len(given))]
        found |= dict(zip(names, given, strict=True))
    return found


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("## The match", MatchContext),
        ("## The offer", SideDeckOffer),
        ("## Pazaak: the observation", PazaakObservation),
        ("## Sabacc: the observation", SabaccObservation),
    ],
)
def test_the_page_names_every_field_with_its_type(heading, kind):
    there: dict[str, str] = {}
    for base in reversed(kind.__mro__[: kind.__mro__.index(msgspec.Struct)]):
        there |= base.__annotations__
        for name, member in vars(base).items():
            if isinstance(member, property):
                there[name] = member.fget.__annotations__["return"]
    there = {name: hint.replace("AnyGame", "Game") for name, hint in there.items()}
    assert documented(section(heading)) == there
