"""``arena tournament verify``: its text, its document, and one line for a difference."""

from __future__ import annotations

import shutil

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from arena.plugins.registry import Registry
from arena.service.report.checks.verification import verify_tournament
from tests.cli.forging import dropped, edit, forge
from tests.cli.tournament_runs import Place


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with a finished tournament of a drawn key; tests only read it."""
    place = Place(tmp_path_factory.mktemp("cup"))
    words = "--format swiss --rounds 2 --games 2 --bot random --bot counter --bot stand"
    assert place.arena("tournament", "run", *words.split(), "--concurrency", "1").code == 0
    return place


@pytest.fixture
def copy(cup, tmp_path):
    """The file of a copy that a test may change."""
    return shutil.copy(cup.file, tmp_path / "copy.db")


@pytest.fixture
def verify(cup, copy):
    """Verifies the copy."""
    return lambda *words: cup.arena(
        "tournament", "verify", "1", "--db", f"sqlite:///{copy}", *words
    )


def verified(file):
    with open_database(f"sqlite:///{file}") as database:
        return verify_tournament(Registry(), database, 1)


def test_what_was_played_is_verified_for_people_and_as_a_document(cup, verify):
    shown, document, found = verify(), verify("-o", "json"), verified(cup.file)
    assert (shown.code, document.code) == (0, 0)
    lines = shown.out.splitlines()
    assert lines[0].startswith("Tournament 1 is verified, in ")
    assert "  commitment  fits key and nonce" in lines
    assert f"  chain       {found.chain}" in lines
    assert "  rounds      2 paired again among 3 bots" in lines
    assert f"  matches     4 re-executed, {found.decisions} decisions" in lines
    assert document.document == {
        "verified": True, "tournament": 1, "finished": True, "matches": 4,
        "decisions": found.decisions, "rounds": 2, "entries": 3,
        "commitment": found.commitment, "chain": found.chain, "luck": 4,
    }  # fmt: skip


def test_a_tournament_that_there_is_not_is_bad_input(cup):
    answer = cup.arena("tournament", "verify", "7")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: unknown tournament '7'; choices: 1\n"


def test_a_difference_is_one_line_and_exit_code_1(copy, verify):
    edit(copy, "UPDATE match SET returns = x'00' WHERE round = 1 AND leg = 1")
    shown, document = verify(), verify("-o", "json")
    line = f"tournament 1, match 1.1.1: its row does not match its checksum (in {copy})"
    assert (shown.code, shown.out, shown.err) == (1, "", f"arena: {line}\n")
    assert (document.code, document.err) == (1, shown.err)
    assert document.document == {"verified": False, "tournament": 1, "difference": line}


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        ("key = '000102030405060708090a0b0c0d0e0f'", "its key and nonce do not give"),
        ("key = 'x'", "its key is not 32 hexadecimal"),
        ("key = NULL", "it needs a key or a seed, not both"),
        ("nonce = 'x'", "its nonce is not 32 hexadecimal digits"),
        ("commitment = '00'", "its key and nonce do not give"),
    ],
)
def test_a_forged_key_is_one_line_of_every_command(cup, copy, edited, expected):
    forge(copy, f"UPDATE tournament SET {edited}")
    for words in (
        *(("tournament", verb, "1") for verb in ("show", "verify")),
        *(("tournament", "list"), ("leaderboard",), ("tournament", "show", "1", "-o", "json")),
    ):
        answer = cup.arena(*words, "--db", f"sqlite:///{copy}")
        assert (answer.code, answer.out) == (1, ""), words
        assert answer.err.startswith(f"arena: tournament 1: {expected}"), words
        assert answer.err.endswith(f" (in {copy})\n"), words
        assert answer.err.count("\n") == 1


def test_an_unfinished_tournament_has_no_chain_and_shows_no_key(copy, verify):
    forge(
        copy,
        *dropped("round = 2 OR leg = 2", 3, 1),
        "DELETE FROM round WHERE number > 1",
        "UPDATE round SET chain = NULL",
        "UPDATE tournament SET status = 'interrupted', finished_at = NULL",
    )
    shown = verify()
    assert shown.code == 0, shown.err
    assert shown.out.startswith("Tournament 1 is verified, as far as it is played, in ")
    assert "  matches     1 re-executed, " in shown.out
    assert "  commitment  fits key and nonce; " in shown.out
    assert "  chain       none yet: no round is finished\n" in shown.out
    with open_database(f"sqlite:///{copy}") as database:
        assert tournament(database, 1).summary.key not in shown.out + shown.err


@pytest.mark.parametrize("part", [0.05, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_truncated_file_is_named(copy, verify, part):
    whole = copy.read_bytes()
    copy.write_bytes(whole[: int(len(whole) * part)])
    answer = verify()
    assert answer.code in (1, 2)
    assert answer.err.startswith("arena: ")
    assert answer.err.count("\n") == 1
    assert str(copy) in answer.err
