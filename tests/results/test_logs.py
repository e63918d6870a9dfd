"""Logs of matches: stored with them once, as many as are kept, and gone with their tournament."""

from __future__ import annotations

import msgspec
import pytest
import trio
from arena_results.schema.rows import Status
from arena_results.store.logs import (
    MAX_LOGS_PER_CAUSE,
    MAX_LOGS_WITHOUT_CAUSE,
    bot_logs,
    log_rows,
    logs,
    match_logs,
)
from arena_results.store.organising import delete_tournament
from arena_results.store.queries import matches, summary
from arena_results.store.store import Store

from arena.core.outcome import Fault, Termination
from arena.core.record import MatchKey, SeatLog


@pytest.fixture
def logged(played):
    """A match whose seats printed something."""

    def logged(*place, texts, **more):
        match = played(place, (0, 1), 1, **more)
        found = tuple(SeatLog(seat, text) for seat, text in texts.items())
        measured = msgspec.structs.replace(match.measurement, logs=found)
        return msgspec.structs.replace(match, measurement=measured)

    return logged


CRASH = {"termination": Termination.CRASH}


def test_a_log_is_stored_with_its_match_and_only_once(database, run, new, logged):
    sent = [
        logged(1, 1, 1, texts={1: "last\nwords \x1b\u202e\n"}, **CRASH),
        logged(1, 1, 2, texts={0: "", 1: "b"}),
    ]
    number = run(new(), sent)
    trio.run(Store(database).sink(number).write, sent)
    assert match_logs(database, number, MatchKey(1, 1, 1)) == sent[0].measurement.logs
    assert match_logs(database, number, MatchKey(1, 1, 2)) == sent[1].measurement.logs
    assert match_logs(database, number, MatchKey(1, 1, 3)) == ()
    assert summary(database, number).matches == 2
    with database.reading() as connection:
        assert len(logs(connection, number)) == 3


def test_characters_that_a_server_refuses_are_stored(database, run, new, logged):
    text = "a\0b \ufdd0 \ufdd00 \ufdd01\0\0"
    match = logged(1, 1, 1, texts={1: text}, **CRASH)
    measured = msgspec.structs.replace(match.measurement, error=text)
    sent = [msgspec.structs.replace(match, measurement=measured)]
    number = run(new(spec=msgspec.json.encode({"name": text}).decode()), sent)
    assert match_logs(database, number, MatchKey(1, 1, 1)) == (SeatLog(1, text),)
    assert next(played for _, played in matches(database, number)).measurement.error == text
    assert bot_logs(database, text, {}, 1) == ()  # as a page may be asked for it


def test_of_each_bot_and_cause_the_first_are_kept(database, run, new, logged):
    crashes = [logged(1, 1, leg, texts={1: "x"}, **CRASH) for leg in range(1, 50)]
    late = {"termination": Termination.TIMEOUT}
    timeouts = [logged(1, 2, leg, texts={1: "x"}, **late) for leg in range(1, 4)]
    number = run(new(), [*crashes, *timeouts])
    with database.reading() as connection:
        kept = [key for key, _ in logs(connection, number)]
    assert kept == [
        *(MatchKey(1, 1, leg) for leg in range(1, MAX_LOGS_PER_CAUSE + 1)),
        *(MatchKey(1, 2, leg) for leg in range(1, 4)),
    ]


def test_logs_of_unbroken_matches_are_bounded_too(database, run, new, logged):
    many = [logged(1, 1, leg, texts={0: "x"}) for leg in range(1, MAX_LOGS_WITHOUT_CAUSE + 20)]
    number = run(new(), many)
    with database.reading() as connection:
        assert len(logs(connection, number)) == MAX_LOGS_WITHOUT_CAUSE


def test_the_logs_of_a_bot_are_the_latest_of_its_own_versions(database, run, new, logged, field):
    texts = {0: "of Ann", 1: "of Bob"}
    one = run(new(), [logged(1, 1, leg, texts=texts) for leg in (1, 2)])
    two = run(new(), [logged(1, 1, 1, texts=texts, **CRASH)])
    bot = field[1]
    found = bot_logs(database, bot.name, {bot.version: bot.content}, 10)
    assert [(each.tournament, str(each.key), each.cause) for each in found] == [
        (two, "1.1.1", "crash"), (one, "1.1.2", ""), (one, "1.1.1", ""),
    ]  # fmt: skip
    assert {(each.text, each.version) for each in found} == {("of Bob", bot.version)}
    assert bot_logs(database, bot.name, {bot.version: bot.content}, 2) == found[:2]
    for contents in ({bot.version: field[0].content}, {"9": bot.content}, {}):
        assert bot_logs(database, bot.name, contents, 10) == ()


def test_who_was_taken_out_has_a_cause(played):
    fault = Fault(2, Termination.MEMORY, 1)
    match = played((1, 1, 1), (0, 1, 2), places=(1, 2, 3), expelled=[fault])
    found = (SeatLog(0, "a"), SeatLog(2, "c"))
    measured = msgspec.structs.replace(match.measurement, logs=found)
    indices = {key: index for index, key in enumerate(match.record.seats, 5)}
    rows = log_rows(1, indices, [msgspec.structs.replace(match, measurement=measured)])
    assert [(row["entrant"], row["cause"]) for row in rows] == [(5, ""), (7, "out of memory")]


def test_a_deleted_tournament_has_no_logs(database, run, new, logged):
    number = run(new(), [logged(1, 1, 1, texts={1: "x"}, **CRASH)])
    trio.run(Store(database).set_status, number, Status.INTERRUPTED)
    delete_tournament(database, number)
    with database.reading() as connection:
        assert logs(connection, number) == []
