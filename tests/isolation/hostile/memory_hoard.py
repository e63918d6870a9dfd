"""Keeps some memory at every decision, over all its matches. It must lose by memory in the end."""

from arena import Bot

HOARD = []


class MemoryHoard(Bot):
    def act(self, observation):
        HOARD.append(bytearray(b"\1") * (4 << 20))
        return observation.legal_actions[0]
