"""The same tournament in a file and in a database of a server: the same in every byte."""

from __future__ import annotations

import pytest
from arena_results.bundle.importing import copy_tournament
from arena_results.schema.tables import METADATA
from sqlalchemy import select

from arena.service.storage import databases
from tests.cli.tournament_runs import Place

CUPS = {
    "swiss": ("--bot", "counter", "--bot", "random", "--bot", "stand(at=17)", "--stake", "5",
              "--games", "2", "--format", "swiss", "--rounds", "3"),
    "round-robin": ("--game", "sabacc", "--bot", "random", "--bot", "target-total",
                    "--games", "2", "--format", "round-robin"),
    "knockout": ("--bot", "counter", "--bot", "random", "--bot", "stand(at=17)",
                 "--bot", "stand(at=15)", "--games", "2", "--format", "knockout"),
}  # fmt: skip
DOCUMENTS = (
    ("tournament", "show", "1", "-o", "json"),
    ("tournament", "list", "-o", "json"),
    ("leaderboard", "-o", "json"),
    ("matches", "-o", "json"),
    ("replay", "1.1.1.1", "-o", "json"),
    ("export", "1", "matches", "-o", "json"),
)


class ServerPlace(Place):
    """A place whose database is on a server."""

    def __init__(self, folder, url):
        super().__init__(folder)
        self.url = self.env["ARENA_DB"] = url


def rows(url):
    """Returns every row of every table of results as it is read, checksums included."""
    with databases.open_database(url) as database, database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table).order_by(*table.c))]
            for name, table in METADATA.tables.items()
        }


@pytest.mark.thorough("a second for each format", everyday=["knockout"])
@pytest.mark.parametrize("words", CUPS.values(), ids=CUPS)
def test_a_tournament_has_the_same_bytes_in_a_file_and_on_a_server(postgres, tmp_path, words):
    (tmp_path / "file").mkdir()
    (tmp_path / "server").mkdir()
    here = Place(tmp_path / "file")
    there = ServerPlace(tmp_path / "server", postgres.new())
    chains = []
    for place in (here, there):
        run = ("tournament", "run", *words, "--seed", "7", "--concurrency", "1", "--name", "cup")
        done = place.arena(*run)
        assert done.code == 0, done.err
        assert place.arena("tournament", "verify", "1").code == 0
        shown = place.arena("tournament", "show", "1", "-o", "json").document
        chains.append(shown["tournament"]["chain"])
    assert chains[0] == chains[1]

    # Copied to and fro, every row is the same, with its checksum.
    copies = postgres.new(), f"sqlite:///{tmp_path}/back.db"
    for source, target in zip((here.url, *copies), copies, strict=False):
        with (
            databases.open_database(source) as one,
            databases.open_database(target, create=True) as other,
        ):
            assert copy_tournament(one, 1, other) == 1
    assert rows(here.url) == rows(copies[0]) == rows(copies[1])
    (tmp_path / "copy").mkdir()
    copied = ServerPlace(tmp_path / "copy", copies[0])
    for document in DOCUMENTS:
        expected = here.arena(*document)
        assert expected.code == 0, expected.err
        assert copied.arena(*document).out == expected.out
    bundles = []
    for place in (here, copied):
        bundle = place.folder / "cup.arena"
        exported = place.arena("export", "1", "--bundle", str(bundle))
        assert exported.code == 0, exported.err
        bundles.append(bundle.read_bytes())
    assert bundles[0] == bundles[1]
