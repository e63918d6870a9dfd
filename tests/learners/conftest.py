"""Tests with libraries that learn run where these are installed: no lock of the project has them.

Install one in an environment of its own, and run ``python -m pytest tests/learners --require-all``.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def pytest_collection_modifyitems(config, items):
    """Skips tests by the name of a missing library; ``--require-all`` leaves them out."""
    missing = []
    for item in items:
        if "tests/learners/" not in item.nodeid:
            continue
        library = item.callspec.params["library"]
        if find_spec(library) is None:
            missing.append(item)
            item.add_marker(pytest.mark.skip(reason=f"{library} is not installed"))
    if config.getoption("--require-all") and missing:
        config.hook.pytest_deselected(items=missing)
        items[:] = [item for item in items if item not in missing]
