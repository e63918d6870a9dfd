"""The runner's end of a cluster: a client in a thread of its own, and what it learns of workers."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Set
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from ssl import SSLCertVerificationError
from typing import Any, TypeVar

import msgspec
import trio
from distributed import Client
from distributed.security import Security

from arena.core.errors import BadInput, describe
from arena.core.tournaments.executor import PlaceReport
from arena_dask.certificates import CA, CERTIFICATE, FILES, KEY
from arena_dask.kind import ClusterOptions
from arena_dask.worker import PlacePlugin, RunnerPlugin, worker_ttl

CONNECT_SECONDS = 10.0
"""Seconds in which the scheduler has to answer."""
_NO_SCHEDULER = "no Dask scheduler answers at"
NO_REPORT = "does not say whether it can play; install arena-dask there"
FROZEN = "is frozen, or cut off"
BARRED = "sent wrong records"
MAX_TTL = 60.0
"""Most seconds until a scheduler should have noticed that a worker is frozen."""
CLOSE_SECONDS = 2.0
"""Seconds in which the client has to leave; the scheduler notices its end in any case."""

T = TypeVar("T")


class Seen(msgspec.Struct, frozen=True):
    """A worker as the scheduler sees it.

    Attributes:
        heard: Time of its last sign of life, by the scheduler's clock.
        report: The report of its place for one tournament; none if it has not made one yet.
    """

    heard: float
    report: PlaceReport | None


@asynccontextmanager
async def connected(options: ClusterOptions) -> AsyncIterator[Client]:
    """Connects to the scheduler, as a context.

    Raises:
        BadInput: It cannot be reached, or the certificates do not fit.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is raised
    connect, client = partial(_connect, options, _security(options)), None
    with trio.move_on_after(1.5 * CONNECT_SECONDS):  # Dask waits for ever for a port that is silent
        client = await in_thread(connect)
    if client is None:
        raise BadInput(f"{_NO_SCHEDULER} {options.address}: nothing is said there")
    try:
        yield client
    finally:
        with trio.CancelScope(shield=True):
            await in_thread(partial(client.close, timeout=CLOSE_SECONDS))


async def in_thread(call: Callable[[], T]) -> T:
    """Calls what waits for the network; when it is cancelled, nobody waits any longer."""
    return await trio.to_thread.run_sync(call, abandon_on_cancel=True)


async def register(client: Client, nursery: trio.Nursery, name: str, cargo: bytes) -> None:
    """Has a place for a tournament be made on every worker, until this client is gone.

    Raises:
        BadInput: The scheduler cannot do that.
    """
    leave = RunnerPlugin(name, client.id)
    try:
        with trio.fail_after(CONNECT_SECONDS):
            await in_thread(partial(client.register_plugin, leave, name=name))
    except Exception as error:
        raise BadInput(
            f"the scheduler cannot play for Arena: {describe(error)}; install arena-dask there"
        ) from None
    nursery.start_soon(_make_places, client, PlacePlugin(name, cargo))


async def late_notice(client: Client) -> str:
    """Returns a warning of a scheduler that keeps frozen workers for long; empty if it does not."""
    try:
        with trio.fail_after(CONNECT_SECONDS):
            seconds = await in_thread(partial(client.run_on_scheduler, worker_ttl))
    except Exception as error:
        logging.getLogger(__name__).debug("worker-ttl: %s", describe(error))
        return ""
    if isinstance(seconds, float | int) and 0 < seconds <= MAX_TTL:
        return ""
    kept = f"for {seconds:g} s" if seconds else "for ever"
    return (
        f"the scheduler keeps a frozen worker {kept} (distributed.scheduler.worker-ttl); start it "
        "with DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL=30s"
    )


async def _make_places(client: Client, plugin: PlacePlugin) -> None:
    try:  # it waits for all workers, even for one that is frozen
        await in_thread(partial(client.register_plugin, plugin, name=plugin.name))
    except Exception as error:
        logging.getLogger(__name__).debug("places: %s", describe(error))  # a worker has no report


async def listed(client: Client) -> dict[str, dict[str, Any]]:
    """Returns what the scheduler says of each worker, by address.

    ``Client.scheduler_info`` will not do: every two seconds the client empties its list of workers.

    Raises:
        BadInput: The scheduler is gone.
    """
    try:
        scheduler = client.scheduler  # none is an error as well
        ask = partial(client.sync, scheduler.identity, n_workers=-1)  # type: ignore[union-attr]
        with trio.fail_after(CONNECT_SECONDS):
            workers: dict[str, dict[str, Any]] = (await in_thread(ask))["workers"]
    except Exception:
        address = client.scheduler.address if client.scheduler else "its address"
        raise BadInput(
            f"the Dask scheduler at {address} does not answer any more; resume when it is back"
        ) from None
    return workers


async def workers_of(client: Client, name: str) -> dict[str, Seen]:
    """Returns the workers by address, with the reports of their places for that tournament.

    Raises:
        BadInput: The scheduler is gone.
    """
    return {
        address: Seen(worker["last_seen"], _report(worker["metrics"].get(name)))
        for address, worker in (await listed(client)).items()
    }


def no_worker(seen: Mapping[str, Seen], barred: Set[str], seconds: float) -> BadInput:
    """Returns the error of a cluster that cannot play; it names each worker with the reason."""
    reasons = [
        f"{address}: "
        + (BARRED if address in barred else NO_REPORT if not report else report.refused or FROZEN)
        for address, report in ((address, each.report) for address, each in seen.items())
    ]
    found = "; ".join(reasons) or "there is no worker"
    return BadInput(f"no worker of the cluster can play, for {seconds:g} s: {found}")


def _report(packed: object) -> PlaceReport | None:
    """Decodes what a worker says of its place."""
    return None if packed is None else decoded_report("", packed)


def decoded_report(address: str, packed: object) -> PlaceReport:
    """Decodes the bytes of a report, which may come from another machine."""
    try:
        if isinstance(packed, bytes):
            return msgspec.msgpack.decode(packed, type=PlaceReport)
    except msgspec.MsgspecError:
        pass
    return PlaceReport(name=address, refused="its report cannot be read")


def _security(options: ClusterOptions) -> Security | None:
    """Returns the certificate to show, and the only authority to trust."""
    if options.address.startswith("tls://") != bool(options.tls):
        advice = "takes no certificates; write tls://" if options.tls else "needs tls=DIR"
        raise BadInput(f"executor dask: address {options.address} {advice}")
    if not options.tls:
        return None
    folder = Path(options.tls)
    for name in FILES:
        if not (folder / name).is_file():
            raise BadInput(
                f"executor dask: tls: no file {folder / name}; arena cluster certificates writes it"
            )
    return Security(
        tls_ca_file=str(folder / CA),
        tls_client_cert=str(folder / CERTIFICATE),
        tls_client_key=str(folder / KEY),
        require_encryption=True,
    )


def _connect(options: ClusterOptions, security: Security | None) -> Client:
    try:
        return Client(
            options.address,
            security=security,
            timeout=CONNECT_SECONDS,
            set_as_default=False,
            deserializers=["msgpack"],  # no pickles of workers, as far as Dask goes
        )
    except (OSError, ValueError, RuntimeError, TypeError) as error:
        cause = error.__cause__ or error
        advice = ""
        if isinstance(cause, SSLCertVerificationError):
            advice = f"; it has no certificate of the authority in tls={options.tls}"
        elif isinstance(cause, ConnectionResetError) and security is None:
            advice = "; does it want tls://?"
        raise BadInput(f"{_NO_SCHEDULER} {options.address}: {describe(cause)}{advice}") from None
