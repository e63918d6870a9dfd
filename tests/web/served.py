"""A server with real connections, in a thread of the test's process."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import trio

from arena.web.serving import serve
from arena.web.site.guard.settings import Settings


@contextmanager
def served(db, **settings):
    """Runs a server in a thread of its own; yields its address."""
    ready, found = threading.Event(), []

    async def run() -> None:
        stop = trio.Event()
        found.extend([trio.lowlevel.current_trio_token(), stop])

        def started(address: str) -> None:
            found.append(address)
            ready.set()

        await serve(Settings(db=db, port=0, **settings), started, stop)

    thread = threading.Thread(target=trio.run, args=(run,))
    thread.start()
    try:
        assert ready.wait(60)
        yield found[2].rstrip("/")
    finally:
        token, stop = found[:2]
        token.run_sync_soon(stop.set)
        thread.join()
