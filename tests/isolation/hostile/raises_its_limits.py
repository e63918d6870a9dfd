"""Raises its own limits, which root may: memory, files, processes. It must fail; it plays on."""

import resource

from arena import Bot

LIMITS = ("RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE")


class RaisesItsLimits(Bot):
    def start(self, context):
        for name in LIMITS:
            limit = getattr(resource, name)
            soft, hard = resource.getrlimit(limit)
            if hard == resource.RLIM_INFINITY:
                continue
            try:
                resource.setrlimit(limit, (hard + 1, hard + 1))
            except (OSError, ValueError):
                continue
            raise RuntimeError(f"GOT: a higher {name} than {soft}")

    def act(self, observation):
        return observation.legal_actions[0]
