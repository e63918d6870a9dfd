"""Answers with an action of its own, with control characters in it.

It must lose by an illegal action, with a reason that can be printed.
"""

from player import play

play(lambda message: {"id": message["id"], "action": "win \x1b[2J\r\n\u202e" * 40})
