"""Tournaments in a database of a PostgreSQL server, by the real command line.

Whatever is killed, the results are those of a run into a file that nothing stopped.
"""

from __future__ import annotations

import signal

import pytest
from arena_results.file.addresses import PASSWORDS

from tests.cli.tournament_runs import Place, ServerPlace, check_same, until
from tests.postgres_server import GUEST, PASSWORD, PostgresServer

BOTS = ("slow.py", "optimal", "counter", "random")
RUN = (
    *("tournament", "run", "--format", "swiss", "--rounds", "3", "--games", "20", "--name", "cup"),
    *("--seed", "7", *(word for bot in BOTS for word in ("--bot", bot))),
)
TOTAL = 120
"""Matches of the tournament."""


def make(folder, preloaded, url=""):
    folder.mkdir()
    return ServerPlace(folder, preloaded, url) if url else Place(folder, preloaded)


@pytest.fixture(scope="module")
def whole(preloaded, tmp_path_factory):
    """The tournament in a file, never stopped."""
    place = make(tmp_path_factory.mktemp("whole") / "file", preloaded)
    done = place.process(*RUN)
    assert done.code == 0, done.err
    return place


def shown(place, number=1):
    words = ("show", str(number), "-o", "json")
    return place.arena("tournament", *words).document


@pytest.mark.thorough("three runs of a tournament")
def test_a_run_that_is_killed_and_resumed_has_the_results_of_a_file(
    whole, postgres, preloaded, tmp_path
):
    place = make(tmp_path / "own", preloaded, postgres.new())
    running = place.start(*RUN)
    until(lambda: place.stored() > 10)
    refused = place.arena("tournament", "resume", "1")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert f"is being played by process {running.pid} (" in refused.err
    running.kill()
    running.communicate()
    assert 10 < place.stored() < TOTAL
    resumed = place.process("tournament", "resume", "1")
    assert resumed.code == 0, resumed.err
    check_same(place.outcome(), whole.outcome())
    assert shown(place) == shown(whole)
    for words in (("leaderboard", "-o", "csv"), ("export", "1", "matches")):
        assert place.arena(*words).out == whole.arena(*words).out
    assert place.bundled() == whole.bundled()
    assert place.arena("tournament", "verify", "1").code == 0
    # Bundles travel both ways.
    for source, target in ((place, whole), (whole, place)):
        bundle = str(tmp_path / f"{source.folder.name}.arena")
        assert source.arena("export", "1", "--bundle", bundle).code == 0
        fresh = ("--db", postgres.new() if target is place else str(tmp_path / "fresh.db"))
        assert target.arena("import", bundle, *fresh).code == 0
        assert target.arena("tournament", "verify", "1", *fresh).code == 0


@pytest.mark.thorough("a server of its own that waits for the disk, and two runs")
def test_a_server_that_is_killed_and_started_again_has_what_was_committed(
    whole, preloaded, tmp_path
):
    with PostgresServer("fsync=on") as server:
        place = make(tmp_path / "own", preloaded, server.new())
        running = place.start(*RUN)
        until(lambda: place.stored() > 10)
        server.end(signal.SIGKILL)
        _, err = running.communicate()
        assert running.returncode not in (0, None)
        assert "the connection to the database postgresql://" in err
        assert "Traceback" not in err
        server.start()
        assert 10 < place.stored() < TOTAL
        resumed = place.process("tournament", "resume", "1")
        assert resumed.code == 0, resumed.err
        check_same(place.outcome(), whole.outcome())
        assert place.bundled() == whole.bundled()
        assert place.arena("tournament", "verify", "1").code == 0


@pytest.mark.thorough("two runs of a tournament at once")
def test_two_processes_play_two_tournaments_into_one_database(whole, postgres, preloaded, tmp_path):
    place = make(tmp_path / "own", preloaded, postgres.new())
    both = [place.start(*RUN), place.start(*RUN)]
    for each in both:
        _, err = each.communicate()
        assert each.returncode == 0, err
    for number in (1, 2):
        assert place.bundled(number) == whole.bundled()
        assert place.arena("tournament", "verify", str(number)).code == 0


def test_a_password_is_in_no_message_and_on_no_command_line(
    postgres, tmp_path, preloaded, monkeypatch
):
    monkeypatch.delenv(PASSWORDS, raising=False)
    url = postgres.new()
    name = url.partition("?")[0].rpartition("/")[2]
    with postgres.session(name) as session:
        session.execute(f"GRANT ALL ON SCHEMA public TO {GUEST}")
    secret = url.replace("arena@", f"{GUEST}:p%40ss%20word%2F1@")
    place = make(tmp_path / "own", preloaded, url)
    place.env["ARENA_DB"] = secret
    done = place.arena(*RUN[:-8], "--bot", "random", "--bot", "counter", "--games", "2")
    assert done.code == 0, done.err
    assert f"arena replay 1.1.1.1 --db 'postgresql://{GUEST}@/" in done.out
    for part in ("p%40ss", PASSWORD):
        assert part not in done.out + done.err
    refused = place.arena("tournament", "list", "--db", secret.replace("p%40ss", "wrong"))
    assert refused.code == 2
    assert "password authentication failed" in refused.err
    assert "wrong" not in refused.err
    monkeypatch.delenv(PASSWORDS, raising=False)


def test_what_cannot_be_reached_is_one_line(tmp_path, preloaded):
    place = make(tmp_path / "own", preloaded)
    place.env["ARENA_DB"] = "postgresql://me:secret@127.0.0.1:1/cups"
    for words in (("leaderboard",), RUN, ("serve",), ("db", "upgrade"), ("doctor",)):
        answer = place.arena(*words)
        assert "secret" not in answer.out + answer.err
        if words[0] != "doctor":
            assert answer.code == 2, (words, answer.err)
            assert "cannot reach the database postgresql://me@127.0.0.1:1/cups: C" in answer.err
            assert answer.err.count("\n") == 1


WITHOUT_DRIVER = """
import sys


class Missing:
    def find_spec(self, name, *where):
        if name.partition(".")[0] == "psycopg":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Missing())
"""


def test_without_the_driver_a_line_names_the_extra(tmp_path):
    place = make(tmp_path / "own", None)
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_DRIVER)
    place.env |= {"PYTHONPATH": str(tmp_path), "ARENA_DB": "postgresql://me:secret@host/cups"}
    answer = place.process("tournament", "list")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "arena: a database postgresql://... needs the package psycopg; "
        "install it by: pip install 'arena-harness[postgres]'\n"
    )
