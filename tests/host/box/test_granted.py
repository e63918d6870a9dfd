"""Paths that may be granted to a bot's process, and paths that never may."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena.host.box.granted import check_granted
from arena.host.box.paths import interpreter_paths, stdlib_paths

EXISTING = [
    path
    for path in ("/", "/etc", "/etc/passwd", "/etc/ssh", "/home", "/tmp", "/var/tmp", "/usr",
                 "/usr/lib", "/root", "/proc", "/proc/self", "/proc/1/environ", "/sys", "/dev",
                 "/dev/shm", "/dev/tty", "/run", "/var", "/lib")
    if os.path.exists(path)
]  # fmt: skip


@pytest.mark.parametrize("path", EXISTING)
def test_folders_of_the_system_and_of_users_are_never_granted(path):
    with pytest.raises(OSError, match=f"^{path} may not be read by a bot"):
        check_granted([path])


def test_the_files_that_programs_need_may_be_granted(tmp_path):
    for command in ([sys.executable], ["/usr/bin/env"]):
        read, execute = interpreter_paths(command)
        check_granted((*stdlib_paths(), *read, str(tmp_path)), execute, [os.path.expanduser("~")])


def test_a_link_to_a_closed_path_is_refused_like_it(tmp_path):
    link = tmp_path / "own"
    link.symlink_to("/etc")
    with pytest.raises(OSError, match="setting of the system"):
        check_granted([str(link)])


def test_a_folder_that_holds_the_database_or_anothers_file_is_not_granted(tmp_path):
    Path(tmp_path, "own").mkdir()
    for name in ("arena.db", "rival.py"):
        file = tmp_path / name
        file.touch()
        check_granted([f"{tmp_path}/own", f"{tmp_path}/"], (), [str(file)])
        for path in (tmp_path, file, tmp_path / "own" / ".." / name):
            with pytest.raises(OSError, match=f"{name} is there"):
                check_granted([str(path)], (), [str(file)])


def test_a_folder_is_never_executed(tmp_path):
    with pytest.raises(OSError, match="expected a regular file"):
        check_granted([], [str(tmp_path)])
