"""Files of endpoints of language models, and the answers of such endpoints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.core.errors import BadInput, EndpointFailed
from arena.host.endpoints.exchange import Answer
from arena.host.endpoints.kept import MAX_KEPT_BYTES, kept_body
from arena.host.endpoints.reply import read_reply
from arena.plugins.endpointfile import file_text, read_endpoint_file
from tests.fuzz.fuzzing import Run, Target

PLAIN = 'kind = "endpoint"\nurl = "http://127.0.0.1:8080/v1/chat/completions"\nmodel = "m"\n'
LINES = (
    *("parallel = 3", 'answer = "schema"', "price_in = 0.25", 'fallback = "first legal"'),
    *('[extra]\nuser = "="\nreasoning = {effort = "low"}', 'prompt = "gpt.toml"'),
)
CALL = {"function": {"name": "play", "arguments": '{"move": "stand"}'}}
USAGE = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
MESSAGES = (
    *({"content": "MOVE: stand"}, {"content": [{"type": "text", "text": "MOVE: stand"}]}),
    *({"content": None, "tool_calls": [CALL]}, {"content": None, "refusal": "No."}),
)
ERRORS = (
    *({"error": {"code": 429, "message": "slow down"}}, {"error": "busy"}),
    {"error": {"code": "context_length_exceeded", "type": "invalid_request_error", "message": "x"}},
)


def files() -> Sequence[bytes]:
    return [file_text().encode(), *((PLAIN + line).encode() for line in LINES)]


def answers() -> Sequence[bytes]:
    choices = [{"message": message, "finish_reason": "stop"} for message in MESSAGES]
    bodies = [{"choices": [choice], "usage": USAGE} for choice in choices]
    return [json.dumps(body).encode() for body in (*bodies, *ERRORS)]


@contextmanager
def file(folder: Path) -> Iterator[Run]:
    """Opens the target that reads a file of an endpoint."""
    path = folder / "gpt.toml"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        read_endpoint_file(str(path))

    yield run


@contextmanager
def answer(folder: Path) -> Iterator[Run]:
    """Opens the target that reads an answer in each form, and as an error."""

    def run(data: bytes) -> None:
        with suppress(EndpointFailed):
            read_reply(Answer(400, data, 0.1), "line", 1.0)
        with suppress(EndpointFailed):
            read_reply(Answer(200, data, 0.1), "schema")
        kept_body(b" " * MAX_KEPT_BYTES + data)
        read_reply(Answer(200, data, 0.1), "tool")

    yield run


JSON = (b"null", b"[]", b"{}", b'"content":', b'"error":', b'"code":', b"1e400", b'"\\ud800"')
TARGETS = (
    Target(
        name="files-of-endpoints",
        seeds=files,
        open=file,
        pieces=(
            b"nan",
            b"[extra]\n",
            b'"=',
            b"url = ",
            b"http://[",
            b"@",
            b"1979-05-27",
            b"prompt",
        ),
    ),
    Target(
        name="answers-of-endpoints",
        seeds=answers,
        open=answer,
        pieces=(*JSON, b"[" * 2_000, b'{"a":' * 2_000),
        errors=(BadInput, EndpointFailed),
    ),
)
