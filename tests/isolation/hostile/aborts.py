"""Aborts its process, which must leave no core dump. It must lose by crash."""

import os

from arena import Bot


class Aborts(Bot):
    def act(self, observation):
        os.abort()
