"""Own process numbers and a read-only view of files: what a bot's process gets, and how it ends."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys

import pytest

from tests.host.box.box_children import BARE, PROJECT, output_of

BEGIN = """
import os, sys, threading
from arena.host.box.kernel import die_with_parent
from arena.host.box.namespaces import enter_namespaces
die_with_parent()
spaces = enter_namespaces()
"""
NO_NAMESPACES = """
echo 0 > /proc/sys/user/max_user_namespaces || exit 77
exec setpriv --bounding-set=-all --inh-caps=-all --securebits=+noroot "$@"
"""
"""For a shell that is root in a namespace of its own: without any right to make another one."""


def test_each_process_has_numbers_of_its_own():
    code = f"""{BEGIN}
for _ in range(3):
    process = spaces.fork()
    if not process:
        numbers = [os.getpid(), os.getppid(), threading.get_native_id()]
        thread = threading.Thread(target=lambda: numbers.append(threading.get_native_id()))
        thread.start()
        thread.join()
        print(numbers, flush=True)
        os._exit(0)
    os.waitpid(process, 0)
    spaces.ended(process)
"""
    assert output_of(code).splitlines() == ["[2, 0, 2, 3]"] * 3


def test_a_process_ends_by_its_own_signals_and_is_reported_as_it_ended():
    code = f"""{BEGIN}
for end in (os.abort, lambda: os._exit(3)):
    process = spaces.fork()
    if not process:
        end()
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
    spaces.ended(process)
"""
    assert output_of(code).splitlines() == ["-6", "3"]


def test_nothing_can_be_written_and_nothing_of_the_machine_is_seen(tmp_path):
    code = f"""{BEGIN}
seen = [os.listdir(folder) for folder in ("/proc", "/sys", "/run") if os.path.isdir(folder)]
try:
    open(sys.argv[1] + "/file", "w")
except OSError as error:
    print(os.strerror(error.errno), max(map(len, seen)))
"""
    assert output_of(code, str(tmp_path)) == "Read-only file system 0"
    (tmp_path / "file").touch()  # nothing changed for others
    assert os.path.exists("/proc/self")


def test_all_die_with_the_thread_that_made_them():
    code = f"import sys; sys.path.append({str(PROJECT)!r})\n{BEGIN}"
    code += "process = spaces.fork()\nprint('x', flush=True)\nimport time; time.sleep(60)\n"
    reader, writer = os.pipe()
    middle = f"""
import subprocess, sys
child = subprocess.Popen({[sys.executable, *BARE, "-c", code]!r}, stdout={writer})
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", middle], stdin=subprocess.PIPE, pass_fds=[writer]
    ) as parent:
        os.close(writer)
        assert os.read(reader, 1) == b"x"
        parent.kill()
    # The pipe's end is known when all who could write are gone.
    end = b"x"
    while end:
        assert select.select([reader], [], [], 20)[0]
        end = os.read(reader, 4)
    os.close(reader)


def test_without_namespaces_confined_holds_and_lists_what_gets_through():
    if shutil.which("unshare") is None or shutil.which("setpriv") is None:
        pytest.skip("needs unshare and setpriv to take namespaces away")
    script = f"""
import json, sys
sys.path.append({str(PROJECT)!r})
from arena.host.box.probing.probe import Level, probe
report = probe(Level.CONFINED)
print(json.dumps([report.holds, report.verdict, report.through]))
"""
    command = ["unshare", "-Ur", "sh", "-c", NO_NAMESPACES, "sh", sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode in (1, 77) and "Operation not permitted" in done.stderr:
        pytest.skip("this machine allows no user namespaces to begin with")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [
        True,
        "",
        [
            "leave a trace by reading",
            "leave a trace by a link",
            "count processes in /proc",
            "share numbers of threads",
        ],
    ]
