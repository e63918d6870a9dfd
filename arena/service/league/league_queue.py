"""Decides submissions to a league: each is qualified in a process of its own and then entered.

Several are qualified at a time: a slow bot does not hold the others up.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

import msgspec
import trio
from arena_results.bots.authors import Token
from arena_results.bots.uploads import (
    Upload,
    UploadState,
    begin_again,
    check_room,
    cut_off,
    decide,
    give_back,
    receive,
    take_next,
)
from arena_results.file.database import Database

from arena.core.described import described
from arena.core.errors import BadInput, BadStore, HarnessFault
from arena.core.text.printable import printable_line, printable_text
from arena.service.answers.errors import DiskFull, known_alone
from arena.service.league import qualify_process, read_process
from arena.service.league.admission import check_admitted
from arena.service.league.final import check_open
from arena.service.league.league_file import MEGABYTE, LeagueSpec
from arena.service.league.qualify_process import Decision, UploadJob
from arena.service.league.read_process import READ_CPU_SECONDS, FileFacts, SentFile

AT_ONCE = 3
"""Submissions that are qualified at a time; an author has one fewer of them, so that one who sends
slow bots does not hold the others up."""
READ_SECONDS = 60.0
"""Time after which a submission cannot be read."""
MAX_FAILURE_LENGTH = 2_000
"""Characters of a process's last words that an operator is shown."""
LOOK_SECONDS = 0.5
"""Time between two looks at the queue, which other processes may fill."""

Clock: TypeAlias = Callable[[], datetime]
Report: TypeAlias = Callable[[str], object]
"""Called with a message for the operator."""
OnDecided: TypeAlias = Callable[[Upload], object]
"""Called with each submission that was decided."""


def now() -> datetime:
    """The present time, UTC."""
    return datetime.now(UTC)


async def decide_uploads(
    database: Database, spec: LeagueSpec, decided: OnDecided, report: Report, clock: Clock = now
) -> None:
    """Decides submissions, ``AT_ONCE`` at a time, until it is cancelled.

    One that was cut off by a stop of the program is begun again; an entered bot is found in the
    store then, and is not entered twice. One that was cut off too often is only looked for there.

    Args:
        report: Called with what the author of a submission is not shown of a failure.

    Raises:
        BadStore: The database cannot be used.
        HarnessFault: No process can be started; what had begun before is decided.
    """

    def job(upload: Upload, content: bytes, cut_off: int = 0) -> UploadJob:
        return UploadJob(
            url=database.url, number=upload.id, spec=spec, author=upload.author, file=upload.file,
            content=content, cut_off=cut_off, parent=os.getpid(),
        )  # fmt: skip

    for upload, content in await trio.to_thread.run_sync(cut_off, database):
        decision = await _decision(job(upload, content, upload.attempts), READ_SECONDS, report)
        decided(await trio.to_thread.run_sync(_store, database, upload, decision, clock()))
    await trio.to_thread.run_sync(begin_again, database, clock())
    faults: list[BadStore | HarnessFault] = []

    async def work(upload: Upload, content: bytes) -> None:
        try:
            decision = await _decision(job(upload, content), spec.limits.qualify_seconds, report)
            done = await trio.to_thread.run_sync(_store, database, upload, decision, clock())
        except (BadStore, HarnessFault) as fault:
            await trio.to_thread.run_sync(give_back, database, upload, clock())
            faults.append(fault)
            return
        decided(done)

    with known_alone():
        async with trio.open_nursery() as nursery:
            while not faults:
                free = len(nursery.child_tasks) < AT_ONCE
                take = partial(take_next, database, clock(), AT_ONCE - 1)
                taken = await trio.to_thread.run_sync(take) if free else None
                if taken is None:
                    await trio.sleep(LOOK_SECONDS)
                else:
                    nursery.start_soon(work, *taken)
    raise faults[0]


async def accept_upload(
    database: Database, spec: LeagueSpec, token: Token, file: str, content: bytes,
    report: Report, clock: Clock = now,
) -> Upload:  # fmt: skip
    """Takes a submission into the queue; one that cannot be read is not stored.

    Args:
        token: The author's token, by which it was sent; it may be revoked meanwhile.
        file: The name under which it was sent.
        report: Called with what its author is not shown of a failure of the harness.

    Raises:
        Revoked: The token is not accepted any more.
        TooMany: The author may not submit now.
        Closed: The season takes no submissions any more.
        BadInput: It cannot be read, or is not allowed.
    """
    limits, author = spec.limits.uploads, token.author
    check_open(spec, clock())
    if len(content) > spec.limits.packed_mb * MEGABYTE:
        raise BadInput(f"{file} has {len(content)} bytes; at most {spec.limits.packed_mb} MB")
    await trio.to_thread.run_sync(check_room, database, author, limits, clock())
    most = {"most_files": spec.limits.files, "most_mb": spec.limits.unpacked_mb}
    found = await _facts(SentFile(file=file, content=content, **most), report)
    if found.refused:
        raise BadInput(found.refused)
    await trio.to_thread.run_sync(check_admitted, database, spec, author, found)
    received = partial(
        receive, database, author, file, content, limits, clock(),
        token=token.id, check_open=lambda: check_open(spec, clock()),
    )  # fmt: skip
    return await trio.to_thread.run_sync(received)


async def _facts(sent: SentFile, report: Report) -> FileFacts:
    module = read_process.__name__
    answer, problem = await _answered(module, sent, READ_SECONDS, "its reading", report)
    if problem:
        return FileFacts(refused=problem.text)
    return msgspec.json.decode(answer, type=described(FileFacts))


async def _decision(job: UploadJob, seconds: float, report: Report) -> Decision:
    module = qualify_process.__name__
    answer, problem = await _answered(module, job, seconds, "its qualification", report)
    return problem or msgspec.json.decode(answer, type=described(Decision))


async def _answered(
    module: str, question: msgspec.Struct, seconds: float, work: str, report: Report
) -> tuple[bytes, Decision | None]:
    """Asks a process, which is killed when it takes too long.

    Returns:
        Its answer, and without one the decision.

    Raises:
        HarnessFault: It cannot be started.
        DiskFull: The machine failed it, as by a full disk.
    """
    with trio.move_on_after(seconds):
        try:
            done = await trio.run_process(
                [sys.executable, "-P", "-m", module],
                stdin=msgspec.msgpack.encode(question),
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                deliver_cancel=_kill,
                start_new_session=True,
            )
        except OSError as error:  # no more processes, memory or descriptors
            raise HarnessFault(f"{work}: no process can be started: {error.strerror}") from None
        if done.returncode == -signal.SIGXCPU:
            much = f"{work} took more than {READ_CPU_SECONDS} s of processor time; send less code"
            return b"", Decision(state="refused", text=much, ran=True)
        if done.returncode == read_process.MACHINE_FAILED:
            raise DiskFull(f"{work}: {printable_line(done.stderr.decode(errors='replace')[-300:])}")
        if done.returncode:  # what it printed names the server's files
            last = printable_text(done.stderr.decode(errors="replace").strip(), MAX_FAILURE_LENGTH)
            report(f"{work} failed (exit code {done.returncode}): {last}")
            failed = f"{work} failed, which is not the bot's fault; ask the organiser"
            return b"", Decision(state="failed", text=failed, ran=True)
        return done.stdout, None
    late = f"{work} took longer than {seconds:g} s"
    return b"", Decision(state="refused", text=late, ran=True)


async def _kill(process: trio.Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _store(database: Database, upload: Upload, decision: Decision, at: datetime) -> Upload:
    return decide(
        database,
        upload.id,
        UploadState(decision.state),
        at,
        text=decision.text,
        document=decision.document,
        bot=decision.bot,
        ran=decision.ran,
    )
