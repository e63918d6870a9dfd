import json

import pytest

from arena.core.errors import EndpointFailed
from arena.host.endpoints.exchange import Answer, Usage
from arena.host.endpoints.kept import MAX_KEPT_BYTES, MAX_TEXT_LENGTH, kept_body
from arena.host.endpoints.reply import cost_of, read_reply
from arena.plugins.endpoints.spec import Endpoint

CALL = {"function": {"name": "play", "arguments": '{"move": "stand"}'}}
"""A call of the tool."""


def answer(message, finish="stop", **more):
    choices = [{"message": message, "finish_reason": finish}]
    return Answer(200, json.dumps({"choices": choices, **more}).encode(), 0.1)


def error(status, **fields):
    return Answer(status, json.dumps({"error": fields}).encode(), 0.1)


@pytest.mark.parametrize(
    ("message", "finish", "form", "text", "reading"),
    [
        ({"content": "MOVE: stand"}, "stop", "line", "MOVE: stand", None),
        ({"content": [{"type": "text", "text": "MOVE: stand"}]}, "", "line", "MOVE: stand", None),
        ({"content": '{"move": "stand"}'}, "stop", "schema", '{"move": "stand"}', None),
        ({"content": "Hm", "tool_calls": [CALL]}, "tool_calls", "tool", '{"move": "stand"}', None),
        ({"content": None, "tool_calls": [CALL]}, "stop", "line", '{"move": "stand"}', None),
        ({"content": "MOVE: st"}, "length", "line", "MOVE: st", "cut"),
        ({"content": None, "reasoning": "Hmm"}, "length", "line", "", "cut"),
        ({"content": ""}, "stop", "line", "", "empty"),
        ({"content": None, "refusal": "No."}, "stop", "line", "No.", "refused"),
        ({"content": ""}, "content_filter", "line", "", "refused"),
    ],
)
def test_what_a_model_said(message, finish, form, text, reading):
    reply = read_reply(answer(message, finish), form)
    assert (reply.text, reply.finish, reply.reading) == (text, finish, reading)


@pytest.mark.parametrize(
    ("message", "form", "kept"),
    [
        ({"content": "Spring."}, "line", True),
        ({"content": "Spring."}, "schema", False),
        ({"content": '{"move": "north"}'}, "schema", True),
        ({"content": '{"move": 1}'}, "schema", False),
        ({"content": "[" * 100_000}, "schema", False),
        ({"content": '{"move": "north"}'}, "tool", False),
        ({"tool_calls": [CALL]}, "tool", True),
        ({"tool_calls": [{"function": {"arguments": {"move": "north"}}}]}, "tool", True),
    ],
)
def test_whether_the_form_was_kept(message, form, kept):
    assert read_reply(answer(message), form).in_form is kept


def test_usage_is_unknown_rather_than_nothing():
    assert read_reply(answer({"content": "x"}), "line").usage == Usage()
    odd = {"prompt_tokens": -1, "completion_tokens": True, "prompt_tokens_details": []}
    assert read_reply(answer({"content": "x"}, usage=odd), "line").usage == Usage()
    told = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    assert read_reply(answer({"content": "x"}, usage=told), "line").usage == Usage(9, 4, 2)


@pytest.mark.parametrize(
    ("given", "said", "retry"),
    [
        (error(401, message="bad key"), "HTTP 401, the key is wrong; check the variable", False),
        (error(402, message="pay"), "no credit", False),
        (error(403, message="no"), "not allowed", False),
        (error(404, message="no model m"), "no such address or model.*: no model m", False),
        (error(400, message="use max_completion_tokens"), 'write token_field = "max_comp', False),
        (error(400, message="temperature is not supported"), "leave temperature out", False),
        (error(400, message="no response_format"), 'write answer = "line"', False),
        (error(408), "HTTP 408", True),
        (error(409), "HTTP 409", True),
        (error(429, message="slow down"), "HTTP 429: slow down", True),
        (error(429, code="insufficient_quota"), "no credit", False),
        (error(529, message="overloaded"), "HTTP 529: overloaded", True),
        (Answer(502, b"<html>Bad gateway</html>", 0), "HTTP 502: <html>Bad gateway", True),
        (Answer(503, b"", 0), "HTTP 503: an empty body", True),
        (error(200, code=429, message="slow down"), "HTTP 429: slow down", True),
        (error(200, code="rate_limit_exceeded"), "HTTP 429", True),
        (error(200, code="401", message="key"), "HTTP 401, the key is wrong", False),
        (error(200, message="broken"), "HTTP 500: broken", True),
        (Answer(200, b'[{"error": {"code": 503}}]', 0), "HTTP 503", True),
        (Answer(200, b'{"error": "busy"}', 0), "HTTP 500: busy", True),
        (Answer(200, b'{"choices": [{"mess', 0), "the answer is no JSON", True),
        (Answer(200, b"[" * 100_000, 0), "the answer is no JSON", True),
        (Answer(200, b'{"choices": "\xc0"}', 0), "the answer is no JSON", True),
        (Answer(200, b'{"answer": 1}', 0), "not of the chat-completions form", True),
        (Answer(200, b'{"choices": []}', 0), "not of the chat-completions form", True),
        (answer({"content": ""}, "error"), "ended its answer by an error", True),
    ],
)
def test_failures_of_the_endpoint_say_what_to_do(given, said, retry):
    with pytest.raises(EndpointFailed, match=said) as failed:
        read_reply(given, "line")
    assert failed.value.retry is retry
    assert "\n" not in failed.value.reason


def test_the_wait_that_is_asked_for_goes_with_the_failure():
    for status, wait, busy in ((429, 7.0, True), (503, 7.0, False), (401, None, False)):
        with pytest.raises(EndpointFailed) as failed:
            read_reply(error(status), "line", 7.0)
        assert (failed.value.wait_seconds, failed.value.busy) == (wait, busy)


@pytest.mark.parametrize(
    ("given", "reading"),
    [
        (error(400, message="x", code="context_length_exceeded"), "too long"),
        (error(400, type="exceed_context_size_error"), "too long"),
        (error(400, message="prompt is too long: 9000 tokens > 8192 maximum"), "too long"),
        (error(400, code="content_filter", message="filtered"), "refused"),
        (error(400, code="content_policy_violation"), "refused"),
    ],
)
def test_what_is_the_players_fault_costs_nothing_and_is_no_failure(given, reading):
    reply = read_reply(given, "schema")
    assert (reply.reading, reply.usage, reply.in_form) == (reading, Usage(0, 0, 0), True)


@pytest.mark.parametrize(
    ("given", "paid"),
    [
        (Answer(200, b"no JSON", 0), True),
        (Answer(200, b"{}", 0), True),
        (answer({"content": None}, "stop"), True),
        (error(504), True),
        (error(503), False),
        (error(401), False),
    ],
)
def test_what_may_have_been_answered_may_have_to_be_paid(given, paid):
    with pytest.raises(EndpointFailed) as failed:
        read_reply(given, "line")
    assert failed.value.paid is paid


@pytest.mark.parametrize(
    ("prices", "usage", "cost"),
    [
        ({"price_in": 1.0, "price_out": 2.0}, Usage(1_000_000, None, 500_000), 2.0),
        ({"price_in": 1.0, "price_out": 2.0}, Usage(1_000_000, 500_000, 0), 1.0),
        (
            {"price_in": 1.0, "price_cached": 0.1, "price_out": 2.0},
            Usage(1_000_000, 500_000, 0),
            0.55,
        ),
        ({"price_in": 0.0, "price_out": 0.0}, Usage(10, None, 10), 0.0),
        ({"price_in": 1.0}, Usage(10, None, 10), None),
        ({"price_in": 1.0, "price_out": 2.0}, Usage(10, None, None), None),
    ],
)
def test_a_price_is_of_all_tokens_or_unknown(prices, usage, cost):
    endpoint = Endpoint(url="u", model="m", **prices)
    assert cost_of(endpoint, usage) == (None if cost is None else pytest.approx(cost))


def test_no_content_at_all_is_the_endpoints_failure():
    with pytest.raises(EndpointFailed, match="no content") as failed:
        read_reply(answer({"content": None}, "stop"), "line")
    assert failed.value.retry


@pytest.mark.parametrize("form", ["line", "tool"])
def test_a_long_answer_is_kept_without_its_reasoning(form):
    said, usage = "é" * 10_000 + "\nMOVE: stand", {"prompt_tokens": 7, "completion_tokens": 9}
    call = {"function": {"name": "play", "arguments": {"move": "stand"}}}
    message = {"content": said} if form == "line" else {"content": None, "tool_calls": [call]}
    usage["prompt_tokens_details"] = {"cached_tokens": 3}
    long = answer(message | {"reasoning_content": "hm " * 100_000}, usage=usage)
    short = kept_body(long.body)
    assert len(short) < MAX_KEPT_BYTES < len(long.body)
    whole, kept = read_reply(long, form), read_reply(Answer(200, short, 0), form)
    assert kept.text == whole.text[-MAX_TEXT_LENGTH:]
    assert (kept.usage, kept.finish, kept.reading) == (whole.usage, whole.finish, whole.reading)
    assert kept.in_form
    assert kept_body(short) is short


@pytest.mark.parametrize("body", [b"{" * 70_000, b'{"error": 1, "x": "' + b"x" * 70_000 + b'"}'])
def test_of_a_long_body_of_another_form_the_beginning_is_kept(body):
    assert kept_body(body) == body[:MAX_KEPT_BYTES]
