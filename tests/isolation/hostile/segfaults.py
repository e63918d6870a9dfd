"""Reads the address 0. It must lose by crash."""

import ctypes

from arena import Bot


class Segfaults(Bot):
    def act(self, observation):
        ctypes.string_at(0)
