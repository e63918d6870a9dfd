"""A format of an extension with options: they work wherever the keys of a tournament do."""

from __future__ import annotations

import json
import os
import re

import pytest

import arena
from arena.core.errors import BadSpec
from arena.plugins.manager import GROUP
from tests.cli.in_process import run_in_process

CHAIN = '''
from typing import Annotated, Literal

import msgspec
from arena_tournaments.scoring.scoring import MATCH

from arena.core.options import Option
from arena.core.tournaments.format import PAIRS, Format, Pairing, Round


class Chain(Format, kw_only=True):
    """Everybody meets the next in the list."""

    name: str = "chain"
    summary: str = "everybody meets the next"
    laps: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=9)], Option("How often all are gone through.")
    ] = 1
    first: Annotated[Literal["upper", "lower"], Option("Who has the first seat.")] = "upper"
    links: Annotated[int, Option("How many are left out.")] = 0

    def rounds(self, entrants, requested, tables=PAIRS):
        return self.laps * (entrants - 1)

    def pairings(self, entrants, rounds, tables=PAIRS):
        return [1] * rounds

    def next_round(self, field, played, rounds, tables=PAIRS):
        if len(played) == rounds:
            return None
        at = len(played) % (len(field) - 1)
        seats = (at, at + 1) if self.first == "upper" else (at + 1, at)
        byes = tuple(each for each in range(len(field)) if each not in seats)
        return Round(len(played) + 1, (Pairing(seats),), byes)

    def scoring(self):
        return MATCH


class Texts(Chain, kw_only=True):
    """A chain whose option of the same key is a text."""

    name: str = "texts"
    links: Annotated[str, Option("What they are called.")] = ""


def arena_formats():
    return [Chain(), Texts(laps=2)]
'''
FIELD = ["stand", "random", "stand(at=15)"]
RUN = ("tournament", "run", "--seed", "7", "--concurrency", "1", "--games", "2", "-o", "json")
BOTS = tuple(word for bot in FIELD for word in ("--bot", bot))


@pytest.fixture(autouse=True)
def chain(install, tmp_path, monkeypatch):
    install("arena-chain", {GROUP: {"chain": "chain_extension"}}, {"chain_extension.py": CHAIN})
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'chain.db'}")


@pytest.fixture
def run(tmp_path):
    def run(*words: object) -> dict:
        code, out, err = run_in_process([*RUN, *map(str, words)], tmp_path, os.environ)
        assert (code, "warning" in err) == (0, False), err
        return json.loads(out)

    return run


def test_options_are_flags_with_help(tmp_path, run):
    _, help, _ = run_in_process(["tournament", "run", "--help"], tmp_path, os.environ)
    help = " ".join(help.split())
    assert "chain, texts: How often all are gone through. [chain: 1, texts: 2]" in help
    (formats,) = re.findall(r"NAME Format: ([^.]*)\.", help)
    assert {"round-robin", "ladder", "table-swiss", "chain", "texts"} <= {*formats.split(", ")}
    shown = run(*BOTS, "--format", "chain", "--laps", "2", "--first", "lower")
    assert (shown["tournament"]["rounds"], shown["tournament"]["laps"]) == (4, 2)
    assert shown["tournament"]["format"] == "chain"


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "chain(laps=2)"),
        ("--format", "chain(laps=3)", "--laps", "2"),
        ("--format", "chain", "--laps", "2"),
    ],
)
def test_however_an_option_is_spelled_the_tournament_is_the_same(run, words):
    plain, other = run(*BOTS, "--format", "chain", "--laps", "2"), run(*BOTS, *words)
    for shown in (plain, other):
        del shown["tournament"]["id"]
    assert other == plain


def test_options_stand_in_a_file_and_flags_overrule_them(tmp_path, run):
    file = tmp_path / "chain.toml"
    bots = f"bots = {json.dumps(FIELD)}\n"
    file.write_text(f'{bots}format = "chain"\nlaps = 3\nfirst = "lower"\n')
    assert run(file)["tournament"]["laps"] == 3
    shown = run(file, "--laps", "2")["tournament"]
    assert (shown["laps"], shown["first"], shown["rounds"]) == (2, "lower", 4)
    file.write_text(f'{bots}format = "chain"\n[format_options]\nlaps = 3\nfirst = "lower"\n')
    assert run(file, "--laps", "2")["tournament"] == {**shown, "id": 3}
    file.write_text(f'{bots}[[stages]]\nformat = "chain"\nlaps = 2\n[[stages]]\nformat = "swiss"\n')
    assert run(file)["tournament"]["rounds"] == 4 + 3


def test_options_of_a_stage_are_its_own(run):
    shown = run(*BOTS, "--stage", "chain(laps=2)", "--stage", "chain(take=2)", "--first", "lower")
    assert [stage["rounds"] for stage in shown["stages"]] == [4, 1]
    assert shown["tournament"]["first"] == "lower"


def test_options_are_arguments_in_python(tmp_path):
    with arena.open_database(tmp_path / "python.db") as db:
        keys = {"seed": 7, "games": 2, "concurrency": 1, "format": "chain"}
        cups = [
            db.run(FIELD, **keys, laps=2),
            db.run(FIELD, **keys, format_options={"laps": 2}),
            db.run(FIELD, **{**keys, "format": "chain(laps=2)"}),
        ]
        documents = [cup.document() for cup in cups]
        fork = db.fork(1, laps=1).document()
    for document in documents:
        del document["tournament"]["id"]
    assert documents[0]["tournament"]["laps"] == 2
    assert documents[1:] == documents[:1] * 2
    assert fork["tournament"]["rounds"] == 2
    assert "laps" not in fork["tournament"]


def test_a_default_is_that_of_the_format_that_was_registered(run):
    for words, rounds in ((), 4), (("--laps", "2"), 4), (("--laps", "1"), 2):
        assert run(*BOTS, "--format", "texts", *words)["tournament"]["rounds"] == rounds


def test_an_option_of_two_types_is_read_by_its_format(run):
    assert run(*BOTS, "--format", "texts", "--links", "cord")["tournament"]["links"] == "cord"
    assert run(*BOTS, "--format", "chain", "--links", "4")["tournament"]["links"] == 4


@pytest.mark.parametrize(
    ("keys", "problems"),
    [
        (
            {"format": "chain", "laps": 10, "first": "none"},
            [
                "laps: expected a whole number <= 9, not 10",
                "first: expected upper or lower, not 'none'",
            ],
        ),
        (
            {"format": "chain", "lapz": 2, "games": 0},
            [
                "games: expected a whole number >= 1, not 0",
                "lapz: no such key, and no option of chain; the options are first, laps, links; "
                "did you mean laps?",
            ],
        ),
        (
            {"format": "swiss", "laps": 2},
            ["laps: not available for swiss; formats with it: chain, texts"],
        ),
    ],
)
def test_every_problem_of_an_option_has_its_key(tmp_path, keys, problems):
    with arena.open_database(tmp_path / "none.db") as db:
        with pytest.raises(BadSpec) as raised:
            db.run(FIELD, **keys)
        assert [*raised.value.problems] == problems
        assert db.tournaments() == []


def test_a_format_whose_option_is_a_key_of_all_tournaments_says_so(install, tmp_path):
    code = (
        CHAIN.replace('"chain"', '"clash"').replace("links:", "stake:").replace("Texts(laps=2)", "")
    )
    install("arena-clash", {GROUP: {"clash": "clash_extension"}}, {"clash_extension.py": code})
    with (
        arena.open_database(tmp_path / "none.db") as db,
        pytest.raises(BadSpec, match="stake: a key of every tournament, and so no option of clash"),
    ):
        db.run(FIELD, format="clash")


RANKED = (
    CHAIN.replace("class Chain(Format", "class Chain(Scored")
    .replace("    def scoring(self):\n        return MATCH\n", "    score: Scoring = PAIRING\n")
    .replace("import MATCH", "import PAIRING")
    .replace(
        "Pairing, Round\n",
        "Pairing, Round, Scoring\nfrom arena.core.tournaments.scored import Scored\n",
    )
    .replace('"chain"', '"ranked"')
    .replace("[Chain(), Texts(laps=2)]", "[Chain()]")
)
"""The same as a format that ranks by score: it has the options of all of them."""


def test_a_format_that_ranks_by_score_has_points_and_tie_breaks(install, run, tmp_path):
    install(
        "arena-ranked", {GROUP: {"ranked": "ranked_extension"}}, {"ranked_extension.py": RANKED}
    )
    own = ("--points", "3,1,0", "--bye-points", "2", "--tiebreaks", "WIN,DE")
    shown = run(*BOTS, "--format", "ranked", *own)
    assert shown["tournament"]["points"] == [3.0, 1.0, 0.0]
    assert (shown["tournament"]["bye_points"], shown["tournament"]["tiebreaks"]) == (
        2.0,
        ["WIN", "DE"],
    )
    assert [[*line["tie_breaks"]] for line in shown["standings"]] == [["WIN", "DE"]] * 3
    scores = {line["name"]: line["score"] for line in shown["standings"]}
    pairs = [
        {each["names"][0]: each["points"][0], each["names"][1]: each["points"][1]}
        for played in shown["rounds"]
        for each in played["pairings"]
    ]
    for name, score in scores.items():
        taken = [each[name] for each in pairs if name in each]
        expected = [3 if each > 1 else 1 if each == 1 else 0 for each in taken]
        assert score == sum(expected) + 2 * (len(pairs) - len(taken))
    staged = run(*BOTS, "--stage", "ranked(points='3,1,0')", "--stage", "ranked(take=2)")
    assert staged["stages"][0]["format"] == "ranked"
    code, _, err = run_in_process(
        [*RUN, *BOTS, "--format", "ranked", "--tiebreaks", "TOP"], tmp_path, os.environ
    )
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("arena: --tiebreaks: TOP has no meaning here: ")
    with arena.open_database(tmp_path / "python.db") as db:
        cup = db.run(FIELD, seed=7, games=2, format="ranked", points=(3, 1, 0), tiebreaks=["WIN"])
        assert cup.explain("stand")["parts"][0]["steps"][0]["by"] == "score"
