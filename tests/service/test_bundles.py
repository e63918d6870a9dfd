"""Bundles: a round trip changes nothing, and whatever is not as it was written is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
import trio
from arena_results.boards.leaderboard import leaderboard
from arena_results.bots.submissions import find, submissions
from arena_results.bundle import bundle_reading, importing
from arena_results.bundle.bundle_reading import Bundle
from arena_results.bundle.bundles import EXCHANGES, ROWS, toml_of
from arena_results.file.database import open_database
from arena_results.schema.tables import METADATA
from arena_results.store.exchange_sums import exchange_sums
from arena_results.store.exchanges import exchanges
from arena_results.store.queries import matches, summary, tournament, tournaments

from arena.core.errors import AlteredResults, ArenaError, BadInput, BadStore
from arena.core.record import MatchRecord
from arena.core.text.toml import read_toml
from arena.plugins.registry import Registry
from arena.service.bots.submit import submit
from arena.service.public.exports import TABLES, Results
from arena.service.report.checks.verification import verify_tournament
from arena.service.report.report import stored_report
from arena.service.report.tables.documents import document
from arena.service.storage import databases
from arena.service.storage.bundles import BundleDatabase, export_bundle, import_bundle
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")
EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "thirty_lines.py"
FOLLOW = {
    *("entry", "round", "ruling", "match", "dictionary", "tally", "luck", "season", "place"),
    "exchange",
}
"""Tables with a form of their own in bundles, whose rows follow from the others, or that are about
one database: its leagues, and where its matches were played."""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with a database of a finished tournament of three rounds, one bot submitted."""
    place = Place(tmp_path_factory.mktemp("cup"))
    project = place.folder / "mine"
    project.mkdir()
    shutil.copy(EXAMPLE, project / "bot.py")
    submit(Registry(), place.url, str(project / "bot.py"), name="mine", games=["pazaak"], seed=1)
    bots = ("mine", "counter", "random", "stand(at=17)", "stand(at=15) with hard")
    words = [word for bot in bots for word in ("--bot", bot)]
    more = ("--rounds", "3", "--games", "4", "--concurrency", "1", "--stake", "5")
    answer = place.arena("tournament", "run", "--format", "swiss", *words, *more, "--name", "Cup")
    assert answer.code == 0, answer.err
    with databases.open_database(place.url) as database:
        assert export_bundle(database, 1, place.folder / "cup.arena") == 1
    return place


@pytest.fixture
def bundle(cup):
    return cup.folder / "cup.arena"


LEFT_OUT = (("match",), ("match", "adjusted", "adjusted_se"))


def about(database, number=1):
    """All that a tournament's documents show, but for its number.

    Ratings without luck go by sums that only a database that can be written keeps.
    """
    stored = tournament(database, number)
    shown = document(stored_report(Registry(), stored, database))
    shown["tournament"].pop("id")
    lists = {
        name: [
            {key: value for key, value in row.items() if key not in LEFT_OUT[name == "ratings"]}
            for row in Results(Registry(), database, number, measured=True).table(name).rows
        ]
        for name in TABLES
    }
    records = [(each.key, each.record.to_bytes()) for _, each in matches(database, number)]
    board = [
        msgspec.structs.replace(row, adjusted=None, adjusted_error=None)
        for row in leaderboard(database)
    ]
    return shown, lists, records, board, tournament(database, number, matches=False).field


def test_a_round_trip_gives_the_same_documents_and_the_same_bundle(cup, bundle, tmp_path):
    with (
        databases.open_database(cup.url) as here,
        open_database(f"sqlite:///{tmp_path}/b") as there,
    ):
        imported = import_bundle(there, bundle)
        assert (imported.tournament, imported.bots) == (1, {"mine@1.0": ""})
        assert about(there) == about(here)
        assert summary(there, 1) == summary(here, 1)
        export_bundle(there, 1, tmp_path / "again.arena")
        export_bundle(here, 1, tmp_path / "first.arena")
        verified = verify_tournament(Registry(), there, 1)
        assert (verified.difference, verified.matches) == ("", 24)
        mine = find(there, "mine", disabled_too=True)
        assert mine.status == "disabled"
        assert mine.content == find(here, "mine").content
    assert (tmp_path / "again.arena").read_bytes() == bundle.read_bytes()
    assert (tmp_path / "first.arena").read_bytes() == bundle.read_bytes()


def test_a_bundle_is_opened_as_a_database_that_can_only_be_read(cup, bundle):
    with databases.open_database(cup.url) as here:
        expected = about(here)
    with databases.open_database(f"sqlite:///{bundle}") as database:
        scratch = database.place.path.parent
        assert about(database) == expected
        assert (
            verify_tournament(Registry(), database, 1).chain == expected[0]["tournament"]["chain"]
        )
        with pytest.raises(BadStore, match=r"is a bundle.*arena import"), database.writing():
            pass
    assert not scratch.exists()


async def test_a_bundle_is_opened_within_a_loop_too(bundle):
    with databases.open_database(f"sqlite:///{bundle}") as database:
        assert summary(database, 1).name == "Cup"


def test_importing_twice_is_refused_by_name_also_after_renaming(cup, bundle, tmp_path):
    with open_database(f"sqlite:///{tmp_path}/b") as there:
        import_bundle(there, bundle)
        with pytest.raises(BadInput, match=r"cup\.arena: it is in this database.* 1: Cup$"):
            import_bundle(there, bundle)
    with databases.open_database(cup.url) as here, pytest.raises(BadInput, match="1: Cup"):
        import_bundle(here, bundle)


def test_a_deleted_tournament_can_be_imported_again(bundle, tmp_path):
    from arena_results.store.organising import delete_tournament

    with open_database(f"sqlite:///{tmp_path}/b") as there:
        import_bundle(there, bundle)
        delete_tournament(there, 1)
        assert import_bundle(there, bundle).tournament == 2
        assert verify_tournament(Registry(), there, 2).difference == ""


@pytest.mark.thorough("a bundle makes its round trip every day")
def test_another_bot_of_that_version_stays_and_the_tournament_is_imported(bundle, tmp_path):
    (tmp_path / "bot.py").write_text(EXAMPLE.read_text() + "\n# another\n")
    url = f"sqlite:///{tmp_path}/b"
    submit(Registry(), url, str(tmp_path / "bot.py"), name="mine", games=["pazaak"], seed=1)
    with open_database(url) as there:
        before = submissions(there)
        imported = import_bundle(there, bundle)
        assert imported.bots == {"mine@1.0": "another bot of that name and version is there"}
        assert submissions(there) == before
        assert tournament(there, 1, matches=False).field[0].participant.name == "mine"


def test_an_unfinished_tournament_is_no_bundle_and_its_key_stays_a_secret(tmp_path):
    place = Place(tmp_path)
    run = ("tournament", "run", "--bot", "random", "--bot", "counter", "--rounds", "2")
    assert place.arena(*run, "--games", "2", "--pause-after-round", "1").code == 0
    answer = place.arena("export", "1", "--bundle", "cup.arena")
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    assert "tournament 1 is interrupted; only a finished one can be bundled" in answer.err
    assert answer.err.endswith(f"; to finish it: arena tournament resume 1 --db {place.url}\n")
    assert not [*tmp_path.glob("*.arena*")]
    assert not [*tmp_path.glob(".*.part")]


def test_every_table_of_a_tournament_travels_or_follows():
    owned = {name for name, table in METADATA.tables.items() if "tournament_id" in table.c}
    assert owned - FOLLOW == {*ROWS}


def test_the_members_are_those_of_the_page_and_have_no_times(bundle):
    with zipfile.ZipFile(bundle) as packed:
        assert packed.namelist() == [
            *("tournament.json", "tournament.toml", "field.json", "rounds.json"),
            *(f"matches/0000{number}.frames" for number in (1, 2, 3)),
            *("bots/001.json", "bots/001.zip", "manifest.json"),
        ]
        assert {each.date_time for each in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        manifest = json.loads(packed.read("manifest.json"))
        for name, expected in manifest["members"].items():
            assert sha256(packed.read(name)).hexdigest() == expected["sha256"]
        keys = read_toml(packed.read("tournament.toml"))
        assert keys["name"] == "Cup"
        assert keys["bots"][0] == "mine"


def test_toml_of_any_keys_is_read_back():
    keys = {
        "name": 'a"b\\c\x7f\n\u00e9\U0001f600',
        "options": {"a b": True, "n": 1.5},
        "stages": [{"format": "swiss", "take": 4}],
        "bots": [],
    }
    assert read_toml(toml_of(keys).encode()) == keys


# What is not as it was written


def members(bundle):
    with zipfile.ZipFile(bundle) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def rewritten(path, content, *, manifest=True):
    """Writes members; with a manifest that fits them, as a forger would."""
    if manifest:
        listed = {
            name: {"bytes": len(data), "sha256": sha256(data).hexdigest()}
            for name, data in content.items()
            if name != "manifest.json"
        }
        top = json.loads(content["manifest.json"]) | {"members": listed}
        content = content | {"manifest.json": json.dumps(top).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in content.items():
            packed.writestr(name, data)
    return path


def opened(path):
    with BundleDatabase(path) as database:
        return verify_tournament(Registry(), database, 1).difference


def refused(path, error, says):
    with pytest.raises(error) as caught:
        opened(path)
    message = str(caught.value)
    assert "\n" not in message
    assert says in message
    assert path.name in message


@pytest.mark.parametrize(
    "name",
    [
        *("tournament.json", "tournament.toml", "field.json", "rounds.json"),
        *("matches/00002.frames", "bots/001.json", "bots/001.zip"),
    ],
)
def test_an_edited_or_missing_member_is_named(bundle, tmp_path, name):
    content = members(bundle)
    edited = content | {name: content[name][:-2] + b"!}"}
    path = rewritten(tmp_path / "a.arena", edited, manifest=False)
    refused(path, AlteredResults, f"{name} is not what the manifest says")
    del content[name]
    refused(rewritten(path, content, manifest=False), AlteredResults, f"{name} is missing")


def test_a_member_that_the_manifest_does_not_list_is_named(bundle, tmp_path):
    content = members(bundle) | {"bots/002.zip": b"x"}
    path = rewritten(tmp_path / "a.arena", content, manifest=False)
    refused(path, AlteredResults, "bots/002.zip is not in the manifest")


def frames(data):
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        yield msgspec.msgpack.decode(data[4:end])
        data = data[end:]


def packed_frames(rows):
    return b"".join(
        len(data).to_bytes(4, "big") + data for data in map(msgspec.msgpack.encode, rows)
    )


def other_winner(row):
    record = MatchRecord.from_bytes(row[2])
    outcome = msgspec.structs.replace(record.outcome, returns=record.outcome.returns[::-1])
    return [*row[:2], msgspec.structs.replace(record, outcome=outcome).to_bytes(), row[3]]


FORGED = {
    "another winner": (
        lambda rows: [other_winner(rows[0]), *rows[1:]],
        "the head of its chain is not that",
    ),
    "a match left out": (lambda rows: rows[1:], "the head of its chain is not that"),
    "a match twice": (lambda rows: [*rows, other_winner(rows[0])], "with another record"),
    "a match of no pairing": (
        lambda rows: [[9, 1, *rows[0][2:]], *rows[1:]],
        "the head of its chain is not that",
    ),
    "a record that is none": (
        lambda rows: [[1, 1, b"x", rows[0][3]]],
        "holds something other than a match",
    ),
    "a match that is none": (lambda rows: [7], "holds something other than a match"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_forged_matches_under_a_manifest_that_fits_are_found(bundle, tmp_path, forgery):
    change, says = FORGED[forgery]
    content = members(bundle)
    name = "matches/00002.frames"
    content[name] = packed_frames(change([*frames(content[name])]))
    refused(rewritten(tmp_path / "a.arena", content), AlteredResults, says)


def with_keys(bundle, path, **change):
    """Writes a copy with other values in ``tournament.json``, and a manifest that fits."""
    content = members(bundle)
    about = json.loads(content["tournament.json"])
    content["tournament.json"] = json.dumps(about | change).encode()
    return rewritten(path, content)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"commitment": "0" * 64}, "its key and nonce do not give its commitment"),
        ({"commitment": "x"}, "its key and nonce do not give its commitment"),
        ({"commitment": None}, "its key was drawn, and the commitment to it is missing"),
        ({"key": "0" * 32}, "its key and nonce do not give its commitment"),
        ({"key": None}, "it needs a key or a seed, not both"),
        ({"key": "x"}, "its key is not 32 hexadecimal digits"),
        ({"nonce": "x"}, "its nonce is not 32 hexadecimal digits"),
        ({"nonce": "0" * 30}, "its nonce is not 32 hexadecimal digits"),
        ({"nonce": None}, "its key was drawn, and the commitment to it is missing"),
        ({"seed": 7}, "it needs a key or a seed, not both"),
        ({"seed": -1, "key": None}, "its seed is not a number from 0 to 2**63-1"),
        ({"seed": 2**63, "key": None}, "its seed is not a number from 0 to 2**63-1"),
        ({"seed": 7, "key": None}, "its origin is drawn key, and it has none"),
        ({"seed_origin": "open seed"}, "its origin is open seed, and it has none"),
        ({"seed_origin": "given key"}, "its origin is given key, and it has a nonce or a commit"),
    ],
    ids=str,
)
@pytest.mark.thorough(
    "other forgeries",
    everyday=["*its key and nonce do not*", "*has not either*", "*its key was drawn*"],
)
def test_a_forged_key_is_refused_wherever_the_bundle_is_used(bundle, tmp_path, change, says):
    path = with_keys(bundle, tmp_path / "a.arena", **change)
    place = Place(tmp_path)
    for words in (
        ("tournament", "show", "1", "--db", path),
        ("tournament", "show", "1", "-o", "json", "--db", path),
        ("tournament", "verify", path),
        ("import", path),
    ):
        answer = place.arena(*map(str, words))
        assert (answer.code, answer.out) == (1, ""), words
        assert answer.err.startswith(f"arena: {path}: tournament.json is not what was written: ")
        assert says in answer.err
        assert answer.err.count("\n") == 1
    with open_database(place.url) as database:
        assert tournaments(database) == ()
        assert import_bundle(database, bundle).tournament == 1


def test_the_report_of_a_bundle_suggests_commands_that_read_the_bundle(bundle, tmp_path):
    place = Place(tmp_path)
    lines = place.arena("tournament", "show", "1", "--db", bundle).out.splitlines()
    (replay,) = [line for line in lines if line.startswith("Replay a match: arena ")]
    assert replay.endswith(f" --db sqlite:///{bundle}")
    assert place.arena(*replay.partition("arena ")[2].split()).code == 0


def test_errors_of_an_open_bundle_name_the_bundle(bundle):
    with BundleDatabase(bundle) as database:
        with pytest.raises(BadStore) as caught, database.reading():
            raise ValueError("no number")
        assert str(caught.value) == f"the database {bundle} is damaged: no number"


def test_importing_one_without_a_name_twice_says_its_number_alone(bundle, tmp_path):
    path = with_keys(bundle, tmp_path / "a.arena", name="")
    with open_database(f"sqlite:///{tmp_path}/b") as there:
        import_bundle(there, path)
        with pytest.raises(BadInput, match=r"in this database already, as tournament 1$"):
            import_bundle(there, path)


def test_a_value_function_that_was_not_fixed_is_refused(bundle, tmp_path):
    path = rewritten(tmp_path / "a.arena", members(bundle) | {"value_function.values": b"x"})
    refused(path, AlteredResults, "value_function.values is not what was written: expected a value")


def test_a_bot_with_other_files_is_named(bundle, tmp_path):
    from arena.plugins.submissions.archives import packed

    content = members(bundle) | {"bots/001.zip": packed({"bot.py": b"pass\n"})}
    path = rewritten(tmp_path / "a.arena", content)
    refused(path, AlteredResults, "bot mine@1.0")


def test_a_newer_version_says_so(bundle, tmp_path):
    content = members(bundle)
    content["manifest.json"] = json.dumps({"format": "arena bundle", "version": 3}).encode()
    path = rewritten(tmp_path / "a.arena", content, manifest=False)
    refused(path, BadStore, "was written by a newer arena: its version is 3, and this one")


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "matches/..\\x.frames", "a\x1b.json"])
def test_names_that_no_bundle_has_are_refused(bundle, tmp_path, name):
    path = rewritten(tmp_path / "a.arena", members(bundle) | {name: b"x"})
    refused(path, BadStore, "no bundle has a member of that name")


def test_a_zip_bomb_is_refused_by_name(bundle, tmp_path):
    content = members(bundle) | {"matches/00002.frames": bytes(50_000_000)}
    path = rewritten(tmp_path / "a.arena", content)
    assert path.stat().st_size < 200_000
    refused(path, BadStore, "matches/00002.frames cannot be read: it is packed tighter")


def test_members_have_a_greatest_length(bundle, monkeypatch):
    monkeypatch.setattr(bundle_reading, "MAX_BYTES", 1000)
    refused(bundle, BadStore, "it is longer than 1000 bytes")


def test_a_frame_that_is_cut_is_named(bundle, tmp_path):
    content = members(bundle)
    content["matches/00001.frames"] = content["matches/00001.frames"][:-5]
    path = rewritten(tmp_path / "a.arena", content)
    refused(path, BadStore, "matches/00001.frames cannot be read: it ends within a match")


def test_a_truncated_file_is_refused_wherever_it_is_cut(bundle, tmp_path):
    data = bundle.read_bytes()
    path = tmp_path / "a.arena"
    for length in (0, 3, 100, len(data) // 2, len(data) - 30, len(data) - 1):
        path.write_bytes(data[:length])
        refused(path, BadStore, "cannot be read")


def test_flipped_bytes_are_refused_in_one_line(bundle, tmp_path):
    data = bytearray(bundle.read_bytes())
    path = tmp_path / "a.arena"
    for place in range(0, len(data), 97):
        data[place] ^= 0x55
        path.write_bytes(data)
        data[place] ^= 0x55
        message = ""
        try:
            Bundle(path).__exit__()
        except ArenaError as error:
            message = str(error)
        assert not message or str(path) in message
        assert "\n" not in message


def test_another_zip_archive_is_no_bundle(tmp_path):
    path = tmp_path / "a.arena"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("tournament.json", "{}")
    refused(path, BadStore, "expected a bundle of arena export; it has no manifest.json")


def test_rows_that_travel_as_they_are_stored(cup, bundle, tmp_path):
    content = members(bundle)
    row = {"round": 1, "pairing": 1, "leg": 1, "attempt": 1, "cause": "harness fault"}
    row |= {"offender": None, "reason": "a worker died", "at": "2026-01-01 00:00:00.000000"}
    content["rows/void.jsonl"] = json.dumps(row).encode() + b"\n"
    path = rewritten(tmp_path / "a.arena", content)
    with open_database(f"sqlite:///{tmp_path}/b") as there:
        import_bundle(there, path)
        assert [each.reason for each in tournament(there, 1).void] == ["a worker died"]
        export_bundle(there, 1, tmp_path / "again.arena")
    again = members(tmp_path / "again.arena")["rows/void.jsonl"]
    assert json.loads(again) == row
    for edited, says in ((b'{"round": 1}', "has not these columns"), (b"7\n", "is not what was")):
        content["rows/void.jsonl"] = edited
        refused(rewritten(path, content), AlteredResults, f"rows/void.jsonl {says}")


ASKED = (
    b'{"round":1,"pairing":1,"leg":1,"seat":1,"decision":1,"attempt":1,"digest":"AAEC",'
    b'"replaced":0,"entrant":0,"status":200,"milliseconds":500,"prompt_tokens":1000,'
    b'"cached_tokens":null,"completion_tokens":10,"cost":10000,"finish":"stop",'
    b'"reading":"illegal","action":"\\u001b[31m","played_for":true}\n'
)


def with_exchange(bundle, path, old=b"", new=b""):
    content = members(bundle) | {EXCHANGES: ASKED.replace(old, new) if old else ASKED}
    return rewritten(path, content)


def test_what_endpoints_were_asked_travels_without_control_characters(bundle, tmp_path):
    with BundleDatabase(with_exchange(bundle, tmp_path / "a.arena")) as database:
        (found,) = exchange_sums(database, 1).values()
        (asked,) = exchanges(database, 1)
    assert (found.illegal, found.played_for, found.cost) == (1, 1, 0.01)
    assert (asked.exchange.question.digest, asked.exchange.asked) == (b"\0\1\2", b"")
    assert "\x1b" not in asked.exchange.action


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"entrant":0', b'"entrant":9'),
        (b'"entrant":0', b'"entrant":true'),
        (b'"played_for":true', b'"played_for":7'),
        (b'"prompt_tokens":1000', b'"prompt_tokens":-1'),
        (b'"milliseconds":500', b'"milliseconds":2147483648'),
        (b'"seat":1', b'"place":1'),
        (ASKED, 2 * ASKED),
    ],
)
def test_exchanges_that_nobody_wrote_are_refused(bundle, tmp_path, old, new):
    path = with_exchange(bundle, tmp_path / "a.arena", old, new)
    refused(path, AlteredResults, f"{EXCHANGES} is not what was written: ")


def test_rulings_travel(tmp_path):
    place = Place(tmp_path)
    bots = ("--bot", "random", "--bot", "counter", "--bot", "stand(at=17)", "--bot", "stand(at=15)")
    run = ("tournament", "run", "--format", "swiss", "--rounds", "3", "--games", "2", *bots)
    assert place.arena(*run, "--pause-after-round", "1").code == 0
    assert place.arena("tournament", "add", "1", "stand(at=16)").code == 0
    assert place.arena("tournament", "withdraw", "1", "random").code == 0
    assert place.arena("tournament", "resume", "1").code == 0
    with databases.open_database(place.url) as here, open_database(f"sqlite:///{tmp_path}/b") as to:
        export_bundle(here, 1, tmp_path / "cup.arena")
        import_bundle(to, tmp_path / "cup.arena")
        assert about(to) == about(here)
        assert len(tournament(to, 1).rulings) == 2
        assert verify_tournament(Registry(), to, 1).difference == ""
        export_bundle(to, 1, tmp_path / "again.arena")
    assert (tmp_path / "again.arena").read_bytes() == (tmp_path / "cup.arena").read_bytes()


def test_a_failed_import_leaves_nothing(bundle, tmp_path, monkeypatch):
    def fail(connection, table, **key):
        raise sqlite3.OperationalError("disk full")

    with open_database(f"sqlite:///{tmp_path}/b") as there:
        with monkeypatch.context() as patched, BundleDatabase(bundle) as source:
            patched.setattr(importing, "stamp", fail)
            with pytest.raises(BadStore, match="failed: disk full"):
                importing.copy_tournament(source, 1, there)
        with closing(sqlite3.connect(tmp_path / "b")) as file:
            assert file.execute("SELECT count(*) FROM tournament").fetchone() == (0,)
        assert import_bundle(there, bundle).tournament == 1


def test_matches_are_loaded_some_at_a_time(bundle, tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 5)
    with open_database(f"sqlite:///{tmp_path}/b") as there:
        with Bundle(bundle) as read:
            trio.run(importing.load_bundle, read, there)
        assert verify_tournament(Registry(), there, 1).difference == ""
