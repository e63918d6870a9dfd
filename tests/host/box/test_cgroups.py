"""Control groups: found, made, used and removed, as far as this machine has them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.host.box.cgroups import Groups, Layout, layout_here, read_layout, try_groups

pytestmark = pytest.mark.serial  # it counts what all processes share
SYSTEMD = (
    "24 30 0:22 / /proc rw,nosuid shared:14 - proc proc rw\n"
    "35 24 0:30 / /sys/fs/cgroup rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
)
HYBRID = (
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
)
PART = "612 600 0:26 /docker/1f\\0402 /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n"


@pytest.mark.parametrize(
    ("mounts", "groups", "layout"),
    [
        (
            SYSTEMD,
            "0::/user.slice/user-1000.slice/run-u9.scope\n",
            Layout(
                "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/user-1000.slice/run-u9.scope", ()
            ),
        ),
        (SYSTEMD, "0::/\n", Layout("/sys/fs/cgroup", "/sys/fs/cgroup", ())),
        (
            HYBRID,
            "8:pids:/\n4:memory:/supervised\n2:cpu,cpuacct:/\n1:name=systemd:/\n0::/\n",
            Layout(
                "/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified", ("pids", "memory", "cpu")
            ),
        ),
        (PART, "0::/docker/1f 2/leaf\n", Layout("/sys/fs/cgroup", "/sys/fs/cgroup/leaf", ())),
        (PART, "0::/docker/other\n", Layout("/sys/fs/cgroup", "", ())),
        (PART, "0::/../..\n", Layout("/sys/fs/cgroup", "", ())),
        ("24 30 0:22 / /proc rw - proc proc rw\n", "1:pids:/\n", None),
    ],
)  # fmt: skip
def test_the_hierarchy_is_found_in_the_kernels_mount_table(mounts, groups, layout):
    if layout is not None:
        layout = layout._replace(elsewhere=tuple(sorted(layout.elsewhere)))
    found = read_layout(mounts, groups)
    assert (found and found._replace(elsewhere=tuple(sorted(found.elsewhere)))) == layout


def is_true_of_this_machine(reason: str) -> bool:
    """True if a reason why there are no control groups holds, by the kernel's own files."""
    if reason == "no hierarchy of version 2 is mounted":
        return " - cgroup2 " not in Path("/proc/self/mountinfo").read_text()
    folder, what = reason.split(" ", 1)
    if lacks := re.fullmatch(r"has none of .*? cpu(?: \(version 1 uses (.*)\))?", what):
        there = Path(folder, "cgroup.controllers").read_text().split()
        version_1 = Path("/proc/self/cgroup").read_text()
        elsewhere = lacks[1].split(", ") if lacks[1] else []
        return not {"pids", "memory", "cpu"} & set(there) and all(
            re.search(rf"^[1-9]\d*:([^:]*,)?{name}[,:]", version_1, re.MULTILINE)
            for name in elsewhere
        )
    if what == "is not delegated to this user":
        return not os.access(f"{folder}/cgroup.subtree_control", os.W_OK)
    if what == "also holds processes that are not the harness's":
        return Path(folder, "cgroup.procs").read_text().split() != [str(os.getpid())]
    return what.startswith(("takes no ", "takes no further group: "))


def test_there_are_control_groups_or_a_true_reason_why_not():
    tried = try_groups()
    if tried.controllers:
        assert set(tried.controllers) <= {"pids", "memory", "cpu"}
        assert tried.failure == ""
    else:
        reasons = tried.failure.split("; ")
        assert reasons != [""]
        assert all(map(is_true_of_this_machine, reasons)), tried.failure


@pytest.fixture
def parent() -> str:
    """A group below which this user may make others; ``""`` where there is none."""
    layout = layout_here()
    for folder in (layout.own, layout.top) if layout else ():
        if folder and os.access(folder, os.W_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK):
            return folder
    return ""


def group_of(process: int) -> str:
    """The name of a process's group, read from the kernel."""
    lines = Path(f"/proc/{process}/cgroup").read_text().splitlines()
    return next(line for line in lines if line.startswith("0::")).rpartition("/")[2]


def ours(parent: str) -> set[str]:
    return {folder.name for folder in Path(parent).glob("arena-bots-*")}


def test_a_process_has_a_group_of_its_own_until_it_ends(parent):
    if not parent:
        assert not try_groups().controllers
        return
    before = ours(parent)
    with (
        subprocess.Popen(["sleep", "60"]) as server,
        subprocess.Popen(["sh", "-c", "setsid sleep 60 & wait"]) as bot,
    ):
        groups = Groups(parent, (), server.pid)
        group = groups.add(bot.pid, tasks=4, memory=1 << 28)
        assert (group_of(server.pid), group_of(bot.pid)) == ("server", "1")
        assert len(ours(parent)) == len(before) + 1
        bot.kill()
        bot.wait()
        group.remove()  # and what the bot has started is killed with it
        server.kill()
        server.wait()
        groups.close()
    assert ours(parent) == before


LEAVES = """
import os, signal, subprocess, sys
from arena.host.box.cgroups import Groups
server = subprocess.Popen(["sleep", "60"])
Groups(sys.argv[1], (), server.pid)
server.kill()
server.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_harness_removes_only_what_a_killed_one_left(parent):
    if not parent:
        assert not try_groups().controllers
        return
    with subprocess.Popen(["sleep", "60"]) as server:
        used = Groups(parent, (), server.pid)
        kept = ours(parent)
        killed = subprocess.run([sys.executable, "-c", LEAVES, parent], check=False)
        assert killed.returncode == -signal.SIGKILL
        assert len(ours(parent) - kept) == 1
        with subprocess.Popen(["sleep", "60"]) as another:
            Groups(parent, (), another.pid).close()
        assert ours(parent) == kept
        assert group_of(server.pid) == "server"
        server.kill()
        server.wait()
        used.close()


DIVIDES = """
import os, subprocess, sys
from pathlib import Path
from arena.host.box.cgroups import move_out_of, tidy

def group(process):
    lines = Path(f"/proc/{process}/cgroup").read_text().splitlines()
    return next(line for line in lines if line.startswith("0::")).rpartition("/")[2]

folder = sys.argv[1]
Path(folder, "cgroup.procs").write_text(str(os.getpid()))
with subprocess.Popen(["sleep", "60"]) as child:
    try:
        move_out_of(folder)
    except OSError as error:
        print(error)
    else:
        print(group(os.getpid()) == group(child.pid) == f"arena-harness-{os.getpid()}")
        print(Path(folder, "cgroup.procs").read_text() == "")
    tidy(folder, os.getpid())
    print(group(os.getpid()) == group(child.pid) == Path(folder).name)
    child.kill()
"""


@pytest.mark.parametrize("with_another", [False, True])
def test_the_harness_leaves_a_group_of_its_own_and_comes_back(parent, with_another):
    if not parent:
        assert not try_groups().controllers
        return
    folder = Path(parent, f"arena-test-{os.getpid()}")
    folder.mkdir()
    try:
        with subprocess.Popen(["sleep", "60"]) as other:
            if with_another:
                Path(folder, "cgroup.procs").write_text(str(other.pid))
            done = subprocess.run(
                [sys.executable, "-c", DIVIDES, str(folder)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            other.kill()
        moved = ["True", "True", "True"]
        refused = [f"{folder} also holds processes that are not the harness's", "True"]
        assert done.stdout.splitlines() == (refused if with_another else moved)
        assert not [path for path in folder.iterdir() if path.is_dir()]
    finally:
        folder.rmdir()
