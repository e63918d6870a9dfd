import msgspec
import pytest

from arena.host.endpoints.request import request_body
from arena.plugins.endpoints.spec import Endpoint

MESSAGES = [{"role": "system", "content": "Rules"}, {"role": "user", "content": "Ünder 20?"}]


def body_of(**parameters):
    endpoint = Endpoint(url="http://x/v1/chat/completions", model="m", **parameters)
    return msgspec.json.decode(request_body(endpoint, MESSAGES, ["stand", "play +2"], "tag"))


def test_a_plain_request_has_nothing_but_what_every_server_knows():
    assert body_of() == {"model": "m", "messages": MESSAGES, "user": "tag"}


def test_limits_go_by_the_name_that_the_server_knows():
    assert body_of(max_tokens=9, temperature=0.5)["max_tokens"] == 9
    newer = body_of(max_tokens=9, token_field="max_completion_tokens")
    assert (newer["max_completion_tokens"], "max_tokens" in newer) == (9, False)


def test_further_fields_are_added_renamed_and_left_out():
    extra = {"reasoning": {"effort": "low"}, "user": "=session_id", "temperature": "=", "n": "="}
    body = body_of(temperature=1.0, extra=extra)
    assert body == {
        "model": "m",
        "messages": MESSAGES,
        "session_id": "tag",
        "reasoning": {"effort": "low"},
    }


@pytest.mark.parametrize(
    ("form", "place"),
    [
        ("schema", ("response_format", "json_schema", "schema")),
        ("tool", ("tools", 0, "function", "parameters")),
    ],
)
def test_structured_answers_may_be_legal_words_only(form, place):
    found = body_of(answer=form)
    for key in place:
        found = found[key]
    assert found["properties"]["move"]["enum"] == ["stand", "play +2"]
    assert found["required"] == ["move"]


def test_equal_questions_are_equal_bytes_whatever_the_order_of_the_file():
    one = Endpoint(url="u", model="m", extra={"a": 1, "b": {"x": 1, "y": 2}})
    other = Endpoint(url="u", model="m", extra={"b": {"y": 2, "x": 1}, "a": 1})
    assert request_body(one, MESSAGES, [], "t") == request_body(other, MESSAGES, [], "t")
