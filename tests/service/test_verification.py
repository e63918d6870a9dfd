"""Verification of tournaments: what was played passes, and whatever was changed is named."""

from __future__ import annotations

import shutil

import msgspec
import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.checksums import OWNER
from arena_results.schema.rows import VoidMatch
from arena_results.schema.tables import METADATA
from arena_results.store.queries import tournament
from arena_results.store.store import Store

from arena.core.errors import UnknownName
from arena.core.outcome import Termination
from arena.core.record import MatchKey, SeatLog
from arena.plugins.registry import Registry
from arena.service.report.checks.verification import verify_tournament
from tests.cli.forging import (
    SEALED,
    add_log,
    add_place,
    dropped,
    edit,
    forge,
    put_record,
    stored_record,
)
from tests.cli.tournament_runs import Place

RULE = '''
from arena import Bot

class Sore(Bot):
    """Raises at its third decision."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 3:
            raise ValueError("sore")
        return observation.legal_actions[-1]
'''
FIELD = ("stand(at=17)", "sore.py", "random", "counter", "stand(at=15)")
ROUNDS, GAMES = 3, 4
MATCHES = ROUNDS * 2 * GAMES
LEAGUE = {"token", "session", "upload", "season"}
NO_RESULTS = {"submission", "board", "exploitability", "value_function", "exchange", *LEAGUE}
"""Tables of which no row is a result of one tournament; test_learn_value has value functions."""
COLUMNS = [
    (table.name, column.name)
    for table in METADATA.tables.values()
    if table.name not in NO_RESULTS
    for column in table.c
    if (table.name, column.name)
    not in (
        ("luck", "tournament_id"),  # a row that is gone is made again
        ("place", "tournament_id"),  # a row that is gone says nothing of another place
    )
]
FIRST = "round = 1 AND pairing = 1 AND leg = 1"


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with a finished tournament of a drawn key, losses and byes; tests only read it."""
    place = Place(tmp_path_factory.mktemp("cup"))
    (place.folder / "sore.py").write_text(RULE)
    bots = [word for bot in FIELD for word in ("--bot", bot)]
    words = ("--format", "swiss", "--rounds", str(ROUNDS), "--games", str(GAMES))
    words = (*words, "--bye", "stand(at=15) | 2")
    trust = ("--trust", "sore", "--concurrency", "1", "--stake", "5")
    assert place.arena("tournament", "run", *words, *bots, *trust).code == 0
    with open_database(place.url) as database:
        lost = VoidMatch(MatchKey(1, 1, 1), Termination.HARNESS_FAULT, "the worker process died")
        trio.run(Store(database).save_void, 1, [lost])
    add_log(place.url, MatchKey(1, 1, 1), SeatLog(0, "hello\n"))
    add_place(place.url, MatchKey(1, 1, 1), "far")
    return place


@pytest.fixture
def copy(cup, tmp_path):
    """The file of a copy that a test may change."""
    return shutil.copy(cup.file, tmp_path / "copy.db")


def verified(file, number=1):
    with open_database(f"sqlite:///{file}") as database:
        return verify_tournament(Registry(), database, number)


def stored(file):
    with open_database(f"sqlite:///{file}") as database:
        return tournament(database, 1)


def test_what_was_played_is_verified(cup):
    found, now = verified(cup.file), stored(cup.file)
    assert (found.difference, found.finished, found.luck) == ("", True, MATCHES)
    assert (found.matches, found.rounds, found.entries) == (MATCHES, ROUNDS, len(FIELD))
    assert (found.commitment, found.chain) == (now.summary.commitment, now.chain)
    assert found.decisions == sum(len(match.record.actions) for match in cup.played())
    faults = {cause for _, ending in now.endings for _, cause in ending.faults}
    assert faults == {Termination.CRASH}
    assert len(now.rounds[0].byes) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--format", "knockout", "--first-to", "2", "--bot", "counter"),
        ("--until-decided", "0.05", "--seed", "7", "--bot", "counter"),
        ("--game", "sabacc", "--format", "tables", "--seats", "3", "--bot", "target-total"),
    ],
    ids=["knockout", "until decided", "tables"],
)
def test_every_kind_of_tournament_is_verified(tmp_path, words):
    place = Place(tmp_path)
    (tmp_path / "sore.py").write_text(RULE)
    words += ("--bot", "random", "--bot", "sore.py", "--trust", "sore", "--concurrency", "1")
    assert place.arena("tournament", "run", *words).code == 0
    found = verified(place.file)
    assert (found.difference, found.finished) == ("", True)
    assert found.chain == stored(place.file).chain
    assert found.commitment == stored(place.file).summary.commitment


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_another_value_in_any_column_of_any_table_is_found(copy, table, column):
    # A number becomes another one, a text longer, and what is empty gets a value.
    key = ", ".join(f'"{each.name}"' for each in METADATA.tables[table].primary_key)
    edit(
        copy,
        f'UPDATE "{table}" SET "{column}" = CASE typeof("{column}") '
        f"""WHEN 'integer' THEN "{column}" + 77 WHEN 'real' THEN "{column}" + 0.25 """
        f"""WHEN 'null' THEN 7 WHEN 'blob' THEN x'00' ELSE "{column}" || ' ' END """
        f'WHERE ({key}) = (SELECT {key} FROM "{table}" LIMIT 1)',
    )
    assert verified(copy).difference.startswith("tournament 1")


def test_the_columns_of_participants_are_covered_by_entries():
    owned = {(owner, name) for owner, names in OWNER.values() for name in names}
    assert {pair for pair in COLUMNS if pair[0] not in SEALED} == owned | {("participant", "id")}


def swapped(one, other):
    """Statements that let two matches change places."""
    return [
        f"UPDATE match SET round = {to[0]}, pairing = {to[1]}, leg = {to[2]} WHERE "
        f"(round, pairing, leg) = ({at[0]}, {at[1]}, {at[2]})"
        for at, to in ((one, (9, 9, 9)), (other, one), ((9, 9, 9), other))
    ]


LAST = "DELETE FROM round WHERE number = 3"
GIVEN = "seed_origin = 'given key', nonce = NULL, commitment = NULL"
KEY = "UPDATE tournament SET key = '000102030405060708090a0b0c0d0e0f'"
FORGED = {
    "two legs swapped": (swapped((1, 1, 1), (1, 1, 2)), "match 1.1.1: its seats are not those"),
    "two deals swapped": (swapped((1, 1, 1), (1, 1, 3)), "match 1.1.1: its deal is not that"),
    "two pairings swapped": (swapped((1, 1, 1), (2, 1, 1)), "match 1.1.1: its "),
    "match dropped": (dropped(FIRST, 1), "match 1.1.1: it was to be played, and is missing"),
    "last match dropped": (
        dropped("round = 3 AND pairing = 2 AND leg = 4", 1),
        "match 3.2.4: it was to be played, and is missing",
    ),
    "round dropped": (
        [*dropped("round = 3", 8, 1), LAST],
        "round 3: it was to be played, and is missing",
    ),
    "match added": (
        ["UPDATE match SET leg = 5 WHERE round = 3 AND pairing = 2 AND leg = 4"],
        "match 3.2.4: it was to be played, and is missing",
    ),
    "match of no round": (
        [f"UPDATE match SET round = 4 WHERE {FIRST}"],
        "it has matches of no round",
    ),
    "pairings": (
        ["UPDATE round SET pairings = '[[0,1],[0,1]]' WHERE number = 2"],
        "round 2: the format pairs ",
    ),
    "round added": (
        [
            "INSERT INTO round (tournament_id, number, pairings, byes) VALUES (1, 4, '[]', '[]')",
            "UPDATE tournament SET round_count = 4",
        ],
        "round 4: it was not to be played",
    ),
    "byes": (["UPDATE round SET byes = '[]' WHERE number = 1"], "round 1: the format pairs other"),
    "returns": (
        [f"UPDATE match SET returns = x'920000' WHERE {FIRST}"],
        "match 1.1.1: the outcome is ",
    ),
    "seats": ([f"UPDATE match SET seats = x'920304' WHERE {FIRST}"], "match 1.1.1: its seats are"),
    "nobody's seat": ([f"UPDATE match SET seats = x'920309' WHERE {FIRST}"], "the field has no 9"),
    "termination": (
        [f"UPDATE match SET termination = 'crush' WHERE {FIRST}"],
        "expected a termination, got 'crush'",
    ),
    "ruleset": (["UPDATE tournament SET ruleset = 'wiki'"], "round 1: the head of its chain"),
    "engine": (["UPDATE tournament SET engine = '9'"], "match 1.1.1: "),
    "bot": (
        ["UPDATE participant SET content = '0', key = name || '@1+0' WHERE id = 1"],
        "round 1: ",
    ),
    "ruling dropped": (
        ["DELETE FROM ruling", "UPDATE tournament SET ruling_count = 0"],
        "round 2: ",
    ),
    "ruling of another round": (["UPDATE ruling SET round = 3"], "round 2: "),
    "points of a bye": (["UPDATE ruling SET points = 0"], "round "),
    "reason of a ruling": (["UPDATE ruling SET reason = 'rain'"], "round 2: the head of its chain"),
    "key": ([KEY], "its key and nonce do not give its commitment"),
    "commitment": (["UPDATE tournament SET commitment = '00'"], "its key and nonce do not give"),
    "key without commitment": (
        [KEY, f"UPDATE tournament SET {GIVEN}"],
        "match 1.1.1: its deal is not that",
    ),
    "key that is none": (["UPDATE tournament SET key = 'x'"], "its key is not 32 hexadecimal"),
    "no key": (["UPDATE tournament SET key = NULL"], "it needs a key or a seed, not both"),
    "nonce": (["UPDATE tournament SET nonce = 'x'"], "its nonce is not 32 hexadecimal digits"),
    "origin": (
        ["UPDATE tournament SET seed_origin = 'open seed'"],
        "its origin is open seed, and it has none",
    ),
    "commitment removed": (
        ["UPDATE tournament SET nonce = NULL, commitment = NULL"],
        "tournament 1: its key was drawn, and the commitment to it is missing",
    ),
    "bot of the spec": (
        [f"UPDATE tournament SET spec = replace(spec, '{FIELD[0]}', 'stand(at=18)')"],
        "tournament 1: its spec names bot stand(at=18), its field has stand(at=17)@",
    ),
    "file of the spec": (
        ["UPDATE tournament SET spec = replace(spec, 'sore.py', 'sour.py')"],
        "sour.py, its field has sore@file+",
    ),
    "bot missing in the spec": (
        ["""UPDATE tournament SET spec = replace(spec, '"random",', '')"""],
        "tournament 1: its spec names 4 bots, and its field has 5",
    ),
    "seed and key": (["UPDATE tournament SET seed = 7"], "it needs a key or a seed, not both"),
    "games": (["UPDATE tournament SET games = 6"], "match 1.1.5: it was to be played, and is"),
    "rounds": (["UPDATE tournament SET rounds = 4"], "round 4: it was to be played, and is"),
    "stake": (["UPDATE tournament SET stake = 500"], "round 1: the head of its chain is not that"),
    "heads": (["UPDATE round SET chain = NULL"], "round 1: the head of its chain is missing"),
    "heads and commitment": (
        ["UPDATE round SET chain = NULL", f"UPDATE tournament SET {GIVEN}"],
        "round 1: the head of its chain is missing",
    ),
    "first head": (["UPDATE round SET chain = NULL WHERE number = 1"], "round 1: the head of its"),
    "last head": (["UPDATE round SET chain = '00' WHERE number = 3"], "round 3: the head of its"),
    "participant of an entry": (
        ['UPDATE entry SET participant_id = 99 WHERE "index" = 1'],
        "tournament 1, entry 1: its participant is missing",
    ),
    "spec that is none": (
        ["UPDATE tournament SET spec = spec || 'x'"],
        "the stored spec of a tournament is damaged: JSON is malformed",
    ),
    "spec of other types": (
        ["UPDATE tournament SET spec = '[]'"],
        "the stored spec of a tournament is damaged: Expected `object`",
    ),
    "entry": (['UPDATE entry SET "index" = 9 WHERE "index" = 4'], "entry 4: its row is missing"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_with_new_checksums_is_found(copy, name):
    statements, expected = FORGED[name]
    forge(copy, *statements)
    assert expected in verified(copy).difference


def test_a_record_that_was_turned_round_is_found(copy):
    url, key = f"sqlite:///{copy}", MatchKey(1, 1, 1)
    record = stored_record(url, key)
    returns = tuple(-each for each in record.outcome.returns)
    turned = msgspec.structs.replace(
        record, outcome=msgspec.structs.replace(record.outcome, returns=returns)
    )
    put_record(url, turned, key)
    assert "match 1.1.1: the outcome is " in verified(copy).difference


def test_before_the_first_round_is_finished_there_is_no_chain_yet(copy):
    statements = [
        *dropped("round > 1 OR (pairing = 2 AND leg = 3)", MATCHES - 7, 2),
        "DELETE FROM round WHERE number > 1",
        "UPDATE round SET chain = NULL",
        "UPDATE tournament SET status = 'interrupted', finished_at = NULL",
    ]
    forge(copy, *statements)
    found = verified(copy)
    assert (found.difference, found.finished, found.matches) == ("", False, 7)
    assert (found.commitment, found.chain) == (stored(copy).summary.commitment, None)


def test_an_unfinished_tournament_is_verified_as_far_as_it_is_played(cup, copy):
    statements = [
        *dropped("round = 3 AND (pairing = 2 OR leg = 3)", 5),
        "UPDATE round SET chain = NULL WHERE number = 3",
        "UPDATE tournament SET status = 'interrupted', finished_at = NULL",
    ]
    forge(copy, *statements)
    found = verified(copy)
    assert (found.difference, found.finished, found.matches) == ("", False, MATCHES - 5)
    assert found.chain == stored(cup.file).heads[1]
    forge(copy, *dropped("round = 2 AND leg = 1 AND pairing = 1", 1))
    assert "match 2.1.1: it was to be played, and is missing" in verified(copy).difference


def test_progress_is_reported(copy, monkeypatch):
    monkeypatch.setattr("arena.service.report.checks.verification.EVERY", 10)
    seen = []
    with open_database(f"sqlite:///{copy}") as database:
        verify_tournament(Registry(), database, 1, lambda *done: seen.append(done))
        with pytest.raises(UnknownName):
            verify_tournament(Registry(), database, 2)
    assert seen == [(10, MATCHES), (20, MATCHES)]
