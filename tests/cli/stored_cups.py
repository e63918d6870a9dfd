"""Tournaments of real matches, stored without a run."""

from __future__ import annotations

import trio
from arena_bots.pazaak.stand_at import StandAt
from arena_bots.uniform_random import UniformRandom
from arena_results.file.database import open_database
from arena_results.schema.rows import EntryRow, NewTournament, Status
from arena_results.store.store import Store

from arena.core.bot import Bot
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.format import Pairing, Participant, Round
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits

LEGS = 2


class Sore(Bot):
    """Ends its turns, and raises at the third decision, naming what it holds."""

    asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 3:
            raise ValueError(f"I hold {observation.hand}")
        return observation.legal_actions[0]


class Rule(Bot):
    """Answers with something that is no action of the game."""

    def act(self, observation):
        return "stand"


class Late(Bot):
    """Fails before the deal."""

    def prepare(self, offer):
        raise LookupError("no deck")


MAKERS = {
    "stand(at=17)": StandAt,
    "random": UniformRandom,
    "sore": Sore,
    "rule": Rule,
    "late": Late,
}
FIELD = [Participant(name, "1.0", f"{index:012x}") for index, name in enumerate(MAKERS)]
PAIRINGS = ((0, 1), (0, 2), (3, 0), (4, 1))


def play(place: MatchKey, seats: tuple[int, ...], ruleset: str) -> PlayedMatch:
    game = Pazaak()
    names = [FIELD[index].name for index in seats]
    record, measurement = play_inline(
        game,
        game.ruleset(ruleset),
        100 * place.pairing + (place.leg - 1) // 2,
        place.leg,
        [MAKERS[name] for name in names],
        [FIELD[index].key for index in seats],
        Limits(),
    )
    return PlayedMatch(place, record, measurement)


def store(
    url: str,
    ruleset: str = "standard",
    legs: int = LEGS,
    stake: int = 0,
    *,
    finished: bool = True,
    name: str = "cup",
) -> None:
    """Plays a tournament of one round and stores it; all its matches are real."""
    values = Pazaak().luck.value_function(Pazaak().ruleset(ruleset))
    new = NewTournament(
        value_function=values.name,
        value_hash=values.hash,
        name=name,
        game="pazaak",
        ruleset=ruleset,
        engine=Pazaak.version,
        format="round-robin",
        games=legs,
        mirrored=True,
        rounds=1,
        seed=7,
        stake=stake,
        purse=100 if stake else 0,
    )
    matches = [
        play(MatchKey(1, number, leg), pair if leg % 2 else pair[::-1], ruleset)
        for number, pair in enumerate(PAIRINGS, start=1)
        for leg in range(1, legs + 1)
    ]

    async def write() -> None:
        with open_database(url) as database:
            writer = Store(database)
            number = await writer.create_tournament(new, [EntryRow(who) for who in FIELD])
            await writer.save_round(number, Round(1, tuple(map(Pairing, PAIRINGS))))
            await writer.sink(number).write(matches)
            if finished:
                await writer.close_round(number, 1)
                await writer.set_status(number, Status.FINISHED)

    trio.run(write)
