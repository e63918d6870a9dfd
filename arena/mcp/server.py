"""The tools of an agent at its table, by the Model Context Protocol on stdin and stdout."""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib.metadata import version
from threading import Thread
from typing import Annotated, Any, TextIO

import anyio
import msgspec
import trio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from arena.core.described import described
from arena.mcp.table import NEW_MATCH, AgentTable

STDOUT, STDERR = 1, 2
INSTRUCTIONS = f"""\
You sit at a table and play a card game against bots. Read the rules first, then observe. While no
match is played, act with "{NEW_MATCH}" begins one. Then act with one of the listed legal actions
whenever it is your turn, until the match is over."""


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of a tool that takes none."""


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """The arguments of ``act``.

    Attributes:
        action: A legal action.
        decision: The number of the decision that it answers.
    """

    action: Annotated[
        str, msgspec.Meta(description="One of the legal actions, exactly as it is listed.")
    ]
    decision: Annotated[
        int, msgspec.Meta(description="The number of the decision that it answers.")
    ]


TOOLS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "observe": (
        Nothing,
        "Shows what your seat sees: whose turn it is, what happened since your last decision, "
        "the position and the legal actions; after a match its outcome.",
    ),
    "act": (
        Answer,
        "Takes an action for your present decision, and shows what your seat sees then. "
        "It never waits for slow rivals: observe again until it is your turn.",
    ),
    "rules": (Nothing, "Explains the rules of the game."),
}
"""The arguments and the description of each tool."""


def serve_table(table: AgentTable) -> None:
    """Plays at a table until the client of stdin and stdout leaves it, or ``table.leave``.

    Raises:
        HarnessFault: The harness failed in a match.
    """
    failures: list[BaseException] = []
    wire = _own_stdout()

    def answer() -> None:
        try:
            trio.run(_answer, table, wire)
        except* (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the client is gone, in the middle of an answer
        except* BaseException as group:
            failures.append(group)
        finally:
            table.leave()

    # A thread that waits for a client that says nothing ends with the process.
    Thread(target=answer, name="mcp", daemon=True).start()
    table.play()
    if failures:
        raise failures[0]


def _own_stdout() -> TextIO:
    """Stdout only for the protocol: all other output goes to stderr from now on."""
    sys.stdout.flush()
    own = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    return open(own, "w", encoding="utf-8")


async def _answer(table: AgentTable, wire: TextIO) -> None:
    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=about, input_schema=_schema(takes))
                for name, (takes, about) in TOOLS.items()
            ]
        )

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await _call(table, params.name, params.arguments or {})

    server = Server(
        "arena",
        version=version("arena-harness"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server(stdout=anyio.wrap_file(wire)) as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())


async def _call(table: AgentTable, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    if name not in TOOLS:
        return _result(f"unknown tool {name!r}; choices: {', '.join(TOOLS)}", refused=True)
    try:
        given = msgspec.convert(arguments, described(TOOLS[name][0]), strict=False)
    except msgspec.ValidationError as error:
        return _result(f"{name}: {error}", refused=True)
    tool = getattr(table, name)
    call = partial(tool, **msgspec.structs.asdict(given))
    return _result(await trio.to_thread.run_sync(call))


def _result(text: str, *, refused: bool = False) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=refused
    )


def _schema(takes: type[msgspec.Struct]) -> dict[str, Any]:
    _, parts = msgspec.json.schema_components([takes])
    schema: dict[str, Any] = parts[takes.__name__]
    return {key: value for key, value in schema.items() if key not in ("title", "description")}
