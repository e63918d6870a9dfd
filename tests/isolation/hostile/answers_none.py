"""Answers nothing. It must lose by an illegal action."""

from arena import Bot


class AnswersNone(Bot):
    def act(self, observation):
        return None
