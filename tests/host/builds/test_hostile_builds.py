"""Builds that attack the machine, the harness or other bots are stopped by their box."""

from __future__ import annotations

import os
import shutil
import socket
import time

import pytest

from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.executables import PROGRAM_PATH
from arena.host.builds.builder import BuildFailed, built
from arena.host.builds.job import MEBIBYTE, BuildLimits
from arena.plugins.submissions.submission import Package

pytestmark = pytest.mark.skipif(
    bubblewrap() is None or shutil.which("python3", path=PROGRAM_PATH) is None,
    reason="bubblewrap or the system's python3 is not installed",
)


def run(code, limits=None):
    """Returns the files that a build in Python leaves in its folder."""
    files = {"make.py": code.encode()}
    package = Package(name="evil", command=("cat",), files=files, build=(("python3", "make.py"),))
    return built(package, limits or BuildLimits(seconds=60)).files


def refused(code, limits=None):
    """Returns why such a build fails, and its output."""
    with pytest.raises(BuildFailed) as caught:
        run(code, limits)
    return str(caught.value), caught.value.log


TRIED = """
import errno
def tried(what, *args):
    try:
        what(*args)
    except OSError as error:
        print(errno.errorcode[error.errno], flush=True)
    else:
        print("GOT THROUGH", flush=True)
"""


def outcomes(code):
    """Returns how each of some attempts ended: by which error."""
    why, log = refused(f"{TRIED}\n{code}\nraise SystemExit(7)")
    assert why.endswith("ended with exit code 7"), log
    return log.splitlines()


def test_it_reads_neither_databases_nor_other_bots_nor_homes(tmp_path):
    (tmp_path / "arena.db").write_text("secret")
    home = os.path.expanduser("~")
    code = f"""
import os
for path in ({str(tmp_path / "arena.db")!r}, "/etc/passwd", "/var"):
    tried(os.stat, path)
tried(os.listdir, {home!r}), tried(open, "/proc/1/environ"), tried(open, "/proc/2/environ")
tried(os.readlink, "/proc/2/fd/1"), tried(os.readlink, "/proc/1/cwd")
"""
    found = outcomes(code)
    assert found[:3] == ["ENOENT"] * 3
    assert set(found[3:]) <= {"ENOENT", "EACCES", "EPERM"}


def test_it_writes_nothing_outside_its_folder(tmp_path):
    code = f"""
import os
def write(path):
    open(path, "w").close()
for folder in ("/", "/usr", "/usr/bin", "/bin", "/etc", "/dev", "/proc", {str(tmp_path.parent)!r}):
    tried(write, folder + "/arena-was-here")
tried(os.mkdir, "/home"), tried(os.chmod, "/usr/bin/env", 0o777)
tried(os.mknod, "x", 0o60600, 2049)
"""
    assert "GOT THROUGH" not in outcomes(code)
    assert not os.path.exists(tmp_path.parent / "arena-was-here")


def test_it_has_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
import socket
tried(socket.create_connection, ("127.0.0.1", {port}), 2)
tried(socket.socket, socket.AF_UNIX)
tried(socket.socket, socket.AF_INET, socket.SOCK_DGRAM)
"""
        assert outcomes(code) == ["EPERM"] * 3


def test_it_makes_no_namespaces_and_traces_nobody():
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    if getattr(libc, name)(*args) == -1:
        raise OSError(ctypes.get_errno(), name)
tried(call, "unshare", 0x10000000), tried(call, "ptrace", 16, os.getppid(), 0, 0)
tried(call, "mount", b"x", b"/tmp", b"tmpfs", 0, None), tried(call, "memfd_create", b"x", 0)
tried(call, "personality", 0), tried(call, "chroot", b"/tmp")
"""
    assert outcomes(code) == ["EPERM"] * 6


MANY = "the build of evil failed: it has more than 40 processes and threads at a time"


def test_no_memory_is_shared_which_no_process_has_for_itself():
    code = """
import mmap
tried(mmap.mmap, -1, 1 << 20)
tried(mmap.mmap, -1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
"""
    assert outcomes(code) == ["EPERM", "GOT THROUGH"]


def test_a_fork_bomb_is_ended():
    code = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
    why, _ = refused(code, BuildLimits(seconds=60, tasks=40))
    assert why == MANY


def test_threads_count_too():
    code = """
import threading, time
for number in range(100):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
time.sleep(600)
"""
    why, _ = refused(code, BuildLimits(seconds=60, tasks=40))
    assert why == MANY


def test_a_process_that_is_left_behind_ends_with_its_command(tmp_path):
    code = """
import os, time
if not os.fork():
    os.setsid()
    os.closerange(0, 100)
    while True:
        with open("late.txt", "a") as file:
            file.write("x")
        time.sleep(0.01)
"""
    began = time.monotonic()
    files = {"make.py": code.encode()}
    build = (
        ("python3", "make.py"),
        ("sleep", "0.3"),
        ("sh", "-c", "ls /proc > ps.txt; rm -f late*"),
    )
    build += (("sleep", "0.3"),)
    found = built(Package(name="evil", command=("cat",), files=files, build=build), BuildLimits())
    assert set(found.files) == {"make.py", "ps.txt"}
    assert time.monotonic() - began < 60


def test_a_huge_file_is_cut_off():
    code = "with open('out', 'wb') as file:\n    file.seek(2 << 30)\n    file.write(b'x')\n"
    why, log = refused(code)
    assert "File too large" in log or "more than" in why
    why, log = refused("open('out', 'wb').write(bytes(30 << 20))")
    assert why == (
        "the build of evil failed: the build's folder/out is too big: "
        "a submission has at most 25 MB in all"
    ), log


def test_the_disk_of_all_files_together_is_limited():
    code = "for n in range(99):\n    open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))\n"
    _, log = refused(code, BuildLimits(disk=20 * MEBIBYTE))
    assert "No space left on device" in log


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("os.symlink('/etc/passwd', 'out')", "holds the link out"),
        ("os.symlink('/usr', 'folder')", "holds the link folder"),
        ("os.rename('../bot', '../b'), os.symlink('/usr/share', '../bot')", "a link in the place"),
        ("os.mkfifo('out')", "expected an ordinary file"),
        ("open('a\\nb', 'w')", "cannot be used as a path"),
        ("[open(str(n), 'w').close() for n in range(2100)]", "at most 2000 files"),
        ("os.mkdir('shut'), os.chmod('shut', 0)", "cannot be used: Permission denied"),
    ],
)
def test_what_no_submission_may_hold_no_build_may_leave(code, reason):
    why, _ = refused(f"import os\n{code}\n")
    assert reason in why


def test_it_cannot_end_its_box_without_failing():
    code = "import os, signal\nos.kill(-1, signal.SIGKILL)\nos.kill(2, signal.SIGKILL)\n"
    try:
        outcome = [*run(code)]
    except BuildFailed as error:
        outcome = ["ended" if "ended" in str(error) else str(error)]
    assert outcome in (["make.py"], ["ended"])


def test_its_output_floods_nothing():
    code = "import os\nfor n in range(2000):\n    os.write(1, b'x' * 65536)\nraise SystemExit(1)"
    _, log = refused(code)
    assert len(log) <= BuildLimits().log
