"""A rolling executor hands out matches; those that do not count are set aside or played again."""

from __future__ import annotations

import pytest
import trio

from arena.core.errors import EndpointFailed, HarnessFault
from arena.core.outcome import Outcome
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.tournaments.executor import Pace, Work
from arena.core.tournaments.format import Job
from arena.core.tournaments.lanes import TRIES
from arena.core.tournaments.voids import MAX_VOID
from arena.host.play.endpoints import EndpointAccess
from arena.service.run.executors.rolling import MAX_MATCHES, RollingFeed, window_of
from tests.endpoints.answering import Answers, endpoint


class Fed:
    """A feed of matches of two pairings, and all that it reports."""

    def __init__(self, matches=2, window=4) -> None:
        self.told, self.void, self.lines = [], [], []
        self.pace = Pace(notice=self.lines.append)
        work = Work(
            play=lambda *_: b"",
            setup=b"",
            pace=self.pace,
            start_worker=lambda: True,
            report_void=self.report_void,
        )
        self.ended = []
        self.access = EndpointAccess(
            Answers().open, ended=lambda match, finished: self.ended.append((str(match), finished))
        )
        self.send, self.receive = trio.open_memory_channel(1000)
        jobs = [
            Job(MatchKey(1, pairing, leg), leg, leg, (0, 1))
            for pairing in (1, 2)
            for leg in range(1, matches + 1)
        ]
        self.feed = RollingFeed(
            jobs, work, self.send, self.told.append, window, self.access, noticed={}
        )

    async def report_void(self, jobs, reason):
        self.void.append(([str(job.key) for job in jobs], reason))

    def begin(self) -> dict[str, int]:
        """Begins what may begin; returns the numbers by match."""
        begun: dict[str, int] = {}
        while taken := self.feed.take(self.pace.sent):
            begun[str(taken[1].key)] = taken[0]
        return begun

    async def heard(self) -> None:
        while self.told:
            await self.told.pop(0)()


def played(key: str) -> PlayedMatch:
    round, pairing, leg = map(int, key.split("."))
    record = MatchRecord("game", "rules", "1", 1, ("a", "b"), (), b"", Outcome((1, -1), (1, 0)))
    return PlayedMatch(MatchKey(round, pairing, leg), record, Measurement((5, 0), (1, 1)))


async def test_all_pairings_begin_and_a_match_that_ends_makes_room():
    fed = Fed(window=3)
    begun = fed.begin()
    assert [*begun] == ["1.1.1", "1.2.1", "1.1.2"]
    assert fed.begin() == {}
    fed.feed.played(begun["1.2.1"], played("1.2.1"))
    await fed.heard()
    assert fed.receive.receive_nowait() == [played("1.2.1")]
    assert [*fed.begin()] == ["1.2.2"]
    assert fed.pace.seconds == {0: 5e-9, 1: 0.0}


async def test_a_match_that_an_endpoint_failed_goes_on_after_the_others():
    fed = Fed(window=1)
    begun = fed.begin()
    fed.feed.failed(begun["1.1.1"], EndpointFailed("gpt: HTTP 529", wait_seconds=0.0))
    assert [*fed.begin()] == ["1.2.1"]
    await fed.heard()
    assert (fed.void, fed.feed.void.lines) == ([], [])
    assert fed.ended == [("1.1.1", False)]
    assert fed.lines == ["gpt: HTTP 529; a match is set aside, and goes on later"]


def test_a_match_that_has_to_wait_is_not_over():
    fed = Fed(matches=1)
    for key, number in fed.begin().items():
        if key == "1.1.1":
            fed.feed.failed(number, EndpointFailed("gpt: HTTP 429", wait_seconds=60))
        else:
            fed.feed.played(number, played(key))
    assert fed.begin() == {}
    assert not fed.feed.over
    fed.pace.pausing = True
    assert fed.feed.over


async def test_an_endpoint_that_cannot_be_asked_pauses_the_run():
    fed = Fed(window=2)
    begun = fed.begin()
    fed.feed.failed(begun["1.1.1"], EndpointFailed("gpt: HTTP 401", retry=False))
    assert fed.begin() == {}
    assert fed.pace.pausing
    assert not fed.feed.over
    fed.feed.played(begun["1.2.1"], played("1.2.1"))
    assert fed.feed.over
    await fed.heard()
    assert fed.lines == ["pausing: gpt: HTTP 401"]
    assert fed.pace.sent == 0


async def test_a_void_match_stops_only_itself():
    fed = Fed(matches=1, window=1)
    for _ in range(TRIES + 1):
        ((key, number),) = fed.begin().items()
        if key == "1.1.1":
            fed.feed.failed(number, HarnessFault("out of cards"))
        else:
            fed.feed.played(number, played(key))
        await fed.heard()
    assert fed.feed.over
    assert fed.void == [(["1.1.1"], "out of cards")] * TRIES
    assert fed.feed.void.lines == [f"match 1.1.1 was void {TRIES} times: out of cards"]


def test_so_many_void_matches_end_the_run():
    fed = Fed(matches=MAX_VOID, window=1)
    while not fed.feed.stopped:
        (number,) = fed.begin().values()
        fed.feed.failed(number, HarnessFault("out of cards"))
    assert len(fed.feed.void.lines) == MAX_VOID


async def test_a_host_that_fails_is_to_blame_for_no_match():
    fed = Fed(matches=1)
    for _ in range(TRIES - 1):
        assert [*fed.begin()] == ["1.1.1", "1.2.1"]
        fed.feed.lost(HarnessFault("the fork server ended"))
    await fed.heard()
    assert len(fed.void) == TRIES - 1
    assert fed.pace.sent == 0
    with pytest.raises(HarnessFault, match="fork server"):
        fed.feed.lost(HarnessFault("the fork server ended"))


def test_nothing_begins_while_it_is_decided_who_plays():
    fed = Fed()
    fed.pace.deciding = True
    assert fed.begin() == {}
    assert not fed.feed.over


def test_as_many_matches_as_questions_at_a_time():
    assert window_of([endpoint("a", 8), endpoint("b", 5)]) == 13
    assert window_of([endpoint("a", 5 * MAX_MATCHES)]) == MAX_MATCHES
