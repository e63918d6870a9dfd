"""A lack of processes or threads is reported in one line, and is no bot's loss."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from pathlib import Path

import pytest

from tests.isolation.users import PATH

NOBODY_ELSES = 54_321
"""A user who has no processes, where this is root; else they are counted, and none may come."""
pytestmark = [pytest.mark.serial] if os.geteuid() else []
BOT = """
from arena import Bot

class Mine(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""
RUN = (
    *("tournament", "run", "--bot", "mine.py", "--bot", "random", "--games", "8"),
    *("--isolation", "confined", "-o", "json"),
)


def threads_of(user: int) -> int:
    """The kernel's count for this user against RLIMIT_NPROC."""
    count = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if folder.stat().st_uid == user:
                count += len(os.listdir(folder / "task"))
        except OSError:
            continue
    return count


@pytest.mark.parametrize("spare", [1, 2, 4, 5, 6, 8, 9, 11])
@pytest.mark.thorough("tests/cli/test_streams_and_limits.py lacks other resources")
def test_a_lack_of_processes_at_any_moment_is_one_line(ground, user_of, spare):
    user = NOBODY_ELSES if os.geteuid() == 0 else os.geteuid()
    most = spare if os.geteuid() == 0 else spare + threads_of(user)
    folder = ground / f"few-{spare}"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "mine.py").write_text(BOT)
    account = {"user": user, "group": user, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [user_of("user").python, "-P", "-c", "from arena.cli.app import main; main()", *RUN],
        cwd=folder,
        env={"HOME": str(folder), "PATH": PATH},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **account,
    )
    assert "Traceback" not in done.stderr, done.stderr
    if done.returncode == 0:
        assert json.loads(done.stdout)["tournament"]["status"] == "finished"
    else:
        assert done.returncode in (1, 2)
        assert done.stderr.splitlines()[-1].startswith("arena: ")
