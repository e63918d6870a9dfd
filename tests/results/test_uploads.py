"""The queue of a league: nothing is lost or decided twice, whatever is killed in between."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from arena_results.bots.uploads import (
    ATTEMPTS,
    DAY,
    TooMany,
    UploadLimits,
    UploadState,
    begin_again,
    decide,
    receive,
    take_next,
    upload_numbered,
    uploads,
)
from arena_results.file.database import open_database
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import BadInput, UnknownName

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY = UploadLimits(1000, 1000)
REFUSED, ENTERED = UploadState.REFUSED, UploadState.ENTERED


def send(database, author="Ann", limits=MANY, now=NOW, content=b"bot"):
    return receive(database, author, "bot.py", content, limits, now)


def test_they_are_taken_in_the_order_of_arrival_with_what_was_sent(database):
    assert take_next(database, NOW, 9) is None
    for content in (b"one", b"two"):
        send(database, content=content)
    first, sent = take_next(database, NOW, 9)
    assert (first.id, first.state, first.attempts, sent) == (1, "qualifying", 1, b"one")
    second, sent = take_next(database, NOW, 9)
    assert (second.id, sent) == (2, b"two")
    assert take_next(database, NOW, 9) is None


def test_a_decision_is_final_and_what_was_sent_is_dropped(database):
    send(database)
    with pytest.raises(BadInput, match="submission 1 is received"):
        decide(database, 1, ENTERED, NOW, text="no")
    take_next(database, NOW, 9)
    done = decide(
        database, 1, ENTERED, NOW, text="is entered", bot="ann@1", document="{}", ran=True
    )
    assert (done.state, done.bot, done.text, done.ran) == ("entered", "ann@1", "is entered", True)
    with pytest.raises(BadInput, match="submission 1 is entered"):
        decide(database, 1, REFUSED, NOW, text="again")
    with database.reading() as connection:
        assert connection.exec_driver_sql("SELECT archive FROM upload").scalar() == b""
    assert upload_numbered(database, 1) == done
    with pytest.raises(UnknownName, match="unknown submission '2'; choices: 1 to 1"):
        upload_numbered(database, 2)


def test_one_that_was_cut_off_is_begun_again_and_fails_in_the_end(database):
    send(database)
    for attempt in range(1, ATTEMPTS + 1):
        taken, content = take_next(database, NOW, 9)
        assert (taken.attempts, content) == (attempt, b"bot")
        (changed,) = begin_again(database, NOW)
    assert changed.state is UploadState.FAILED
    assert "cut off 3 times" in changed.text
    assert take_next(database, NOW, 9) is None
    assert begin_again(database, NOW) == ()


def test_the_limit_of_those_that_wait_is_for_each_author(database):
    limits = UploadLimits(waiting=2, day=10)
    for _ in range(2):
        send(database, limits=limits)
    with pytest.raises(TooMany, match="Ann has 2 submissions waiting") as error:
        send(database, limits=limits)
    assert error.value.after > timedelta(0)
    send(database, "Bob", limits)
    take_next(database, NOW, 9)
    decide(database, 1, REFUSED, NOW, text="no")
    send(database, limits=limits)
    assert len(uploads(database)) == 4


def test_what_was_refused_before_any_match_does_not_count_and_a_day_passes(database):
    limits = UploadLimits(waiting=9, day=2)
    for ran in (False, True, False, True):
        sent = send(database, limits=limits)
        take_next(database, NOW, 9)
        decide(database, sent.id, REFUSED, NOW, text="no", ran=ran)
    later = NOW + timedelta(hours=20)
    with pytest.raises(TooMany, match="Ann has submitted 2 bots in 24 hours") as error:
        send(database, limits=limits, now=later)
    assert error.value.after == timedelta(hours=4)
    assert send(database, limits=limits, now=NOW + DAY).id == 5


def test_they_are_listed_by_state_and_author(database):
    for author in ("Ann", "Bob", "Ann"):
        send(database, author)
    take_next(database, NOW, 9)
    assert [each.id for each in uploads(database, (UploadState.RECEIVED,))] == [2, 3]
    assert [each.id for each in uploads(database, author="Ann")] == [1, 3]
    assert [each.id for each in uploads(database, last=2)] == [2, 3]


STEPS = st.lists(st.sampled_from(["send", "take", "decide", "stop"]), max_size=30)


@settings(max_examples=15, deadline=None)
@given(steps=STEPS)
def test_each_is_decided_once_and_none_is_lost_through_any_stops(tmp_path_factory, steps):
    url = f"sqlite:///{tmp_path_factory.mktemp('queue') / 'results.db'}"
    sent, decided, held = [], [], []
    database = open_database(url, create=True)
    for step in steps:
        if step == "send":
            sent.append(send(database, content=str(len(sent)).encode()).id)
        elif step == "take" and (taken := take_next(database, NOW, 9)):
            assert taken[1] == str(taken[0].id - 1).encode()
            held.append(taken[0].id)
        elif step == "decide" and held:
            decided.append(held.pop(0))
            decide(database, decided[-1], ENTERED, NOW, text="is entered")
        elif step == "stop":
            database.close()
            database, held = open_database(url), []
            begin_again(database, NOW)
    with database:
        states = {each.id: each.state for each in uploads(database)}
    assert sorted(states) == sent
    assert len(decided) == len(set(decided))
    assert [number for number in sent if states[number] == "entered"] == sorted(decided)
