"""Changes its parent's resource limits by ``prlimit``. It must fail; it plays on."""

import os
import resource

from arena import Bot


class LimitsItsParent(Bot):
    def start(self, context):
        parent = os.getppid()
        try:
            _, most = resource.prlimit(parent, resource.RLIMIT_CORE)
            resource.prlimit(parent, resource.RLIMIT_CORE, (0, most))
        except OSError:
            return
        raise RuntimeError("GOT: a limit of its parent")

    def act(self, observation):
        return observation.legal_actions[0]
