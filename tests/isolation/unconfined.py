"""Lets one hostile bot do in a child process, without any box, what the box must stop.

Its parent is this process alone, which exists to be attacked. Prints what became of two matches,
the legs of one deal in one process, as a JSON list of errors.
"""

from __future__ import annotations

import json
import os
import resource
import sys

from arena.core.actions import Action
from arena.core.bot import Bot
from arena.core.observation import Observation
from arena.games.pazaak.game import Pazaak
from arena.host.inline import play_inline
from arena.match.clock import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry


class EndsItsTurns(Bot[Observation]):
    """Plays both legs of a deal alike."""

    def act(self, observation: Observation) -> Action:
        return observation.legal_actions[0]


def main(bot: str) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    stem = os.path.basename(bot).removesuffix(".py")
    attack = load_bot(Registry().resolve_bot(bot, [stem]))
    game = Pazaak()
    errors = []
    for makers in ([attack, EndsItsTurns], [EndsItsTurns, attack]):
        played = play_inline(game, game.ruleset(), 7, 8, makers, ("a", "b"), Limits())
        errors.append(played[1].error)
    print(json.dumps(errors))


if __name__ == "__main__":
    main(sys.argv[1])
