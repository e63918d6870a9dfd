"""Programs of the stdio protocol in a host: any width, and every way to break it."""

from __future__ import annotations

import sys
import time
from functools import cache
from pathlib import Path

import pytest

from arena.host.box.levels import Level
from arena.host.play import confined, dispatcher, feeds
from arena.host.process import silence
from arena.host.process.handshake import handshakes
from arena.host.process.loss import ProcessLost
from arena.host.process.process import BotProcess
from arena.match.limits import Limits
from arena.plugins.command import command_source
from tests.host.confined_plays import (
    PATIENT,
    SECOND,
    SWIFT,
    breaker,
    match_settings,
    offences,
    play,
    records,
    renamed,
    schedule,
    untrusted,
)
from tests.sizes import volume

PROGRAM = Path(__file__).parent / "data" / "programs" / "answers.py"
BREAKS = {
    "early": ("protocol error", "it answered something that it was not asked"),
    "late": ("protocol error", "it answered something that it was not asked"),
    "wrong id": ("protocol error", "it answered something that it was not asked"),
    "no id": ("protocol error", "the answer cannot be read: Object missing required field `id`"),
    "number": ("protocol error", "the answer to a decision needs an action by its text"),
    "no action": ("protocol error", "the answer to a decision needs an action by its text"),
    "nonsense": ("illegal action", "no action 'fly'; write e.g. "),
    "control": ("illegal action", "no action '\\x1b[31m\\n'; write e.g. "),
    "no json": ("protocol error", "the answer cannot be read: JSON is malformed"),
    "no text": ("protocol error", "the answer cannot be read: "),
    "huge": ("protocol error", "a line of more than 65536 bytes"),
    "half": ("timeout", "over its time"),
    "half, then gone": ("crash", "its process ended with exit code 0"),
    "crash": ("crash", "as?meant"),
    "illegal": ("illegal action", "as?meant is not one of"),
    "odd": ("protocol error", "it failed in a way that is not known"),
    "exit": ("crash", "its process ended with exit code 9"),
    "abort": ("crash", "its process was killed by SIGABRT"),
    "log": ("too much output", "it wrote too much to its log"),
    "memory": ("out of memory", "it took more memory than it may"),
}


def program(does="well", batch=1):
    found = command_source(f"'{sys.executable}' '{PROGRAM}' '{does}' {batch}")
    return renamed(found, "program")


@cache
def three_records(batch, width):
    bots = [program(batch=batch), breaker(), untrusted("stand(at=17)")]
    return records(
        play(match_settings(width=width), bots, schedule(3, deals=volume(10, everyday=4)))
    )


BUFFERED = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), end=END, flush=FLUSH)
"""
AT_WORK = "while True: pass"


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (BUFFERED.replace("END", r"'\n'").replace("FLUSH", "False"), silence.UNFLUSHED),
        (
            BUFFERED.replace("print", "str").replace(", end=END, flush=FLUSH", ""),
            silence.WROTE_NOTHING,
        ),
        (BUFFERED.replace("END", "''").replace("FLUSH", "True"), silence.UNCLOSED),
        (AT_WORK, ""),
        (BUFFERED.replace("message =", "while True: message ="), ""),
    ],
    ids=["no flush", "no answer", "no newline", "reads nothing", "works on its input"],
)
@pytest.mark.thorough(
    "other reasons; each waits for two seconds", everyday=["no flush", "reads nothing"]
)
def test_a_late_programs_error_asks_to_flush_only_where_it_may_help(tmp_path, code, hint):
    program = tmp_path / "program.py"
    program.write_text(code)
    source = command_source(f"{sys.executable} {program}")
    (lost,) = handshakes(match_settings(startup_ns=2 * SECOND), [source])
    assert isinstance(lost, ProcessLost)
    assert lost.reason == "over its time: more than 2 s to start"
    assert lost.error == hint


@pytest.mark.parametrize("batch", [2, 64, 4096])
@pytest.mark.thorough("programs play the same at every level and width")
def test_however_many_requests_a_program_takes_it_plays_the_same(batch):
    for width in (256, 3):
        assert three_records(batch, width) == three_records(1, 256)


@pytest.mark.thorough("programs play the same whatever their requests")
def test_long_answers_during_long_requests_block_neither_side(monkeypatch):
    """The messages of both sides together are more than a socket holds."""
    starts = []
    start = BotProcess.start

    async def noted(self):
        starts.append(self)
        return await start(self)

    monkeypatch.setattr(BotProcess, "start", noted)
    monkeypatch.setattr(confined, "FIRST_WINDOW", 1_000)
    monkeypatch.setattr(feeds, "FIRST_WINDOW", 1_000)
    monkeypatch.setattr(dispatcher, "BATCH_NS", 20 * SECOND)
    bots, jobs = [program("long", 4096), untrusted("stand(at=17)")], schedule(2, deals=300)
    played = play(match_settings(width=1_000, limits=SWIFT), bots, jobs)
    assert {seat for seat, _ in offences(played)} == {None}
    assert len(starts) == 4


@pytest.mark.parametrize("does", BREAKS)
@pytest.mark.thorough(
    "hostile programs break it in these ways, too",
    everyday=["early", "no id", "control", "no json", "half", "crash"],
)
def test_a_program_that_breaks_the_protocol_loses_that_match(does):
    """One that takes a request at a time, and one that takes many."""
    cause, reason = BREAKS[does]
    limits = SWIFT if cause == "timeout" else PATIENT
    rules = match_settings(limits=limits, output=100_000, memory=200 << 20, incidents=1000)
    bots = [program(does, 1), renamed(program(does, 64), "wide"), renamed(breaker(), "other")]
    jobs = [job for job in schedule(3, deals=2) if 2 in job.seats]
    for match, job in zip(play(rules, bots, jobs), jobs, strict=True):
        outcome = match.record.outcome
        assert (outcome.offender, str(outcome.termination)) == (1 - job.seats.index(2), cause)
        assert reason in outcome.reason
        assert outcome.reason.isprintable()


def test_noise_on_stdout_is_quoted_for_its_author_and_sent_to_stderr():
    rules = match_settings(limits=PATIENT)
    (match, *_) = play(rules, [program("no json"), breaker()], schedule(2, deals=1))
    assert "debug output belongs on stderr" in match.record.outcome.reason
    assert match.measurement.error.startswith("it sent this line: good morning")


@pytest.mark.parametrize(("seconds", "cause"), [(0.0, None), (0.4, "timeout")])
def test_the_time_of_a_replayed_match_covers_all_its_requests_together(tmp_path, seconds, cause):
    """Every part by itself is well within it: a request at a time, 0.4 s of 0.5 each."""
    script = PROGRAM.with_name("slow_again.py")
    typed = f"'{sys.executable}' '{script}' '{tmp_path / 'ended'}' {seconds}"
    bots = [renamed(command_source(typed), "program"), untrusted("random")]
    jobs = [job for job in schedule(2, deals=2) if job.key.leg % 2]  # of one dispatcher
    began = time.monotonic()
    limits = Limits(decision_ns=SECOND // 2)
    played = play(match_settings(level=Level.PROCESS, limits=limits), bots, jobs)
    assert sorted(str(how) for _, how in offences(played)) == sorted(["crash", cause or "rules"])
    assert time.monotonic() - began < 6
