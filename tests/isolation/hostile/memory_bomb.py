"""Takes memory until there is no more. It must lose by memory; the machine must not notice."""

from arena import Bot


class MemoryBomb(Bot):
    def act(self, observation):
        hoard = []
        while True:
            hoard.append(bytes(16 << 20))
