"""Processes apart run what takes much memory; they end when they idle, or the server ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, math, os, signal, sys, time
from arena.core.text import parsing
from arena.core.errors import ArenaError
from arena.web.site import apart

seen = {"numpy": "numpy" in sys.modules}

def wait_for_end(process):
    while True:
        try:
            with open(f"/proc/{process}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.01)

def failing(*request):
    try:
        processes.run(*request)
    except ArenaError as error:
        return f"{type(error).__name__}: {error}"

with apart.Apart() as processes:
    seen["sum"] = processes.run(math.fsum, [1.0, 2.5])
    first = processes.run(os.getpid)
    seen["again"] = processes.run(os.getpid) == first != os.getpid()
    seen["own error"] = failing(parsing.parse_call, "stand(")
    seen["other error"] = failing(math.sqrt, -1)
    os.kill(first, signal.SIGKILL)
    wait_for_end(first)
    seen["after an idle one ended"] = processes.run(math.sqrt, 4)
    seen["ended"] = failing(os._exit, 1)
    last = processes.run(os.getpid)
    os.kill(processes._process, signal.SIGKILL)
    wait_for_end(last)
    seen["without one that forks"] = processes.run(os.getpid) == os.getpid()
with apart.Apart() as processes:
    last = processes.run(os.getpid)
wait_for_end(last)
with apart.Apart(lambda: sys.modules.setdefault("of all forks", sys)) as processes:
    seen["has what was loaded"] = processes.run(eval, "'of all forks' in __import__('sys').modules")
def failing_load():
    raise ValueError
with apart.Apart(failing_load) as processes:
    seen["after a load that failed"] = processes.run(math.sqrt, 4)
apart.IDLE_SECONDS = 1.0
with apart.Apart() as processes:
    wait_for_end(processes.run(os.getpid))
seen["loaded"] = "numpy" in sys.modules
print(json.dumps(seen))
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_processes_apart_answer_and_end_alone():
    command = [sys.executable, "-c", PROGRAM]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    seen = json.loads(run.stdout or "{}")
    own = seen.pop("own error", run.stderr)
    assert own.startswith("ParseError: ")
    assert seen == {
        "numpy": False,
        "sum": 3.5,
        "again": True,
        "other error": "HarnessFault: ValueError: math domain error",
        "ended": "HarnessFault: a process of the site was ended before it answered",
        "after an idle one ended": 2.0,
        "without one that forks": True,
        "has what was loaded": True,
        "after a load that failed": 2.0,
        "loaded": False,
    }
