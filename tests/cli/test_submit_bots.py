"""Submitted bots afterwards: listed, shown, exported, switched, entered by name, and rated."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from pathlib import Path

import msgspec
import pytest
import trio
from arena_results.bots.submissions import NewSubmission, add, find
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store

from arena.core.errors import BadInput, BadPlugin, BadStore, UnknownName
from arena.core.outcome import Outcome
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.plugins.hashing import named_content
from arena.plugins.registry import Registry
from arena.plugins.submissions.archives import packed
from arena.service.lookup.resolver import BotResolver
from arena.service.run.run import begin, reopen
from arena.service.setup.resolve import resolve
from tests.cli.submitting import CAREFUL, Command, command, trust

pytestmark = pytest.mark.usefixtures("shallow_search")


@pytest.fixture(scope="module")
def submitted(tmp_path_factory) -> Path:
    """A database that was made once: careful in two versions, sharp in one."""
    folder = tmp_path_factory.mktemp("submitted")
    with pytest.MonkeyPatch.context() as patch:
        trust(patch)
        patch.chdir(folder)
        patch.setattr("sys.dont_write_bytecode", True)
        run = command()
        for version in ("1.0", "1.1"):
            (folder / "careful.py").write_text(CAREFUL.replace("1.0", version))
            assert run("submit", "careful.py").code == 0
        assert run("submit", "careful.py", "--name", "sharp").code == 0
    return folder / "arena.db"


@pytest.fixture
def arena(monkeypatch, tmp_path, submitted) -> Command:
    """The command line in a folder with a copy of that database."""
    shutil.copy(submitted, tmp_path)
    monkeypatch.chdir(tmp_path)
    return command()


@pytest.fixture
def database(arena, tmp_path):
    with open_database(f"sqlite:///{tmp_path}/arena.db") as database:
        yield database


def rate(database, games: dict[str, int]) -> None:
    """Stores a tournament for each version of careful: so many matches, all won."""

    async def store() -> None:
        writer = Store(database)
        for version, count in games.items():
            stored = find(database, "careful", version, disabled_too=True)
            field = [
                Participant("careful", version, stored.content),
                Participant("random", "0.1.0", "f" * 12),
            ]
            new = NewTournament(
                name="cup", game="pazaak", ruleset="standard", engine="1", format="round-robin",
                games=count, mirrored=True, rounds=1, seed=7,
            )  # fmt: skip
            cup = await writer.create_tournament(new, [EntryRow(each) for each in field])
            await writer.save_round(cup, Round(1, (Pairing((0, 1)),)))
            keys = tuple(each.key for each in field)
            outcome = Outcome((1.0, -1.0), (3, 0))
            record = MatchRecord("pazaak", "standard", "1", 1, keys, (b"", b""), b"", outcome)
            nothing = Measurement((0, 0), (0, 0))
            legs = [PlayedMatch(MatchKey(1, 1, leg + 1), record, nothing) for leg in range(count)]
            await writer.sink(cup).write(legs)

    trio.run(store)


def test_submitted_bots_are_listed_after_the_others(arena):
    lines = arena("bots").out.splitlines()
    heads = lines[0].split("  ")
    careful = next(line for line in lines if line.startswith(" careful "))
    assert [each.strip() for each in heads if each][:4] == ["bot", "version", "games", "from"]
    assert careful.split() == ["careful", "1.1", "pazaak", "submitted", "yes", "1.0"]
    assert max(map(len, lines)) <= 160
    rows = {row["name"]: row for row in json.loads(arena("bots", "list", "-o", "json").out)}
    assert (rows["careful"]["kind"], rows["careful"]["versions"]) == ("submitted", ["1.0", "1.1"])
    assert (rows["stand"]["kind"], rows["stand"]["status"]) == ("house", "enabled")
    lines = list(csv.DictReader(arena("bots", "-o", "csv").out.splitlines()))
    assert {line["name"]: line["versions"] for line in lines}["careful"] == "1.0 1.1"


def test_no_bots_are_listed_if_the_database_cannot_be_read(arena, tmp_path):
    (tmp_path / "other.db").write_text("no database")
    answer = arena("bots", "--db", "sqlite:///other.db", "-o", "json")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("arena: other.db is not a SQLite")


def test_without_a_database_there_are_the_others_and_none_is_made(arena, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    for words in (("bots",), ("bots", "show", "stand")):
        answer = arena(*words)
        assert (answer.code, answer.err) == (0, "")
    assert arena("bots", "show", "careful").code == 2
    assert not list((tmp_path / "empty").iterdir())


def test_a_bot_is_shown_with_versions_qualification_and_ratings(arena, database):
    rate(database, {"1.0": 4, "1.1": 2})
    out = arena("bots", "show", "careful").out
    assert "author         Ann\n" in out
    assert "licence        MIT\n" in out
    assert "Qualification of 1.1\n" in out
    assert max(map(len, out.splitlines())) <= 80
    document = json.loads(arena("bots", "show", "careful@1.0", "-o", "json").out)
    assert (document["version"], document["author"]) == ("1.0", "Ann")
    assert [each["version"] for each in document["versions"]] == ["1.0", "1.1"]
    assert document["report"]["pazaak"]["against"]["random"]["matches"] == 20
    ratings = {each["version"]: each["games"] for each in document["ratings"]}
    assert ratings == {"1.0": 4, "1.1": 2}
    assert document["changes"] == []


@pytest.mark.parametrize("columns", ["80", "120"])
def test_versions_form_and_opponents_are_shown(arena, database, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    rate(database, {"1.0": 4, "1.1": 2})
    lines = [line.strip() for line in arena("bots", "show", "careful").out.splitlines()]
    verdict = lines[lines.index("Better than the last version?") + 3].split()
    assert verdict == ["1.1", "1.0", "not", "yet", "known", "?", "?", "2", "1100"]
    assert lines[lines.index("Opponents") + 3].split() == ["random", "6", "6-0-0", "100.0%"]
    assert "form: W W W W W W, newest right" in lines
    assert "What to look at next: nothing stands out in 6 matches" in lines
    document = json.loads(arena("bots", "show", "careful", "-o", "json").out)
    assert [each["verdict"] for each in document["changes"]] == ["not yet known"]
    assert document["recent"]["form"] == "WWWWWW"


def test_house_bots_can_be_shown_too(arena, database):
    rate(database, {"1.0": 4})
    document = json.loads(arena("bots", "show", "random", "-o", "json").out)
    assert (document["kind"], document["games"]) == ("house", [])
    assert [each["games"] for each in document["ratings"]] == [4]
    assert "the house" not in arena("bots", "show", "random").out


def test_unknown_bots_and_versions_name_the_choices(arena):
    answer = arena("bots", "show", "bold")
    assert answer.code == 2
    assert "unknown bot 'bold'; choices: careful, " in answer.err
    assert "unknown version '9' of bot careful; choices: 1.0, 1.1" in (
        arena("bots", "show", "careful@9").err
    )
    assert "unknown version '9' of bot stand" in arena("bots", "show", "stand@9").err


def test_what_was_submitted_is_exported_byte_for_byte(arena, tmp_path):
    answer = arena("bots", "show", "careful@1.0", "--source", "out")
    assert (answer.code, answer.out) == (0, "careful@1.0: 1 file in out\n")
    assert (tmp_path / "out" / "careful.py").read_text() == CAREFUL
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["careful.py"]
    again = arena("bots", "show", "careful", "--source", "out")
    assert (again.code, again.err) == (
        2,
        "arena: out is not empty; nothing was written, choose another folder\n",
    )
    house = arena("bots", "show", "stand", "--source", "house")
    assert house.code == 2
    assert "no bot stand was submitted, so there is no source of it" in house.err


def test_versions_and_whole_bots_are_disabled_and_enabled(arena, database, resolver):
    assert arena("bots", "disable", "careful@1.1").out == "careful@1.1 is disabled\n"
    assert resolver.find("careful").participant.version == "1.0"
    assert arena("bots", "disable", "careful").out == "careful@1.0 is disabled\n"
    assert "nothing was changed" in arena("bots", "disable", "careful").out
    with pytest.raises(
        BadInput, match="careful is disabled; to enable it: arena bots enable caref"
    ):
        resolver.find("careful")
    assert " disabled " in next(
        line for line in arena("bots").out.splitlines() if line.startswith(" careful ")
    )
    assert arena("bots", "enable", "careful").out == (
        "careful@1.0 is enabled\ncareful@1.1 is enabled\n"
    )
    answer = arena("bots", "disable", "bold")
    assert (answer.code, answer.err) == (
        2,
        "arena: unknown submitted bot 'bold'; choices: careful, sharp\n",
    )


@pytest.fixture
def resolver(database, tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "run"))
    with BotResolver(Registry(), database) as resolver:
        yield resolver


def test_a_submitted_bot_is_entered_by_its_name(resolver, tmp_path):
    source = resolver.find("careful")
    assert (source.kind, source.participant.version) == ("submitted", "1.1")
    folder = source.modules["careful"]
    assert folder.startswith(f"{tmp_path}/run/")
    assert not source.trusted
    old = resolver.find("careful@1.0(at=4)")
    assert old.participant.name == "careful(at=4)"
    assert (old.participant.version, old.parameters) == ("1.0", {"at": 4})
    assert resolver.find("careful@1.1(at=5)").modules == source.modules
    assert old.modules != source.modules
    assert resolver.find("stand(at=17)").kind == "house"
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        resolver.find("path/to/file.py")
    with pytest.raises(UnknownName, match=r"choices: .*careful.*, sharp"):
        resolver.find("bold")
    with pytest.raises(UnknownName, match=r"choices: 1\.0, 1\.1"):
        resolver.find("careful@2")


def test_what_is_allowed_can_be_imported_and_nothing_else_is_required(database, resolver):
    assert "numpy" in resolver.find("sharp", allow=["numpy"]).modules
    stored = find(database, "sharp")
    fields = {name: getattr(stored, name) for name in NewSubmission.__struct_fields__}
    needy = NewSubmission(**fields | {"name": "needy", "requires": ("numpy",)})
    add(database, needy, b"")
    with pytest.raises(BadPlugin, match="needy requires numpy, which is not allowed"):
        resolver.find("needy")


def test_files_that_are_not_what_was_submitted_are_refused(database, resolver):
    stored = find(database, "sharp")
    fields = {name: getattr(stored, name) for name in NewSubmission.__struct_fields__}
    from arena.plugins.submissions.archives import packed

    add(
        database,
        msgspec.structs.replace(NewSubmission(**fields), name="forged"),
        packed({"careful.py": b"import os"}),
    )
    with pytest.raises(BadStore, match=r"files of bot forged@1\.1 .* differ from those submitted"):
        resolver.find("forged")


def test_the_leaderboard_shows_the_latest_version_and_those_before_it(arena, database):
    rate(database, {"1.1": 4, "1.0": 2})
    lines = arena("leaderboard").out.splitlines()
    (careful,) = (line for line in lines if " careful " in line)
    assert careful.split()[1:3] == ["careful", "1.1"]
    assert careful.split()[-2] == "1.0"
    assert "earlier versions" in "".join(lines)
    assert max(len(line) for line in lines if line.startswith(" ")) <= 100
    every = arena("leaderboard", "--all-versions").out
    assert sum(" careful " in line for line in every.splitlines()) == 2
    assert "earlier versions" not in every
    rows = json.loads(arena("leaderboard", "-o", "json").out)
    assert {row["name"]: row["history"] for row in rows} == {"careful": ["1.0"], "random": []}
    assert [row["rank"] for row in rows] == [1, 2]


def test_hidden_files_of_an_older_submission_are_not_written(arena, database, tmp_path):
    files = {"old.py": b"x = 1\n", ".git/config": b"[core]\nfsmonitor = id\n"}
    new = NewSubmission(
        name="old", version="1", content=named_content(files), games=("pazaak",),
        language="python", target="old:Old", deterministic=True,
    )  # fmt: skip
    add(database, new, packed(files))
    answer = arena("bots", "show", "old", "--source", "out")
    assert answer.code == 0
    assert answer.out == "old@1: 1 file in out\n"
    assert "1 hidden file not written, the first is .git/config" in answer.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["old.py"]


def test_a_disabled_bot_plays_on_with_a_warning_when_resumed(database, arena):
    registry, warnings = Registry(), []
    with BotResolver(registry, database) as resolver:
        keys = {"bots": ["careful", "random"], "isolation": "process"}
        run = trio.run(begin, database, resolve(resolver, keys, "here"))
    assert arena("bots", "disable", "careful").code == 0
    with BotResolver(registry, database, resumes=run.number) as resolver:
        again = reopen(resolver, run.stored, warnings.append)
        assert [bot.participant.name for bot in again.resolved.bots] == ["careful", "random"]
    assert any("careful@1.1 is disabled; it plays on in tournament" in line for line in warnings)
