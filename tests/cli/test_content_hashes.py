"""Content hashes: the whole SHA-256 is what counts, 12 digits are shown."""

from __future__ import annotations

import msgspec
import pytest
from arena_results.file.database import open_database
from arena_results.store.queries import tournament

from arena.core.errors import BadPlugin
from arena.plugins.registry import Registry
from arena.service.lookup.resolver import BotResolver
from arena.service.setup.resolve import resolve_stored
from tests.cli.tournament_runs import Place

pytestmark = pytest.mark.usefixtures("shallow_search")


def test_a_tournament_goes_on_only_with_bots_of_the_same_whole_hash(tmp_path):
    place = Place(tmp_path)
    assert place.arena("match", "stand", "counter", "--games", "2").code == 0
    with open_database(place.url) as database:
        stored = tournament(database, 1)

    def resumed(**changes):
        first, *others = stored.field
        participant = msgspec.structs.replace(first.participant, **changes)
        field = [msgspec.structs.replace(first, participant=participant), *others]
        with BotResolver(Registry(), resumes=1) as resolver:
            return resolve_stored(resolver, msgspec.structs.replace(stored, field=field))

    now = stored.field[0].participant
    assert resumed().bots[0].participant == now
    for other in ({"content": now.content[:12] + "0" * 52}, {"version": "0"}):
        with pytest.raises(BadPlugin, match="has changed since the tournament began"):
            resumed(**other)


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
