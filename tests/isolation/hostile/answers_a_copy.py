"""Answers with a copy of a legal action that says it is more. It must lose by an illegal action."""

import msgspec

from arena import Bot


class AnswersACopy(Bot):
    def act(self, observation):
        return msgspec.structs.replace(observation.legal_actions[0], value=20)
