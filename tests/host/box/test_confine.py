"""The abilities and the limits of a confined Python."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.host.box.box_children import BARE, BEGIN, PROJECT, output_of

LEVELS = pytest.mark.parametrize("level", ["process", "confined", "boxed"])


@LEVELS
def test_modules_are_imported_when_they_are_first_needed(level):
    code = """
begin(sys.argv[1], memory=512 << 20)
import asyncio, concurrent.futures, ctypes, dataclasses, decimal, hashlib, json, lzma
import multiprocessing, random, sqlite3, ssl, statistics, unittest, uuid, zoneinfo
import importlib; importlib.invalidate_caches()
import csv, xml.etree.ElementTree
print(hashlib.sha256(b"x").hexdigest()[:4], zoneinfo.__name__, len(random.sample(range(99), 9)))
"""
    assert output_of(code, level) == "2d71 zoneinfo 9"


@LEVELS
def test_threads_and_event_loops_work(level):
    code = """
begin(sys.argv[1], memory=512 << 20)
import asyncio, threading, time
from concurrent.futures import ThreadPoolExecutor
async def wait():
    await asyncio.sleep(0.01)
    return await asyncio.to_thread(lambda: 3)
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(abs, range(9))), asyncio.run(wait()), time.thread_time() > 0)
"""
    assert output_of(code, level) == "36 3 True"


@LEVELS
def test_numpy_works_if_it_is_allowed(level):
    folder = Path(find_spec("numpy").origin).parents[1]
    code = """
begin(sys.argv[1], sys.argv[2:], memory=512 << 20)
sys.path.append(sys.argv[2])
import numpy
print(int(numpy.linalg.det(numpy.eye(200) * 2 @ numpy.eye(200)) > 1e60))
"""
    assert output_of(code, level, f"{folder}/", f"{folder}/numpy", f"{folder}/numpy.libs") == "1"


def test_installed_packages_cannot_be_imported(tmp_path):
    package = Path(find_spec("msgspec").origin).parent
    code = """
begin(sys.argv[1])
sys.path.append(sys.argv[2])
try:
    import msgspec
except ImportError as error:
    print("refused", type(error).__name__)
"""
    assert output_of(code, "confined", str(package.parent)).startswith("refused")


def test_only_what_was_named_can_be_read(tmp_path):
    for name in ("own/bot.py", "own/deep/data.txt", "rival/bot.py", "listed/secret.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "own/way-out").symlink_to(tmp_path / "rival/bot.py")
    code = """
import os
place = sys.argv[1]
begin(read=(place + "/own", place + "/listed/", place + "/absent"))
paths = ["own/bot.py", "own/deep/data.txt", "own/way-out", "own/../rival/bot.py", "rival/bot.py",
    "listed/secret.txt"]
print([refused(lambda: open(f"{place}/{path}").close()) for path in paths])
print([refused(lambda: os.listdir(f"{place}/{path}")) for path in ("own", "listed", "rival", "")])
"""
    no = errno.EACCES
    assert output_of(code, str(tmp_path)).splitlines() == [
        str([0, 0, no, no, no, no]),
        str([0, 0, no, no]),
    ]


def test_nothing_under_proc_is_ever_readable():
    code = """
import os
begin()
paths = ["self/environ", "self/maps", "1/cmdline", "meminfo", f"{os.getppid()}/status"]
print([refused(lambda: open(f"/proc/{path}").close()) for path in paths])
"""
    assert output_of(code) == str([errno.EACCES] * 5)


def test_nothing_can_be_written_but_to_nowhere(tmp_path):
    code = """
import os
begin(read=sys.argv[1:])
with open(os.devnull, "w") as nowhere:
    print("x", file=nowhere)
file, new = sys.argv[1] + "/file", sys.argv[1] + "/new"
tries = ((file, "w"), (file, "a"), (file, "r+"), (new, "w"), (new, "x"))
print([refused(lambda: open(path, mode).close()) for path, mode in tries])
"""
    (tmp_path / "file").write_text("kept")
    assert output_of(code, str(tmp_path)) == str([errno.EACCES] * 5)
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("abi", [1, 2, 7])
def test_a_file_that_may_be_read_keeps_its_content_on_old_kernels_too(tmp_path, abi):
    file = tmp_path / "bot.py"
    file.write_text("kept")
    code = """
import os
begin(read=sys.argv[1:2], newest_abi=int(sys.argv[2]))
flags = (os.O_TRUNC, os.O_TRUNC | 3, os.O_TRUNC | os.O_RDWR, os.O_TRUNC | os.O_WRONLY)
print(all(refused(lambda: os.open(sys.argv[1], each)) for each in flags))
"""
    assert output_of(code, str(file), str(abi)) == "True"
    assert file.read_text() == "kept"


@LEVELS
def test_memory_has_a_limit_that_cannot_be_raised(level):
    code = """
import resource
begin(sys.argv[1], memory=256 << 20)
try:
    bytearray(300 << 20)
except MemoryError:
    print("no memory")
try:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
except (OSError, ValueError):
    print("no more")
"""
    assert output_of(code, level).split("\n") == ["no memory", "no more"]


def test_a_thread_bomb_is_bounded_by_its_memory():
    code = """
import _thread
begin(memory=512 << 20)
lock = _thread.allocate_lock()
lock.acquire()
_thread.stack_size(32768)
try:
    for started in range(100_000):
        _thread.start_new_thread(lock.acquire, ())
except RuntimeError:
    print(started < 20_000)
    sys.stdout.flush()
__import__("os")._exit(0)
"""
    assert output_of(code) == "True"


def test_root_keeps_no_privilege_but_to_read():
    code = """
begin("process")
facts = dict(line.split(":") for line in open("/proc/self/status"))
print([facts[name].strip() for name in ("CapEff", "CapPrm", "NoNewPrivs")])
"""
    kept = "0000000000000004" if os.getuid() == 0 else "0" * 16
    assert output_of(code) == str([kept, kept, "1"])


@LEVELS
def test_it_dies_with_the_thread_that_made_it(level):
    code = f"{BEGIN.format(project=str(PROJECT))}\nbegin({level!r})\nprint(1, flush=True)\ninput()"
    middle = f"""
import os, subprocess, sys
child = subprocess.Popen({[sys.executable, *BARE, "-c", code]!r}, stdin=subprocess.PIPE, stdout=1)
print(child.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", middle], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        process = max(int(parent.stdout.readline()) for _ in range(2))
        handle = os.pidfd_open(process)
        parent.send_signal(signal.SIGKILL)
    # A pidfd becomes readable when its process has ended.
    assert select.select([handle], [], [], 20)[0]
    os.close(handle)


def test_trusted_code_is_not_confined():
    code = """
try:
    begin("trusted")
except ValueError as error:
    print(error)
"""
    assert "never confined" in output_of(code)


def test_a_kernel_without_landlock_is_named():
    code = """
try:
    begin(newest_abi=0)
except OSError as error:
    print(error)
"""
    assert output_of(code).startswith("this kernel has no Landlock")


def test_a_parent_that_ends_before_it_is_watched_is_noticed():
    code = """
import os, signal
from arena.host.box import kernel
report, write = os.pipe()
if not os.fork():
    if not os.fork():
        ask, parent = kernel._checked, os.getppid()

        def ends_first(*arguments):
            os.kill(parent, signal.SIGKILL)
            while os.getppid() == parent:
                pass
            return ask(*arguments)

        kernel._checked = ends_first
        kernel.die_with_parent()
        os.write(write, b"lives on")
        os._exit(0)
    signal.pause()
os.wait()
os.close(write)
print(os.read(report, 100))
"""
    assert output_of(code) == "b''"
