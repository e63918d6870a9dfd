"""A player at the site, without a browser: keeps the cookie, reads forms, and sends answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlencode

import trio

from tests.web.client import Answer, Visitor

FORM = {"content_type": "application/x-www-form-urlencoded", "sec_fetch_site": "same-origin"}
SECONDS = 60
"""Seconds in which bots have acted, on a busy machine."""


class Player:
    """Plays at a table of a site by its forms.

    Attributes:
        here: The address of the table.
        pages: The text of everything that was sent to the player at the table.
    """

    def __init__(self, site: Visitor, cookie: str) -> None:
        self.site, self.cookie = site, cookie
        self.here = ""
        self.pages: list[str] = []

    async def get(self, address: str, **headers: str) -> Answer:
        return await self.site.get(address, cookie=self.cookie, **headers)

    async def post(self, address: str, *pairs: tuple[str, object], **headers: str) -> Answer:
        body = urlencode(pairs).encode()
        sent = {**FORM, "cookie": self.cookie, **headers}
        return await self.site.send("POST", address, [body], **sent)

    async def sit_down(
        self, *bots: str, game: str, ruleset: str, options: str = "", hints: bool = False,
        cards: str = "",
    ) -> Answer:  # fmt: skip
        """Asks for a match; keeps the address of the table."""
        wish = [("game", game), ("ruleset", ruleset), ("options", options)]
        wish += [("bot", bot) for bot in bots] + ([("hints", "yes")] if hints else [])
        wish += [("cards-of", ruleset)] + [("card", card) for card in cards.split()]
        answer = await self.post("/play", *wish)
        self.here = answer.headers.get("location", "")
        return answer

    async def look(self) -> str:
        """Loads the page of the table."""
        answer = await self.get(self.here)
        assert answer.status == 200, answer.text
        self.pages.append(answer.text)
        return answer.text

    async def until(self, found: Callable[[str], object]) -> str:
        """Returns the page of the table as soon as something is found in it."""
        with trio.fail_after(SECONDS):
            while not found(page := await self.look()):
                await trio.sleep(0.1)
        return page

    async def until_asked(self) -> str:
        """Returns the page of the next question."""
        return await self.until(asked)

    async def play_out(self, choice: int = 1) -> AsyncIterator[str]:
        """Answers every question with one choice to the end; yields the page of each.

        Scenes that are held are among the pages.
        """
        while not over(page := await self.until(settled)):
            yield page
            if held := re.search(r'name="held" value="(\d+)"', page):
                await self.post(self.here, ("held", held[1]))
            else:
                await self.answer(page, asked(page), choice)

    async def answer(self, page: str, question: str, choice: int = 1) -> Answer:
        """Answers a question: with the choice of that number, if there are so many."""
        if 'name="loadout"' in page:
            return await self.post(self.here, ("question", question), ("loadout", ""))
        there = min(choice, len(re.findall(r'name="choice" value="\d+"', page)))
        amount = re.search(r'min="(\d+)"', page)
        extra = [("amount", amount[1])] if amount else []
        return await self.post(self.here, ("question", question), ("choice", there), *extra)


def settled(page: str) -> bool:
    """Returns whether a page asks something, holds a scene, or shows the end."""
    return bool(asked(page)) or 'name="held"' in page or over(page)


def over(page: str) -> bool:
    """Returns whether a page shows the end of the match."""
    return '<section class="rail end">' in page


def asked(page: str) -> str:
    """Returns the number of the question that a page asks; empty if it asks nothing."""
    found = re.search(r'name="question" value="(\d+)"', page)
    return found[1] if found else ""


async def player(site: Visitor) -> Player:
    """Returns a new player, with a cookie of the page where a match is chosen."""
    answer = await site.get("/play")
    assert answer.status == 200, answer.text
    return Player(site, answer.headers["set-cookie"].partition(";")[0])
