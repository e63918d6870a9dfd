"""Bots' output is cut by match: nothing of one match is in the log of another."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from arena.host.bot.logs import (
    MAX_LINE_LENGTH,
    MAX_LINES,
    OF_NO_MATCH,
    Answering,
    LogEnd,
    ProcessLog,
    tagged,
)
from arena.plugins.command import command_source
from tests.host.confined_plays import (
    PATIENT,
    match_settings,
    play,
    renamed,
    schedule,
    untrusted,
    written,
)

DATA = Path(__file__).parent / "data"


def logger(**parameters):
    given = ",".join(f"{key}={value}" for key, value in parameters.items())
    return renamed(untrusted(f"{DATA / 'loggers.py'}:Logger({given})"), "logger")


def seeds_in(text):
    return set(re.findall(r"\d{6,}", text))


def test_the_log_of_a_crash_is_that_of_its_match():
    played = play(match_settings(), [logger(every=9), untrusted("random")], schedule(2, deals=40))
    crashed = [match for match in played if match.record.outcome.offender is not None]
    assert len(crashed) > 20
    for match in crashed:
        (log,) = match.measurement.logs
        assert log.seat == match.record.outcome.offender
        lines = log.text.splitlines()
        assert len(seeds_in(log.text)) == 1
        assert lines[0].startswith("start ")
        assert lines[-1].startswith("last words ")
        decisions = match.measurement.requests[log.seat] - 2  # its start, and its loadout
        assert len([line for line in lines if line.startswith("in parts")]) in (
            decisions,
            decisions + 1,
        )
        assert "finish" not in log.text
    assert len({match.measurement.logs[0].text for match in crashed}) == len(crashed)
    quiet = [match for match in played if match.record.outcome.offender is None]
    assert quiet
    assert not any(match.measurement.logs for match in quiet)


WRITES_BETWEEN = """
import os, threading, time
from arena import Bot

def write(seconds):
    time.sleep(seconds)
    os.write(1, b"late words\\n")

class WritesBetween(Bot):
    def act(self, observation):
        threading.Thread(target=write, args=({seconds},)).start()
        return observation.legal_actions[0]
"""


@pytest.mark.parametrize("seconds", [0, 0.0003, 0.003])
def test_what_is_written_between_batches_belongs_to_no_other_match(tmp_path, seconds):
    bot = written(tmp_path, "writes_between", WRITES_BETWEEN.format(seconds=seconds))
    rules = match_settings(threads=1000, all_logs=True, width=1)
    jobs = schedule(2, deals=4)
    played = play(rules, [bot, untrusted("random")], jobs)
    assert len(played) == len(jobs)
    for match, job in zip(played, jobs, strict=True):
        assert {log.seat for log in match.measurement.logs} <= {job.seats.index(0)}


def test_nothing_is_forged_into_the_log_of_another_match():
    played = play(
        match_settings(), [logger(every=9, forge=True), untrusted("random")], schedule(2, deals=10)
    )
    logs = [match.measurement.logs[0].text for match in played if match.measurement.logs]
    assert len(logs) > 5
    for log in logs:
        assert len(seeds_in(log)) == 1
        assert "forged" not in log


def test_a_match_that_is_asked_again_has_its_log_once(tmp_path):
    file = tmp_path / "dies.py"
    file.write_text(
        "import os, random\nfrom arena import Bot\nclass Dies(Bot):\n"
        "    def start(self, context):\n"
        "        self.random, self.asked = random.Random(context.seed), 0\n"
        "    def act(self, observation):\n"
        "        self.asked += 1\n"
        "        print('decision', self.asked)\n"
        "        if not self.random.randrange(30): os._exit(3)\n"
        "        return observation.legal_actions[0]\n"
    )
    bots = [renamed(untrusted(str(file)), "dies"), untrusted("random")]
    played = play(match_settings(incidents=1000), bots, schedule(2, deals=20))
    lost = [match for match in played if match.record.outcome.offender is not None]
    assert len(lost) > 5
    for match in lost:
        lines = match.measurement.logs[0].text.splitlines()
        assert lines == [f"decision {number}" for number in range(1, len(lines) + 1)]


def test_only_the_end_of_a_long_log_is_kept(tmp_path):
    file = tmp_path / "long.py"
    file.write_text(
        "from arena import Bot\nclass Long(Bot):\n"
        "    def act(self, observation):\n"
        "        print('\\n' * 200_000)\n"
        "        print('x' * 10_000 + 'end')\n"
        "        raise ValueError\n"
    )
    bots = [renamed(untrusted(str(file)), "long"), untrusted("random")]
    for match in play(match_settings(log=1000), bots, schedule(2, deals=2)):
        (log,) = match.measurement.logs
        first, rest = log.text.split("\n", 1)
        assert re.fullmatch(r"\[the first \d{6} bytes were cut off\]", first)
        assert rest == "x" * 996 + "end\n"


def test_a_program_that_is_asked_alone_has_its_log(tmp_path):
    program = tmp_path / "program.py"
    answers = (DATA / "programs" / "answers.py").read_text()
    program.write_text(answers.replace("import time", "import time\nsys.stderr.write('loaded\\n')"))
    bot = renamed(command_source(f"'{sys.executable}' '{program}' exit 1"), "program")
    played = play(match_settings(limits=PATIENT), [bot, untrusted("random")], schedule(2, deals=1))
    assert played[0].record.outcome.offender is not None
    assert "loaded" in played[0].measurement.logs[0].text


def cut(data, asked, most=1000):
    log = ProcessLog(most)
    log.begin(asked)
    for part in data:
        log.feed(part)
    return {id: end.text() for id, end in log.take().items()}


@pytest.mark.parametrize(
    ("data", "asked", "logs"),
    [
        ([b"\x1e5 a\n\x1e6 b\n\x1e5 c\n"], [5, 6], {5: "a\nc\n", 6: "b\n"}),
        ([b"\x1e", b"5 ", b"a", b"\n\x1e6 b\n"], [5, 6], {5: "a\n", 6: "b\n"}),
        ([b"\x1e5 a\nplain\n\x1e7 x\n"], [5, 6], {5: "a\n"}),
        ([b"plain\n\x1e5 a\nmore\n\x1e7 x\nlast"], [5], {5: "plain\na\nmore\nlast"}),
        ([b"\x1e0 finish\nplain\n"], [5], {5: "plain\n"}),
        ([b"\x1e5 \x1e6 a\n"], [5, 6], {5: "\x1e6 a\n"}),
        ([b"\x1e99999999999999999999999 a\n\x1e-5 b\n\x1e5"], [5, 6], {}),
        ([b"\x1e5 begun"], [5, 6], {5: "begun"}),
    ],
)
def test_lines_go_to_the_requests_that_are_under_way(data, asked, logs):
    assert cut(data, asked) == logs


def test_a_flood_of_lines_is_bounded():
    flood = b"\x1e5 \n" * (MAX_LINES + 100)
    assert len(cut([flood], [5, 6], 10**6)[5]) == MAX_LINES
    log = ProcessLog(100)
    log.begin([5])
    for _ in range(1000):
        log.feed(b"x" * 1000)
    assert len(log.text()) == 100
    assert len(log.take()[5].data()) == 100


def test_the_output_of_a_runtime_is_whole_lines(tmp_path):
    answering = Answering()
    with (tmp_path / "log").open("w", encoding="utf-8") as stream:
        output = tagged(stream, answering)
        print("at import", file=output)
        answering.id = 17
        print("begun", end="", file=output)
        answering.id = 18
        print("two\nlines", file=output)
        output.buffer.write(b"bytes\n")
        answering.id = OF_NO_MATCH
        print("end", end="", flush=True, file=output)
        print("x" * (MAX_LINE_LENGTH + 1), end="", file=output)
        assert isinstance(output, io.TextIOWrapper)
        assert output.fileno() == stream.fileno()
    assert (tmp_path / "log").read_bytes() == (
        b"\x1e0 at import\n\x1e17 begun\n\x1e18 two\n\x1e18 lines\n\x1e18 bytes\n\x1e0 end\n"
        b"\x1e0 " + b"x" * (MAX_LINE_LENGTH + 1) + b"\n"
    )


def test_the_end_of_a_log_says_what_was_cut_off():
    end, other = LogEnd(10), LogEnd(10)
    end.add(b"0123456789")
    assert end.text() == "0123456789"
    other.add(b"abc\xff")
    end.extend(other)
    assert end.text() == "[the first 4 bytes were cut off]\n456789abc\\xff"
