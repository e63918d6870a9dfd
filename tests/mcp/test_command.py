"""``arena mcp``: the protocol's own client against the real command, and how a client leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from contextlib import ExitStack, closing
from subprocess import PIPE

import pytest
import trio
from arena_results.store.queries import tournaments
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.plugins.registry import Registry
from arena.service.match.replays import stored_match
from arena.service.storage.databases import open_database
from tests.mcp.reading import answer, legal, number

PATIENCE = 120
"""Seconds for a whole match, or for the end of the command."""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def outcome(db):
    """The outcome of the first match of a database."""
    with open_database(f"sqlite:///{db}") as database:
        (about,) = tournaments(database)
        return stored_match(Registry(), database, about.id, MatchKey(1, 1, 1)).outcome


async def a_match(session):
    """Plays a match, the first legal action each time; the last text."""

    async def call(tool, **arguments):
        found = await session.call_tool(tool, arguments)
        assert not found.is_error, found
        (content,) = found.content
        return content.text

    text = await call("observe")
    text = await call("act", action="new match", decision=number(text))
    while "The match is over" not in text:
        if "It is your turn" in text:
            text = await call("act", action=answer(text), decision=number(text))
        else:
            text = await call("observe")
    assert legal(text) == ["new match"]
    return text


@pytest.mark.parametrize(
    ("words", "isolation"),
    [
        (["pazaak", "--against", "late.py", "--isolation", "process"], "trusted,process"),
        (["sabacc", "--against", "late.py", "--trust", "late"], "trusted"),
    ],
    ids=["pazaak", "sabacc"],
)
async def test_an_agent_plays_a_match(words, isolation, tmp_path):
    (tmp_path / "late.py").write_text(
        "from arena import Bot\n\n\nclass Late(Bot):\n"
        "    def act(self, observation):\n"
        "        print('not on the wire')\n        return observation.legal_actions[-1]\n"
    )
    args = ["-P", "-m", "arena", "mcp", *words, "--db", "a.db"]
    command = StdioServerParameters(command=sys.executable, args=args, cwd=tmp_path)
    with trio.fail_after(PATIENCE), (tmp_path / "err").open("w") as err:
        async with stdio_client(command, err) as streams, ClientSession(*streams) as session:
            hello = await session.initialize()
            assert hello.capabilities.tools
            assert not hello.capabilities.resources
            assert not hello.capabilities.prompts
            tools = {each.name: each for each in (await session.list_tools()).tools}
            assert [*tools] == ["observe", "act", "rules"]
            assert tools["act"].input_schema["required"] == ["action", "decision"]
            (rules,) = (await session.call_tool("rules", {})).content
            assert rules.text.lower().startswith(f"{words[0]}, ruleset ")
            for tool, arguments, says in (
                ("fold", {}, "unknown tool 'fold'; choices: observe, act, rules"),
                ("act", {}, "act: Object missing required field `action`"),
                ("act", {"action": "fold", "decision": "x"}, "act: Expected `int`, got `str`"),
                ("observe", {"seat": 1}, "observe: Object contains unknown field `seat`"),
            ):
                refused = await session.call_tool(tool, arguments)
                assert refused.is_error
                assert refused.content[0].text.startswith(says)
            assert re.search(r"^You have \w+, |^A draw, ", await a_match(session), re.M)
    printed = (tmp_path / "err").read_text()
    assert set(printed.splitlines()) <= {"not on the wire"}
    assert bool(printed) == ("--trust" in words)
    assert outcome(tmp_path / "a.db").termination is Termination.RULES
    with open_database(f"sqlite:///{tmp_path / 'a.db'}") as database:
        match = stored_match(Registry(), database, 1, MatchKey(1, 1, 1))
        assert match.measurement.isolation == isolation


class Client:
    """A client that speaks the protocol by hand, so that it can leave badly."""

    def __init__(self, preloaded, folder):
        words = ["mcp", "pazaak", "--against", "stand", "--loadout", "hard", "--db", "a.db"]
        self.process = preloaded.start(words, folder, dict(os.environ), stdin=PIPE)
        self.asked = 0
        self.ask("initialize", HELLO)
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": params})
        line = json.loads(self.process.stdout.readline())
        assert line["id"] == self.asked
        return line["result"]

    def tool(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["content"][0]["text"]


def close_input(client):
    client.process.stdin.close()


def close_both(client):
    """Asks, and does not wait for the answer."""
    client.process.stdout.close()
    params = {"name": "observe", "arguments": {}}
    client.send({"id": 99, "method": "tools/call", "params": params})
    client.process.stdin.close()


def terminate(client):
    client.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("leave", [close_input, close_both, terminate])
def test_a_client_that_leaves_in_mid_match_loses_it_quietly(leave, preloaded, tmp_path):
    client = Client(preloaded, tmp_path)
    with ExitStack() as streams:
        for stream in (client.process.stdin, client.process.stdout, client.process.stderr):
            streams.enter_context(closing(stream))
        check_leaving(client, leave)
    found = outcome(tmp_path / "a.db")
    assert (found.termination, found.offender) == (Termination.LEFT, 0)


def check_leaving(client, leave):
    text = client.tool("act", action="new match", decision=1)
    while "It is your turn" not in text:
        text = client.tool("observe")
    leave(client)
    assert client.process.wait(PATIENCE) == 0
    assert client.process.stderr.read() == ""
