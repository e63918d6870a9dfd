"""Looks through all objects of its process for what it must not know. It plays on.

There must be no state of a match, no job with the deal's seed, and no other bot.
"""

import gc

from arena import Bot

SPOILS = {"Job", "PlayedMatch", "MatchRecord", "Setup", "PazaakState", "SeatStreams"}


class LooksThroughMemory(Bot):
    looked = 0

    def start(self, context):
        self.seat = context.seat

    def act(self, observation):
        LooksThroughMemory.looked += 1
        if LooksThroughMemory.looked % 50 == 1:
            gc.collect()
            for thing in gc.get_objects():
                name = type(thing).__name__
                if name in SPOILS:
                    raise RuntimeError(f"GOT: a {name}")
                if name == "BotSource" and "looks_through_memory" not in thing.target:
                    raise RuntimeError("GOT: another bot's source")
        return observation.legal_actions[0]
