"""The same tournaments in a file and on a PostgreSQL server: no document and no byte differs."""

from __future__ import annotations

import shlex
from itertools import pairwise

import pytest
from arena_results.bundle.importing import copy_tournament
from arena_results.file.database import open_database
from arena_results.schema.tables import METADATA
from sqlalchemy import select

from tests.cli.test_void_matches import ENDS_ITS_WORKER
from tests.cli.tournament_runs import Place, ServerPlace

PAZAAK = ("--bot", "random", "--bot", "counter", "--bot", "ender.py")
SABACC = (
    "--game",
    "sabacc",
    *("--bot", "random", "--bot", "target-total", "--bot", "exact-drawer"),
)
SEED = ("--seed", "7", "--concurrency", "1", "--trust", "ender")
STEPS = (
    ("tournament", "run", *PAZAAK, "--games", "4", *SEED),
    ("tournament", "run", *SABACC, "--format", "tables", "--seats", "3", "--games", "3", *SEED),
    (
        *("tournament", "run", *PAZAAK, "--bot", "stand(at=15)", "--bot", "stand(at=18)"),
        *("--format", "swiss", "--rounds", "4", "--games", "2", *SEED),
        *("--bye", "counter | 3", "--pause-after-round", "1"),
    ),
    ("tournament", "withdraw", "3", "random"),
    ("tournament", "add", "3", "stand(at=12)", "--missed-points", "0.5"),
    ("tournament", "bye", "3", "stand(at=18)"),
    ("tournament", "disqualify", "3", "ender", "--reason", "too slow"),
    ("tournament", "resume", "3"),
)
"""A round robin in mirrored games, one at tables, and a Swiss with rulings; in the first and the
third, a worker ends and its match is played again."""
NUMBERS = ("1", "2", "3")
SEALED = [
    table
    for table in METADATA.sorted_tables
    if "checksum" in table.c and table.name != "ruling"  # has the time of its import
]


def play(place):
    (place.folder / "ender.py").write_text(ENDS_ITS_WORKER)
    for words in STEPS:
        if words[1] == "run":
            (place.folder / "ender.mark").unlink(missing_ok=True)
        answer = place.arena(*words)
        assert answer.code == 0, (words, answer.err)
    return place


@pytest.fixture(scope="module")
def places(tmp_path_factory, started_postgres):
    """A file and a database of a server into which the same was played."""
    folders = [tmp_path_factory.mktemp(kind) for kind in ("file", "server")]
    return (play(Place(folders[0])), play(ServerPlace(folders[1], None, started_postgres().new())))


def answers(place, number, *more):
    """Everything that is shown of a tournament, without the address of the database."""
    option = ("-o", "json")
    words = [
        *(("tournament", verb, number, *option) for verb in ("show", "losses", "verify")),
        *(("leaderboard", *option), ("leaderboard", "--rating", "elo", "-o", "csv")),
        ("matches", number, *option),
        *(("export", number, what, *option) for what in ("matches", "decisions", "standings")),
        *(("export", number, what, *option) for what in ("pairings", "ratings", "logs")),
        ("tournament", "show", number),
        ("tournament", "list", *option),
        ("replay", f"{number}.1.1.1", *option),
    ]
    for each in words:
        answer = place.arena(*each, *more)
        assert answer.code == 0, (each, answer.err)
        yield each, answer.out.replace(shlex.quote(place.url), "DB").replace(place.url, "DB")


@pytest.mark.parametrize("number", NUMBERS)
def test_what_is_shown_of_a_tournament_is_the_same(places, number):
    for one, other in zip(*(answers(place, number) for place in places), strict=True):
        assert one == other


def test_void_matches_and_rulings_are_there_to_be_compared(places):
    for place in places:
        with open_database(place.url) as database, database.reading() as connection:
            tables = METADATA.tables
            assert len(connection.execute(select(tables["void"])).all()) >= 2
            assert len(connection.execute(select(tables["ruling"])).all()) == 5


def checksums(url):
    with open_database(url) as database, database.reading() as connection:
        found = {
            table.name: connection.execute(
                select(table.c.checksum).order_by(*table.primary_key)
            ).all()
            for table in SEALED
        }
    assert all(found[name] for name in ("tournament", "entry", "round", "match", "tally"))
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_bundles_of_each_are_read_by_both_to_the_byte(places, number, postgres, tmp_path):
    for place in places:
        bundle = tmp_path / f"{place.folder.name}.arena"
        assert place.arena("export", number, "--bundle", str(bundle)).code == 0
        urls = f"sqlite:///{tmp_path}/{place.folder.name}.db", postgres.filled()
        for index, url in enumerate(urls):
            there = ("--db", url)
            imported = place.arena("import", str(bundle), *there)
            assert imported.code == 0, imported.err
            assert place.arena("tournament", "verify", "1", *there).code == 0
            again = tmp_path / f"{index}.arena"
            again.unlink(missing_ok=True)
            assert place.arena("export", "1", "--bundle", str(again), *there).code == 0
        assert (tmp_path / "0.arena").read_bytes() == (tmp_path / "1.arena").read_bytes()
        assert checksums(urls[0]) == checksums(urls[1])


def rows(url):
    """Every row of every table of results as it is read, checksums included."""
    with open_database(url) as database, database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table).order_by(*table.c))]
            for name, table in METADATA.tables.items()
        }


def test_a_tournament_that_is_copied_to_a_server_and_back_keeps_every_row(
    places, postgres, tmp_path
):
    urls = f"sqlite:///{tmp_path}/one.db", postgres.filled(), f"sqlite:///{tmp_path}/two.db"
    for source, target in pairwise((places[0].url, *urls)):
        with open_database(source) as one, open_database(target) as other:
            assert copy_tournament(one, 3 if one.url == places[0].url else 1, other) == 1
    assert rows(urls[0]) == rows(urls[1]) == rows(urls[2])
