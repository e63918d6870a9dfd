"""The key of an endpoint stands in its variable and the header of requests: nowhere else."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from arena_results.file.database import open_database
from arena_results.store.logs import match_logs
from rich.console import Console
from rich.traceback import Traceback

from arena.core.errors import EndpointFailed
from arena.core.record import MatchKey
from arena.host.endpoints.client import EndpointClient, open_clients
from arena.plugins.endpoints.spec import Endpoint
from tests.cli.tournament_runs import alive, until
from tests.endpoints.runs import kept, place_with
from tests.endpoints.served import served

KEY = "sk-sesame-0123456789"
WORDS = ("gpt.toml", "stand", "--games", "8", "--seed", "7")
BOT = """
import os
from arena import Bot

class Curious(Bot):
    def act(self, observation):
        print(sorted(os.environ.items()))
        return observation.legal_actions[0]
"""


@pytest.fixture(scope="module")
def locked():
    with served("--key", KEY) as running:
        yield running


@pytest.fixture
def place(locked, preloaded, tmp_path):
    place = place_with(tmp_path / "place", locked.url, preloaded, key_env="GPT_KEY")
    place.env["GPT_KEY"] = KEY
    return place


def descendants(process):
    """The processes that a process has started, and these."""
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdecimal():
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                if parent == str(process):
                    yield folder
                    yield from descendants(folder.name)


def test_what_a_tournament_stores_shows_and_exports_has_no_key(place):
    (place.folder / "curious.py").write_text(BOT)
    words = ("match", "gpt.toml", "curious.py", "--games", "4", "--seed", "7", "--all-logs")
    shown = [place.process(*words)]
    assert shown[0].code == 0, shown[0].err
    assert {each.answer.status for each in kept(place)} == {200}
    for words in (
        ("tournament", "show", "1", "-o", "json"),
        ("tournament", "show", "1", "--details"),
        ("transcripts", "show", "1", "-o", "jsonl"),
        ("replay", "1.1.1.1", "--transcripts"),
        ("export", "1", "--bundle", "all.arena"),
        ("leaderboard", "-o", "json"),
    ):
        shown.append(place.arena(*words))
        assert shown[-1].code == 0, shown[-1].err
    assert all(KEY not in each.out + each.err for each in shown)
    files = [path for path in place.folder.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"results.db", "all.arena"}
    assert all(KEY.encode() not in path.read_bytes() for path in files)
    texts = [each.asked + each.answer.body for each in kept(place)]
    with zipfile.ZipFile(place.folder / "all.arena") as bundle:
        texts += [bundle.read(name) for name in bundle.namelist()]
    with open_database(place.url) as database:
        logs = match_logs(database, 1, MatchKey(1, 1, 1))
    assert any("PYTHONHASHSEED" in log.text for log in logs)
    texts += [log.text.encode() for log in logs]
    assert all(KEY.encode() not in each for each in texts)


def test_a_refused_key_is_not_repeated(place, locked):
    """The endpoint repeats it in its answer."""
    place.env["GPT_KEY"] = "sk-wrong-0123456789"
    refused = place.arena("match", *WORDS)
    assert (refused.code, "HTTP 401" in refused.err) == (2, True)
    assert "sk-" not in refused.out + refused.err


async def test_a_traceback_with_all_values_has_no_key(monkeypatch):
    """Neither of a failure, nor of a mistake of ours in the client."""

    def broken(self, body):
        raise RuntimeError("a mistake")

    async def asked(url):
        endpoint = Endpoint(url=url, model="stand", key_env="GPT_KEY")
        async with open_clients([endpoint], {"GPT_KEY": KEY}) as (client,):
            await client.send(b"{}")

    nobody = "http://127.0.0.1:9/v1/chat/completions"
    with pytest.raises(EndpointFailed) as failed:
        await asked(nobody)
    monkeypatch.setattr(EndpointClient, "_exchange", broken)
    with pytest.raises((RuntimeError, BaseExceptionGroup)) as wrong:
        await asked(nobody)
    monkeypatch.setattr("arena.host.endpoints.client._pool", broken)
    with pytest.raises(TypeError) as opening:
        await asked(nobody)
    for error in (failed.value, wrong.value, opening.value):
        text = io.StringIO()
        found = Traceback.from_exception(
            type(error), error, error.__traceback__, show_locals=True, locals_max_string=None
        )
        Console(file=text, width=300).print(found)
        own = [line for line in text.getvalue().splitlines() if "GPT_KEY':" not in line]
        assert KEY not in "\n".join(own)


def test_processes_of_bots_have_no_key(place, locked):
    """Nor is it in a command line: only the harness has it."""
    (place.folder / "curious.py").write_text(BOT)
    locked.control(delay=0.3)
    before = locked.stats()["requests"]
    run = place.start("match", "gpt.toml", "curious.py", "--games", "40", "--seed", "7")
    until(lambda: locked.stats()["requests"] > before + 5)
    found = []
    for folder in descendants(run.pid):
        with suppress(OSError):
            found += [(folder / name).read_bytes() for name in ("environ", "cmdline")]
    found.append(Path(f"/proc/{run.pid}/cmdline").read_bytes())
    run.kill()
    run.communicate()
    until(lambda: alive(run.pid) == [])
    locked.control(delay=0)
    assert len(found) > 2
    assert all(KEY.encode() not in each for each in found)
