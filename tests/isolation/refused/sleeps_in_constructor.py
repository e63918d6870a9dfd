"""Takes for ever to be made. It must be refused after the time to start."""

import time

from arena import Bot


class SleepsInConstructor(Bot):
    def __init__(self):
        time.sleep(3600)
