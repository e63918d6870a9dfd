"""Serves a language model that is none: it reads the prompt and plays, by chat completions.

    python fake.py PORT [--key KEY] [--cert FILE]

The model's name says how it plays, with options after plus signs: ``counter+illegal=0.3+luck=7``.
``random`` plays any legal move, ``stand`` the most passive one, ``counter`` also plays cards, by
its total. Options:

- ``at=N`` is the total from which ``counter`` stands, 17 by default, or ``stand``, 0 by default
- ``illegal=RATE`` of the answers are no legal move; ``luck=N`` is other luck
- ``delay=SECONDS`` a call; ``context=N`` bytes of a request; ``form=ignored`` keeps no form
- ``fail=MODE`` (``Fake.fail``) in ``rate=RATE`` of the calls; ``wait=N`` for a Retry-After

GET /stats counts requests. POST /control sets ``{"down": SECONDS, "status": 529, "delay": S}``.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import json
import random
import re
import ssl
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

PLAYERS = ("random", "stand", "counter")
PASSIVE = ("stand", "pass", "keep", "check", "call", "end turn")
DRIP_SECONDS = 0.2
MEGABYTE = 1 << 20
STANDS_AT = 17
LISTED = re.compile(r"^Legal moves:\n((?:.+\n?)+)", re.M)
RANGE = re.compile(r"(.*\b)N\b(.*), (\d+) to (\d+)")
TOTAL = re.compile(r"^your table: .* = (-?\d+),", re.M)
HAND_CARD = re.compile(r"play (?:\S+ as )?([+-]\d+)")
EXAMPLE = re.compile(r"such as: (.+)")
Sent = tuple[int, bytes, dict[str, str]]


class Player:
    """Plays by what stands in the prompt."""

    def __init__(self, name: str, options: dict[str, str], body: dict[str, Any], seed: str) -> None:
        self.name, self.options, self.body = name, options, body
        self.chance = random.Random(seed)
        self.said = [str(message["content"]) for message in body["messages"]]

    def word(self) -> str:
        """Returns the move, or a word that is none at the rate that is asked for."""
        if self.chance.random() < float(self.options.get("illegal", 0)):
            return "fold my hand forever"
        words = self.words()
        if not words:
            example = EXAMPLE.search("\n".join(self.said))
            return example[1].strip() if example else "pass"
        return getattr(self, self.name)(words)

    def words(self) -> list[str]:
        """Returns the legal moves: of the list in the prompt, or else of the form of the answer."""
        listed = [found for text in self.said if (found := LISTED.search(text))]
        if listed and "Legal moves:" in self.said[-1]:
            return [self.amount(line) for line in listed[-1][1].strip().splitlines()]
        text = json.dumps([self.body.get("response_format"), self.body.get("tools")])
        enum = re.search(r'"enum": (\[.*?\])', text)
        return json.loads(enum[1]) if enum else []

    def amount(self, line: str) -> str:
        """Returns a line as a move: of a range of amounts one of them."""
        found = RANGE.fullmatch(line)
        if not found:
            return line
        least, most = int(found[3]), int(found[4])
        chosen = self.chance.randint(least, most) if self.name == "random" else least
        return f"{found[1]}{chosen}{found[2]}"

    def random(self, words: Sequence[str]) -> str:
        """Returns any of the moves."""
        return self.chance.choice(words)

    def stand(self, words: Sequence[str]) -> str:
        """Returns the move that risks the least, from its total on."""
        totals = self.totals()
        if totals and totals[-1] < int(self.options.get("at", 0)):
            return self.passed(words)
        return next((word for word in PASSIVE if word in words), words[0])

    def counter(self, words: Sequence[str]) -> str:
        """Returns the move that comes nearest to 20 where totals are told."""
        totals = self.totals()
        if not totals:
            return self.stand(words)
        total = totals[-1]
        reached = {
            word: total + int(found[1]) for word in words if (found := HAND_CARD.fullmatch(word))
        }
        good = [
            word for word, after in reached.items() if 18 <= after <= 20 and not 18 <= total <= 20
        ]
        if good:
            return max(good, key=reached.__getitem__)
        stands_at = int(self.options.get("at", STANDS_AT))
        return "stand" if total >= stands_at and "stand" in words else self.passed(words)

    def totals(self) -> list[int]:
        """Returns the totals that it is told, the present one last."""
        return [int(total) for total in TOTAL.findall("\n".join(self.said))]

    def passed(self, words: Sequence[str]) -> str:
        """Returns the move that goes on."""
        return next((word for word in ("end turn", "draw") if word in words), words[0])


class Fake:
    """Serves the requests and counts them."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.requests = self.now = self.peak = self.connections = 0
        self.tags: Counter[str] = Counter()
        self.digests: Counter[str] = Counter()
        self.down_until, self.status, self.delay = 0.0, 529, 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                length = re.search(r"content-length: (\d+)", head, re.I)
                body = await reader.readexactly(int(length[1])) if length else b""
                self.now += 1
                self.peak = max(self.peak, self.now)
                try:
                    sent = await self.answer(head, body, writer)
                finally:
                    self.now -= 1
                if sent is None:
                    return
                await self.send(writer, *sent)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def send(
        self, writer: asyncio.StreamWriter, status: int, data: bytes, more: dict[str, str]
    ) -> None:
        """Sends one answer."""
        headers = {"content-type": "application/json", **more, "content-length": str(len(data))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + data)
        await writer.drain()

    async def answer(self, head: str, raw: bytes, writer: asyncio.StreamWriter) -> Sent | None:
        """Returns the answer to a request; ``None`` once the connection is to be closed."""
        if head.startswith("GET /stats"):
            return 200, json.dumps(self.stats()).encode(), {}
        body = json.loads(raw)
        if head.startswith("POST /control"):
            self.down_until = time.monotonic() + body.get("down", 0)
            self.status, self.delay = body.get("status", 529), body.get("delay", self.delay)
            return 200, b"{}", {}
        digest = hashlib.sha256(raw).hexdigest()
        self.requests += 1
        self.tags[str(body.get("user"))] += 1
        self.digests[digest] += 1
        name, *given = str(body.get("model")).split("+")
        options = dict(each.split("=", 1) for each in given)
        await asyncio.sleep(float(options.get("delay", self.delay)))
        wait = {"retry-after": options["wait"]} if "wait" in options else {}
        if self.key and f"authorization: Bearer {self.key}\r\n".lower() not in head.lower():
            said = re.search(r"authorization: Bearer (.*)\r", head, re.I)
            return 401, error(f"Incorrect API key provided: {said[1] if said else ''}"), {}
        if time.monotonic() < self.down_until:
            return self.status, error("overloaded"), wait
        if name not in PLAYERS:
            return 404, error(f"The model {name} does not exist"), {}
        if len(raw) > int(options.get("context", MEGABYTE)):
            return 400, error("too long", type="exceed_context_size_error"), {}
        seed = f"{options.get('luck')} {digest} {self.digests[digest]}"
        if "fail" in options and random.Random(seed).random() < float(options.get("rate", 1)):
            return await self.fail(options["fail"], body, wait, writer)
        text = Player(name, options, body, seed).word()
        return 200, completion(body, text, formed=options.get("form") != "ignored"), {}

    async def fail(
        self, mode: str, body: dict[str, Any], wait: dict[str, str], writer: asyncio.StreamWriter
    ) -> Sent | None:
        """Fails in one way: a status, or the mode's name."""
        if mode.isdecimal():
            return int(mode), error("overloaded"), wait
        if mode == "hang":
            await asyncio.sleep(3600)
        elif mode in ("drip", "close"):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{")
            for _ in range(100_000 if mode == "drip" else 0):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(DRIP_SECONDS)
            return None
        elif mode == "huge":
            return 200, b'{"x":"' + b"a" * 20 * MEGABYTE + b'"}', {}
        elif mode == "bomb":
            bomb = gzip.compress(b'{"x":"' + b"a" * 60 * MEGABYTE + b'"}')
            return 200, bomb, {"content-encoding": "gzip"}
        elif mode == "gzip":
            return 200, gzip.compress(completion(body, "stand")), {"content-encoding": "gzip"}
        elif mode == "redirect":
            return 307, b"", {"location": "http://127.0.0.2:9/steal"}
        messages: dict[str, tuple[dict[str, Any], str]] = {
            "length": ({"content": None, "reasoning_content": "Let me think"}, "length"),
            "null": ({"content": None}, "stop"),
            "empty": ({"content": ""}, "stop"),
            "refusal": ({"content": None, "refusal": "I do not gamble."}, "stop"),
            "filter": ({"content": ""}, "content_filter"),
            "finish": ({"content": ""}, "error"),
        }
        bodies = {
            "truncated": b'{"choices": [{"mess',
            "schema": b'{"answer": "stand"}',
            "error": json.dumps({"error": {"code": 429, "message": "slow down"}}).encode(),
            "usage": json.dumps({"choices": [{"message": {"content": "MOVE: stand"}}]}).encode(),
        }
        return 200, bodies[mode] if mode in bodies else wrapped(body, *messages[mode]), wait

    def stats(self) -> dict[str, Any]:
        """Returns the counts: requests, also by tag and by digest, and the most at a time."""
        named = ("requests", "peak", "connections", "tags", "digests")
        return {name: getattr(self, name) for name in named}


def completion(body: dict[str, Any], word: str, formed: bool = True) -> bytes:
    """Returns an answer in the form that the request asks for."""
    move = json.dumps({"move": word})
    if formed and body.get("tools"):
        call = {"id": "1", "type": "function", "function": {"name": "play", "arguments": move}}
        return wrapped(body, {"content": None, "tool_calls": [call]}, "tool_calls")
    if formed and body.get("response_format"):
        return wrapped(body, {"content": move}, "stop")
    return wrapped(body, {"content": f"I think so.\nMOVE: {word}"}, "stop")


def wrapped(body: dict[str, Any], message: dict[str, Any], finish: str) -> bytes:
    """Returns a message as an answer with its usage."""
    said = len(str(message)) // 4
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": len(str(body["messages"])) // 4, "completion_tokens": said}
    return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()


def error(message: str, **more: str) -> bytes:
    """Returns the body of an error."""
    return json.dumps({"error": {"message": message, **more}}).encode()


async def main() -> None:
    """Serves until the process is ended."""
    parser = argparse.ArgumentParser(description="Serves a fake language model on loopback.")
    parser.add_argument("port", type=int, help="0 for a free one")
    parser.add_argument("--key", default="", help="refuse requests with another key")
    parser.add_argument("--cert", help="serve https with this certificate and key")
    given = parser.parse_args()
    secure = None
    if given.cert:
        secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure.load_cert_chain(given.cert)
    fake = Fake(given.key)
    server = await asyncio.start_server(
        fake.serve, "127.0.0.1", given.port, ssl=secure, backlog=1024
    )
    print(
        f"http{'s' if secure else ''}://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/chat/completions",
        flush=True,
    )
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
