"""Fields by pattern, from a file, and of all enabled bots; order, duplicates and bad input."""

from __future__ import annotations

import json
import shutil

import pytest
from arena_results.file.database import open_database
from arena_tournaments.spec.keys import TournamentSpec

import arena as api
from arena.core.errors import BadSpec
from arena.plugins.registry import Registry
from arena.service.answers.errors import Problems
from arena.service.lookup.resolver import BotResolver
from arena.service.setup.field import expanded, is_pattern
from tests.cli.submitting import CAREFUL, command, trust
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")
HOUSE = [bot.name for bot in Registry().bots() if "pazaak" in (bot.games or ("pazaak",))]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A database of team-b, team-a in two versions, and team-c, which is disabled."""
    folder = tmp_path_factory.mktemp("field")
    with pytest.MonkeyPatch.context() as patch:
        trust(patch)
        patch.chdir(folder)
        patch.setattr("sys.dont_write_bytecode", True)
        run = command()
        for name, version in (("b", "1.0"), ("a", "1.0"), ("c", "1.0"), ("a", "1.1")):
            (folder / "careful.py").write_text(CAREFUL.replace("1.0", version))
            assert run("submit", "careful.py", "--name", f"team-{name}").code == 0
        assert run("bots", "disable", "team-c").code == 0
    return folder / "arena.db"


@pytest.fixture
def resolver(made):
    with (
        open_database(f"sqlite:///{made}") as database,
        BotResolver(Registry(), database) as resolver,
    ):
        yield resolver


@pytest.fixture
def field(resolver):
    """The names that the bots of a spec stand for, and what is wrong."""

    def field(*bots, **keys):
        found = Problems()
        return list(expanded(resolver, TournamentSpec(bots=bots, **keys), found).bots), found

    return field


@pytest.fixture
def place(tmp_path, made):
    place = Place(tmp_path)
    shutil.copy(made, place.file)
    return place


def test_a_pattern_is_the_names_of_enabled_bots_in_the_order_of_submission(field):
    assert field("team*") == (["team-b", "team-a"], [])
    assert field("random", "team-?") == (["random", "team-b", "team-a"], [])


def test_a_pattern_of_versions_is_every_enabled_version(field):
    assert field("team-a@*") == (["team-a@1.0", "team-a@1.1"], [])
    assert field("*@1.0") == (["team-b@1.0", "team-a@1.0"], [])


def test_nobody_is_entered_twice_by_patterns(field):
    assert field("team*", "*-a") == (["team-b", "team-a"], [])
    assert field("team*", "team-a@1.1", "random") == (["team-b", "team-a@1.1", "random"], [])
    assert field("team*", "team-a@1.0") == (["team-b", "team-a", "team-a@1.0"], [])


def test_a_star_is_every_bot_of_the_game(field):
    assert field("*") == ([*HOUSE, "team-b", "team-a"], [])
    sabacc, _ = field("*", game="sabacc")
    assert {"target-total", "random"} <= {*sabacc}
    assert not {"counter", "team-a"} & {*sabacc}


def test_a_pattern_that_fits_nobody_is_one_line_with_a_suggestion(field):
    bots, found = field("taem-a*", "random")
    assert bots == ["random"]
    (line,) = found
    assert line.startswith("bots: unknown bot 'taem-a*'; choices: ")
    assert line.endswith("did you mean team-a?")
    assert field("team-c*")[1][0].startswith("bots: bot team-c@1.0 is disabled; to enable it: ")


@pytest.mark.parametrize("spelling", ["stand(at=17)", "a*/b.py", "team* with hard", "x*(at=3)", ""])
def test_spellings_with_more_than_a_name_are_no_patterns(spelling):
    assert not is_pattern(spelling)


def test_a_file_of_bots_is_one_a_line_with_comments(field, tmp_path):
    (tmp_path / "mine.py").write_text(CAREFUL)
    names = tmp_path / "names.txt"
    names.write_text("# the field\nrandom  # plays anything\n\n  stand(at=17)\r\nteam*\nmine.py\n")
    bots, found = field("counter", bots_from=str(names))
    mine = str(tmp_path / "mine.py")
    assert bots == ["counter", "random", "stand(at=17)", "team-b", "team-a", mine]
    assert found == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"# nobody\n\n", "names no bot; write one a line"),
        (b"ran\x1bdom\n", r", line 1: 'ran\x1bdom' cannot be shown"),
        (b"\xff\n", " is not UTF-8 text (byte 0); save it as UTF-8"),
        (b"a" * 1_000_001, " is longer than 1000000 bytes"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_gives_no_field_is_refused_by_its_name(field, tmp_path, data, reason):
    names = tmp_path / "names.txt"
    if data is not None:
        names.write_bytes(data)
    _, (line,) = field(bots_from=str(names))
    assert line.startswith(f"bots_from: {names}")
    assert line.endswith(reason)


@pytest.mark.thorough("a pattern becomes names before anything is stored")
def test_names_are_stored_and_it_is_resumed_without_the_pattern(place):
    (place.folder / "cup.toml").write_text(
        'bots_from = "names.txt"\ngames = 2\nseed = 3\nisolation = "process"\nconcurrency = 1\n'
    )
    (place.folder / "names.txt").write_text("team*\nrandom\n")
    run = place.arena("tournament", "run", "cup.toml", "--pause-after-round", "1")
    assert run.code == 0, run.err
    with api.open_database(place.url) as db:
        spec = json.loads(db.tournament(1).summary.spec)
    assert spec["bots"] == ["team-b@1.0", "team-a@1.1", "random"]
    assert "bots_from" not in spec
    assert place.arena("bots", "disable", "team-b").code == 0
    (place.folder / "names.txt").unlink()
    resumed = place.arena("tournament", "resume", "-o", "json")
    assert {row["name"] for row in resumed.document["standings"]} == {"team-b", "team-a", "random"}


def test_a_field_on_the_command_line_replaces_that_of_the_file(place):
    (place.folder / "cup.toml").write_text('bots_from = "none.txt"\ngames = 2\nseed = 3\n')
    words = ("tournament", "run", "cup.toml", "--bot", "random", "--bot", "stand", "-o", "json")
    names = [row["name"] for row in place.arena(*words).document["standings"]]
    assert sorted(names) == ["random", "stand"]


def test_patterns_and_files_are_arguments_in_python(tmp_path):
    (tmp_path / "names.txt").write_text("stand\n")
    with api.open_database(tmp_path / "cups.db") as db:
        cup = db.run(["rando?"], bots_from=str(tmp_path / "names.txt"), games=2)
        assert sorted(row["name"] for row in cup.standings()) == ["random", "stand"]
        with pytest.raises(BadSpec, match=r"bots: unknown bot 'randem\*'.*; did you mean random"):
            db.run(["randem*", "stand"])
        with pytest.raises(BadSpec, match=r"expected at least two bots, not 1"):
            db.run(["rando?"])


def test_a_match_names_every_bot(place):
    answer = place.arena("match", "team*", "random")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "arena: 'team*': name every bot of a match; patterns are for tournaments\n"
