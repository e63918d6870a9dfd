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
from arena.core.dealer import SeatStreams
from arena.core.errors import Divergence, UnknownName
from arena.core.record import MatchRecord
from arena.core.seeding import generator
from arena.games.sabacc.engines import ENGINES, NEWEST, Engine
from arena.match.replay import replay, verify
from arena.testing.check_game import check_game
from tests.games.sabacc.play import SABACC, play_random

FOLDER = Path(__file__).parent / "records"
RECORDS = [
    (file.stem, name, MatchRecord.from_bytes(bytes.fromhex(data)))
    for file in sorted(FOLDER.glob("*.json"))
    for name, data in json.loads(file.read_text("utf-8")).items()
]
BY_NAME = [pytest.param(*row, id=f"{row[0]}: {row[1]}") for row in RECORDS]
OLD = [row for row in BY_NAME if row.values[0] == "1"]


def test_there_are_records_of_every_version():
    assert {version for version, *_ in RECORDS} == set(ENGINES) == set(SABACC.versions)


@pytest.mark.parametrize(("version", "name", "record"), BY_NAME)
def test_a_record_verifies_under_the_version_that_made_it(version, name, record):
    assert record.engine == version
    assert verify(SABACC, record) == len(unpack_ids(record.actions)) > 0
    *_, last = replay(SABACC, record)
    assert last.state.outcome() == record.outcome


@pytest.mark.parametrize(("version", "name", "record"), BY_NAME)
def test_every_view_of_an_old_record_is_rendered(version, name, record):
    for view in ("public", "seat0", "all"):
        shown = replay_view(SABACC, record, view_named(view, len(record.seats)))
        assert shown.engine == version
        assert len(shown.moments) == len(unpack_ids(record.actions)) + 1


@pytest.mark.parametrize(("version", "name", "record"), OLD)
def test_a_record_of_version_1_diverges_under_the_current_version(version, name, record):
    """Else the record would show nothing of its version."""
    with pytest.raises(Divergence):
        verify(SABACC, msgspec.structs.replace(record, engine=NEWEST.version))


CHANGES = [field for field in Engine.__struct_fields__ if field != "version"]


@pytest.mark.parametrize("field", CHANGES)
def test_every_change_since_version_1_makes_a_record_diverge(field, monkeypatch):
    """With that change alone some record of version 1 does not replay any more."""
    row = msgspec.structs.replace(ENGINES["1"], version="test", **{field: True})
    monkeypatch.setitem(ENGINES, "test", row)

    def diverges(record):
        try:
            verify(SABACC, msgspec.structs.replace(record, engine="test"))
        except Divergence:
            return True
        return False

    assert [name for version, name, record in RECORDS if version == "1" and diverges(record)]


def test_an_unknown_version_is_refused_with_the_known_ones():
    record = msgspec.structs.replace(RECORDS[0][2], engine="0")
    with pytest.raises(Divergence, match="by version 0 of the sabacc engine; this is version 2, "):
        verify(SABACC, record)
    with pytest.raises(UnknownName, match="version of the sabacc engine '3'; choices: 1, 2"):
        SABACC.at_version("3")


def test_a_game_at_a_version_deals_and_resamples_by_that_version():
    old = SABACC.at_version("1")
    assert (old.name, old.version, old.versions) == ("sabacc", "1", SABACC.versions)
    assert SABACC.at_version(SABACC.version).version == NEWEST.version
    rules, rng = old.ruleset("card_exchange(hands=1,tick_every=1)"), generator(1)
    state = old.new_state(rules, [b""] * 3, SeatStreams(5))
    for node in play_random(state, rng):
        world = old.resample(node.observation(0), rng)
        assert world.hand.match.engine == ENGINES["1"]
    assert state.hand.match.engine == ENGINES["1"]


@pytest.mark.parametrize(
    "ruleset",
    [
        "variable(betting=alternating,dice=true,hands=2,mode=chips)",
        "corellian(discards=reshuffled,hands=2,mode=points,points_24_45=raw,target=0)",
    ],
)
@pytest.mark.thorough("records of the old engine replay every day")
def test_the_old_engine_still_keeps_every_promise_of_a_game(ruleset):
    report = check_game(SABACC.at_version("1"), SABACC.ruleset(ruleset), redeals=300)
    assert report.problems == ()
