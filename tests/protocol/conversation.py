"""Plays matches with a program over the stdio protocol: a plain child process, nothing confined."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import private_seeds
from arena.core.game import AnyGame
from arena.host.wire.codecs import TEXT
from arena.host.wire.messages import PROTOCOL, Answer, Decide, Finish, Hello, Ready, Request, Start
from arena.match.limits import Limits
from arena.match.play import play_match
from arena.match.requests import Played, Seating

LINE = 100_000
"""Most bytes of a line that a program may write here."""


class Program:
    """A running program, and all lines that it read and wrote.

    Attributes:
        lines: Every line: ``">"`` from the harness or ``"<"`` from the program, and its text.
        ready: Its answer to hello.
    """

    def __init__(self, command: Sequence[str], folder: Path, game: AnyGame) -> None:
        self.lines: list[tuple[str, str]] = []
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._reader = TEXT.reader(LINE)
        self._unread: list[bytes] = []
        self.send([Hello(PROTOCOL, game.name)])
        self.ready: Ready = TEXT.ready(self.line())

    def send(self, requests: Sequence[Request]) -> None:
        self.write(TEXT.encode(requests))

    def write(self, data: bytes) -> None:
        self._process.stdin.write(data)
        self._process.stdin.flush()
        self.lines += [(">", line) for line in data.decode().splitlines()]

    def line(self) -> bytes:
        while not self._unread:
            data = self._process.stdout.read1()
            assert data, "the program hung up"
            self._unread = self._reader.feed(data)
        line = self._unread.pop(0)
        self.lines.append(("<", line.decode()))
        return line

    def ask(self, requests: Sequence[Start | Decide]) -> list[Answer]:
        """The answers, each to its request; as many at once as the program takes."""
        answers: list[Answer] = []
        for first in range(0, len(requests), self.ready.batch):
            part = requests[first : first + self.ready.batch]
            self.send(part)
            for request in part:
                (answer,) = TEXT.answers(self.line())
                assert answer.id == request.id, "it answered something that it was not asked"
                answers.append(answer)
        return answers

    def end(self) -> int:
        """Closes its stdin and waits for its end; the exit code."""
        self._process.stdin.close()
        rest = self._process.stdout.read()
        self._process.stdout.close()
        assert rest == b"", "it wrote more than one answer a request"
        return self._process.wait(timeout=120)


Opponent = Callable[[], Bot[Any]]
Loop = Generator[Any, Any, Played]


class _Match:
    """One match: its loop, what it waits for, and the opponents' bots by seat."""

    def __init__(self, number: int, game: AnyGame, ruleset: str, seat: int, seats: int) -> None:
        rules = game.ruleset(ruleset)
        names = [f"seat {n}" for n in range(seats)]
        self.number, self.seat, self.seats = number, seat, seats
        self.game, self.ruleset = game, rules.name
        self.seeds = private_seeds(number, seats)
        self.loop: Loop = play_match(game, rules, number, names, Limits())
        self.bots: dict[int, Bot[Any]] = {}
        self.request: Any = next(self.loop)
        self.played: Played | None = None

    def go(self, answer: object) -> None:
        try:
            self.request = self.loop.send((answer, 0))
        except StopIteration as end:
            self.request, self.played = None, end.value

    def opponents_turns(self, opponent: Opponent) -> None:
        """Answers for everybody but the program, until it is asked or the match is over."""
        while self.request is not None and (seat := self.request.seat) != self.seat:
            if type(self.request) is Seating:
                bot = self.bots[seat] = opponent()
                bot.start(MatchContext(self.game, self.ruleset, seat, self.seats, self.seeds[seat]))
                self.go(None)
            else:
                self.go(self.bots[seat].act(self.request))

    def asked(self, id: int) -> Start | Decide:
        """The requests that the program has to answer now."""
        request, game = self.request, self.game
        if type(request) is Seating:
            offer = None if request.offer is None else TEXT.offer(game, request.offer)
            seed = self.seeds[self.seat]
            return Start(id, self.number, self.ruleset, self.seat, self.seats, seed, offer)
        return Decide(id, self.number, TEXT.observation(game, request))

    def take(self, answer: Answer) -> None:
        assert answer.failed is None
        if type(self.request) is not Seating:
            self.go(TEXT.action(self.game, answer))
        elif answer.loadout is None:
            self.go(None)
        else:
            self.go(self.game.loadouts.parse(answer.loadout))


def play(
    program: Program,
    game: AnyGame,
    ruleset: str,
    opponent: Opponent,
    matches: Iterable[int] = range(1, 5),
    seats: int = 2,
) -> list[Played]:
    """Plays matches all at once; the program sits in every seat in turn.

    Args:
        program: The program.
        game: The game.
        ruleset: The ruleset, with options.
        opponent: Makes the bots of the other seats.
        matches: Numbers of the matches, which are also the seeds.
        seats: Seats at the table.
    """
    running = [_Match(number, game, ruleset, number % seats, seats) for number in matches]
    everything, ids = list(running), count(1)
    while running:
        for match in running:
            match.opponents_turns(opponent)
        for match in running:
            if match.played is not None:
                program.send([Finish(match.number, TEXT.outcome(match.played[0].outcome))])
        running = [match for match in running if match.played is None]
        answers = program.ask([match.asked(next(ids)) for match in running])
        for match, answer in zip(running, answers, strict=True):
            match.take(answer)
    played = [match.played for match in everything]
    return [one for one in played if one is not None]
