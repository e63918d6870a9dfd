"""Answers with a number that is none. It must lose by an illegal action."""

from arena import Bot


class AnswersNan(Bot):
    def act(self, observation):
        return float("nan")
