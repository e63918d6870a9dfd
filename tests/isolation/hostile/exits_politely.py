"""Raises ``SystemExit``. It must lose by crash, and its process may go on."""

import sys

from arena import Bot


class ExitsPolitely(Bot):
    def act(self, observation):
        sys.exit(0)
