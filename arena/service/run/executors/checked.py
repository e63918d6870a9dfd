"""Plays again, on this machine, some of the matches that other machines played.

A record that another machine made is not trusted. Every loss by a fault and one match in a hundred
is played again here before it counts. A place with wrong records is barred: its later matches
count as this machine plays them. Its earlier matches can be played again
(``arena.service.run.changes.redo_place``).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TypeAlias

import trio

from arena.core.errors import Divergence, HarnessFault
from arena.core.game import AnyGame
from arena.core.outcome import Termination
from arena.core.record import MatchKey, MatchRecord, PlayedMatch
from arena.core.tournaments.executor import Executor, Work
from arena.core.tournaments.format import Job
from arena.match.adjudication import faults_of
from arena.match.replay import verify

SHARE = 0.01
"""Share of the matches that are played again though nobody lost by a fault."""
Advice: TypeAlias = Callable[[str], str]
"""Returns the command that plays the matches of a place again."""
AT_ONCE = 64
"""Matches that wait to be played again, at most; then other machines wait."""


async def played_by(executor: Executor, jobs: Sequence[Job]) -> Mapping[MatchKey, PlayedMatch]:
    """Has jobs played, and returns the matches by their keys."""
    send, receive = trio.open_memory_channel[list[PlayedMatch]](len(jobs))
    async with send, receive:
        await executor.play(jobs, send.clone())
        played: list[PlayedMatch] = []
        with suppress(trio.WouldBlock):
            while True:
                played += receive.receive_nowait()
    return {match.key: match for match in played}


def same(one: MatchRecord, other: MatchRecord) -> bool:
    """Returns whether two records are equal, byte for byte."""
    return one.to_bytes() == other.to_bytes()


class Checked:
    """An ``Executor`` that checks another one.

    Args:
        there: The other; each of its matches says at which place it was played.
        here: An executor of this machine.
        game: The game that is played.
        advice: From the name of a place to the command that plays its matches again.
    """

    def __init__(
        self, there: Executor, here: Executor, work: Work, game: AnyGame, advice: Advice
    ) -> None:
        self._there, self._here, self._work, self._game = there, here, work, game
        self._advice, self._barred = advice, work.pace.barred
        self._secret = secrets.token_bytes(16)
        """Chooses the matches; no place knows it."""

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Plays every job and delivers each match once; checked ones come later.

        Raises:
            HarnessFault: As the executor.
        """
        by_key = {job.key: job for job in jobs}
        failed: list[HarnessFault] = []
        send, receive = trio.open_memory_channel[list[PlayedMatch] | None](0)
        put, todo = trio.open_memory_channel[PlayedMatch](AT_ONCE)

        async def play_there() -> None:
            try:
                async with send.clone() as played:
                    await self._there.play(jobs, played)
            except HarnessFault as fault:  # its other matches stand
                failed.append(fault)
            await send.send(None)  # the end, even if the executor left a channel open

        async with deliver, send, receive, put, todo, trio.open_nursery() as nursery:
            nursery.start_soon(play_there)
            nursery.start_soon(self._check, todo.clone(), by_key, deliver.clone())
            while (played := await receive.receive()) is not None:
                doubtful = [match for match in played if self._is_doubtful(match)]
                keys = {match.key for match in doubtful}
                if sure := [match for match in played if match.key not in keys]:
                    await deliver.send(sure)
                for match in doubtful:
                    await put.send(match)
            await put.aclose()
        if failed:
            raise failed[0]

    def _is_doubtful(self, match: PlayedMatch) -> bool:
        if not match.place:
            return False
        if match.place in self._barred or faults_of(match.record.outcome):
            return True
        drawn = blake2b(str(match.key).encode(), key=self._secret, digest_size=8).digest()
        return int.from_bytes(drawn, "big") < SHARE * 2**64

    async def _check(
        self,
        todo: trio.MemoryReceiveChannel[PlayedMatch],
        by_key: Mapping[MatchKey, Job],
        deliver: trio.MemorySendChannel[list[PlayedMatch]],
    ) -> None:
        async with todo, deliver:
            async for match in todo:
                some = [match]
                with suppress(trio.WouldBlock, trio.EndOfChannel):
                    while True:
                        some.append(todo.receive_nowait())
                await deliver.send(await self._judged(some, by_key))

    async def _judged(
        self, matches: Sequence[PlayedMatch], by_key: Mapping[MatchKey, Job]
    ) -> list[PlayedMatch]:
        """Returns the matches as they count."""
        ours = await played_by(self._here, [by_key[match.key] for match in matches])
        counts: list[PlayedMatch] = []
        differ: list[PlayedMatch] = []
        for match in matches:
            mine = ours[match.key]
            if match.place in self._barred:
                counts.append(mine)
            elif same(match.record, mine.record):
                counts.append(match)
            elif not (_timed_out(match) or _timed_out(mine)):
                differ.append(match)
            elif faults_of(match.record.outcome):
                # Honest machines can differ: one of them was busy. Nobody loses for that.
                reason = f"{match.place}: {_fault(match)}, and this machine does not confirm it"
                await self._work.report_void([by_key[match.key]], reason)
                counts.append(mine)
            else:
                counts.append(match)
        if differ:
            await self._bar(differ, ours, by_key)
        return [*counts, *(self._settled(match, ours) for match in differ)]

    def _settled(self, match: PlayedMatch, ours: Mapping[MatchKey, PlayedMatch]) -> PlayedMatch:
        return ours[match.key] if match.place in self._barred else match

    async def _bar(
        self,
        differ: Iterable[PlayedMatch],
        ours: Mapping[MatchKey, PlayedMatch],
        by_key: Mapping[MatchKey, Job],
    ) -> None:
        """Bars the places of matches unless a bot of the match does not play alike twice here."""
        again = await played_by(self._here, [by_key[match.key] for match in differ])
        for match in differ:
            alike = same(again[match.key].record, ours[match.key].record)
            lied = alike or not self._follows_rules(match.record)
            if not lied or match.place in self._barred:
                continue
            self._barred.add(match.place)
            name = self._work.describe(by_key[match.key])
            self._work.pace.notice(
                f"{name}: the record of place {match.place} is not what this machine plays, so "
                f"that the place cannot be trusted and plays no more. When the tournament has "
                f"ended, play its earlier matches again: {self._advice(match.place)}"
            )

    def _follows_rules(self, record: MatchRecord) -> bool:
        with suppress(Divergence):
            verify(self._game, record)
            return True
        return False


def _timed_out(match: PlayedMatch) -> bool:
    return any(fault.cause is Termination.TIMEOUT for fault in faults_of(match.record.outcome))


def _fault(match: PlayedMatch) -> str:
    fault = faults_of(match.record.outcome)[0]
    return fault.reason or fault.cause.value
