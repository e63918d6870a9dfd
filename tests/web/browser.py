"""A real browser for tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", lambda each: self.problems.append(f"failed: {each.url}"))
        self.page.on("request", lambda each: self.requests.append(each.url))

    def _heard(self, message) -> None:
        if message.type in {"warning", "error"}:
            self.problems.append(message.text)

    def overflow(self, width: int) -> int:
        """Returns by how many pixels the page is wider than a window of that width."""
        self.page.set_viewport_size({"width": width, "height": 900})
        root = "document.documentElement"
        return self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")

    def violations(self) -> list[str]:
        """Returns the rules of accessibility that the page breaks, by axe, a line each."""
        from axe_playwright_python.sync_playwright import Axe

        self.page.evaluate(SETTLED)  # colours between two are those of neither
        found = Axe().run(self.page, options={"preload": False}).response["violations"]
        return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


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
