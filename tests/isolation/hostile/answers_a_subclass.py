"""Answers with a number that says it is whatever one looks for.

It must lose by an illegal action, and none of its methods may run in the harness.
"""

from arena import Bot


class Anything(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __index__(self):
        return 0

    def __getattr__(self, name):
        return self


class AnswersASubclass(Bot):
    def act(self, observation):
        return Anything(observation.legal_actions[0].id)
