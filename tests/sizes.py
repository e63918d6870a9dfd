"""Two sizes of the suite: everyday, and full, which also runs what repeats with more volume.

``@pytest.mark.thorough(reason, everyday=[...])`` leaves a test out unless ``--thorough`` or
``--require-all`` is given, except for its everyday cases (patterns of their ids). The reason says
what keeps the same promise every day.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from fnmatch import fnmatchcase

import pytest
from hypothesis import HealthCheck, settings

EVERYDAY, FULL = "everyday", "full"
"""Profiles of hypothesis."""
SHARE = 5
"""Every day a property is tried with a fifth of its examples."""
LEFT_OUT = pytest.StashKey[int]()
"""The number of tests that were left out, by this process or by its workers."""


def is_full(config: pytest.Config) -> bool:
    return config.getoption("--thorough") or config.getoption("--require-all")


def volume(full: int, everyday: int | None = None) -> int:
    """The number of times that a test does something; every day a fifth, if not given.

    It is for use while a module of tests is imported.
    """
    if settings.get_current_profile_name() != EVERYDAY:
        return full
    return -(-full // SHARE) if everyday is None else everyday


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="run thorough tests, too")
    parser.addoption(
        "--require-all",
        action="store_true",
        help="run thorough tests, too; a test that would skip fails instead",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "thorough(reason, everyday=[]): runs with --thorough, but for the everyday cases"
    )
    config.stash[LEFT_OUT] = 0
    # On a shared machine an example may take any time, and none of these properties is about time.
    full = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile(FULL, full)
    settings.register_profile(EVERYDAY, full, max_examples=full.max_examples // SHARE)
    settings.load_profile(FULL if is_full(config) else EVERYDAY)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {item for item in items if _is_left_out(item)}
    if is_full(config):
        _check_everyday_cases(config, items, left_out)
    elif left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=list(left_out))
        config.stash[LEFT_OUT] = len(left_out)
        if hasattr(config, "workeroutput"):
            config.workeroutput["left_out"] = len(left_out)


def _is_left_out(item: pytest.Item) -> bool:
    """True for a test that is marked, unless its case is one of every day."""
    mark = item.get_closest_marker("thorough")
    if mark is None:
        return False
    if len(mark.args) != 1:
        raise pytest.UsageError(f"{item.nodeid}: the mark thorough needs a reason")
    everyday = mark.kwargs.get("everyday", ())
    return not any(fnmatchcase(item.callspec.id, case) for case in everyday)


def _check_everyday_cases(
    config: pytest.Config, items: Iterable[pytest.Item], left_out: Container[pytest.Item]
) -> None:
    """Refuses a test whose everyday cases are no longer there, where whole files are collected."""
    if any("::" in word for word in config.args):
        return
    runs: dict[str, bool] = {}
    for item in items:
        if item.get_closest_marker("thorough", pytest.mark.thorough).kwargs:
            name = item.nodeid.partition("[")[0]
            runs[name] = runs.get(name, False) or item not in left_out
    if lost := [name for name, one_runs in runs.items() if not one_runs]:
        raise pytest.UsageError(f"{lost[0]}: it has none of its everyday cases")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Takes over the number of a worker, each of which leaves out the same tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if number := config.stash[LEFT_OUT]:
        terminalreporter.write_line(
            f"{number} thorough tests left out; make test REQUIRE_ALL=1 runs them"
        )
