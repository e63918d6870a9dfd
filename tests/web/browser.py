"""A real browser for tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
"""Root may not use Chromium's sandbox; it asks nobody anything of its own accord."""
WIDTHS = (375, 1024, 1920)
"""The widths of a phone, a notebook and a projector, in pixels."""

SETTLED = """() => Promise.allSettled(document.getAnimations()
    .filter(each => each instanceof CSSTransition).map(each => each.finished))"""
"""Waits until no colour is on its way to another: links change theirs with the scheme in 0.12 s."""

VIOLATIONS = """() => axe.run(document, {preload: false, resultTypes: ["violations"]})
    .then(found => found.violations.map(
        each => ({id: each.id, nodes: each.nodes.map(node => node.html)})))"""
"""Gives what axe finds; all that it has found to be right would take a second to send."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Runs Chromium without a window; skips the test where it or Playwright is missing."""
    if not CHROMIUM:
        pytest.skip("chromium is missing (apt-get install chromium)")
    api = pytest.importorskip("playwright.sync_api", reason="make .venv/browser")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Visit:
    """A page that is open in a browser, and what went wrong in it.

    Attributes:
        page: Playwright's page.
        problems: Messages of the console of level warning and error, uncaught exceptions, and
            requests that failed, in order.
        requests: The addresses of all requests.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self._size = self.page.viewport_size
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", lambda each: self.requests.append(each.url))

    def _heard(self, message) -> None:
        if message.type in {"warning", "error"}:
            self.problems.append(message.text)

    def _failed(self, request) -> None:
        if request.url in self.requests:  # else it was of the page before
            self.problems.append(f"failed: {request.url}")

    def go(self, address: str, scheme: str) -> None:
        """Opens an address in the same window as if it were a new one."""
        self.page.goto("about:blank")
        self.problems.clear()
        self.requests.clear()
        if self._size:
            self.page.set_viewport_size(self._size)
        self.page.emulate_media(color_scheme=scheme)
        self.page.goto(address)

    def overflow(self, width: int) -> int:
        """Returns by how many pixels the page is wider than a window of that width."""
        self.page.set_viewport_size({"width": width, "height": 900})
        root = "document.documentElement"
        return self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")

    def violations(self) -> list[str]:
        """Returns the rules of accessibility that the page breaks, by axe, a line each."""
        from axe_playwright_python.base import AXE_SCRIPT

        self.page.evaluate(SETTLED)  # colours between two are those of neither
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate(VIOLATIONS)
        return [f"{each['id']}: {html}" for each in found for html in each["nodes"]]


@contextmanager
def visit(browser: Browser, address: str, **options: object) -> Iterator[Visit]:
    """Opens an address in a fresh profile; ``options`` are those of ``Browser.new_context``."""
    context = browser.new_context(**options)
    try:
        opened = Visit(context)
        opened.page.goto(address)
        yield opened
    finally:
        context.close()


@contextmanager
def windows(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens addresses in windows that tests share, one for all visits with the same options.

    It is for pages that keep nothing in the browser. A new window takes a second of processor time.
    """
    with ExitStack() as opened:
        found: dict[frozenset[tuple[str, object]], Visit] = {}

        def look(
            address: str, color_scheme: str = "light", *, java_script_enabled: bool = True,
            **options: object,
        ) -> Visit:  # fmt: skip
            options["java_script_enabled"] = java_script_enabled
            key = frozenset(options.items())
            if key not in found:
                found[key] = opened.enter_context(visit(browser, "about:blank", **options))
            found[key].go(address, color_scheme)
            return found[key]

        yield look
