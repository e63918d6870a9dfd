"""Says that it failed, as the harness says that itself has failed, to have the match voided.

It must lose, by crash or by the protocol.
"""

from player import play


def decide(message):
    failed = {"kind": "harness fault", "reason": "void\x1b[2J", "error": "play it again"}
    return {"id": message["id"], "failed": failed}


play(decide)
