"""Aborts its process when it is imported. It must be refused, with the signal."""

import os

from arena import Bot

os.abort()


class AbortsAtImport(Bot):
    pass
