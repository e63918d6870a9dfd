"""The client against a real server of language models: llama.cpp, with a tiny random model."""

import subprocess
from pathlib import Path

import pytest

from arena.core.errors import EndpointFailed
from arena.host.endpoints.calibration import calibrate
from arena.host.endpoints.client import open_clients
from arena.host.endpoints.reply import read_reply
from arena.host.endpoints.request import request_body
from arena.plugins.endpoints.spec import Endpoint

ENVIRONMENT = Path(__file__).parents[2] / ".venv-models"
KEY = "sk-llama"
WORDS = ["stand", "end turn", "play +3"]
QUESTION = [{"role": "user", "content": "Legal moves:\nstand\nend turn\nplay +3\n"}]

pytestmark = pytest.mark.skipif(
    not (ENVIRONMENT / "ready").exists(),
    reason="llama.cpp is not installed; make .venv-models/ready installs it",
)


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    folder = tmp_path_factory.mktemp("llama")
    server = Path(__file__).with_name("llama_server.py")
    command = [
        str(ENVIRONMENT / "bin" / "python"),
        str(server),
        str(folder / "tiny.gguf"),
        "0",
        KEY,
    ]
    with (
        open(folder / "log", "wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            lines = (line.strip() for line in process.stdout)
            yield next(line for line in lines if line.startswith("http"))
        finally:
            process.kill()


def endpoint(url, **parameters):
    values = {"key_env": "LLAMA_KEY", "answer": "schema", "max_tokens": 40}
    return Endpoint(url=url, model="tiny", **values | parameters)


async def asked(chosen, question=QUESTION, key=KEY):
    async with open_clients([chosen], {"LLAMA_KEY": key}) as [client]:
        return await client.ask(request_body(chosen, question, WORDS, "tag"))


async def test_a_schema_makes_a_random_model_play_legally(llama):
    chosen = endpoint(llama, max_tokens=300)  # a random model writes much white space
    reply = read_reply(await asked(chosen), "schema")
    assert reply.in_form
    assert any(f'"{word}"' in reply.text for word in WORDS)
    assert reply.usage.prompt > 40
    again = read_reply(await asked(chosen), "schema")
    assert again.usage.cached > 0


async def test_one_question_finds_out_what_the_server_keeps(llama):
    async with open_clients([endpoint(llama)], {"LLAMA_KEY": KEY}) as [client]:
        found = await calibrate(client)
    assert found.usage.completion


async def test_its_refusals_are_told_apart(llama):
    with pytest.raises(EndpointFailed, match="HTTP 401, the key is wrong") as wrong:
        await asked(endpoint(llama), key="other")
    long = [{"role": "user", "content": "long " * 4000}]
    assert read_reply(await asked(endpoint(llama), long), "line").reading == "too long"
    assert not wrong.value.retry


async def test_an_answer_without_end_is_cut(llama):
    chosen = endpoint(llama, answer="line", max_tokens=5)
    assert read_reply(await asked(chosen), "line").reading == "cut"
