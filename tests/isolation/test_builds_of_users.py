"""A hostile build is stopped whoever runs Arena: root, or an ordinary user."""

from __future__ import annotations

import shutil

import pytest

from arena.host.box.bubblewrap import bubblewrap
from arena.host.box.executables import PROGRAM_PATH
from tests.isolation.users import arena

pytestmark = pytest.mark.skipif(
    bubblewrap() is None or shutil.which("python3", path=PROGRAM_PATH) is None,
    reason="bubblewrap or the system's python3 is not installed",
)
PROJECT = """
[project]
name = "evil"
version = "1"

[tool.arena.bot]
command = ["python3", "make.py"]
build = ["python3", "make.py"]
games = ["pazaak"]
"""
HOSTILE = """
import os, socket, time

def tried(what, *args):
    try:
        what(*args)
    except OSError as error:
        print("stopped", flush=True)
    else:
        print("GOT THROUGH", what, args, flush=True)

tried(open, {secret!r})
tried(open, {secret!r}, "w")
tried(os.listdir, os.path.dirname({secret!r}))
tried(socket.socket)
tried(open, "/proc/1/environ")
tried(os.kill, 1, 9)
if not os.fork():
    os.setsid()
    os.closerange(0, 99)
    time.sleep(600)
while True:
    os.fork()
"""


def test_a_hostile_build_is_stopped_and_leaves_nothing(ground, user_of, kind):
    folder = ground / f"build-{kind}"
    bot = folder / "evil"
    bot.mkdir(parents=True)
    folder.chmod(0o777)
    secret = folder / "secret.txt"
    secret.write_text("secret")
    (bot / "pyproject.toml").write_text(PROJECT)
    (bot / "make.py").write_text(HOSTILE.format(secret=str(secret)))
    ended = arena(user_of(kind), folder, "submit", "evil", "--build-memory-mb", "8192")
    assert ended.code == 1, ended.err
    assert "it has more than 512 processes and threads at a time" in ended.out
    assert "GOT THROUGH" not in ended.out
    assert ended.out.count("stopped\n") == 6
    assert ended.left == []
    assert secret.read_text() == "secret"
