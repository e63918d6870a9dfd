"""A bot that breaks a match in every way its parameter names; a file bot, as authors submit it."""

import contextlib
import copy
import itertools
import os
import threading
import time
import weakref

from arena import Bot

__version__ = "6.6"


class Number(int):
    """An action's id that is no action."""


class Impostor:
    """Equals everything, and says it is whatever is wanted."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Faceless:
    """Raises when somebody asks for its class."""

    @property
    def __class__(self) -> type:
        raise LookupError("no class")


class Own(BaseException):
    """Not an ``Exception``."""


class Mute(Exception):
    """An error whose text cannot be made."""

    def __str__(self) -> str:
        raise Own("even this")


class Endless(Exception):
    """An error whose text takes for ever."""

    def __str__(self) -> str:
        for _ in itertools.count():
            pass


class Untraceable(Exception):
    """Has no traceback to show."""

    @property
    def __traceback__(self) -> None:
        raise Own("no traceback")


def recurse(depth=0):
    return recurse(depth + 1)


def illegal_now(observation):
    """The next action of the game that is not legal here."""
    from arena.games.pazaak.game import Pazaak

    actions = map(Pazaak.notation.action_of, itertools.count())
    return next(action for action in actions if action not in observation.legal_actions)


def forged(observation):
    """Makes an illegal action legal in its observation, and plays it."""
    action = illegal_now(observation)
    type(observation).legal_actions.__set__(observation, (action,))
    return action


ANSWERS = {
    "text": lambda o: "stand",
    "none": lambda o: None,
    "boolean": lambda o: True,
    "zero": lambda o: 0,
    "number": lambda o: Number(o.legal_actions[0].id),
    "list": lambda o: [o.legal_actions[0]],
    "copy": lambda o: copy.copy(o.legal_actions[0]),
    "not legal": illegal_now,
    "forged": forged,
    "impostor": lambda o: Impostor(),
    "faceless": lambda o: Faceless(),
    "dead": lambda o: weakref.proxy(Impostor()),
    "class": lambda o: type("odd\nname", (), {})(),
}
RAISED = {
    "value": ValueError("seventeen"),
    "exit": SystemExit(0),
    "interrupt": KeyboardInterrupt(),
    "generator": GeneratorExit(),
    "stop": StopIteration(3),
    "own": Own("mine"),
    "group": BaseExceptionGroup("many", [Own("one"), ValueError("two")]),
    "surrogate": ValueError("\ud800"),
    "mute": Mute(),
    "endless": Endless(),
    "untraceable": Untraceable(),
    "odd-name": type("odd\nname", (Exception,), {})(),
}


def mutate(observation):
    observation.seat = 7
    return observation.legal_actions[0]


def force(observation):
    """Changes its observation although it is immutable, by the fields' own descriptors."""
    first = observation.legal_actions[0]
    for field, value in (("seat", 7), ("history", b""), ("legal_actions", ())):
        getattr(type(observation), field).__set__(observation, value)
    return first


def delete(observation):
    del observation.legal_actions


def loop(observation):
    while True:
        pass


def stubborn(observation):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(10)


def linger(observation):
    """Keeps its process from ending by itself."""
    threading.Thread(target=time.sleep, args=(60,)).start()
    return observation.legal_actions[0]


def shout(observation):
    print("LOOK AT ME")
    return observation.legal_actions[0]


DOES = {
    "mutate": mutate,
    "force": force,
    "delete": delete,
    "recurse": lambda o: recurse(),
    "loop": loop,
    "sleep": lambda o: time.sleep(60),
    "stubborn": stubborn,
    "die": lambda o: os._exit(3),
    "linger": linger,
    "shout": shout,
    **ANSWERS,
}


class Hostile(Bot):
    """Plays its first legal action until its time comes.

    Args:
        how: What it does then.
        when: In which method.
        at: At which of its decisions, from 1.
    """

    def __init__(self, how: str = "nothing", when: str = "act", at: int = 2) -> None:
        self.how, self.when, self.at, self.asked = how, when, at, 0
        self._breaks("init", None)

    def start(self, context):
        self._breaks("start", None)

    def prepare(self, offer):
        return self._breaks("prepare", None)

    def act(self, observation):
        self.asked += 1
        if self.asked == self.at and self.when == "act":
            return self._breaks("act", observation)
        return observation.legal_actions[0]

    def finish(self, outcome):
        self._breaks("finish", None)

    def _breaks(self, method, observation):
        if self.when != method or self.how == "nothing":
            return None
        if self.how in RAISED:
            raise RAISED[self.how]
        return DOES[self.how](observation)


class Faceful(Bot):
    """Has no ``act`` that can be looked at."""

    @property
    def act(self):
        raise Own("no act")
