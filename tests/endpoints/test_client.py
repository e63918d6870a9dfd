import ipaddress
import os
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from arena.core.errors import BadInput, EndpointFailed
from arena.host.endpoints.calibration import calibrate
from arena.host.endpoints.client import open_clients, wait_seconds
from arena.host.endpoints.reply import read_reply
from arena.host.endpoints.request import request_body
from arena.plugins.endpoints.spec import Endpoint
from tests.cli.in_process import run_in_process
from tests.endpoints.runs import write_endpoint
from tests.endpoints.served import served

KEY = "sk-SECRET-0123456789"
QUESTION = [
    {
        "role": "user",
        "content": "your table: 9 7 = 16, 2 of 9\n\nLegal moves:\nend turn\nstand\nplay +3\n",
    }
]
WORDS = ["end turn", "stand", "play +3"]


async def sent(endpoint, environment=(), ask=False):
    async with open_clients([endpoint], dict(environment)) as [client]:
        body = request_body(endpoint, QUESTION, WORDS, "tag")
        return await (client.ask if ask else client.send)(body)


@pytest.mark.parametrize("form", ["line", "schema", "tool"])
@pytest.mark.parametrize(
    ("model", "word"), [("stand", "stand"), ("counter", "play +3"), ("stand+illegal=1", "fold")]
)
async def test_a_model_plays_in_every_form(fake, model, word, form):
    endpoint = fake.endpoint(model, answer=form)
    answer = await sent(endpoint)
    reply = read_reply(answer, form)
    assert (word in reply.text, reply.in_form, reply.reading) == (True, True, None)
    assert reply.usage.prompt
    assert answer.seconds > 0


@pytest.mark.parametrize(
    ("mode", "said", "retry"),
    [
        ("429", "HTTP 429: overloaded", True),
        ("529", "HTTP 529: overloaded", True),
        ("hang", "no answer within 0.5 s", True),
        ("drip", "no answer within 0.5 s", True),
        ("close", "the connection broke: RemoteProtocolError", True),
        ("truncated", "the answer is no JSON", True),
        ("schema", "not of the chat-completions form", True),
        ("huge", "longer than 1048576 bytes", False),
        ("bomb", "longer than 1048576 bytes", False),
        ("redirect", r"redirects to another host, 127.0.0.2.*'http://127.0.0.2:9/steal'", False),
        ("error", "HTTP 429: slow down", True),
        ("finish", "ended its answer by an error", True),
        ("null", "the answer has no content", True),
    ],
)
async def test_each_failure_is_the_endpoints_and_one_line(fake, mode, said, retry):
    limit = 0.5 if mode in ("hang", "drip") else 60.0
    with pytest.raises(EndpointFailed, match=said) as failed:
        await sent(fake.endpoint(f"stand+fail={mode}", timeout_seconds=limit))
    assert failed.value.retry is retry
    assert failed.value.reason.startswith(f"stand+fail={mode} at 127.0.0.1: ")


@pytest.mark.parametrize(
    ("mode", "reading"), [("length", "cut"), ("refusal", "refused"), ("filter", "refused")]
)
async def test_what_a_model_may_say_instead_of_a_move_is_its_own(fake, mode, reading):
    answer = await sent(fake.endpoint(f"stand+fail={mode}"))
    assert read_reply(answer, "line").reading == reading


async def test_compressed_answers_and_those_without_usage_are_read(fake):
    assert read_reply(await sent(fake.endpoint("stand+fail=gzip")), "line").text
    assert read_reply(await sent(fake.endpoint("stand+fail=usage")), "line").usage.prompt is None


async def test_nobody_there_and_no_https_there(fake, monkeypatch):
    monkeypatch.setattr("arena.host.endpoints.client.CONNECT_SECONDS", 0.5)
    with pytest.raises(EndpointFailed, match="no connection: ") as failed:
        await sent(Endpoint(url="http://127.0.0.1:1/v1", model="m"))
    assert failed.value.retry
    secure = fake.url.replace("http://", "https://")
    with pytest.raises(EndpointFailed, match=r"no (encrypted )?connection"):
        await sent(Endpoint(url=secure, model="m"))
    with pytest.raises(EndpointFailed, match="if the server speaks https, write https:// in url"):
        await sent(fake.endpoint("stand+fail=close"))


async def test_the_key_is_sent_and_stands_in_no_error():
    with served("--key", KEY) as locked:
        endpoint = locked.endpoint("stand", key_env="MY_KEY")
        assert read_reply(await sent(endpoint, {"MY_KEY": KEY}), "line").text
        for url, key in ((locked.url, f"{KEY}x"), ("http://127.0.0.1:1/v1", KEY)):
            endpoint = Endpoint(url=url, model="stand", key_env="MY_KEY")
            with pytest.raises(EndpointFailed) as failed:
                await sent(endpoint, {"MY_KEY": key})
            seen = failed.value
            assert seen.__context__ is None
            lines = traceback.TracebackException.from_exception(seen, capture_locals=True).format()
            # The environment is the test's own, here as in the frames of `sent`.
            frames = [line for line in lines if "environment" not in line and "MY_KEY" not in line]
            assert KEY not in "".join(frames)
            assert KEY not in seen.reason


@pytest.mark.parametrize(
    ("value", "said"),
    [("", "MY_KEY is not set"), ("a b", "holds what no key may"), ("é", "no key")],
)
async def test_a_key_that_cannot_be_sent_is_refused_before_anything_is(fake, value, said):
    endpoint = fake.endpoint("stand", key_env="MY_KEY")
    with pytest.raises(BadInput, match=said):
        await sent(endpoint, {"MY_KEY": value})


async def test_at_most_parallel_questions_are_under_way_on_as_many_connections():
    with served() as fresh:
        endpoint = fresh.endpoint("random+delay=0.05", parallel=7)
        body = request_body(endpoint, QUESTION, WORDS, "tag")
        async with open_clients([endpoint]) as [client], trio.open_nursery() as nursery:
            for _ in range(30):
                nursery.start_soon(client.ask, body)
        stats = fresh.stats()
    assert (stats["requests"], stats["peak"]) == (30, 7)
    assert stats["connections"] - 1 == 7  # the other one asks for the counts
    assert stats["tags"] == {"tag": 30}
    assert list(stats["digests"].values()) == [30]


async def test_an_endpoint_that_fails_for_a_while_is_waited_for():
    with served() as fresh:
        endpoint = fresh.endpoint("stand", parallel=8)
        body = request_body(endpoint, QUESTION, WORDS, "tag")
        fresh.control(down=0.8, status=529)
        answers = []

        async def ask():
            answers.append(await client.ask(body))

        async with open_clients([endpoint]) as [client], trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(ask)
        assert [answer.status for answer in answers] == [200] * 20
        assert fresh.stats()["requests"] < 2 * 20


async def test_a_question_that_always_fails_is_given_back_while_others_go_on(fake, monkeypatch):
    monkeypatch.setattr("arena.host.endpoints.gate.MAX_WAIT_SECONDS", 0.0)
    with pytest.raises(EndpointFailed, match="HTTP 500") as failed:
        await sent(fake.endpoint("stand+fail=500"), ask=True)
    assert failed.value.retry


def certificate(folder):
    """A certificate for 127.0.0.1 that nobody has signed but itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternative, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pkcs8 = serialization.PrivateFormat.PKCS8
    path = folder / "own.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, pkcs8, plain)
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


async def test_a_certificate_must_be_trusted(tmp_path):
    path = certificate(tmp_path)
    with served("--cert", str(path)) as secure:
        with pytest.raises(EndpointFailed, match="its certificate is not trusted: self") as failed:
            await sent(secure.endpoint("stand"))
        assert not failed.value.retry
        trusted = {"SSL_CERT_FILE": str(path)}
        assert (await sent(secure.endpoint("stand"), trusted)).status == 200
        with pytest.raises(BadInput, match=r"SSL_CERT_FILE=.*conftest.py: no certificates"):
            await sent(
                secure.endpoint("stand"),
                {"SSL_CERT_FILE": str(Path(__file__).with_name("conftest.py"))},
            )


def test_a_certificate_of_ones_own_is_one_line_until_it_is_named(tmp_path):
    path = certificate(tmp_path)

    def checked(name, environment=()):
        words = ("check", "bot", f"{name}.toml")
        return run_in_process(words, tmp_path, {**os.environ, **dict(environment)})

    with served("--cert", str(path)) as secure:
        write_endpoint(tmp_path, secure.url, model="stand")
        write_endpoint(tmp_path, secure.url.replace("127.0.0.1", "localhost"), "other")
        code, _, error = checked("gpt")
        assert (code, error.count("\n")) == (2, 1)
        assert "not trusted: self-signed certificate; SSL_CERT_FILE can name one to " in error
        trusted = {"SSL_CERT_FILE": str(path)}
        assert checked("gpt", trusted)[0] == 0
        code, _, error = checked("other", trusted)
        assert (code, error.count("\n")) == (2, 1)
        assert error.endswith("certificate is not valid for 'localhost'\n")
        _, _, error = checked("gpt", {"SSL_CERT_FILE": "no.pem"})
        assert error.endswith("SSL_CERT_FILE=no.pem: no certificates: No such file or directory\n")


def test_retry_after_is_seconds_or_a_date():
    now = datetime(2026, 11, 28, 12, 0, tzinfo=UTC).timestamp()
    cases = {
        "7": 7,
        "0.5": 0.5,
        "-3": 0,
        "100000": 60,
        "nan": None,
        "": None,
        "soon": None,
        "Sat, 28 Nov 2026 12:00:09 GMT": 9,
        "Sat, 28 Nov 2026 11:00:00 GMT": 0,
    }
    assert {header: wait_seconds(header, now) for header in cases} == cases


@pytest.mark.parametrize(
    ("model", "parameters", "said"),
    [
        ("stand", {"answer": "line"}, ""),
        ("stand", {"answer": "schema"}, ""),
        ("stand", {"answer": "tool"}, ""),
        ("gpt", {}, "HTTP 404, no such address or model.*The model gpt does not exist"),
        ("stand+form=ignored", {"answer": "schema"}, 'answer = "schema"; write answer = "line"'),
        ("stand+form=ignored", {"answer": "tool"}, 'answer = "tool"; write answer = "line"'),
        ("stand+fail=length", {"max_tokens": 5}, "took all of max_tokens = 5"),
        ("stand+fail=529", {}, "HTTP 529"),
        ("stand+context=10", {}, "longer than the model's context"),
    ],
)
async def test_one_question_finds_out_what_is_wrong(fake, model, parameters, said):
    async with open_clients([fake.endpoint(model, **parameters)]) as [client]:
        if said:
            with pytest.raises(EndpointFailed, match=said):
                await calibrate(client)
        else:
            found = await calibrate(client)
            assert found.usage.prompt
            assert found.seconds > 0
