"""Attacks that each level stops on this machine, for root and for an ordinary user."""

from __future__ import annotations

import ast
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.levels import Level
from arena.host.box.probing import probe as probe_module
from arena.host.box.probing.attack import Attack
from arena.host.box.probing.attacks import ATTACKS, GOT_THROUGH
from arena.host.box.probing.probe import Choice, ProbeReport, Result, best_level, choose, probe
from tests.host.box.box_children import PROJECT
from tests.host.levels import levels_here

NOBODY = 65_534
KINDS = pytest.mark.parametrize("program", [False, True], ids=["python", "program"])


@KINDS
@pytest.mark.parametrize("abi", [1, 2, 3, 4, 5, 6, 7])
def test_confined_stops_every_attack_with_any_version_of_landlock(program, abi):
    report = probe(Level.CONFINED, program=program, newest_abi=abi)
    assert (report.verdict, report.through) == ("", ())
    assert len(report.results) == len(ATTACKS) >= 40


@KINDS
def test_boxed_stops_every_attack(program):
    if bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    report = probe(Level.BOXED, program=program)
    assert (report.verdict, report.through) == ("", ())
    assert len(report.results) == len(ATTACKS)


def test_attacks_succeed_at_a_level_that_restricts_little():
    through = set(probe(Level.PROCESS).through)
    needs = {
        "read the database",
        "truncate it, opened for nothing",
        "truncate what it may read",
        "read a rival's source",
        "write to /dev/shm",
        "lock what it may read",
        "connect by TCP",
        "send by UDP",
        "connect to an abstract socket",
        "signal the harness",
        "limit another process",
        "time another's thinking",
        "fork (a fork bomb's first)",
        "start a program",
        "outlive the harness",
        "hide a file in memory (memfd)",
        "leave a trace by a link",
        "count processes (sysinfo)",
        "count processes in /proc",
        "share numbers of threads",
    }
    assert needs - through == set()


def test_process_stops_what_limits_can_stop():
    stopped = {result.attack.name for result in probe(Level.PROCESS).results if result.stopped}
    needs = {
        "find secrets in its environment",
        "find open descriptors",
        "take more memory than it may",
        "raise its own limits",
        "fill the disk",
        "mount a file system",
    }
    assert needs - stopped == set()


@pytest.fixture
def nobodys_copy() -> Iterator[Path]:
    """The project where everybody can read it."""
    with tempfile.TemporaryDirectory(prefix="arena-nobody-") as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(
            PROJECT / "arena", f"{folder}/arena", ignore=shutil.ignore_patterns("__pycache__")
        )
        yield Path(folder)


def _ordinary(folder: Path) -> list[str]:
    """An ordinary user's Python: this one, unless only root can run it."""
    if os.getuid():
        return [sys.executable]
    python, become = "/usr/bin/python3", shutil.which("setpriv")
    if become is None or not os.path.exists(python):
        pytest.skip("needs setpriv and /usr/bin/python3 to become an ordinary user")
    return [become, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", python]


@KINDS
@pytest.mark.parametrize(("level", "abi"), [("confined", 7), ("confined", 1), ("boxed", 7)])
def test_an_ordinary_user_is_as_safe_as_root(nobodys_copy, level, abi, program):
    if level == "boxed" and bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    code = f"""
import os, sys
sys.path.append({str(nobodys_copy)!r})
from arena.host.box.probing.probe import Level, probe
report = probe(Level({level!r}), program={program}, newest_abi={abi})
print((os.getuid(), len(report.results), report.verdict))
"""
    done = subprocess.run(
        [*_ordinary(nobodys_copy), "-B", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
        timeout=300,
    )
    user, attacks, verdict = ast.literal_eval(done.stdout)
    assert (user != 0, attacks, verdict) == (True, len(ATTACKS), "")


def test_probe_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(Path("/dev/shm").glob("arena-*"))
    for level in Level:
        probe(level)
    assert os.listdir(tmp_path) == []
    assert set(Path("/dev/shm").glob("arena-*")) - before == set()


def test_trusted_is_available_everywhere_without_a_probe():
    assert probe(Level.TRUSTED) == ProbeReport(Level.TRUSTED)
    assert {Level.TRUSTED, Level.PROCESS, Level.CONFINED} <= set(levels_here())


def test_the_best_level_comes_with_the_reasons_against_higher_ones(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    why = "bubblewrap (bwrap) is not installed"
    assert best_level() == Choice(Level.CONFINED, ((Level.BOXED, why),))


def test_a_kernel_without_landlock_has_no_confined_level():
    report = probe(Level.CONFINED, newest_abi=0)
    assert not report.holds
    assert report.verdict.startswith("this kernel has no Landlock")


def test_a_level_that_lets_one_attack_through_is_not_chosen():
    first, second = (Attack(name, "x", len) for name in ("first", "second"))
    leaky = ProbeReport(Level.BOXED, (Result(first, "EPERM"), Result(second, GOT_THROUGH)))
    weak = ProbeReport(Level.PROCESS, leaky.results)
    assert choose([leaky, weak]) == Choice(Level.PROCESS, ((Level.BOXED, "does not stop: second"),))


def test_an_attacker_that_breaks_off_makes_the_level_fail(monkeypatch):
    monkeypatch.setattr(probe_module, "_CODE", "print('EPERM'); raise SystemExit('gone')")
    report = probe(Level.CONFINED)
    assert not report.holds
    assert report.verdict == "the probe broke off: gone"


def test_the_probes_victim_ends_with_a_harness_that_is_killed(tmp_path):
    code = f"""
import sys
sys.path.append({str(PROJECT)!r})
from arena.host.box.probing.probe import _targets
with _targets({str(tmp_path)!r}) as targets:
    print(targets.victim, flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as harness:
        victim = harness.stdout.readline()
        handle = os.pidfd_open(int(victim))
        harness.kill()
    try:
        assert select.select([handle], [], [], 20)[0]
    finally:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
