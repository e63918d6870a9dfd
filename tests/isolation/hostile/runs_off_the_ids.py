"""Answers its decisions in a run that begins with another one. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class RunsOffTheIds(Bot):
    def act(self, observation):
        os.write(wire(), frame([[asked()[0] + 1, *[0] * len(asked())]]))
        return observation.legal_actions[0]
