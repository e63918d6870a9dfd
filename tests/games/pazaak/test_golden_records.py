"""Golden records: equal seeds give the same bytes as long as the engine's version is the same.

A change here means that stored records no longer replay: raise ``Pazaak.version`` with it.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from arena.core.bot import Bot
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits

PAZAAK = Pazaak()
MATCHES = 40
GOLDEN = {
    "standard": "dc3b3cbcfdc7c382",
    "wiki": "a085ad5d82e8b067",
    "console": "ede2f522c480b6a0",
    "kotor1": "4a25026524dc3f4d",
    "table": "3f051b3763256d8b",
    "standard(hand_scope=set)": "94e517e4e6364969",
    "standard(main_deck=forty_each)": "1a90243681ab876c",
    "standard(next_set=random,first_set=random)": "21fa92fea4440357",
    "standard(opening_cards=burn)": "5be570557b35c9d0",
}


class Keen(Bot):
    """Draws on where it can, and plays every card it has: many draws, many flips."""

    def act(self, observation):
        plays = observation.legal_actions[2:]
        if plays and observation.total > 12:
            return plays[len(observation.history) % len(plays)]
        return observation.legal_actions[observation.total > 18]

    def prepare(self, offer):
        kinds = offer.catalogue
        return [kinds[(3 * index + offer.seat) % len(kinds)] for index in range(10)]


def digest(ruleset):
    whole = sha256()
    for seed in range(MATCHES):
        record, _ = play_inline(
            PAZAAK, PAZAAK.ruleset(ruleset), seed, seed, [Keen, Keen], "ab", Limits()
        )
        whole.update(record.to_bytes())
    return whole.hexdigest()[:16]


@pytest.mark.parametrize("ruleset", GOLDEN)
def test_the_same_seeds_give_the_golden_records(ruleset):
    assert PAZAAK.version == "1"
    assert digest(ruleset) == GOLDEN[ruleset]
