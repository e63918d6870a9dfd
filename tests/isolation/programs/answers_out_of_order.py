"""Takes many requests at a time, and answers them in twos the wrong way round.

It may lose by the protocol, where there were two.
"""

import json
import select
import sys

from player import first, play, say


def decide(message):
    ready, _, _ = select.select([sys.stdin.buffer], [], [], 0.002)
    if ready:
        second = json.loads(sys.stdin.buffer.readline())
        if second["type"] == "decide":
            say(first(second))
    return first(message)


play(decide, batch=64)
