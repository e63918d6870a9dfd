"""Records of every version of the engine replay as they were played.

``records/VERSION.json`` has matches that the engine of that version played, as the bytes of their
records in hexadecimal, by what they show. They are never written anew: a new version of the
engine gets a file of its own.
"""

import json
from pathlib import Path

import msgspec
import pytest
from arena_results.replays.views import replay_view, view_named

from arena.core.actions import unpack_ids
from arena.core.errors import Divergence, UnknownName
from arena.core.record import MatchRecord
from arena.match.replay import replay, verify
from tests.games.sabacc.play import SABACC

FOLDER = Path(__file__).parent / "records"
RECORDS = [
    (file.stem, name, MatchRecord.from_bytes(bytes.fromhex(data)))
    for file in sorted(FOLDER.glob("*.json"))
    for name, data in json.loads(file.read_text("utf-8")).items()
]
BY_NAME = [pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in RECORDS]


def test_there_are_records_of_every_version():
    assert {version for version, *_ in RECORDS} == {SABACC.version, *SABACC.former}


@pytest.mark.parametrize(("version", "name", "record"), BY_NAME)
def test_a_record_verifies_under_the_version_that_made_it(version, name, record):
    assert record.engine == version
    assert verify(SABACC, record) == len(unpack_ids(record.actions)) > 0
    *_, last = replay(SABACC, record)
    assert last.state.outcome() == record.outcome


@pytest.mark.parametrize(("version", "name", "record"), BY_NAME)
def test_every_view_of_a_record_is_rendered(version, name, record):
    for view in ("public", "seat0", "all"):
        shown = replay_view(SABACC, record, view_named(view, len(record.seats)))
        assert shown.engine == version
        assert len(shown.moments) == len(unpack_ids(record.actions)) + 1


def test_an_unknown_version_is_refused_with_the_known_ones():
    record = msgspec.structs.replace(RECORDS[0][2], engine="1")
    with pytest.raises(Divergence, match="by version 1 of the sabacc engine; this is version 2, "):
        verify(SABACC, record)
    with pytest.raises(UnknownName, match="version '3' of the sabacc engine; choices: 2"):
        SABACC.at_version("3")
