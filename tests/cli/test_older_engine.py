"""Tournaments of an older version of a game's engine are not resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament
from arena_results.store.store import Store
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.games.sabacc.game import Sabacc
from tests.cli.tournament_runs import Place as Folder

RECORDS = Path(__file__).parents[1] / "games" / "sabacc" / "records"
SEATS = tuple(Participant(name, "1.0", f"{n:064x}") for n, name in enumerate(("ann", "bob")))


def record(version: str) -> MatchRecord:
    """A match of two, marked as one that the engine of that version played."""
    data = json.loads((RECORDS / "2.json").read_text("utf-8"))["a fold nobody needed"]
    made = MatchRecord.from_bytes(bytes.fromhex(data))
    return MatchRecord(
        made.game, made.ruleset, version, made.seed, tuple(who.key for who in SEATS),
        made.loadouts, made.actions, made.outcome,
    )  # fmt: skip


@pytest.fixture
def begun(tmp_path):
    """Stores an unfinished tournament of an engine's version, with its first match."""

    def store(version: str) -> Folder:
        folder, played = Folder(tmp_path), record(version)
        bots = ("random", "target-total")
        spec = TournamentSpec(bots=bots, game=played.game, ruleset=played.ruleset, games=2)
        new = NewTournament(
            name="cup", game=played.game, ruleset=played.ruleset, engine=version,
            format="round-robin", games=2, mirrored=True, rounds=1, seed=7, stake=0, purse=0,
            spec=spec.to_json(),
        )  # fmt: skip

        async def write() -> None:
            with open_database(folder.url) as database:
                writer = Store(database)
                number = await writer.create_tournament(new, [EntryRow(who) for who in SEATS])
                await writer.save_round(number, Round(1, (Pairing((0, 1)),)))
                measured = Measurement((1, 1), (1, 1))
                await writer.sink(number).write([PlayedMatch(MatchKey(1, 1, 1), played, measured)])

        trio.run(write)
        return folder

    return store


def test_a_tournament_of_an_older_engine_is_not_resumed(begun):
    place = begun("1")
    answer = place.arena("tournament", "resume", "1")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(
        "arena: tournament 1 cannot go on: it is played with version 1 of the sabacc engine, and "
        f"this is version {Sabacc.version}; bot ann has changed since the tournament began: it was "
    )
    assert "; bot bob has changed since the tournament began: it was bob@1.0+" in answer.err
    assert answer.err.endswith(
        "; bring that back, or play the field as it is now in a new tournament: "
        f"arena tournament fork 1 --db {place.url}\n"
    )
