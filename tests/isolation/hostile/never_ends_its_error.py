"""Raises an error whose text takes for ever. It must lose, by crash or by timeout."""

import itertools

from arena import Bot


class Endless(Exception):
    def __str__(self):
        for _ in itertools.count():
            pass


class NeverEndsItsError(Bot):
    def act(self, observation):
        raise Endless
