"""A box made by bubblewrap holds what was named and nothing else."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from arena.host.box.bubblewrap import boxed_command, bubblewrap
from arena.host.box.paths import stdlib_paths
from tests.host.box.box_children import BARE

pytestmark = pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed")


def boxed(code: str, *read: str, **options: object) -> subprocess.CompletedProcess[str]:
    argv = boxed_command([sys.executable, *BARE, "-c", code], (*stdlib_paths(), *read))
    return subprocess.run(argv, capture_output=True, text=True, timeout=300, check=True, **options)  # type: ignore[call-overload]


def test_only_what_was_named_exists(tmp_path):
    for name in ("own/bot.py", "rival/bot.py", "few/one", "few/two", "few/three", "many/one"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "many/two").mkdir()
    (tmp_path / "many/two/deep").touch()
    code = f"""
import json, os
place = {str(tmp_path)!r}
found = {{path: sorted(files) for path, _, files in os.walk(place)}}
print(json.dumps({{path.removeprefix(place): files for path, files in found.items()}}))
"""
    named = [f"{tmp_path}/{name}" for name in ("own", "few/", "few/one", "many/", "many/one")]
    assert json.loads(boxed(code, *named).stdout) == {
        "": [],
        "/own": ["bot.py"],
        "/few": ["one"],
        "/many": ["one"],
        "/many/two": [],
    }


def test_installed_packages_are_not_there():
    site = Path(os.__file__).parent / "site-packages"
    if not site.is_dir():
        pytest.skip(f"{site} does not exist")
    code = f"import os; print(os.listdir({str(site)!r}))"
    assert boxed(code).stdout == "[]\n"


def test_processes_network_and_home_are_not_there():
    code = """
import os, socket
print(os.getpid() < 9, os.path.exists("/proc"), os.path.exists("/home"), os.path.exists("/var"))
print(len(socket.if_nameindex()) <= 1, sorted(os.listdir("/dev")))
"""
    assert boxed(code).stdout.splitlines() == [
        "True False False False",
        "True ['null', 'random', 'urandom']",
    ]


def test_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("kept")
    code = f"""
import os
site = os.path.join(os.path.dirname(os.__file__), "site-packages")
for folder in ("/", "/dev", "/etc", {str(tmp_path)!r}, os.path.dirname(os.__file__), site):
    try:
        open(folder + "/file", "w")
    except OSError as error:
        continue
    print("wrote into", folder)
print("x", file=open("/dev/null", "w"))
"""
    assert boxed(code, str(tmp_path)).stdout == ""
    assert (tmp_path / "file").read_text() == "kept"


def test_environment_is_bare():
    code = "import os; print(sorted(set(os.environ) - {'LC_CTYPE', 'PWD'}), hash('x'))"
    twice = {boxed(code, env={**os.environ, "SECRET": "x"}).stdout for _ in range(2)}
    assert len(twice) == 1
    assert twice.pop().startswith("['PYTHONHASHSEED'] ")


def test_descriptors_stay_open_and_close_with_it():
    reader, writer = os.pipe()
    boxed(f"import os; os.write({writer}, b'hello')", pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        assert stream.read() == b"hello"


def test_it_dies_with_the_harness():
    reader, writer = os.pipe()
    code = f"import os, time; os.write({writer}, b'x'); time.sleep(60)"
    argv = boxed_command([sys.executable, *BARE, "-c", code], stdlib_paths())
    middle = f"import subprocess; subprocess.run({argv!r}, pass_fds=[{writer}])"
    with subprocess.Popen([sys.executable, "-c", middle], pass_fds=[writer]) as parent:
        os.close(writer)
        assert os.read(reader, 1) == b"x"
        parent.kill()
    # The pipe's end is known when all who could write are gone.
    assert select.select([reader], [], [], 20)[0]
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_missing_bubblewrap_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"bubblewrap \(bwrap\) is not installed"):
        boxed_command([sys.executable], [])
