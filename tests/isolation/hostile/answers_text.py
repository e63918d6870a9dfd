"""Answers with the right text instead of the action. It must lose by an illegal action."""

from arena import Bot


class AnswersText(Bot):
    def act(self, observation):
        return observation.legal_actions[0].text
