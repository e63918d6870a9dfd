"""Ends at a decision; its next process answers replayed requests slowly.

Arguments: a file that does not exist yet (where it has ended once); seconds for an answer then.
"""

import json
import os
import sys
import time

DECISIONS = 16
"""Decisions that it answers, of all its matches, before it ends."""


def main():
    mark, seconds = sys.argv[1], float(sys.argv[2])
    again, answered = os.path.exists(mark), 0
    for line in sys.stdin:
        message = json.loads(line)
        answer = {"id": message.get("id")}
        if message["type"] == "hello":
            answer = {"protocol": 1}
        elif message["type"] == "finish":
            continue
        elif message["type"] == "decide":
            answer["action"] = message["observation"]["legal_actions"][0]
            answered += 1
            if again:
                time.sleep(seconds)
            elif answered == DECISIONS:
                os.close(os.open(mark, os.O_CREAT | os.O_WRONLY))
                sys.exit(9)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
