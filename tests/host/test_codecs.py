"""Codecs read back what they write, and refuse an invalid answer in one line."""

from __future__ import annotations

import json
import resource

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import HarnessFault, ParseError
from arena.core.observation import Observation
from arena.core.outcome import Fault, Outcome, Termination
from arena.games.pazaak.game import Pazaak
from arena.host.wire.codecs import PACKED, SHOWN, TEXT, BadAnswer, Codec
from arena.host.wire.messages import Answer, Decide, Failed, Finish, Hello, Ready, Request, Start
from tests.sizes import volume

CODECS = pytest.mark.parametrize("codec", [PACKED, TEXT], ids=lambda codec: codec.name)
GAME = Pazaak()

words = st.text(st.characters(codec="utf-8"), max_size=50)
numbers = st.integers(0, 2**53 - 1)
failures = st.builds(Failed, words, words, words)
answer_lists = st.lists(
    st.builds(Answer, numbers, numbers | words | st.none(), words | st.none(), failures | st.none())
)
plain = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | words
values = st.recursive(
    plain, lambda inner: st.lists(inner) | st.dictionaries(words, inner), max_leaves=20
)
runs = st.lists(numbers, min_size=2)
others = (
    st.builds(Hello, st.integers(1, 9), words, st.dictionaries(words, numbers | words))
    | st.builds(Start, numbers, numbers, words, numbers, numbers, numbers, values)
    | st.builds(Finish, numbers, values)
)
decisions = st.tuples(numbers, st.lists(st.tuples(numbers, values), min_size=1))


def payloads_of(codec: Codec, stream: bytes) -> list[bytes]:
    return codec.reader(len(stream)).feed(stream)


@CODECS
@settings(max_examples=volume(50, everyday=10))
@given(batches=st.lists(st.tuples(st.lists(others), decisions), max_size=3))
def test_requests_arrive_as_they_were_sent(codec, batches):
    asked: list[Request] = []
    for before, (first, columns) in batches:
        matches, observations = map(list, zip(*columns, strict=True))
        asked += [*before, *codec.decides(first, matches, observations)]
    read = [one for part in payloads_of(codec, codec.encode(asked)) for one in codec.requests(part)]
    assert read == asked


@given(decided=decisions)
def test_decisions_in_columns_are_those_of_a_message_each(decided):
    first, columns = decided
    matches, observations = map(list, zip(*columns, strict=True))
    (whole,) = PACKED.decides(first, matches, observations)
    assert list(TEXT.decides(first, matches, observations)) == [
        Decide(whole.id + place, match, observation)
        for place, (match, observation) in enumerate(
            zip(whole.matches, whole.observations, strict=True)
        )
    ]


@CODECS
@given(given=answer_lists)
def test_answers_arrive_as_they_were_sent(codec, given):
    stream = codec.encode(given)
    assert [one for part in payloads_of(codec, stream) for one in codec.answers(part)] == given


@CODECS
def test_ready_arrives_as_it_was_sent(codec):
    ready = Ready(1, "naïve", ("pazaak",), 16, error="Traceback\n  line 1")
    (payload,) = payloads_of(codec, codec.encode_ready(ready))
    assert codec.ready(payload) == ready


@given(given=st.lists(runs | st.builds(Answer, numbers, numbers)))
def test_runs_of_answers_arrive_as_they_were_sent(given):
    (payload,) = payloads_of(PACKED, PACKED.encode(given))
    assert PACKED.answers(payload) == given


@pytest.mark.parametrize("run", [[], [7], [7, -1], [7, "stand"], [7, True], [7, 2**53], [7, [1]]])
def test_a_run_of_anything_but_numbers_or_of_no_answer_is_refused(run):
    with pytest.raises(BadAnswer):
        PACKED.answers(msgspec.msgpack.encode([run]))


def test_a_packed_batch_is_one_payload_each_way():
    asked = PACKED.decides(1, [1] * 256, [[id] for id in range(256)])
    assert len(payloads_of(PACKED, PACKED.encode(asked))) == 1
    answers = [Answer(id, 1) for id in range(256)]
    assert len(payloads_of(PACKED, PACKED.encode(answers))) == 1


def test_text_is_one_json_object_a_line():
    asked = [Hello(1, "pazaak"), Decide(7, 3, {"hand": ["±1"]}), Finish(3, None)]
    lines = TEXT.encode(asked).decode().splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["hello", "decide", "finish"]
    assert json.loads(lines[1]) == {
        "type": "decide",
        "id": 7,
        "match": 3,
        "observation": {"hand": ["±1"]},
    }


NO_ANSWERS = {
    "nothing": "",
    "half an object": '{"id": 1, "action": ',
    "two objects": '{"id": 1}{"id": 2}',
    "a list": '[{"id": 1}]',
    "a bare text": '"stand"',
    "no id": '{"action": "stand"}',
    "a negative id": '{"id": -1, "action": "stand"}',
    "an id that is a text": '{"id": "1", "action": "stand"}',
    "an id that is a truth": '{"id": true, "action": "stand"}',
    "an id with a fraction": '{"id": 1.5, "action": "stand"}',
    "an id beyond 53 bits": '{"id": 9007199254740992, "action": "stand"}',
    "an id of 100,000 digits": '{"id": ' + "9" * 100_000 + "}",
    "not a number": '{"id": NaN}',
    "infinity": '{"id": 1, "action": 1e999}',
    "an action that is a list": '{"id": 1, "action": ["stand"]}',
    "an action that is an object": '{"id": 1, "action": {"text": "stand"}}',
    "an action without end": '{"id": 1, "action": "' + "x" * 1001 + '"}',
    "half a surrogate": r'{"id": 1, "action": "\ud800 is none"}',
    "deep nesting in a known field": '{"id": 1, "action": ' + "[" * 500_000,
    "deep nesting in an unknown field": '{"id": 1, "x": ' + "[" * 500_000 + "]" * 500_000 + "}",
    "not JSON": "I stand",
}


@pytest.mark.parametrize("line", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_a_line_that_is_no_answer_is_refused(line):
    with pytest.raises(BadAnswer) as caught:
        TEXT.answers(line.encode())
    assert "\n" not in caught.value.reason
    assert len(caught.value.reason) < 200
    assert len(caught.value.sent) <= SHOWN + 3


@pytest.mark.parametrize("field", ["action", "loadout"])
def test_a_text_that_is_not_utf_8_is_refused(field):
    with pytest.raises(BadAnswer, match="UTF-8"):
        TEXT.answers(b'{"id": 1, "%s": "\xff\xfe"}' % field.encode())
    with pytest.raises(BadAnswer, match="UTF-8"):
        PACKED.answers(msgspec.msgpack.encode([{"id": 1, field: "ab"}]).replace(b"ab", b"\xff\xff"))


def test_unknown_fields_are_ignored():
    line = b'{"id": 1, "thought": {"deep": [1, 2, {}]}, "action": "stand", "x": null}'
    assert TEXT.answers(line) == [Answer(1, "stand")]


@CODECS
@pytest.mark.parametrize("batch", [0, -1, 4_097, "many"])
def test_a_batch_that_is_no_batch_is_refused(codec, batch):
    encode = msgspec.msgpack.encode if codec is PACKED else msgspec.json.encode
    with pytest.raises(BadAnswer, match="batch"):
        codec.ready(encode({"protocol": 1, "batch": batch}))


@CODECS
@given(noise=st.binary(max_size=60))
def test_noise_is_read_or_refused_and_nothing_else(codec, noise):
    for read in (codec.answers, codec.ready):
        refusal = ""
        try:
            read(noise)
        except BadAnswer as error:
            refusal = error.reason + error.sent
        assert not refusal or refusal.isprintable()


@given(given=st.lists(runs | st.builds(Answer, numbers, numbers), min_size=1), data=st.data())
def test_a_damaged_frame_is_read_or_refused_and_nothing_else(given, data):
    frame = bytearray(PACKED.encode(given)[4:])
    frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = PACKED.answers(bytes(frame))
    except BadAnswer:
        return
    for one in read:
        named = [one.id] if type(one) is Answer else one
        assert named
        assert all(type(number) is int and 0 <= number < 2**53 for number in named)


LIES = {
    "a list": b"\xdd\xff\xff\xff\xff",
    "a list in ready": b"\x81\xa5games\xdd\xff\xff\xff\xff",
    "a list in an unknown field": b"\x81\xa1x\xdd\xff\xff\xff\xff",
    "a map": b"\xdf\xff\xff\xff\xff",
    "a text": b"\x81\xa4name\xdb\xff\xff\xff\xff",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_false_count_takes_no_memory(lie):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for read in (PACKED.answers, PACKED.ready):
        with pytest.raises(BadAnswer):
            read(lie)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kB


def test_our_runtime_is_sent_no_observation_by_itself():
    """It would not know what a match's own function left out before."""
    with pytest.raises(HarnessFault, match="packed by its match"):
        PACKED.observation(Pazaak(), Observation(0, (), b""))


def test_an_action_is_written_as_its_codec_writes_it():
    stand = GAME.notation.action("stand")
    assert TEXT.action(GAME, Answer(1, "stand")) is stand
    assert PACKED.action(GAME, Answer(1, stand.id)) is stand


@pytest.mark.parametrize(
    ("codec", "named"), [(TEXT, 1), (PACKED, "stand"), (TEXT, None), (PACKED, None)]
)
def test_an_action_named_in_another_way_is_no_answer(codec, named):
    with pytest.raises(BadAnswer, match="needs an action by its"):
        codec.action(GAME, Answer(1, named))


@pytest.mark.parametrize(("codec", "named"), [(TEXT, "leave"), (PACKED, 2**52)])
def test_an_action_that_the_game_does_not_have_is_a_parse_error(codec, named):
    with pytest.raises(ParseError):
        codec.action(GAME, Answer(1, named))


def test_an_outcome_has_names_as_text_and_is_unchanged_when_packed():
    fault = Fault(1, Termination.TIMEOUT, 4, "over its time")
    outcome = Outcome((1.0, -1.0), (3, 1), expelled=(fault,))
    (line,) = payloads_of(TEXT, TEXT.encode([Finish(1, TEXT.outcome(outcome))]))
    form = json.loads(line)["outcome"]
    assert (form["returns"], form["termination"]) == ([1.0, -1.0], "rules")
    assert form["expelled"] == [
        {"seat": 1, "cause": "timeout", "move": 4, "reason": "over its time"}
    ]
    (frame,) = payloads_of(PACKED, PACKED.encode([Finish(1, PACKED.outcome(outcome))]))
    (finish,) = PACKED.requests(frame)
    assert msgspec.convert(finish.outcome, Outcome) == outcome
