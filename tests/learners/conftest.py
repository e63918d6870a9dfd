"""Tests with libraries that learn run where these are installed: no lock of the project has them.

Install one in an environment of its own, and run ``python -m pytest tests/learners --require-all``.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest


def is_installed(library: str) -> bool:
    """Returns whether a package, or a package in one, is there; imports nothing."""
    name, *inner = library.split(".")
    spec = find_spec(name)
    places = (spec and spec.submodule_search_locations) or ()
    return any(Path(place, *inner).is_dir() for place in places)


def pytest_collection_modifyitems(config, items):
    """Skips tests by the name of a missing library; ``--require-all`` leaves them out."""
    missing = []
    for item in items:
        if "tests/learners/" not in item.nodeid:
            continue
        library = item.callspec.params["library"]
        if not is_installed(library):
            missing.append(item)
            item.add_marker(pytest.mark.skip(reason=f"{library} is not installed"))
    if config.getoption("--require-all") and missing:
        config.hook.pytest_deselected(items=missing)
        items[:] = [item for item in items if item not in missing]
