"""The tables at which visitors play against bots: access to them, and what each displays.

A table plays its match in a thread of its own, and the bots have processes of theirs. The thread
sends everything to the server's loop, which changes tables. Pages are drawn from a value that never
changes (``Shown``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import chain
from secrets import token_urlsafe
from typing import Any, TypeAlias

import msgspec
import trio
from arena_results.store.queries import summary
from msgspec import structs

from arena.core.errors import BadInput, UnknownName
from arena.core.scene import Scene
from arena.service.lookup.isolation import choose_level, ignore
from arena.service.match.hints import mistakes_of
from arena.service.match.odds import PositionOdds
from arena.service.match.person import HumanSeat, Request
from arena.service.match.replay_text import Said, said_with, seat_labels, told
from arena.service.match.replays import Match
from arena.service.public.documents import public_match, quick_analysis
from arena.service.run.opponents import Opponent, opponents
from arena.service.run.person.exhibition import Exhibition, OnBegin, Seats
from arena.service.run.run import Run
from arena.web.site.guard.errors import Problem, Refused, problem_of
from arena.web.site.guard.limits import HOUR, Allowance
from arena.web.site.live import Live
from arena.web.site.security import report_fault
from arena.web.site.site import Site

FIRST_SECONDS = 30.0
"""Seconds that a visitor waits for the first question, or for the reason of its absence."""
NEXT_SECONDS = 1.5
"""Seconds that an answer waits for the next question, before the page shows that bots think."""
MAX_FINISHED = 64
"""Most tables of finished matches."""
YOU = "You"
"""The player's name at the table."""
WAIT_SECONDS = 60
"""Seconds after which a visitor without a table may try again."""


Playing: TypeAlias = Callable[[HumanSeat, OnBegin], Match]
"""Plays a match with a person at the table, in a thread."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor's choice of a match.

    Attributes:
        ruleset: The ruleset with its options; empty for the game's first.
        hints: Whether the odds may be displayed.
        key: The key of the deal; empty for a random one.
        against: What is known of the bots of the seats.
    """

    game: str
    ruleset: str
    seats: Seats
    hints: bool = False
    key: str = ""
    against: tuple[Opponent, ...] = ()

    @property
    def keys(self) -> dict[str, object]:
        """The keys of the exhibition: bots never run in the process of the server."""
        keys: dict[str, object] = {"game": self.game, "ruleset": self.ruleset}
        keys |= {"confine_house": True}
        if any("@" in bot for bot in self.seats.bots):
            keys["require"] = "confined"
        return keys | ({"key": self.key} if self.key else {})


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a table for its player, until something changes.

    Attributes:
        number: Counts the changes.
        title: Game and ruleset, once the match is stored.
        labels: The names of the seats.
        commitment: The commitment to the key of the deal.
        request: The open question; ``None`` while others think.
        scene: The table as the player's seat saw it last; after the match with all cards open.
        zone: Label of the seat's zone that is its hand.
        held: Scenes that come before it, until the player continues.
        events: The events that the seat knows and may read now.
        say: The last of them, in one line.
        later: The lines after each of those scenes.
        match: The match, once it is over.
        mistakes: What is known of the player's decisions then, in a sentence.
        problem: The reason why a match failed; empty otherwise.
    """

    number: int = 0
    title: str = ""
    labels: tuple[str, ...] = ()
    commitment: str = ""
    request: Request | None = None
    scene: Scene | None = None
    zone: str = "hand"
    held: tuple[Scene, ...] = ()
    events: tuple[str, ...] = ()
    say: str = ""
    later: tuple[Said, ...] = ()
    match: Match | None = None
    mistakes: str = ""
    problem: Problem | None = None

    @property
    def over(self) -> bool:
        """True if nothing more will happen."""
        return self.match is not None or self.problem is not None


class Table:
    """One visitor's match.

    Args:
        player: Its player (``player_of``).
        visitor: The visitor's address.
        playing: Plays the match, where it is more than an exhibition.
        back: The path and the name of the page where it leads back to.

    Attributes:
        id: Its name in addresses, which nobody can guess.
        hints: Whether the player has the hints open.
        shown: The content of its page.
    """

    def __init__(
        self,
        wish: Wish,
        player: str,
        visitor: str,
        playing: Playing | None = None,
        back: tuple[str, str] = ("", ""),
    ) -> None:
        self.id = token_urlsafe(12)
        self.playing, self.back = playing, back
        self.wish, self.player, self.visitor = wish, player, visitor
        self.shown = Shown()
        self.hints = wish.hints
        self._left = False
        self._odds: tuple[int, PositionOdds | None] = (0, None)
        self._changed = trio.Event()
        token = trio.lowlevel.current_trio_token()

        def asked(request: Request) -> None:
            token.run_sync_soon(self._asked, request)

        def begun(run: Run) -> None:
            token.run_sync_soon(self._begun, run)

        self.seat = HumanSeat(asked, wish.seats.seconds)
        self.on_begin: Callable[[Run], None] = begun

    def answer(self, question: int, text: str) -> None:
        """Answers a question; drops an answer to an earlier one, which was sent twice.

        Raises:
            BadInput: The action is not legal.
        """
        request = self.shown.request
        if request is not None and request.number == question:
            self.seat.answer(text)
            self._continue(len(self.shown.held))
            self.show(request=None)

    def go_on(self, held: int) -> None:
        """Leaves the scene that is shown before the next one, if it is the one of that number."""
        if held == len(self.shown.held) > 0:
            self._continue(1)

    def _continue(self, scenes: int) -> None:
        """Leaves some scenes, and tells the events after them."""
        shown = self.shown
        told = shown.later[:scenes]
        self.show(
            held=shown.held[scenes:],
            events=(*shown.events, *chain.from_iterable(said.events for said in told)),
            say=next((said.line for said in reversed(told) if said.line), shown.say),
            later=shown.later[scenes:],
        )

    def odds(self, question: int) -> PositionOdds:
        """Returns the odds at a question, computed once; for threads.

        Raises:
            BadInput: It was answered, or the game computes no odds.
        """
        known, odds = self._odds
        if odds is None or known != question:
            odds = self.seat.odds()
            self._odds = question, odds
        return odds

    def leave(self) -> None:
        """Leaves the match, which is lost by it; nothing more is asked."""
        self._left = True
        self.seat.leave()
        if not self.shown.over:
            self._continue(len(self.shown.held))
            self.show(request=None)

    def show(self, **changes: Any) -> None:  # noqa: ANN401 - fields of what is shown
        """Changes the content, and wakes the tasks that wait for that."""
        self.shown = structs.replace(self.shown, number=self.shown.number + 1, **changes)
        self._changed.set()
        self._changed = trio.Event()

    async def changed(self, number: int) -> None:
        """Waits until something else is shown than what has that number."""
        while self.shown.number == number:
            await self._changed.wait()

    async def settled(self, seconds: float) -> None:
        """Waits until the player is asked, or the match is over, for some seconds at most."""
        with trio.move_on_after(seconds):
            while not (self.shown.over or self.shown.request):
                await self.changed(self.shown.number)

    def _begun(self, run: Run) -> None:
        resolved = run.resolved
        self.show(
            title=f"{resolved.game.name.capitalize()}, {resolved.ruleset.name}",
            labels=self._labels(resolved.names),
            commitment=run.stored.summary.commitment or "",
        )

    def _labels(self, names: Sequence[str]) -> tuple[str, ...]:
        labels = seat_labels(names)
        labels[self.wish.seats.seat] = YOU
        return tuple(labels)

    def _asked(self, request: Request) -> None:
        if self._left:
            return
        labels = self.shown.labels
        seat = self.wish.seats.seat
        scene = request.scene or self.shown.scene
        said, *later = said_with(request.events, request.held, scene, labels, seat)
        self.show(
            request=request,
            scene=scene,
            zone=request.zone or self.shown.zone,
            held=request.held,
            events=(*self.shown.events, *said.events),
            say=said.line or self.shown.say,
            later=tuple(later),
        )


class Tables:
    """All tables of a site, by their names.

    Args:
        live: Runs the tasks of tables until the site ends.
    """

    def __init__(self, site: Site, live: Live) -> None:
        self._site, self._live, self._limits = site, live, site.settings.limits
        self._tables: dict[str, Table] = {}
        self._begun = Allowance(self._limits.matches, HOUR, "matches")
        self._threads = trio.CapacityLimiter(self._limits.tables)
        self._confines: bool | None = None

    def of(self, player: str) -> Iterator[Table]:
        """Yields the tables of a player, the oldest first."""
        return (each for each in self._tables.values() if player and each.player == player)

    def find(self, id: str, player: str) -> Table:
        """Returns a player's table.

        Raises:
            UnknownName: The player has no table of that name.
        """
        own = {each.id: each for each in self.of(player)}
        if id not in own:
            raise UnknownName("table of yours", id, own)
        return own[id]

    def opponents(self, game: str) -> list[Opponent]:
        """Returns the bots that may be played against: submitted ones where they are confined."""
        if self._confines is None:
            try:
                self._confines = bool(choose_level("auto", "confined", ignore))
            except BadInput:
                self._confines = False
        site = self._site
        confined = self._confines
        return opponents(site.registry, site.database, site.boards, game, submitted=confined)

    async def open(
        self,
        wish: Wish,
        player: str,
        visitor: str,
        playing: Playing | None = None,
        back: tuple[str, str] = ("", ""),
    ) -> Table:
        """Opens a table, and waits for its first question.

        Args:
            playing: Plays the match in a thread; by default an exhibition of the wish.
            back: The path and the name of the page where such a match leads back to.

        Raises:
            Refused: There are too many tables or matches, or the match cannot be played as asked.
        """
        self._check_room(player, visitor)
        self._begun.spend(visitor)
        table = Table(wish, player, visitor, playing, back)
        self._tables[table.id] = table
        self._live.start(self._play, table)
        await table.settled(FIRST_SECONDS)
        if problem := table.shown.problem:
            del self._tables[table.id]
            status = 422 if problem.status == 404 else problem.status
            raise Refused(HTTPStatus(status), problem.message, problem.retry_after)
        return table

    async def again(self, table: Table, *, same_deal: bool) -> Table:
        """Opens a table with the same bots.

        Args:
            same_deal: Whether the cards are the same and everybody is moved by one seat.

        Raises:
            Refused: As ``open``; or the match is not over.
        """
        match = table.shown.match
        if table.playing is not None:
            raise Refused(HTTPStatus.CONFLICT, "this match is not played again")
        if match is None:
            raise Refused(HTTPStatus.CONFLICT, "the match is not over; play it to its end")
        if not same_deal:
            wish = structs.replace(table.wish, key="")
            return await self.open(wish, table.player, table.visitor)
        tournament = int(match.number.partition(".")[0])
        about = await self._site.work(summary, self._site.database, tournament)
        wish = structs.replace(
            table.wish, seats=table.wish.seats.turned(), key=about.key or table.wish.key
        )
        return await self.open(wish, table.player, table.visitor)

    def _check_room(self, player: str, visitor: str) -> None:
        playing = [each for each in self._tables.values() if not each.shown.over]
        own = Counter(each.player for each in playing)[player]
        here = Counter(each.visitor for each in playing)[visitor]
        limits = self._limits
        for count, most, whose in (
            (own, limits.tables_of_player, "you sit"),
            (here, limits.tables_of_address, f"players from {visitor} sit"),
            (len(playing), limits.tables, "players sit"),
        ):
            if count >= most:
                raise Refused(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"{whose} at {count} tables already, the most there may be; "
                    "finish or leave one first",
                    WAIT_SECONDS,
                )

    async def _play(self, table: Table) -> None:
        site, wish = self._site, table.wish
        exhibition = Exhibition(
            site.registry, site.database, wish.seats, wish.keys, where="this match"
        )
        play = partial(table.playing or exhibition.play, table.seat, table.on_begin)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._leave_at_the_end, table)
            try:
                match = await trio.to_thread.run_sync(
                    play, limiter=self._threads, abandon_on_cancel=True
                )
                table.show(**await site.work(_ended, site, table, match.number))
            except Exception as error:
                problem = problem_of(error)
                if problem.detail:
                    report_fault(f"a table: {problem.detail}")
                table.show(problem=problem, request=None)
            nursery.cancel_scope.cancel()
        self._forget()

    async def _leave_at_the_end(self, table: Table) -> None:
        await self._site.closing.wait()
        table.leave()

    def _forget(self) -> None:
        over = [each for each in self._tables.values() if each.shown.over]
        for table in over[:-MAX_FINISHED]:
            del self._tables[table.id]


def _ended(site: Site, table: Table, number: str) -> dict[str, object]:
    """Returns what a table shows of a match that is over: all of it, all cards open."""
    match = public_match(site.registry, site.database, number)
    seat, labels = table.wish.seats.seat, table.shown.labels
    own, moments = match.moments(f"seat{seat}"), match.moments()
    last = moments[-1:]  # none where no card was dealt
    held = [scene for moment in last for scene in moment.held or (moment.scene,)]
    before = [told(each, labels, seat) for moment in own[:-1] for each in moment.events]
    ending = [
        said
        for moment in own[-1:]
        for said in said_with(moment.events, moment.held[:-1], None, labels, seat)
    ] or [Said(line=table.shown.say)]
    analysis = site.compute(quick_analysis, match.players, match.played, match.frozen, "all")
    return {
        "match": match,
        "request": None,
        "held": tuple(held[:-1]),
        "scene": held[-1] if held else None,
        "mistakes": mistakes_of(analysis, seat) if analysis else "",
        "say": ending[0].line,
        "events": (*before, *ending[0].events),
        "later": tuple(ending[1:]),
    }


def chosen(spelling: str, choices: Mapping[str, object] | list[str], kind: str) -> str:
    """Returns a name that was chosen from a list.

    Raises:
        UnknownName: It is not in the list.
    """
    if spelling not in choices:
        raise UnknownName(kind, spelling, choices)
    return spelling
