"""Ends its process when it is imported, with a good exit code. It must be refused."""

import os

from arena import Bot

os._exit(0)


class ExitsAtImport(Bot):
    pass
