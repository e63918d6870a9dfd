"""A league from an upload to the leaderboard, through stops; real bots, real confinement."""

from __future__ import annotations

import io
import json
import resource
import sqlite3
import sys
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
import trio
from arena_results.bots.seasons import seasons
from arena_results.bots.submissions import SubmissionStatus, set_status, submissions
from arena_results.bots.uploads import (
    ATTEMPTS,
    WAITING,
    UploadLimits,
    UploadState,
    begin_again,
    receive,
    take_next,
    uploads,
)
from arena_results.file.database import open_database
from arena_results.file.runner_lock import LeagueLock, RunnerLock
from arena_results.schema.rows import Status
from arena_results.store.queries import tournament
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import BadInput, BadSpec, BadStore, HarnessFault
from arena.host.box.bubblewrap import bubblewrap
from arena.plugins.registry import Registry
from arena.service.league import league_queue
from arena.service.league import read_process as upload_reader
from arena.service.league import run as league_module
from arena.service.league.league_file import NOT_OF_A_LEAGUE, LeagueLimits, LeagueSpec, read_league
from arena.service.league.qualify_process import UploadJob, qualify_upload
from arena.service.league.read_process import SentFile
from arena.service.league.run import LeagueRun, Unobserved, check_league
from arena.service.run import run as runs

pytestmark = pytest.mark.usefixtures("shallow_search", "uploads_as_forks")
BOT = """
from arena import Bot

__version__ = "{version}"
__author__ = "Somebody Else"


class Newcomer(Bot):
    def act(self, observation):
        end_turn, stand, *_ = observation.legal_actions
        return stand if observation.total >= {at} else end_turn
"""
LIMITS = UploadLimits(100, 100)
PATIENCE = 120


@pytest.fixture
def database(tmp_path):
    with open_database(f"sqlite:///{tmp_path / 'league.db'}", create=True) as opened:
        yield opened


def league(**changes):
    values = {
        "name": "Cantina",
        "house": ("stand(at=17)", "random"),
        "tournament": TournamentSpec(format_options={"within": 1000.0}, games=4, concurrency=1),
    }
    return LeagueSpec(**values | changes)


def code(version="1", at=16):
    return BOT.format(version=version, at=at).encode()


def send(database, content, file="newcomer.py", author="Ann"):
    return receive(database, author, file, content, LIMITS, datetime.now(UTC))


async def play_until(database, spec, over, observer=None):
    """Runs a league until ``over`` holds of the tournament of its season and the uploads."""

    def now():
        season = [each for each in seasons(database, spec.name) if each.number == spec.season]
        return bool(season) and over(
            tournament(database, season[0].tournament_id, matches=False), uploads(database)
        )

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(LeagueRun(Registry(), database, spec, observer).run)
            while not await trio.to_thread.run_sync(now):
                await trio.sleep(0.2)
            nursery.cancel_scope.cancel()


class Lines(Unobserved):
    def __init__(self):
        self.lines = []

    def changed(self, line):
        self.lines.append(line)


def met(stored, name):
    """The number of pairings of an entrant that are paired and finished."""
    index = stored.names.index(name) if name in stored.names else -1
    return sum(
        index in pairing.seats
        for past, head in zip(stored.rounds, stored.heads, strict=True)
        for pairing in past.pairings
        if head
    )


async def test_an_upload_qualifies_plays_and_its_next_version_replaces_it(database):
    spec, seen = league(), Lines()
    send(database, code())
    await play_until(database, spec, lambda cup, _: met(cup, "newcomer"), seen)
    (upload,) = uploads(database)
    assert (upload.state, upload.bot, upload.ran) == ("entered", "newcomer@1", True)
    assert upload.text.endswith("newcomer 1 is entered")
    assert "by Ann" in upload.text
    (bot,) = submissions(database)
    assert bot.author == "Ann"
    await play_until(
        database, spec, lambda cup, _: cup.summary.status is Status.WAITING and cup.summary.matches
    )

    send(database, code("2", at=17))
    await play_until(database, spec, lambda cup, _: met(cup, "newcomer@2"), seen)
    assert [each.status for each in submissions(database)] == ["disabled", "enabled"]
    last = seen.lines[-2:]
    assert sorted(last) == ["newcomer@1 leaves", "newcomer@2 enters"]

    finished = seasons(database, "Cantina")[0].tournament_id
    set_status(database, "newcomer", "2", SubmissionStatus.DISABLED)
    await play_until(database, league(season=2), lambda cup, _: cup.heads and cup.heads[0], seen)
    assert tournament(database, finished).summary.status is Status.FINISHED
    one, two = seasons(database, "Cantina")
    assert (one.number, two.number) == (1, 2)
    assert tournament(database, two.tournament_id, matches=False).names == (
        "stand(at=17)",
        "random",
    )
    with pytest.raises(BadInput, match="season 2 of Cantina has begun"):
        await LeagueRun(Registry(), database, spec).run()


async def test_one_that_was_cut_off_goes_on_and_none_is_doubled(database):
    spec = league()
    send(database, code())
    taken, content = take_next(database, datetime.now(UTC), 9)  # and the program is killed
    job = UploadJob(
        url=database.url, number=1, spec=spec, author="Ann", file=taken.file, content=content
    )
    await trio.to_thread.run_sync(qualify_upload, job)  # killed after it was entered
    assert uploads(database)[0].state is UploadState.QUALIFYING
    await play_until(database, spec, lambda _, sent: sent[0].state is UploadState.ENTERED)
    assert len(submissions(database)) == 1
    assert "is in the registry already" in uploads(database)[0].text


async def test_a_second_league_on_a_database_is_refused_and_changes_nothing(database):
    send(database, code())
    taken, _ = take_next(database, datetime.now(UTC), 9)  # the first one qualifies it
    with LeagueLock(database):
        for spec in (league(), league(name="Another")):  # they would have one queue
            with pytest.raises(BadStore, match=r"the league of .* is being run by process \d+ "):
                await LeagueRun(Registry(), database, spec).run()
    assert uploads(database) == (taken,)
    assert seasons(database) == ()


async def test_while_a_command_plays_the_season_the_league_says_so_and_waits(database):
    spec, seen = (
        league(
            tournament=TournamentSpec(format_options={"within": 1000.0}, games=2, concurrency=1)
        ),
        Lines(),
    )

    def is_busy(cup, _):
        return any("tournament 1 of" in line for line in seen.lines)

    await play_until(database, spec, lambda *_: True)
    with RunnerLock(database, 1):
        await play_until(database, spec, is_busy, seen)
    (line,) = seen.lines
    assert "is being played by process" in line
    await play_until(database, spec, lambda cup, _: cup.summary.status is Status.WAITING)


async def test_a_league_goes_on_after_another_process_has_locked_its_database(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("arena_results.file.files.BUSY_SECONDS", 0.1)
    file, seen = tmp_path / "league.db", Lines()

    def over(cup, found):
        if not seen.lines[1:] and not locked.in_transaction:
            locked.execute("BEGIN IMMEDIATE")  # the first look at the tournament
        elif locked.in_transaction and any("is locked by" in line for line in seen.lines):
            locked.execute("ROLLBACK")
        return met(cup, "newcomer")

    with (
        open_database(f"sqlite:///{file}", create=True) as opened,
        closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as locked,
    ):
        send(opened, code())
        await play_until(opened, league(), over, seen)
        (upload,) = uploads(opened)
        assert (upload.state, upload.bot) == ("entered", "newcomer@1")


@pytest.fixture
def spawned_uploads(monkeypatch):
    """Has submissions be decided in a process that is started for each, as a league does."""
    monkeypatch.setattr(league_queue, "trio", trio)


@pytest.mark.usefixtures("spawned_uploads")
async def test_a_league_goes_on_after_the_machine_failed_it(database, monkeypatch):
    class NoPython:
        asked = 0

        @property
        def executable(self):
            self.asked += 1
            return "/no/python" if self.asked <= 2 * ATTEMPTS else sys.executable

    async def fails_at_first(*args):
        if failures:
            raise HarnessFault(failures.pop(0))
        await play(*args)

    play, seen, failures = runs.play, Lines(), ["a match was void 4 times", "its server ended"]
    monkeypatch.setattr(league_module, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(runs, "play", fails_at_first)
    monkeypatch.setattr(league_queue, "sys", NoPython())
    send(database, code())
    await play_until(database, league(), lambda cup, _: met(cup, "newcomer"), seen)
    for line in (
        "a match was void 4 times",
        "its server ended",
        "its qualification: no process can be started: No such file or directory",
    ):
        assert seen.lines.count(line) == 1
    (upload,) = uploads(database)
    assert (upload.state, upload.bot, upload.attempts) == ("entered", "newcomer@1", 1)


@pytest.mark.thorough("the test before enters one that was cut off", everyday=["False"])
@pytest.mark.usefixtures("spawned_uploads")
@pytest.mark.parametrize("in_store", [True, False])
async def test_one_that_was_cut_off_too_often_has_failed_unless_it_was_entered(database, in_store):
    spec = league()
    send(database, code())
    for _ in range(ATTEMPTS):  # and the program is killed each time
        begin_again(database, datetime.now(UTC))
        taken, content = take_next(database, datetime.now(UTC), 9)
    if in_store:
        job = UploadJob(
            url=database.url, number=1, spec=spec, author="Ann", file=taken.file, content=content
        )
        await trio.to_thread.run_sync(qualify_upload, job)
    await play_until(database, spec, lambda _, sent: sent[0].state not in WAITING)
    (upload,) = uploads(database)
    assert upload.state == ("entered" if in_store else "failed")
    assert upload.bot == ("newcomer@1" if in_store else "")
    assert len(submissions(database)) == in_store
    reason = (
        "newcomer@1 is in the registry" if in_store else "was cut off 3 times; ask the organiser"
    )
    assert reason in upload.text


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


NINE = {f"{number}.txt": b"" for number in range(9)}


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("newcomer.py", b"x=", "bot file newcomer.py is not valid Python: invalid syntax"),
        ("../../newcomer.py", b"x=", "bot file newcomer.py is not valid Python"),
        ("bot.zip", b"PK\x03\x04", "bot.zip"),
        ("bot.zip", packed({"newcomer.py": code(), **NINE}), "10 files; at most 8 are allowed"),
        ("bot.zip", packed({"newcomer.py": code(), "data": b"#" * 2_000_000}), "at most 1 MB"),
        ("stand.py", code(), "stand"),
    ],
)
def test_what_cannot_be_read_or_is_not_allowed_is_refused_before_it_runs(
    database, file, content, reason
):
    spec = league(limits=LeagueLimits(files=8, unpacked_mb=1))
    job = UploadJob(url=database.url, number=1, spec=spec, author="Ann", file=file, content=content)
    decision = qualify_upload(job)
    assert (decision.state, decision.ran, decision.bot) == ("refused", False, "")
    assert reason in decision.text
    assert "/" not in decision.text.replace("and/or", "")
    assert submissions(database) == ()


BUILT = b"""
[project]
name = "newcomer"
version = "1"
[tool.arena.bot]
command = ["./bot"]
build = ["sh", "-c", "echo $PWD: no bot today; exit 3"]
"""


@pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize("cut_off", [0, 3])
def test_a_failed_build_counts_as_a_run_and_its_author_reads_why(database, cut_off):
    content = packed({"pyproject.toml": BUILT})
    job = UploadJob(
        url=database.url, number=1, spec=league(), author="Ann", file="bot.zip", content=content,
        cut_off=cut_off,
    )  # fmt: skip
    decision = qualify_upload(job)
    assert (decision.ran, decision.bot) == (True, "")
    if cut_off:  # it is not tried again and again
        assert decision.state == "failed"
        assert "was cut off 3 times; ask the organiser" in decision.text
        return
    assert decision.state == "refused"
    assert "ended with exit code 3\n" in decision.text
    assert "bot: no bot today\nnewcomer 1 was NOT entered" in decision.text
    assert "no bot today" in decision.document


def test_the_process_that_only_reads_a_submission_has_little_memory(monkeypatch, capsys):
    sent = msgspec.msgpack.encode(SentFile(file="a.py", content=code()))
    limits = []
    monkeypatch.setattr(upload_reader.resource, "setrlimit", lambda *limit: limits.append(limit))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(sent)))
    upload_reader.main()
    assert json.loads(capsys.readouterr().out)["name"] == "a"
    seconds = upload_reader.READ_CPU_SECONDS
    assert limits == [
        (resource.RLIMIT_AS, (upload_reader.READ_BYTES,) * 2),
        (resource.RLIMIT_CPU, (seconds, seconds + 1)),
    ]


def test_a_name_belongs_to_its_author_and_an_author_has_so_many_bots(database):
    def sent(author, file, limit=1):
        spec = league(limits=LeagueLimits(enabled=limit))
        return qualify_upload(
            UploadJob(
                url=database.url, number=1, spec=spec, author=author, file=file, content=code()
            )
        )

    assert sent("Ann", "newcomer.py").state == "entered"
    taken = sent("Bob", "newcomer.py")
    assert taken.text == "the name newcomer belongs to Ann; choose another"
    more = sent("Ann", "another.py")
    assert "Ann has 1 bots that play, as many as are allowed: newcomer" in more.text
    assert [each.name for each in submissions(database)] == ["newcomer"]


def written(folder: Path, text: str) -> Path:
    path = folder / "league.toml"
    path.write_text(text)
    return path


def test_a_league_file_is_read(tmp_path):
    text = """
    name = "Cantina"
    house = ["stand(at=17)", "random"]
    [tournament]
    decision_seconds = 0.5
    memory_mb = 128
    [anchors]
    "stand(at=17)" = 1500
    [limits]
    day = 4
    """
    spec = read_league(written(tmp_path, text))
    assert (spec.title, spec.anchors) == ("Cantina, season 1", {"stand(at=17)": 1500.0})
    assert (spec.limits.day, spec.limits.waiting, spec.limits.uploads.day) == (4, 3, 4)
    assert spec.submission_keys == {
        "decision_seconds": 0.5, "memory_mb": 128, "require": "confined",
    }  # fmt: skip
    assert spec.keys(("random",)) == {
        **spec.submission_keys, "name": "Cantina, season 1", "format": "league", "bots": ["random"],
    }  # fmt: skip


def test_a_league_has_the_defaults_of_a_tournament(tmp_path):
    spec = read_league(written(tmp_path, 'name = "Cantina"\nhouse = ["stand", "random"]\n'))
    assert spec.tournament == TournamentSpec()
    assert spec.submission_keys == {"require": "confined"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("decision_seconds = 5\n", "decision_seconds: belongs in the table [tournament]"),
        ('game = "pazaak"\n', "game: belongs in the table [tournament]"),
        ("tournament = 3\n", "tournament: expected a table"),
        ("[tournament]\nmemory = 64\n", "tournament.memory: no such key; the keys are adjuste"),
        (
            "[tournament]\nformat_options = {seed = 3}\n",
            "tournament.seed: no such key; the keys are adjusted",
        ),
        ("[tournament]\nmemory_mb = 1\n", "tournament.memory_mb: expected a whole number >= 64"),
        (
            "[tournament]\nbots = ['random']\n",
            "tournament.bots: a season has the authors' bots and t",
        ),
        ("[tournament]\nformat = 'swiss'\n", "tournament.format: a season has the format league"),
        ("[tournament]\nkey = 'x'\n", "tournament.key: a season draws a key of its own"),
        ("[tournament]\ntrust = ['x']\n", "tournament.trust: no submitted bot runs with your"),
        ("[tournament]\nrequire = 'process'\n", "tournament.require: a league needs confined or"),
    ],
)
def test_what_is_wrong_with_the_tournament_of_a_league_is_named(tmp_path, text, problem):
    with pytest.raises(BadSpec) as error:
        read_league(written(tmp_path, f'name = "L"\nhouse = ["stand", "random"]\n{text}'))
    assert len(error.value.problems) == 1
    assert error.value.problems[0].startswith(problem)


def test_an_unknown_key_of_a_league_is_offered_only_keys_that_fit(tmp_path):
    text = 'name = "L"\nhouse = ["stand", "random"]\n[tournament]\nties = "challenger"\n'
    with pytest.raises(BadSpec) as error:
        read_league(written(tmp_path, text))
    (problem,) = error.value.problems
    offered = set(problem.partition("the keys are ")[2].partition(";")[0].split(", "))
    assert {"within", "confidence", "games"} <= offered
    assert not offered & {*NOT_OF_A_LEAGUE, "format_options"}


def test_the_name_of_a_league_can_be_shown(tmp_path):
    text = 'name = "a\\nb"\nhouse = ["stand", "random"]\n'
    with pytest.raises(BadSpec, match=r"name: 'a\\nb' holds a character that cannot be shown"):
        read_league(written(tmp_path, text))


def test_everything_that_is_wrong_with_a_league_file_is_named_at_once(tmp_path):
    text = 'house = ["random"]\nseson = 2\n[tournament]\nwithin = 0\n[limits]\nday = "x"\n'
    text += "[anchors]\ncounter = 1\nrandom = nan\n"
    with pytest.raises(BadSpec) as error:
        read_league(written(tmp_path, text))
    found = [problem.partition(":")[0] for problem in error.value.problems]
    assert sorted(found) == [
        "anchors",
        "anchors",
        "house",
        "limits.day",
        "name",
        "seson",
        "tournament.within",
    ]
    assert (
        "anchors: random: expected a rating from -10000 to 10000, not nan" in error.value.problems
    )
    with pytest.raises(BadInput, match=r"cannot read .*: No such file"):
        read_league(tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("conuter", r"unknown bot 'conuter'; choices: .*; did you mean counter\?"),
        ("stand(att=17)", r"unknown parameter 'att' of bot .*; choices: at; did you mean at\?"),
        ("target-total", "target-total plays sabacc, not pazaak"),
        ("random", "random is entered twice; "),
    ],
)
def test_a_league_whose_house_bot_cannot_play_does_not_begin(bot, problem):
    with pytest.raises(BadSpec, match=rf"^Cantina: house: {problem}") as error:
        check_league(Registry(), league(house=("stand", "random", bot)))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "pinned"),
    [
        ("", {"stand": None, "random": None}),
        ("[anchors]\n", {}),
        ("[anchors]\nrandom = 9\n", {"random": 9.0}),
    ],
    ids=["no table", "an empty one", "one"],
)
def test_a_league_pins_the_mean_of_house_bots_or_its_anchors(tmp_path, table, pinned):
    text = f'name = "Cantina"\nhouse = ["stand", "random"]\n{table}'
    assert read_league(written(tmp_path, text)).pinned == pinned


def test_a_league_names_an_executor_that_does_not_exist():
    wrong = msgspec.structs.replace(league().tournament, executor="grid(a=1)")
    with pytest.raises(BadSpec, match=r"tournament\.executor: unknown executor 'grid'"):
        check_league(Registry(), league(tournament=wrong))
