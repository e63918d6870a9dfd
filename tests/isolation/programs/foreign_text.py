"""Answers with an action that it does not have. It must lose by an illegal action."""

from player import play

ALL = [f"play {sign}{value}" for value in range(1, 7) for sign in "+-"]


def decide(message):
    legal = message["observation"]["legal_actions"]
    return {"id": message["id"], "action": next(text for text in ALL if text not in legal)}


play(decide)
