"""Seats of endpoints in the confined host, beside bots in processes and trusted ones."""

from __future__ import annotations

import math

import msgspec
import pytest

from arena.core.errors import BadPlugin, EndpointFailed
from arena.host.play.hosts import open_host
from tests.endpoints.answering import Answers, endpoint, failing_each
from tests.host.confined_plays import inline, match_settings, records, schedule, untrusted, written

FIRST = """
from arena import Bot

class First(Bot):
    def act(self, observation):
        return observation.legal_actions[0]
"""


def test_an_endpoint_plays_as_a_bot_with_the_same_answers(tmp_path):
    settings, jobs = match_settings(), schedule(3)
    others = [untrusted("random"), untrusted("stand(at=17)")]
    trusted = msgspec.structs.replace(others[1], trusted=True)
    same = msgspec.structs.replace(written(tmp_path, "first", FIRST), trusted=True)
    # A file bot is its content: so the endpoint has the key of that.
    gpt = msgspec.structs.replace(endpoint("gpt"), participant=same.participant)
    with open_host(settings, [gpt, others[0], trusted], access=Answers().access) as host:
        played = host.play(jobs, math.inf)
    assert {match.measurement.isolation for match in played} == {
        *("endpoint,process", "process,endpoint", "endpoint,trusted", "trusted,endpoint"),
        *("process,trusted", "trusted,process"),
    }
    field = [msgspec.structs.replace(bot, trusted=True) for bot in others]
    assert records(played) == inline(settings, [same, *field], jobs)


def test_a_failed_endpoint_gives_up_a_chunk_and_the_next_is_played():
    answers, jobs = Answers(fails=failing_each(5)), schedule(2)
    field = [endpoint("gpt"), untrusted("random")]
    with open_host(match_settings(), field, access=answers.access) as host:
        with pytest.raises(EndpointFailed, match=r"^gpt: HTTP 529$"):
            host.play(jobs, math.inf)
        answers.fails = lambda call: None
        assert len(host.play(jobs, math.inf)) == len(jobs)


def test_where_endpoints_cannot_be_asked_a_field_with_one_is_refused():
    with pytest.raises(BadPlugin, match=r"^bot gpt is an endpoint, and endpoints cannot be asked"):
        open_host(match_settings(), [endpoint("gpt"), untrusted("random")])
