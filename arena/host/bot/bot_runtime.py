"""The runtime in a Python bot's own process answers requests until there are no more.

The bot's code can change it at will: the harness checks everything that comes from here.
"""

from __future__ import annotations

import faulthandler
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from arena.core.actions import Action, type_name
from arena.core.bot import MatchContext
from arena.core.described import described
from arena.core.errors import ArenaError, IllegalLoadout
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome
from arena.host.bot.inline import failure
from arena.host.bot.logs import OF_NO_MATCH, Answering, tagged
from arena.host.wire.codecs import PACKED, codec_for
from arena.host.wire.messages import (
    PROTOCOL,
    Answer,
    AnswerRun,
    Decides,
    Failed,
    Finish,
    Hello,
    Ready,
    Request,
    Start,
)
from arena.plugins.entries import BotSource
from arena.plugins.loading import AnyBot, load_bot

MAX_FRAME = 1 << 30
"""The harness is trusted with the length of its frames."""
READ = 1 << 16
MAX_BATCH = 4_096
"""Requests that our runtime takes at a time."""

STACK_SIGNAL = signal.SIGUSR1
"""Makes a process write to its log where its code is: the host's, before it kills a late one."""
_outcome = partial(msgspec.convert, type=described(Outcome))


class _Match:
    __slots__ = ("act", "bot", "unpack")

    def __init__(self, bot: AnyBot, unpack: Callable[[Any], Observation]) -> None:
        self.bot, self.unpack = bot, unpack
        self.act = bot.act


def serve(talk: int, source: BotSource, game: AnyGame) -> None:
    """Loads the bot, reports that it is ready, and answers requests until there are no more."""
    faulthandler.register(STACK_SIGNAL, all_threads=False)
    answering = Answering()
    sys.stdout, sys.stderr = (
        tagged(stream, answering) if isinstance(stream, io.TextIOWrapper) else stream
        for stream in (sys.stdout, sys.stderr)
    )
    _Runtime(talk, game, answering).run(source)


def refuse(talk: int, source: BotSource, reason: str) -> None:
    """Reports that the bot cannot be started, in the codec that the harness expects of it."""
    _write(talk, codec_for(source).encode_ready(Ready(PROTOCOL, refusal=reason[:1000])))


class _Runtime:
    def __init__(self, talk: int, game: AnyGame, answering: Answering) -> None:
        self._talk, self._game, self._answering = talk, game, answering
        self._matches: dict[int, _Match] = {}
        self._rulesets: dict[str, Ruleset] = {}
        self._reader = PACKED.reader(MAX_FRAME)

    def run(self, source: BotSource) -> None:
        while data := os.read(self._talk, READ):
            for frame in self._reader.feed(data):
                requests = PACKED.requests(frame)
                if type(requests[0]) is Hello:
                    _write(self._talk, PACKED.encode_ready(self._ready(source)))
                elif answers := self._answers(requests):
                    _write(self._talk, PACKED.encode(answers))

    def _ready(self, source: BotSource) -> Ready:
        try:
            self._make = load_bot(source)
            games = self._make().games
            return Ready(PROTOCOL, source.participant.name[:200], _names(games), batch=MAX_BATCH)
        except ArenaError as error:
            reason = _line(str(error))
            cause = error.__cause__
            return Ready(PROTOCOL, refusal=reason, error=failure(cause).error if cause else "")
        except BaseException as error:
            failed = failure(error)
            return Ready(PROTOCOL, refusal=f"it raised {failed.reason}", error=failed.error)

    def _answers(self, requests: Sequence[Request]) -> list[Answer | AnswerRun]:
        answers: list[Answer | AnswerRun] = []
        answering = self._answering
        for request in requests:
            if type(request) is Decides:
                self._decide(request, answers)
            elif type(request) is Start:
                answering.id = request.id
                answers.append(self._start(request))
            elif type(request) is Finish:
                answering.id = OF_NO_MATCH
                self._finish(request)
        answering.id = OF_NO_MATCH
        return answers

    def _decide(self, request: Decides, answers: list[Answer | AnswerRun]) -> None:
        """Adds the answers to decisions; hot path."""
        find, answering = self._matches.get, self._answering
        id = request.id
        run = [id]
        for number, packed in zip(request.matches, request.observations, strict=True):
            answering.id = id
            other: Answer | None = None
            match = find(number)
            if match is None:  # it failed at its start, and the harness asks no more
                other = Answer(id, failed=Failed("crash", "it did not start"))
            else:
                try:
                    observation = match.unpack(packed)  # by code that the bot may have changed
                    action = match.act(observation)
                except BaseException as error:
                    other = Answer(id, failed=_failed(error))
                else:
                    # By identity, as actions compare: an untrusted __eq__ cannot answer.
                    for one in observation.legal_actions:
                        if one is action:
                            run.append(one.id)
                            break
                    else:
                        other = self._illegal(id, action)
            id += 1
            if other is not None:
                if len(run) > 1:
                    answers.append(run)
                answers.append(other)
                run = [id]
        if len(run) > 1:
            answers.append(run)

    def _start(self, request: Start) -> Answer:
        game = self._game
        ruleset = self._rulesets.get(request.ruleset)
        if ruleset is None:
            ruleset = self._rulesets[request.ruleset] = game.ruleset(request.ruleset)
        context = MatchContext(game, request.ruleset, request.seat, request.seats, request.seed)
        unpack = game.wire.unpacker(ruleset)
        try:
            bot = self._make()
            bot.start(context)
            self._matches[request.match] = _Match(bot, unpack)
            if not request.offer:
                return Answer(request.id)
            offer = game.loadouts.offer(ruleset, request.seat)
            return self._loadout(request.id, ruleset, bot, offer)
        except BaseException as error:
            return Answer(request.id, failed=_failed(error))

    def _loadout(self, id: int, ruleset: Ruleset, bot: AnyBot, offer: Offer | None) -> Answer:
        assert offer is not None
        chosen = bot.prepare(offer)
        if chosen is None:
            return Answer(id)
        try:
            loadout = self._game.loadouts.accept(ruleset, chosen)
        except IllegalLoadout as refusal:
            return Answer(id, failed=Failed("illegal", _line(str(refusal))))
        return Answer(id, loadout=self._game.loadouts.text(loadout))

    def _illegal(self, id: int, action: object) -> Answer:
        """Writes an illegal answer: a known action by its number, else the name of its type."""
        try:
            # By its type alone: an answer may raise when it is asked for its class.
            number = action.id if issubclass(type(action), Action) else None  # type: ignore[attr-defined]
            if type(number) is int and self._game.notation.action_of(number) is action:
                return Answer(id, number)
        except BaseException:  # what it raises is its own matter: it is no action
            pass
        return Answer(id, failed=Failed("illegal", type_name(action)))

    def _finish(self, request: Finish) -> None:
        match = self._matches.pop(request.match, None)
        if match is None:
            return
        try:
            match.bot.finish(_outcome(request.outcome))
        except BaseException as error:
            failure(error)


def _failed(error: BaseException) -> Failed:
    with suppress(BaseException):  # a bot may have replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    found = failure(error)
    kind = "memory" if issubclass(type(error), MemoryError) else "crash"
    return Failed(kind, found.reason, found.error)


def _names(games: object) -> tuple[str, ...]:
    if not isinstance(games, tuple | list):
        return ()
    return tuple([str(name)[:200] for name in games])


def _line(text: str) -> str:
    return " ".join(text.split())[:1000]


def _write(talk: int, data: bytes) -> None:
    view = memoryview(data)
    while len(view):
        written = os.write(talk, view)
        view = view[written:]
