"""Looks through the frames of its callers, and of all threads, for the deal. It plays on."""

import sys
from types import GeneratorType

from arena import Bot

SPOILS = {"Job", "PlayedMatch", "MatchRecord", "Setup", "PazaakState", "SeatStreams", "Clock"}


def frames():
    for frame in [sys._getframe(), *sys._current_frames().values()]:
        while frame is not None:
            yield frame
            frame = frame.f_back


class LooksThroughFrames(Bot):
    def act(self, observation):
        for frame in frames():
            values = {**frame.f_globals, **frame.f_locals}
            for held in list(values.values()):
                if isinstance(held, GeneratorType) and held.gi_frame is not None:
                    values |= held.gi_frame.f_locals
            for name, value in values.items():
                if type(value).__name__ in SPOILS:
                    raise RuntimeError(f"GOT: {name}, a {type(value).__name__}")
        return observation.legal_actions[0]
