"""The places of an executor, such as the workers of a cluster."""

from __future__ import annotations

import msgspec
import trio

from arena.core.errors import BadInput
from arena.plugins.registry import Registry


def places_of(executor: str) -> list[dict[str, object]]:
    """Returns a row for each place of an executor, written ``NAME(key=value)``.

    Raises:
        BadInput: There is no such executor, it has no places, or cannot be reached.
    """
    chosen = Registry().executor(executor)
    found = trio.run(chosen.places)
    if found is None:
        raise BadInput(f"--executor: {chosen.name} plays on this machine; omit the option")
    return [msgspec.structs.asdict(place) for place in found]
