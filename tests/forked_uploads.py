"""The processes that decide submissions to a league, as forks of one that has the harness loaded.

Such a process imports for 0.8 s before it plays. ``tests/service/test_league.py`` starts a real
one, too.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from unittest.mock import patch

import msgspec
import trio
from arena_bots.search.information_set_mcts import InformationSetMcts

from arena.service.league import league_queue
from arena.service.league.qualify_process import UploadJob
from tests.preloaded import Preloaded, Process

WORK = """
import sys
from arena_bots.search.information_set_mcts import InformationSetMcts
from arena.service.league.qualify_process import main

InformationSetMcts.__init__.__defaults__ = {defaults!r}
main()
sys.__stdout__.flush()
sys.exit(0)
"""
"""The searching house bot is the one of this process: fixture ``shallow_search``."""


@contextmanager
def forked_uploads(preloaded: Callable[[], Preloaded]) -> Iterator[None]:
    """Makes leagues of this process start them so; its loaded process is asked for at the first."""

    async def run(
        command: Sequence[str],
        *,
        stdin: bytes,
        deliver_cancel: Callable[[Process], Awaitable[object]],
        **options: object,
    ) -> CompletedProcess[bytes]:
        if command[-1] == "arena.service.league.read_process":  # it loads little
            return await trio.run_process(
                command, stdin=stdin, deliver_cancel=deliver_cancel, **options
            )
        assert command[-1] == "arena.service.league.qualify_process"
        # The parent of a fork is another process: that it ends with its parent is no subject here.
        job = msgspec.structs.replace(msgspec.msgpack.decode(stdin, type=UploadJob), parent=0)
        code = WORK.format(defaults=InformationSetMcts.__init__.__defaults__)
        with TemporaryFile() as asked, TemporaryFile() as out, TemporaryFile() as err:
            asked.write(msgspec.msgpack.encode(job))
            asked.seek(0)
            streams = {"stdin": asked.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
            process = preloaded().start((), os.getcwd(), os.environ, first=code, **streams)
            try:
                await trio.to_thread.run_sync(process.wait, abandon_on_cancel=True)
            except trio.Cancelled:
                await deliver_cancel(process)
                raise
            out.seek(0)
            err.seek(0)
            return CompletedProcess(command, process.returncode or 0, out.read(), err.read())

    with patch.object(league_queue, "trio", _Trio(run)):
        yield


class _Trio:
    """The module ``trio`` with another way to run a process."""

    def __init__(self, run_process: Callable[..., Awaitable[object]]) -> None:
        self.run_process = run_process

    def __getattr__(self, name: str) -> object:
        return getattr(trio, name)
