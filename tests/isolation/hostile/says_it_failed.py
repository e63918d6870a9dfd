"""Says of all matches of a batch that they crashed, with the kinds of failure that voids matches.

It must lose by the protocol or by crash.
"""

import os

from arena import Bot
from tests.isolation.wire import asked, frame, wire


class SaysItFailed(Bot):
    def act(self, observation):
        failed = {"kind": "harness fault", "reason": "void\x1b[2J", "error": "play it again"}
        os.write(wire(), frame([{"id": id, "failed": failed} for id in asked()]))
        return observation.legal_actions[0]
