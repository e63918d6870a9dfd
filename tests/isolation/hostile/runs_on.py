"""Answers its decisions in a run that is one too long. It must lose by the protocol."""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class RunsOn(Bot):
    def act(self, observation):
        os.write(wire(), frame([[asked()[0], *[0] * (len(asked()) + 1)]]))
        return observation.legal_actions[0]
