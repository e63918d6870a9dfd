"""Answers with an action that was legal a decision ago, as soon as there is one.

It must lose by an illegal action.
"""

from player import play

PLAYED = {}


def decide(message):
    legal = message["observation"]["legal_actions"]
    played = PLAYED.setdefault(message["match"], [])
    for action in played:
        if action not in legal:
            return {"id": message["id"], "action": action}
    played.append(legal[-1])
    return {"id": message["id"], "action": legal[-1]}


play(decide)
