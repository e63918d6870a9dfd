"""Lets hostile bots do in child processes, without any box, what the box must stop.

Each attack has a process of its own as its parent, which exists to be attacked. Reads a line for
each, the folder and the file of the bot as a JSON list, and answers with a line: the errors of two
matches, the legs of one deal in one process, as a JSON list, or what else it wrote last.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from arena.core.actions import Action
from arena.core.bot import Bot
from arena.core.observation import Observation
from arena.games.pazaak.game import Pazaak
from arena.host.bot.inline import play_inline
from arena.match.limits import Limits
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry


class EndsItsTurns(Bot[Observation]):
    """Plays both legs of a deal alike."""

    def act(self, observation: Observation) -> Action:
        return observation.legal_actions[0]


def attack(bot: str) -> None:
    """Plays the two matches in a child process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    attacker = load_bot(Registry().resolve_bot(bot, [Path(bot).stem]))
    game = Pazaak()
    errors = []
    for makers in ([attacker, EndsItsTurns], [EndsItsTurns, attacker]):
        played = play_inline(game, game.ruleset(), 7, 8, makers, ("a", "b"), Limits())
        errors.append(played[1].error)
    print(json.dumps(errors), flush=True)


def watch(folder: str, bot: str) -> str:
    """Starts the parent of an attack; returns the last line that the attack wrote."""
    reader, writer = os.pipe()
    if not (parent := os.fork()):
        try:
            os.setsid()
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(writer, 1)
            os.dup2(0, 2)
            os.closerange(3, 65_536)
            attack(bot)
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, errors="replace") as output:
        *_, last = output.read().splitlines() or [""]
    os.waitpid(parent, 0)
    return last


def main() -> None:
    Registry().resolve_bot("random")
    for line in sys.stdin:
        print(watch(*json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
