"""Is never done with being imported. It must be refused after the time to start."""

from arena import Bot

while True:
    pass


class LoopsAtImport(Bot):
    pass
