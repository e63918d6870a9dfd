"""docs/reference/protocol.md: its tables name every field, its transcripts are of real matches."""

from __future__ import annotations

import re
import tomllib

import msgspec
import pytest

from arena.core.chance.dealer import SeatStreams
from arena.core.game import AnyGame
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.wire.messages import Answer, Decide, Finish, Hello, Ready, Start
from tests.protocol.transcripts import MATCHES, PAGE, PROGRAM, transcript, with_transcript

GAMES = {"pazaak": Pazaak(), "sabacc": Sabacc()}


def page() -> str:
    return PAGE.read_text("utf-8")


def section(title: str) -> str:
    """The text under a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", page(), re.DOTALL | re.MULTILINE)
    assert found, title
    return found[1]


def names(text: str, column: int) -> set[str]:
    """Names in code quotes in one column of the tables of a text."""
    rows = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row[column])}


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match[0].name)
def test_a_transcript_on_the_page_is_that_of_a_real_match(match):
    game = match[0]
    assert with_transcript(page(), game.name, transcript(*match)) == page(), (
        "write it anew: python -m tests.protocol.transcripts"
    )


def test_the_page_names_every_field_of_every_message():
    sent = {field for kind in (Hello, Start, Decide, Finish) for field in kind.__struct_fields__}
    assert names(section("Messages to the bot"), 2) == sent
    answered = {field for kind in (Ready, Answer) for field in kind.__struct_fields__}
    assert names(section("Answers"), 2) == answered
    assert names(section("Messages to the bot"), 1) - {"type"} == {
        kind.__struct_config__.tag for kind in (Hello, Start, Decide, Finish)
    }


def described(game: AnyGame) -> set[str]:
    """The fields of an observation of that game."""
    rules = game.ruleset()
    state = game.new_state(rules, [game.loadouts.accept(rules, None)] * 2, SeatStreams(1))
    return set(game.wire.describe(state.observation(0)))


@pytest.mark.parametrize("game", GAMES)
def test_the_page_names_every_field_of_an_observation(game):
    pazaak, sabacc = section("Observations").split("**Sabacc**")
    table = pazaak if game == "pazaak" else sabacc
    assert names(table, 1) == described(GAMES[game])


def test_the_page_names_every_field_of_an_offer():
    game = GAMES["pazaak"]
    offer = game.loadouts.describe(game.loadouts.offer(game.ruleset(), 0))
    described_offer = re.search(r"`offer`: (.*?)\n\n", section("Observations"), re.DOTALL)
    assert set(re.findall(r"`(\w+)`", described_offer[1])) == set(offer)


def test_the_project_file_on_the_page_has_the_form_of_the_examples():
    shown = tomllib.loads(re.search(r"```toml\n(.*?)```", page(), re.DOTALL)[1])
    examples = list(PROGRAM.parent.glob("*/pyproject.toml"))
    assert examples
    keys = set()
    for example in examples:
        real = tomllib.loads(example.read_text("utf-8"))
        keys |= set(real["tool"]["arena"]["bot"])
        assert set(real["tool"]["arena"]["bot"]) >= set(shown["tool"]["arena"]["bot"]) - {"build"}
        assert set(shown["project"]) <= set(real["project"])
    assert keys == set(shown["tool"]["arena"]["bot"])


def test_the_answers_on_the_page_can_be_read():
    failed = re.search(r"`(\{\"kind\".*?\})`", section("Answers"))
    answer = msgspec.json.decode(f'{{"id": 1, "failed": {failed[1]}}}', type=Answer)
    assert answer.failed is not None
    assert answer.failed.kind == "crash"
