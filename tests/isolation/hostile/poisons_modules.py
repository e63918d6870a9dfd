"""Replaces modules and builtins under the feet of our runtime.

It must hurt nobody but itself: it plays on or loses, by crash, by the protocol or by timeout.
"""

import builtins
import sys
from types import ModuleType

from arena import Bot


class PoisonsModules(Bot):
    def start(self, context):
        self.asked = 0

    def act(self, observation):
        self.asked += 1
        if self.asked == 2:
            for name in list(sys.modules):
                if name.split(".")[0] in ("arena", "msgspec", "os", "random"):
                    sys.modules[name] = ModuleType(name)
            builtins.isinstance = builtins.len = builtins.type = lambda *arguments: 0
        return observation.legal_actions[0]
