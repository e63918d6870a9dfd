"""Failures of streams, of the folder or of the machine are one line, never a traceback."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess

import pytest

from tests.cli.tournament_runs import ARENA, PATIENCE, Place, alive, until

MATCH = "arena match random stand --games 4"


def sh(script: str, folder, **more: object) -> subprocess.CompletedProcess[bytes]:
    path = f"{os.path.dirname(ARENA)}:{os.environ['PATH']}"
    env = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, capture_output=True, timeout=120, **more
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    return done


UNWRITTEN = b"arena: the answer cannot be written: "


@pytest.mark.parametrize(
    ("script", "code", "error"),
    [
        ("arena games >&-", 1, UNWRITTEN + b"Bad file descriptor\n"),
        ("arena games >/dev/full", 1, UNWRITTEN + b"No space left on device\n"),
        ("arena games -o json >/dev/full", 1, UNWRITTEN + b"No space left on device\n"),
        (f"{MATCH} >/dev/full", 1, UNWRITTEN + b"No space left on device\n"),
        (f"{MATCH} 2>&-", 0, b""),
        (f"{MATCH} 2>/dev/full", 0, b""),
        (f"{MATCH} <&- >&- 2>&-", 1, b""),
        ("arena games no-such 2>&-", 2, b""),
        ("arena games no-such 2>/dev/full", 2, b""),
        ("arena games | head -n 1; exit ${PIPESTATUS[0]}", 0, b""),
        ("arena games -o json | true; exit ${PIPESTATUS[0]}", 0, b""),
        ("mkdir gone; cd gone; rmdir ../gone; " + MATCH, 2, b"arena: the working folder is gone"),
        ("ulimit -n 16; " + MATCH, 1, b"arena: there are too many open files; raise the limit"),
        ("ulimit -v 60000; arena leaderboard", 1, b"arena: there is not enough memory"),
    ],
)
@pytest.mark.thorough(
    "each way once is every day",
    everyday=["arena games >&-*", "arena games -o*true*", "ulimit -n*"],
)
def test_a_command_ends_with_a_line_and_its_own_exit_code(tmp_path, script, code, error):
    done = sh(script, tmp_path)
    assert done.returncode == code
    if error:
        assert error in done.stderr


@pytest.mark.thorough("other limits of streams are tried")
def test_with_closed_streams_no_output_is_written_into_the_database(tmp_path):
    assert sh(f"{MATCH} <&- >&- 2>&-", tmp_path).returncode == 1
    shown = sh("arena tournament list -o csv", tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.count(b"finished") == 1


@pytest.mark.thorough("an answer that is not read is in the table above")
def test_a_failed_check_has_exit_code_1_even_if_its_output_is_not_read(tmp_path):
    (tmp_path / "cases.json").write_text('[{"id": "x", "game": "no"}]')
    done = sh("arena check cases cases.json | true; exit ${PIPESTATUS[0]}", tmp_path)
    assert done.returncode == 1


@pytest.mark.parametrize(
    "words",
    [
        "match {} random --games 2",
        "check bot {} --game pazaak",
        "submit {} --name it --game pazaak",
        "tournament run {}",
        "check cases {}",
        "bots show {}",
        "replay {}",
        "match random stand --ruleset {}",
        "match random stand --db sqlite:///{}",
        "check bot --cmd {} --game pazaak",
    ],
)
def test_a_name_that_is_no_text_is_answered_in_one_line(tmp_path, words):
    name = os.fsdecode(b"b\xff.py")
    (tmp_path / name).write_text("no bot")
    answer = Place(tmp_path).arena(*(word.format(name) for word in words.split()))
    assert answer.code == 2
    (line,) = answer.err.splitlines()
    assert line.startswith("arena: ")


def test_the_line_about_a_name_that_is_no_text_is_utf8(tmp_path):
    (line,) = sh(r"arena match $'b\xff.py' random", tmp_path).stderr.decode().splitlines()
    assert line.startswith("arena: ")


LONG = "9" * 5_000


@pytest.mark.parametrize(
    "words",
    [
        f"match random stand --seed {LONG}",
        f"match random 'stand(at={LONG})'",
        f"match random 'stand(at=0x{'f' * 5_000})'",
        f"match random stand --ruleset 'standard(max_sets=0x{'f' * 5_000})'",
        f"replay 1.{LONG}",
        f"tournament show {LONG}",
        "match random stand\x01",
        "match random 'stand(at=1e999)'",
    ],
)
@pytest.mark.thorough("other places for such texts", everyday=["words0", "words4", "*x01"])
def test_a_number_or_sign_past_every_limit_is_answered_in_one_line(tmp_path, words):
    place = Place(tmp_path)
    assert place.arena(*MATCH.split()[1:]).code == 0
    answer = place.arena(*shlex.split(words))
    assert answer.code == 2
    (line,) = answer.err.splitlines()
    assert line.startswith("arena: ")
    assert line.isprintable()
    assert len(line) < 4_500


LAZY = """
import time
from arena import Bot
class Lazy(Bot):
    def act(self, observation):
        time.sleep(0.5)
        return observation.legal_actions[0]
"""
RUN = (
    "tournament", "run", "--games", "400", "--seed", "7", "--bot", "stand(at=17)", "--bot",
    "slow.py", "--bot", "random", "--trust", "slow", "--concurrency", "2",
)  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM])
@pytest.mark.thorough("other signals", everyday=["15"])
def test_a_signal_stops_a_tournament_that_can_be_resumed(tmp_path, preloaded, number):
    place = Place(tmp_path, preloaded)
    process = place.start(*RUN)
    until(lambda: place.stored() >= 10)
    os.killpg(process.pid, number)  # as a terminal does: the workers get it, too
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    assert err.splitlines()[-2:] == [
        "Interrupted; everything played is stored. Continue with:",
        f"  arena tournament resume 1 --db {place.url}",
    ]
    until(lambda: alive(process.pid) == [])
    assert place.arena("tournament", "show", "1").code == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_any_other_command_and_removes_its_folder(tmp_path, preloaded, number):
    place, temporary = Place(tmp_path, preloaded), tmp_path / "tmp"
    temporary.mkdir()
    place.env["TMPDIR"] = str(temporary)
    (tmp_path / "lazy.py").write_text(LAZY)
    process = place.start("submit", "lazy.py", "--game", "pazaak")
    until(lambda: list(temporary.glob("arena-run-*/bot/lazy.py")) != [])
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == f"arena: stopped by {signal.Signals(number).name}"
    assert "Traceback" not in err
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
@pytest.mark.thorough("other signals", everyday=["2"])
def test_a_signal_that_was_ignored_at_the_start_is_ignored(tmp_path, preloaded, number):
    place = Place(tmp_path, preloaded)
    words = [word.replace("400", "10") for word in RUN]
    process = place.start(*words, first=f"from signal import *; signal({number:d}, SIG_IGN)")
    until(lambda: place.stored() >= 2)
    os.killpg(process.pid, number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert place.stored() == 30


@pytest.mark.thorough("signals stop and resume it")
def test_a_tournament_outlives_its_terminal_up_to_the_line_it_cannot_print(tmp_path):
    place = Place(tmp_path)
    master, slave = os.openpty()
    process = subprocess.Popen(
        [ARENA, *RUN], cwd=place.folder, env=place.env, start_new_session=True,
        stdin=slave, stdout=slave, stderr=slave,
    )  # fmt: skip
    os.close(slave)
    until(lambda: place.stored() >= 10)
    os.close(master)
    process.send_signal(signal.SIGHUP)
    assert process.wait(PATIENCE) == 128 + signal.SIGHUP
    shown = place.arena("tournament", "list", "-o", "csv")
    assert "interrupted" in shown.out
