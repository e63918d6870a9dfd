"""Puts its log in the place of the wire. It must lose, by crash, by the protocol or by timeout."""

import os

from arena import Bot
from tests.isolation.wire import wire


class ReplacesDescriptors(Bot):
    def act(self, observation):
        os.dup2(1, wire())
        return observation.legal_actions[0]
