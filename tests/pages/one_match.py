"""Matches for pages, played without processes."""

from __future__ import annotations

from arena.core.bot import Bot
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Participant
from arena.games.pazaak.game import Pazaak
from arena.games.sabacc.game import Sabacc
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.service.match.replays import Match
from arena.testing.scripted import RandomBot

PAZAAK, SABACC = Pazaak(), Sabacc()
CHIPS = "old_republic(mode=chips,hands=2)"
HOSTILE = "</script><script>alert(1)</script>"


class Crash(Bot):
    """Raises at its third decision, naming what it holds."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 3:
            raise ValueError(f"I hold {observation.hand}")
        return observation.legal_actions[0]


class Late(Bot):
    def prepare(self, offer):
        raise LookupError("no deck")


def played(game=PAZAAK, ruleset: str = "", seed: int = 3, names=("ann", "bob"), bots=()) -> Match:
    """Plays a match; seats without a bot of their own play at random."""
    makers = [*bots, *[RandomBot] * (len(names) - len(bots))]
    keys, limits = tuple(f"{name}@1" for name in names), Limits()
    record, measurement = play_inline(game, game.ruleset(ruleset), seed, seed, makers, keys, limits)
    return Match(
        number="1.1.1.1",
        game=game,
        players=tuple(Participant(name, "1", "0" * 12) for name in names),
        names=tuple(names),
        played=PlayedMatch(MatchKey(1, 1, 1), record, measurement),
    )
