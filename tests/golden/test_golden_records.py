"""Records of every ruleset, mode and fault replay byte for byte, also under later versions."""

from __future__ import annotations

import json

import pytest

from arena.core.record import MatchRecord
from arena.match.replay import FAULTS, verify
from tests.golden.cases import FOLDER, GAMES, cases

FILES = {path.stem: path for path in sorted(FOLDER.glob("*.jsonl"))}
LINES = {
    f"{stem}: {line['case']}": (stem, line)
    for stem, path in FILES.items()
    for line in map(json.loads, path.read_text().splitlines())
}


@pytest.mark.parametrize("name", LINES)
def test_a_golden_record_is_executed_again_byte_for_byte(name):
    stem, line = LINES[name]
    record = MatchRecord.from_bytes(bytes.fromhex(line["record"]))
    assert record.to_bytes().hex() == line["record"]
    assert stem == f"{record.game}-{record.engine}"
    assert verify(GAMES[record.game], record) == line["decisions"]
    assert record.outcome.termination == line["termination"]


def test_no_file_of_an_earlier_version_is_gone():
    assert {*FILES} >= {"pazaak-1", "sabacc-2", *map(newest, GAMES)}


@pytest.mark.parametrize("game", GAMES)
def test_matches_that_are_played_now_are_those_that_are_kept(game):
    """A change of the rules is a new version of the game, and a new file."""
    kept = {line["case"]: line["record"] for stem, line in LINES.values() if stem == newest(game)}
    played = {case.name: case.play().to_bytes().hex() for case in cases(game)}
    assert played == kept


@pytest.mark.parametrize("game", GAMES)
def test_every_ruleset_and_every_cause_of_a_fault_has_a_record(game):
    records = [
        MatchRecord.from_bytes(bytes.fromhex(line["record"]))
        for stem, line in LINES.values()
        if stem == newest(game)
    ]
    assert {record.ruleset.partition("(")[0] for record in records} == {*GAMES[game].rulesets}
    causes = {record.outcome.termination for record in records} | {
        fault.cause for record in records for fault in record.outcome.expelled
    }
    assert causes >= FAULTS
    assert any(not record.actions for record in records)


def newest(game: str) -> str:
    return f"{game}-{GAMES[game].version}"
