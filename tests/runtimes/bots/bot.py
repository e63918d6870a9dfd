import json
import sys
from pathlib import Path

LIMIT = int(Path("limit.txt").read_text())

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"protocol": 1, "games": ["pazaak"]}
    elif message["type"] == "start":
        answer = {"id": message["id"]}
    elif message["type"] == "decide":
        total = message["observation"]["total"]
        answer = {"id": message["id"], "action": "stand" if total >= LIMIT else "end turn"}
    else:
        continue
    print(json.dumps(answer), flush=True)
