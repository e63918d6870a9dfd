"""Bots are started once before play: ready, or refused with a reason."""

from __future__ import annotations

import sys

import pytest

from arena.core.outcome import Termination
from arena.host.box.levels import Level
from arena.host.process.handshake import handshakes
from arena.host.process.loss import ProcessLost
from arena.host.wire.messages import Ready
from arena.plugins.command import command_source
from tests.host.confined_plays import (
    BREAKERS,
    SECOND,
    breaker,
    descendants,
    match_settings,
    until,
    untrusted,
)
from tests.host.levels import levels_here

CONFINED = Level.CONFINED if Level.CONFINED in levels_here() else Level.PROCESS
BOT = "from arena import Bot\nclass Mine(Bot):\n    pass\n"
REFUSED = {
    "raise KeyError('here')\n" + BOT: "cannot be imported: KeyError: 'here'",
    "import requests_that_nobody_has\n" + BOT: "No module named 'requests_that_nobody_has'",
    "import os; os._exit(7)\n" + BOT: "its process ended with exit code 7",
    "import os; os.abort()\n" + BOT: "its process was killed by SIGABRT",
    "while True: pass\n" + BOT: "over its time",
    "import time; time.sleep(60)\n" + BOT: "over its time",
    "print('x' * 2_000_000)\n" + BOT: "it wrote too much to its log",
    "import os; os.write(3, b'hello!!!!')\n" + BOT: "a message of 1819043176 bytes; at most 65536",
    "import os; os.write(3, b'\\1\\0\\0\\0\\x90')\n" + BOT: "the answer cannot be read: ",
    BOT + "    def __init__(self): raise SystemExit(1)\n": "cannot be made: SystemExit: 1",
    BOT + "    def __init__(self): self.x = bytearray(1 << 40)\n": "cannot be made: MemoryError",
}


def met(*bots, **more):
    return handshakes(match_settings(**{"level": CONFINED, **more}), bots)


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED, Level.BOXED])
def test_a_sound_bot_is_ready_at_every_level(level):
    if level not in levels_here():
        pytest.skip(f"this machine has no {level} (see arena doctor)")
    file, named, house = met(breaker(), breaker(kind="Plays"), untrusted("stand(at=16)"),
                             level=level)  # fmt: skip
    assert isinstance(file, Ready)
    assert (file.name, file.games, file.refusal) == ("breakers:Random", (), "")
    assert isinstance(named, Ready)
    assert named.games == ("sabacc",)
    assert isinstance(house, Ready)
    assert house.name == "stand(at=16)"


@pytest.mark.parametrize("code", REFUSED)
def test_a_bot_that_does_not_get_ready_is_refused_with_the_reason(tmp_path, code):
    file = tmp_path / "mine.py"
    file.write_text(code)
    limit = SECOND // 3 if "over its" in REFUSED[code] else 10 * SECOND
    (answer,) = met(untrusted(f"{file}:Mine"), startup_ns=limit)
    assert isinstance(answer, ProcessLost)
    assert REFUSED[code] in answer.reason
    assert "\n" not in answer.reason
    if "KeyError" in code:
        assert answer.error.startswith("Traceback")
        assert f'File "{file}", line 1' in answer.error


def test_the_output_of_a_bot_that_failed_is_kept(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("print('I am leaving')\nimport os; os._exit(0)\n" + BOT)
    (answer,) = met(untrusted(str(file)))
    assert isinstance(answer, ProcessLost)
    assert (answer.cause, answer.error) == (Termination.CRASH, "I am leaving\n")


def test_a_class_that_is_no_bot_is_refused():
    source = breaker()
    no_bot = type(source)(source.kind, f"{BREAKERS}:NoBot", {}, source.participant, source.origin)
    nobody = type(source)(source.kind, f"{BREAKERS}:Nobody", {}, source.participant, source.origin)
    reasons = "does not derive", "no attribute"
    for answer, reason in zip(met(no_bot, nobody), reasons, strict=True):
        assert isinstance(answer, ProcessLost)
        assert reason in answer.reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"protocol": 2}', "it speaks version 2 of the protocol, not 1"),
        ('{"protocol": 1, "refusal": "not today"}', "not today"),
        ('{"protocol": 1, "batch": 0}', "the answer cannot be read: "),
        ('{"version": 1}', "the answer cannot be read: "),
        ("hello", "the answer cannot be read: "),
        ('{"protocol": 1}\n{"protocol": 1}', "it answered something that it was not asked"),
    ],
)
def test_a_program_without_a_handshake_is_refused(tmp_path, answer, reason):
    script = tmp_path / "hello.py"
    script.write_text(f"import os\ninput()\nos.write(1, {answer + chr(10)!r}.encode())\ninput()\n")
    (answer,) = met(command_source(f"'{sys.executable}' '{script}'"), level=Level.PROCESS)
    assert isinstance(answer, ProcessLost)
    assert answer.reason.startswith(reason)


def test_a_file_that_is_no_program_is_refused_with_the_systems_reason(tmp_path):
    script = tmp_path / "bot.sh"
    script.write_text("no program at all\n")
    script.chmod(0o755)
    source = command_source(str(script))
    script.write_bytes(b"\x7fELF, and nothing else")
    (answer,) = met(source, level=Level.PROCESS)
    assert isinstance(answer, ProcessLost)
    assert answer.reason.startswith("its process cannot be started: ")


def test_many_bots_are_started_at_once_and_no_process_is_left():
    bots = [breaker() for _ in range(10)] + [breaker("exit", when="start")]
    assert all(isinstance(answer, Ready) for answer in met(*bots))
    assert until(lambda: descendants() == [], 1)
