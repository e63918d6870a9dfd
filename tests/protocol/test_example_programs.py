"""The examples in other languages play both games by the rules, many matches at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from arena_bots.uniform_random import UniformRandom

from arena.core.game import AnyGame
from arena.core.outcome import RULE_ENDINGS
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.wire.codecs import TEXT
from arena.host.wire.messages import Decide, Start
from tests.protocol.conversation import Program, play

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
PAZAAK, SABACC = Pazaak(), Sabacc()
NEEDS = {"no_sdk": "python3", "javascript": "node", "c": "cc"}


@pytest.fixture(scope="module", params=NEEDS)
def example(request, tmp_path_factory) -> tuple[tuple[str, ...], Path]:
    """One example as it would be submitted: its command, and a copy of its folder, built."""
    if shutil.which(NEEDS[request.param]) is None:
        pytest.skip(f"{NEEDS[request.param]} is missing")
    folder = tmp_path_factory.mktemp("examples") / request.param
    shutil.copytree(EXAMPLES / request.param, folder)
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    bot = project["tool"]["arena"]["bot"]
    if request.param == "c":
        strict = ["-Wall", "-Wextra", "-Werror"]
        subprocess.run([*bot["build"], *strict], cwd=folder, check=True)
    command = bot["command"]
    if command[0] == "python3":
        command[0] = sys.executable
    return tuple(command), folder


@pytest.fixture
def started(example):
    """Starts the example for a game; at the end it must end by itself, without another line."""
    programs: list[Program] = []

    def start(game: AnyGame) -> Program:
        programs.append(Program(*example, game))
        return programs[-1]

    yield start
    assert [program.end() for program in programs] == [0] * len(programs)


def test_its_handshake_names_it(started):
    ready = started(PAZAAK).ready
    assert (ready.protocol, ready.games) == (1, ("pazaak", "sabacc"))
    assert ready.name
    assert not ready.refusal


@pytest.mark.parametrize(
    "ruleset",
    [
        "standard",
        "console",
        "standard(flip=negate_positive,bust_check=immediate)",
        'standard(max_copies=1,side_deck_size="10..25")',
        'standard(collection="+1 +1 +1 +2 +2 +2 -1 -1 ±1 ±1 ±1 ±1")',
        "standard(deck=hard)",
    ],
)
@pytest.mark.thorough("other rules", everyday=["*-standard", "*(deck=hard)"])
def test_it_plays_pazaak_by_the_rules(started, ruleset):
    played = play(started(PAZAAK), PAZAAK, ruleset, UniformRandom, range(1, 9))
    assert [record.outcome.reason for record, _ in played] == [""] * 8
    assert {record.outcome.termination for record, _ in played} <= RULE_ENDINGS


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("old_republic", 2),
        ("mos_eisley", 3),
        ("variable(dice=true)", 4),
        ("imperial(mode=points,target=0)", 2),
        ("old_republic(mode=chips)", 6),
        ("old_republic(mode=chips,betting=alternating,cap=0)", 3),
        ("cloud_city(mode=chips,betting=poker,short_stack=all_in)", 3),
    ],
)
@pytest.mark.thorough(
    "each language plays it every day",
    everyday=["no_sdk-variable*", "javascript-mos*", "c-old_republic-2"],
)
def test_it_plays_sabacc_by_the_rules(started, ruleset, seats):
    played = play(started(SABACC), SABACC, ruleset, UniformRandom, range(1, 7), seats)
    assert [record.outcome.reason for record, _ in played] == [""] * 6
    assert {record.outcome.termination for record, _ in played} <= RULE_ENDINGS


@pytest.mark.parametrize(
    ("game", "ruleset"), [(PAZAAK, ""), (SABACC, ""), (SABACC, "old_republic(mode=chips)")]
)
@pytest.mark.thorough("each language beats it in one game every day", everyday=["*game1-"])
def test_it_beats_random_play(started, game, ruleset):
    played = play(started(game), game, ruleset, UniformRandom, range(1, 41))
    returns = [record.outcome.returns[n % 2] for n, (record, _) in enumerate(played, 1)]
    assert sum(returns) / len(returns) > 0.5  # three of four


def test_it_plays_the_same_in_sequence_and_all_at_once(started):
    together = play(started(SABACC), SABACC, "", UniformRandom, range(1, 5))
    one = started(SABACC)
    alone = [play(one, SABACC, "", UniformRandom, [number])[0] for number in range(1, 5)]
    assert [record for record, _ in together] == [record for record, _ in alone]


def test_it_ignores_unknown_fields_and_spaces(started):
    program = started(PAZAAK)
    observation = {
        "later": {"total": 20, "legal_actions": ["leave"], "odd": 'a "quoted" ] } brace \\'},
        "legal_actions": ["end turn", "stand"],
        "total": 12,
        "rival_total": 3,
        "rival_standing": False,
    }
    start = {"type": "start", "news": [1, {"id": 9}], "id": 5, "match": 1, "offer": None}
    decide = {"type": "decide", "news": {"id": 9}, "id": 6, "observation": observation}
    for message, indent in ((start, None), (decide, None)):
        program.write(
            json.dumps(message, indent=indent, separators=(" ,  ", " : ")).encode() + b"\n"
        )
        (answer,) = TEXT.answers(program.line())
        assert answer.id == message["id"]
    assert answer.action == "end turn"


def test_it_ignores_unknown_messages(started):
    program = started(PAZAAK)
    program.write(b'{"type":"applause","id":3,"observation":{"total":1}}\n')
    start = Start(4, 1, "standard", 0, 2, 7)
    assert program.ask([start])[0].id == 4


def test_it_answers_a_replayed_match(started):
    """As it happens when its process was lost: the same requests, with new ids."""
    game, program = PAZAAK, started(PAZAAK)
    play(program, game, "", UniformRandom, [1])
    lines = [msgspec.json.decode(line) for side, line in program.lines if side == ">"]
    asked = [line for line in lines if line["type"] in ("start", "decide")]
    first = [line for side, line in program.lines if side == "<"][1:]
    again = started(game)
    for number, line in enumerate(asked):
        again.write(msgspec.json.encode({**line, "id": 1000 + number}) + b"\n")
    answers = [TEXT.answers(again.line())[0] for _ in asked]
    assert [answer.id for answer in answers] == [1000 + number for number in range(len(asked))]
    assert [answer.action for answer in answers] == [
        TEXT.answers(line.encode())[0].action for line in first
    ]


def test_a_large_id_is_returned_unchanged(started):
    largest = 2**53 - 1
    observation = {
        "legal_actions": ["end turn", "stand"],
        "total": 20,
        "rival_total": 0,
        "rival_standing": False,
    }
    (answer,) = started(PAZAAK).ask([Decide(largest, 1, observation)])
    assert (answer.id, answer.action) == (largest, "stand")
