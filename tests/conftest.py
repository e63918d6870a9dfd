"""Suite-wide: ``--require-all`` turns a skip into a failure: CI proves that nothing skipped."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# On a shared machine an example may take any time, and none of these properties is about time.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_configure() -> None:
    """Heeds the signals that the caller may ignore (a job in the background, ``nohup``).

    The processes that tests start inherit it: what a signal does is what they test.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require-all", action="store_true", help="a test that would skip fails instead"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.skipped and item.config.getoption("--require-all"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but everything is required: {report.longrepr}"
    return report
