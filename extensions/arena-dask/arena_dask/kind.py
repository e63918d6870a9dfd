"""The kind of executor: its name and its options."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Annotated

import msgspec

from arena.core.options import Option
from arena.core.tournaments.executor import Executor, PlaceReport, Work


class ClusterOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where the cluster is.

    Attributes:
        address: Address of the scheduler.
        tls: Folder with the certificates of the cluster; empty for a cluster without TLS.
    """

    address: Annotated[str, Option("Address of the scheduler, e.g. tls://host:8786.", longest=500)]
    tls: Annotated[
        str, Option("Folder with the certificates, see arena cluster certificates.", longest=500)
    ] = ""


class DaskExecutors:
    """The kind of executor that plays on the workers of a Dask cluster."""

    name = "dask"
    summary = "workers of a Dask cluster"
    options = ClusterOptions

    def open(self, work: Work, options: ClusterOptions) -> AbstractAsyncContextManager[Executor]:
        from arena_dask.executor import open_executor

        return open_executor(work, options)

    async def places(self, options: ClusterOptions) -> Sequence[PlaceReport]:
        from arena_dask.examination import examine

        return await examine(options)
