"""Closes every descriptor, also that on which it is asked. It must lose by crash."""

import os

from arena import Bot


class ClosesDescriptors(Bot):
    def act(self, observation):
        os.closerange(0, 256)
        return observation.legal_actions[0]
