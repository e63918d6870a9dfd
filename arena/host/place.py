"""A place plays the matches of one tournament on a machine: the same for every kind of cluster.

It knows nothing of any cluster. An executor makes one where its cluster runs code, and has it play
chunks from as many threads as it likes.
"""

from __future__ import annotations

import os
import queue
import select
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import msgspec

from arena.core.described import described
from arena.core.errors import BadPlugin, describe
from arena.core.outcome import Termination
from arena.core.record import PlayedMatch
from arena.core.tournaments.executor import PlaceReport
from arena.core.tournaments.lanes import LATE_SECONDS
from arena.core.tournaments.wire import Answer, decode_matches, encode
from arena.host.box.probing.probe import best_level, probe
from arena.host.cargo import arena_version, engine_difference, engine_here, level_of, unload
from arena.host.frames import read_frame, write_frame
from arena.host.speed import SLOW, speed_in_new_process
from arena.host.stdio import Request
from arena.match.adjudication import faults_of

CLOSE_SECONDS = 1.0
"""Seconds that a worker process may take to end; then it is killed."""
_LONGEST_WAIT = 2.0**31 - 1
"""Most milliseconds of a wait for an answer."""
_decode = msgspec.msgpack.Decoder(described(Answer)).decode


class Place:
    """Plays chunks of matches in worker processes of this machine; thread-safe.

    To make one takes about a second: it unpacks the cargo, tries the isolation level, and measures
    its speed. Use it as a context, or close it.

    Args:
        cargo: The packed matches: ``Work.cargo()``.
        cache: A private folder for unpacked archives; several places may share one.
        slots: Number of worker processes, which start when they are needed.
        name: What the executor calls this place.

    Raises:
        BadPlugin: It cannot play these matches; one line says why: the engine, the content of a bot
            or a module differs, or the isolation level is not available.
    """

    def __init__(self, cargo: bytes, cache: Path, slots: int = 1, name: str = "") -> None:
        self.name, self.slots = name, slots
        self._setup = unload(cargo, cache)
        self.level = level_of(cargo)
        report = probe(self.level)
        if not report.holds:
            raise BadPlugin(f"level {self.level} is unavailable here: {report.verdict}")
        self.speed = _speed()
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        self._workers = set[_Worker]()
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(slots):
            self._idle.put(None)

    def __enter__(self) -> Place:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def report(self) -> PlaceReport:
        """The row of it that ``arena doctor`` shows."""
        return PlaceReport(
            name=self.name,
            version=arena_version(),
            level=self.level,
            slots=self.slots,
            speed=self.speed,
        )

    def play(self, jobs: bytes, seconds: float, patience: float) -> bytes:
        """Plays a chunk of matches, and waits for a worker process if all are busy.

        A match in which a bot used up its time on a place that is too slow is left out, for another
        place; if no other match is left, the place has failed.

        Args:
            jobs: ``Chunk.jobs`` of ``arena.core.tournaments.lanes``, and so are the others.
            seconds: Seconds in which matches begin.
            patience: Seconds in which the matches should be played. Some seconds later the worker
                process is killed; the place has failed then.

        Returns:
            The answer, for ``arena.core.tournaments.wire.decode_answer``. No failure is raised.
        """
        return encode(self._answer(jobs, seconds, patience))

    def close(self) -> None:
        """Ends the worker processes, in the middle of matches as well."""
        with self._lock:
            self._closed = True
            workers = [*self._workers]
            self._workers.clear()
        for worker in workers:
            worker.close()

    def _answer(self, jobs: bytes, seconds: float, patience: float) -> Answer:
        worker = self._idle.get()
        try:
            worker = worker or self._start()
            answer = worker.play(Request(jobs, seconds), patience + LATE_SECONDS)
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            why = "died" if isinstance(error, EOFError | BrokenPipeError) else describe(error)
            if worker is not None:
                self._end(worker)
            worker = None
            return Answer("place", f"a worker process failed: {why}".encode())
        finally:
            self._idle.put(worker)
        return self._without_slow_timeouts(answer)

    def _start(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise OSError("the place is closed")
            worker = _Worker(self._setup)
            self._workers.add(worker)
            return worker

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.kill()

    def _without_slow_timeouts(self, answer: Answer) -> Answer:
        if answer.kind != "played" or self.speed >= SLOW:
            return answer
        played = decode_matches(answer.body)
        kept = [match for match in played if not _timed_out(match)]
        if len(kept) == len(played):
            return answer
        if kept:
            return msgspec.structs.replace(answer, body=encode(kept))
        why = f"a bot used up its time, and the place has {self.speed:.0%} of the usual speed"
        return Answer("place", why.encode())


def engine() -> bytes:
    """Returns the identity of this machine's engine, for ``examined`` on another one."""
    return encode(engine_here())


def examined(name: str, slots: int, engine: bytes) -> PlaceReport:
    """Returns the report of this machine as a place that plays nothing yet.

    Args:
        name: What the executor calls the place.
        slots: Number of matches that it would play at a time.
        engine: The engine of the machine that asks; a place with another one is refused.
    """
    sent = msgspec.msgpack.decode(engine, type=dict[str, str])
    return PlaceReport(
        name=name,
        version=arena_version(),
        level=best_level().level,
        slots=slots,
        speed=speed_in_new_process(),
        refused=engine_difference(sent, engine_here()),
    )


class _Worker:
    """One worker process (``arena.host.stdio``); used by one thread at a time.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, setup: bytes) -> None:
        # The order of a trusted bot's sets must not change from place to place; numpy, which is
        # used for no linear algebra, would start a thread a core.
        environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ, "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.host.stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._requests, self._answers = self._stdin.fileno(), self._stdout.fileno()
        self._answered = select.poll()
        self._answered.register(self._answers, select.POLLIN)
        write_frame(self._requests, setup)

    def play(self, request: Request, patience: float) -> Answer:
        """Returns the answer to a request.

        Raises:
            EOFError: It died.
            OSError: It died, or did not answer in time (``TimeoutError``).
        """
        write_frame(self._requests, encode(request))
        # Longer ones would overflow; nothing waits for that long.
        milliseconds = min(patience * 1000, _LONGEST_WAIT)
        if not self._answered.poll(milliseconds):
            raise TimeoutError(f"it did not answer for {patience:.3g} s and was killed")
        return _decode(read_frame(self._answers))

    def close(self) -> None:
        """Ends the process, which notices the end of its input; kills one that does not."""
        with suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kills the process."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._stdin.close()


def _speed() -> float:
    try:
        return speed_in_new_process()
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise BadPlugin(f"the speed of this place cannot be measured: {describe(error)}") from None


def _timed_out(match: PlayedMatch) -> bool:
    return any(fault.cause is Termination.TIMEOUT for fault in faults_of(match.record.outcome))
