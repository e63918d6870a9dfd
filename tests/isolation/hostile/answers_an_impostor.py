"""Answers with an object that raises, whatever one asks of it, also its class.

It must lose by an illegal action, or by crash when it raises in its own process.
"""

from arena import Bot


class Impostor:
    def __eq__(self, other):
        raise SystemExit

    __hash__ = None

    def __getattribute__(self, name):
        raise SystemExit


class AnswersAnImpostor(Bot):
    def act(self, observation):
        return Impostor()
