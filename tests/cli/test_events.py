"""``--events``: what happens in a tournament as JSON lines, whatever becomes of their reader."""

from __future__ import annotations

import json
import os
import signal
import threading

import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

import arena
from arena.cli.terminal import events
from arena.cli.terminal.events import EventWriter
from arena.core.errors import BadInput
from tests.cli.tournament_runs import Place, until

BOTS = ("--bot", "random", "--bot", "counter", "--bot", "stand(at=17)")
RUN = ("tournament", "run", "--format", "swiss", "--rounds", "2", "--games", "4", *BOTS)
MATCHES = 8


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def kinds(found):
    return [each["event"] for each in found if each["event"] != "match_played"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with a finished tournament and the file of its events, which tests only read."""
    place = Place(tmp_path_factory.mktemp("cup"))
    answer = place.arena(*RUN, "--name", "Cup", "--events", "events.jsonl", "-o", "json")
    assert answer.code == 0, answer.err
    return place, answer.document, lines((place.folder / "events.jsonl").read_text())


def test_the_events_of_a_tournament(cup):
    _, shown, found = cup
    assert kinds(found) == [
        "tournament_started",
        *("round_paired", "round_finished") * 2,
        "tournament_finished",
    ]
    assert {each["tournament"] for each in found} == {1}
    first, last = found[0], found[-1]
    about = shown["tournament"]
    for key in ("name", "game", "ruleset", "format", "rounds", "commitment"):
        assert first[key] == about[key]
    assert (first["version"], first["played"], first["total"]) == (1, 0, MATCHES)
    assert sorted(first["bots"]) == sorted(row["name"] for row in shown["standings"])
    assert last["played"] == MATCHES
    keys = ("rank", "name", "score", "match_points", "tie_breaks")
    assert last["standings"] == [{key: row[key] for key in keys} for row in shown["standings"]]
    for paired, played in zip(found_of(found, "round_paired"), shown["rounds"], strict=True):
        assert paired["pairings"] == [each["names"] for each in played["pairings"]]
        assert paired["byes"] == played["byes"]


def found_of(found, kind):
    return [each for each in found if each["event"] == kind]


def test_every_match_is_announced_once_within_its_round(cup):
    place, _, found = cup
    matches = found_of(found, "match_played")
    with open_database(place.url) as database:
        stored = tournament(database, 1)
        names = stored.names
        played = {
            f"1.{key}": ([names[seat] for seat in row.seats], [*row.returns])
            for key, row in stored.played.items()
        }
    assert {each["match"]: (each["names"], each["returns"]) for each in matches} == played
    assert len(matches) == MATCHES
    rounds = [each["round"] for each in found if "round" in each]
    assert rounds == sorted(rounds)


def test_no_event_has_a_seed_or_a_key(cup):
    place, shown, found = cup
    text = (place.folder / "events.jsonl").read_text()
    assert shown["tournament"]["key"] not in text
    assert shown["tournament"]["nonce"] not in text
    with open_database(place.url) as database:
        seeds = {row.seed for row in tournament(database, 1).played.values()}
    assert not any(str(seed) in text for seed in seeds)
    assert not any("seed" in each for each in found)


def test_events_on_stdout_leave_all_else_to_stderr(tmp_path):
    place = Place(tmp_path)
    answer = place.arena(*RUN, "--events", "-")
    assert answer.code == 0
    found = lines(answer.out)
    assert kinds(found)[-1] == "tournament_finished"
    assert "Standings" in answer.err or "rank" in answer.err or "score" in answer.err
    assert "arena tournament show 1" in answer.err or "arena replay" in answer.err


def test_events_and_a_document_cannot_share_stdout(tmp_path):
    place = Place(tmp_path)
    answer = place.arena(*RUN, "--events", "-", "-o", "json")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: --events - and -o json would both write to stdout\n"
    assert not place.file.exists()


def test_a_pause_and_what_goes_on_after_it_are_added_to_the_file(tmp_path):
    place = Place(tmp_path)
    file = tmp_path / "events.jsonl"
    assert place.arena(*RUN, "--pause-after-round", "1", "--events", str(file)).code == 0
    before = lines(file.read_text())
    assert kinds(before) == [
        *("tournament_started", "round_paired", "round_finished", "tournament_paused")
    ]
    assert before[-1]["played"] == 4
    assert place.arena("tournament", "resume", "1", "--events", str(file)).code == 0
    found = lines(file.read_text())
    assert found[: len(before)] == before
    after = found[len(before) :]
    assert kinds(after) == [
        "tournament_resumed",
        *("round_paired", "round_finished") * 2,
        "tournament_finished",
    ]
    assert (after[0]["played"], after[0]["total"]) == (4, MATCHES)
    matches = [each["match"] for each in found_of(found, "match_played")]
    assert len(matches) == len({*matches}) == MATCHES


def test_a_signal_is_the_last_event(tmp_path, preloaded):
    place = Place(tmp_path, preloaded)
    slow = ("--bot", "slow.py", "--trust", "slow", "--bot", "random", "--concurrency", "1")
    words = ("tournament", "run", *slow, "--games", "4000", "--events", "events.jsonl")
    process = place.start(*words)
    until(lambda: place.stored() > 0)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    found = lines((tmp_path / "events.jsonl").read_text())
    assert found[-1] == {
        "event": "tournament_stopped",
        "tournament": 1,
        "played": place.stored(),
        "reason": "interrupted",
    }


# The reader


def test_a_reader_that_goes_away_does_not_stop_the_tournament(tmp_path, preloaded):
    place = Place(tmp_path, preloaded)
    read, write = os.pipe()
    os.close(read)
    process = place.start(*RUN, "--events", "-", stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert err.count("warning: no more events to stdout: Broken pipe") == 1
    with open_database(place.url) as database:
        assert len(tournament(database, 1).played) == MATCHES


def test_a_full_disk_ends_the_events_alone(tmp_path):
    place = Place(tmp_path)
    answer = place.arena(*RUN, "--events", "/dev/full")
    assert answer.code == 0
    assert answer.err.count("warning: no more events to /dev/full: No space left on device") == 1


def test_a_slow_reader_waits_for_nothing_and_gets_what_fits(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(events, "MAX_WAITING", 1_000_000)
    monkeypatch.setattr(events, "LAST_SECONDS", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = EventWriter(str(pipe))
    for _ in range(40_000):  # 4 MB to a pipe that holds 64 KB and is not read
        writer.add({"event": "x" * 90})
    writer.close()
    assert capsys.readouterr().err == (
        f"warning: no more events to {pipe}: their reader is too slow\n"
    )
    os.close(reader)  # which ends the thread


def test_whoever_reads_late_gets_everything(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    writer = EventWriter(str(pipe))
    for number in range(5000):
        writer.add({"event": "x" * 90, "number": number})
    read = []

    def collect():
        with open(reader, "rb") as file:
            read.extend(file)

    collecting = threading.Thread(target=collect)
    collecting.start()
    writer.close()
    collecting.join()
    assert [json.loads(line)["number"] for line in read] == [*range(5000)]


def test_a_place_that_cannot_be_written_is_refused_before_play(tmp_path):
    place = Place(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    for where, says in (
        ("none/x.jsonl", "No such file or directory"),
        (".", "Is a directory"),
        ("pipe", "No such device or address"),
    ):
        answer = place.arena(*RUN, "--events", where)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"arena: --events {where} cannot be written: {says}\n"
    assert not place.file.exists()
    with pytest.raises(BadInput):
        EventWriter(str(tmp_path / "none" / "x"))


# From Python


def test_the_api_calls_with_the_same_values(tmp_path):
    found, more = [], []
    with arena.open_database(tmp_path / "a.db") as db:
        names = ["random", "counter", "stand(at=17)"]
        keys = {"format": "swiss", "rounds": 2, "games": 4}
        cup = db.run(names, events=found.append, pause_after_round=1, **keys)
        assert not cup.finished
        db.resume(1, events=more.append)
    assert kinds(found)[-1] == "tournament_paused"
    assert kinds(more)[0] == "tournament_resumed"
    matches = [each["match"] for each in found_of(found + more, "match_played")]
    assert len(matches) == len({*matches}) == MATCHES


def test_what_a_callback_raises_stops_the_run_and_it_can_go_on(tmp_path):
    def fail(event):
        if event["event"] == "match_played":
            raise LookupError("enough")

    with arena.open_database(tmp_path / "a.db") as db:
        with pytest.raises(LookupError, match="enough"):
            db.run(["random", "counter"], games=4, events=fail)
        assert db.resume(1).finished
