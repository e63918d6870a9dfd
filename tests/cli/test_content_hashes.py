"""Content hashes: the whole SHA-256 is what counts, 12 digits are shown."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from arena.core.errors import BadPlugin
from arena.core.tournament import Participant, same_content
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.setup.resolve import resolve_stored
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")
WHOLE = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("stored", "same"),
    [
        (WHOLE, True),
        (WHOLE[:12], True),  # from a version that kept 48 bits
        (WHOLE[:12] + "0" * 52, False),  # two bots that share the digits that are shown
        (WHOLE[:11], False),
        (WHOLE[1:13], False),
        ("", False),
    ],
)
def test_only_the_whole_hash_is_the_same_content_but_for_old_rows(stored, same):
    assert same_content(stored, WHOLE) is same


@pytest.mark.thorough("the test above compares the hashes of versions, old ones too")
def test_a_tournament_of_an_earlier_version_is_resumed_under_its_own_keys(tmp_path):
    place = Place(tmp_path)
    assert place.arena("match", "stand", "counter", "--games", "2").code == 0
    with open_database(place.url) as database:
        stored = tournament(database, 1)

    def resumed(participant):
        first, *others = stored.field
        field = [msgspec.structs.replace(first, participant=participant), *others]
        with BotResolver(Registry(), resumes=1) as resolver:
            return resolve_stored(resolver, msgspec.structs.replace(stored, field=field))

    now = stored.field[0].participant
    old = Participant(now.name, now.version, now.content[:12])
    for known in (now, old):
        assert resumed(known).bots[0].participant == known
    for other in (
        msgspec.structs.replace(now, content=now.content[:12] + "0" * 52),
        msgspec.structs.replace(old, content="0" * 12),
        msgspec.structs.replace(now, version="0"),
    ):
        with pytest.raises(BadPlugin, match="has changed since the tournament began"):
            resumed(other)


def test_documents_have_the_whole_hash_and_tables_its_first_digits(tmp_path):
    place = Place(tmp_path)
    (tmp_path / "quick.py").write_text(
        "from arena import Bot\n\n\nclass Quick(Bot):\n    games = ('pazaak',)\n\n"
        "    def act(self, observation):\n        return observation.legal_actions[1]\n"
    )
    submitted = place.arena("submit", "quick.py", "-o", "json")
    assert submitted.code == 0, submitted.err
    content = submitted.document["content"]
    assert len(content) == 64
    shown = place.arena("bots", "show", "quick")
    assert content[:12] in shown.out
    assert content[:13] not in shown.out
    assert place.arena("match", "quick", "random", "--games", "2").code == 0
    assert {match.record.seats[0].partition("+")[2] for match in place.played()} >= {content}
