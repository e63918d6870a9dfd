"""Careers: purses and wagers over exhibition matches, in a file that survives whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from random import Random
from time import monotonic, sleep

import pytest
from arena_results.boards.leaderboard import leaderboard
from arena_results.store.queries import summary, tournaments
from hypothesis import given
from hypothesis import strategies as st

from arena.core.bot import Bot
from arena.core.errors import BadInput, BadSpec, BadStore
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.match.person import HumanSeat
from arena.service.match.replays import Numbers, verify
from arena.service.run.person import career as careers
from arena.service.run.person.career import (
    OpenCareer,
    ending_of,
    level_of,
    new_career,
    open_career,
    open_rivals,
    rival_rows,
)
from arena.service.run.person.career_file import Played, career_file, read_career
from arena.service.run.person.exhibition import Exhibition
from arena.service.setup.resolve import resolve
from arena.service.storage.databases import open_database


@pytest.fixture(scope="module")
def registry():
    return Registry()


class AtRandom(Bot):
    """A scripted person: any legal action by its private seed."""

    def start(self, context):
        super().start(context)
        self._rng = Random(context.seed)

    def act(self, observation):
        return self._rng.choice(observation.legal_actions)


class Leaves(HumanSeat):
    """A person who leaves at the first question."""

    def __init__(self):
        super().__init__(lambda request: self.leave())


def begin(folder, **about):
    file = folder / "me.json"
    about = {"seed": 1, "ruleset": "standard(auxiliary=true,cheats=true,skill=90)", **about}
    new_career(file, str(folder / "a.db"), **about)
    return file


def credits(career):
    return career.purse + sum(career.purses.values())


def test_a_match_is_played_paid_stored_and_verified_and_never_rated(tmp_path, registry):
    file = begin(tmp_path)
    before = read_career(file)
    with open_career(file, registry) as career:
        match, played = career.play("novice", 10, AtRandom())
        assert match.names == ("human", "novice")
        assert match.record.game == "pazaak-career"
        assert verify(registry, career.database, Numbers(1)).differs == ""
        assert leaderboard(career.database) == ()
        assert not summary(career.database, 1).rated
    after = read_career(file)
    paid = {"won": 10, "lost": -10, "drawn": 0}[played.result]
    assert after.purse == before.purse + paid == played.purse
    assert after.purses["novice"] == before.purses["novice"] - paid
    assert after.matches == (played,)
    assert (played.match, played.wager, after.stake) == ("1.1.1.1", 10, None)


def test_the_same_seed_gives_the_same_career(tmp_path, registry):
    found = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        file = begin(folder)
        with open_career(file, registry) as career:
            for _ in range(3):
                career.play("novice", 5, AtRandom())
            career.play("novice", 5, Bot(), roll=True)
        found.append(read_career(file))
    first, second = found
    assert first.matches == second.matches
    assert first.purses == second.purses
    assert len({played.purse for played in first.matches}) > 1


@given(
    results=st.lists(
        st.tuples(
            st.integers(0, 7), st.integers(1, 500), st.sampled_from(["won", "lost", "drawn"]),
            st.booleans(),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_credits_are_conserved_and_no_purse_is_ever_below_0(tmp_path_factory, results):
    file = begin(tmp_path_factory.mktemp("career"))
    with career_file(file) as opened:
        career = OpenCareer.__new__(OpenCareer)
        career._file, career.career = opened, opened.read()
        total, level = credits(career.career), 1
        for index, wager, result, roll in results:
            rivals = open_rivals(career.career)
            if ending_of(career.career) or not rivals:
                break
            rival = rivals[index % len(rivals)].name
            wager = min(wager, career.career.purse, career.career.purses[rival])
            stake = careers.Stake(match="1.1.1.1", rival=rival, wager=wager, roll=roll)
            career._settle(stake, result, "")
            assert credits(career.career) == total
            assert min(career.career.purse, *career.career.purses.values()) >= 0
            assert level <= level_of(career.career) <= level + 1
            level = level_of(career.career)
        assert read_career(file) == career.career


def test_levels_are_opened_at_the_table_alone(tmp_path):
    file = begin(tmp_path)
    career = read_career(file)
    row = {"match": "1.1.1.1", "rival": "novice", "wager": 1, "result": "won", "purse": 101}
    rolled = careers.structs.replace(career, matches=(Played(**row, roll=True),))
    assert [row.name for row in open_rivals(rolled)] == ["novice"]
    won = careers.structs.replace(career, matches=(Played(**row),))
    assert [row.name for row in open_rivals(won)] == ["novice", "very-easy"]
    assert [row["status"] for row in rival_rows(won)][:3] == ["open", "open", "closed"]


def test_a_career_ends_with_the_purse_or_with_the_rivals(tmp_path, registry):
    file = begin(tmp_path)
    career = read_career(file)
    assert ending_of(career) == ""
    won = careers.structs.replace(career, purses=dict.fromkeys(career.purses, 0))
    assert ending_of(won) == "The career is won: every rival is broke"
    broke = careers.structs.replace(career, purse=0)
    with career_file(file) as opened:
        opened.write(broke)
    with open_career(file, registry) as found, pytest.raises(BadInput) as error:
        found.check("novice", 1)
    assert str(error.value).startswith("The career is over: the purse is empty; begin another")


@pytest.mark.parametrize(
    ("rival", "wager", "says"),
    [
        ("novice", 51, "not within both purses: 1 to 50 (yours 100, novice's 50)"),
        ("novice", 0, "a wager of 0 is not within both purses"),
        ("novice", -5, "a wager of -5 is not within both purses"),
        ("hard", 1, "hard is of level 7, and you are of level 1; open to you: novice"),
        ("nobody", 1, "unknown rival 'nobody'; choices: novice"),
    ],
)
def test_a_challenge_that_cannot_be_is_one_line(tmp_path, registry, rival, wager, says):
    file = begin(tmp_path)
    with open_career(file, registry) as career:
        with pytest.raises(BadInput) as error:
            career.play(rival, wager, AtRandom())
        assert says in str(error.value)
        assert "\n" not in str(error.value)
        assert tournaments(career.database) == ()
        assert career.career.matches == ()


def test_a_rival_who_is_broke_is_named(tmp_path, registry):
    file = begin(tmp_path)
    career = read_career(file)
    with career_file(file) as opened:
        opened.write(careers.structs.replace(career, purses={**career.purses, "novice": 0}))
    with open_career(file, registry) as found, pytest.raises(BadInput, match="novice is broke"):
        found.check("novice", 1)


def test_who_leaves_loses_the_wager(tmp_path, registry):
    file = begin(tmp_path)
    with open_career(file, registry) as career:
        _, played = career.play("novice", 20, Leaves())
    assert (played.result, played.why, played.purse) == ("lost", "left the table", 80)


def test_a_match_that_the_harness_loses_costs_nothing(tmp_path, registry, monkeypatch):
    file = begin(tmp_path)

    class Begun:
        number = 7

    def broken(exhibition, person, on_begin):
        on_begin(Begun())
        raise OSError("the disk is full")

    monkeypatch.setattr(Exhibition, "play", broken)
    with open_career(file, registry) as career, pytest.raises(OSError, match="disk"):
        career.play("novice", 20, AtRandom())
    after = read_career(file)
    assert (after.purse, after.stake, after.matches, after.begun) == (100, None, (), 1)


PROGRAM = """
import sys, time
from pathlib import Path
from arena.plugins.registry import Registry
from arena.service.run.person.career import open_career
from arena.service.match.person import HumanSeat

with open_career(Path(sys.argv[1]), Registry()) as career:
    career.play("novice", 30, HumanSeat(lambda request: print("asked", flush=True)))
"""


@pytest.mark.thorough("one who leaves the table loses the wager")
def test_killed_at_the_table_the_wager_is_lost_and_the_file_whole(tmp_path, registry):
    file = begin(tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(file)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "asked\n"
    assert read_career(file).stake is not None
    with pytest.raises(BadInput, match="is open in another program"), open_career(file, registry):
        pass
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    until = monotonic() + 20
    while monotonic() < until:
        try:
            with open_career(file, registry) as career:
                assert career.abandoned is not None
                assert career.abandoned.why == "left the table"
                assert (career.career.purse, career.career.purses["novice"]) == (70, 80)
            break
        except BadInput:
            sleep(0.05)
    with open_career(file, registry) as career:
        assert career.abandoned is None
        assert career.career.purse == 70
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_match_that_was_finished_but_not_settled_counts(tmp_path, registry):
    file = begin(tmp_path)
    with open_career(file, registry) as career:
        _, played = career.play("novice", 10, AtRandom())
        after = career.career
    stake = careers.Stake(match=played.match, rival="novice", wager=10)
    with career_file(file) as opened:  # as if the program had ended before it was settled
        opened.write(
            careers.structs.replace(
                begin_again(after, tmp_path), stake=stake, begun=1, seed=after.seed
            )
        )
    with open_career(file, registry) as career:
        assert career.abandoned is None
        assert career.career == after


def begin_again(career, folder):
    other = folder / "again"
    other.mkdir()
    fresh = read_career(begin(other))
    return careers.structs.replace(fresh, database=career.database)


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({"purse": 0}, "a career begins with 1 credit or more, not 0"),
        ({"seed": -1}, "a seed is a number from 0"),
        ({"name": "a/b"}, "the person's name 'a/b'"),
        ({"name": "novice"}, "novice is the name of a rival"),
        ({"ruleset": "odd"}, "unknown pazaak-career ruleset 'odd'"),
        ({"ruleset": "standard(skill_roll=true)"}, "is chosen match by match"),
    ],
)
def test_a_career_that_cannot_begin_leaves_no_file(tmp_path, about, says):
    with pytest.raises(BadInput) as error:
        begin(tmp_path, **about)
    assert says in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"purse": -1}, "a purse is below 0"),
        ({"form": 2}, "it has form 2, not 1"),
        ({"purse": "many"}, "expected the file of a career: Expected `int`"),
        ({"mood": 1}, "unknown field `mood`"),
        (
            {"stake": {"match": "1.1.1.1", "rival": "novice", "wager": 99}},
            "its wager is not within both purses",
        ),
    ],
)
def test_a_file_that_was_written_by_hand_is_refused_in_one_line(tmp_path, registry, change, says):
    file = begin(tmp_path)
    text = json.dumps({**json.loads(file.read_text()), **change})
    file.write_text(text)
    with pytest.raises(BadStore) as error, open_career(file, registry):
        pass
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert file.read_text() == text


def test_a_file_is_never_overwritten_nor_invented(tmp_path, registry):
    file = begin(tmp_path)
    with pytest.raises(BadInput, match="exists already"):
        begin(tmp_path)
    with pytest.raises(BadInput, match="there is no career"):
        read_career(tmp_path / "none.json")
    with (
        pytest.raises(BadInput, match="there is no career"),
        open_career(tmp_path / "none.json", registry),
    ):
        pass
    assert read_career(file).purse == 100


RATED = [
    {"format": "round_robin"}, {"format": "swiss", "rounds": 1}, {},
    {"stages": [{"format": "round_robin"}]},
]  # fmt: skip


@pytest.mark.parametrize("keys", RATED, ids=str)
def test_section_7_never_in_rated_play(tmp_path, registry, keys):
    with (
        open_database(f"sqlite:///{tmp_path / 'a.db'}", create=True) as database,
        BotResolver(registry, database) as resolver,
        pytest.raises(BadSpec) as error,
    ):
        resolve(resolver, {"bots": ["random", "search"], "game": "pazaak-career", **keys})
    says = (
        "pazaak-career is played by commands of its own, and never rated; choices: pazaak, sabacc"
    )
    assert says in str(error.value)


def test_section_7_is_listed_with_no_game_that_bots_play(registry):
    assert [game.name for game in registry.games()] == ["pazaak", "sabacc"]
    assert registry.game("pazaak-career").name == "pazaak-career"
    with pytest.raises(BadInput, match="never rated"):
        registry.rated_game("pazaak-career")
    with pytest.raises(BadInput, match="unknown game 'x'; choices: pazaak, sabacc"):
        registry.game("x")
