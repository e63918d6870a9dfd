"""A process spec longer than the line to its process holds at once: the bot plays all the same."""

from __future__ import annotations

import msgspec

from arena.core.outcome import Termination
from tests.host.confined_plays import breaker, match_settings, play, schedule


def test_a_process_spec_longer_than_the_socket_holds_arrives():
    long = msgspec.structs.replace(breaker(), origin="x" * 3_000_000)
    played = play(match_settings(), [long, breaker()], schedule(2, deals=1))
    assert played
    assert {match.record.outcome.termination for match in played} == {Termination.RULES}
