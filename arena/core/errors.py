"""Every error of the project, as one tree.

ArenaError
├── BadInput            the user's input is wrong: the command line prints one line, exit code 2
│   ├── UnknownName     a game, bot, ruleset, format or option that nobody registered
│   ├── ParseError     text that does not parse: ``stand(at=)``, a card name, a record
│   ├── BadSpec         a tournament file: carries every problem found, each with its key
│   ├── BadPlugin       a plugin that cannot be loaded: names the distribution and the fix
│   ├── NoPlace         an executor that cannot play now: its machines are away, or refuse
│   └── BadStore        a results database that cannot be used as it is
│       └── StoreLocked another process has locked it for too long
├── IllegalMove         a rule forbids it; the state is unchanged
│   ├── IllegalAction   raised by ``State.apply_action``; the match loop adjudicates
│   └── IllegalLoadout  raised by ``Loadouts.accept``; the match loop adjudicates
├── Divergence          ``verify``: a record does not re-execute to its own contents
├── AlteredResults      stored results differ from those written: a failed check, exit code 1
├── TooManyCrashes      a bot crashes more often than allowed: the run stops, exit code 1
└── HarnessFault        our own mistake: the match is void and is replayed, never a loss
    ├── PlaceFailed     a place of an executor: no match is to blame, it is played elsewhere
    └── EndpointFailed  an endpoint of a language model: the match is set aside, never rated
        └── CostLimit   a call or a match that could cost more than the run may: it pauses
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_MAX_NAME_LENGTH = 100
"""Characters of a name that are compared with the choices: it may be of any length."""
_PLACE = re.compile(r"( (?:of|in|on) )")
"""Begins the place in the kind of an unknown name."""


class ArenaError(Exception):
    """Root of the tree; it is never raised directly."""


class BadInput(ArenaError):
    """Raised for wrong input of the user; the message is one line: what, where, the choices."""


class BadKey(BadInput):
    """Raised for a key that does not fit the others; the message begins with the key."""

    def __init__(self, key: str, problem: str) -> None:
        self.key, self.problem = key, problem
        super().__init__(f"{key}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        return (BadKey, (self.key, self.problem))


class NoPlace(BadInput):
    """Raised when an executor cannot play now: its machines cannot be reached, or refuse."""


_LISTED_BY = {"game": "arena games"}
"""Commands that list the choices of a kind, of which there may be many."""
_MAX_LISTED = 12
"""Choices of such a kind that an error lists itself."""


class UnknownName(BadInput):
    """Raised for a name that nobody registered.

    Args:
        kind: The kind of thing that was looked up, e.g. ``"bot"`` or ``"game in the database"``;
            the name stands before the place.
        choices: The names that exist, shown sorted.
    """

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        self.kind, self.name = kind, name
        self.choices = tuple(sorted(choices, key=_naturally))
        thing, *place = _PLACE.split(kind, maxsplit=1)
        unknown = f"unknown {thing} {name!r}{''.join(place)}"
        super().__init__(f"{unknown}; {self._choices()}{meant(name, self.choices)}")

    def _choices(self) -> str:
        command = _LISTED_BY.get(self.kind)
        if command and len(self.choices) > _MAX_LISTED:
            return f"{len(self.choices)} choices: see {command}"
        return f"choices: {', '.join(self.choices) or 'none'}"

    def __reduce__(self) -> tuple[object, ...]:
        return (UnknownName, (self.kind, self.name, self.choices))


class UnknownArgument(UnknownName, TypeError):
    """Raised for a keyword argument that a function does not have."""

    def __reduce__(self) -> tuple[object, ...]:
        return (UnknownArgument, (self.kind, self.name, self.choices))


def meant(name: str, choices: Iterable[str]) -> str:
    """Returns the end of an error of an unknown name: the choice it stands for, or nothing."""
    return "".join(f"; did you mean {choice}?" for choice in _likest(name, tuple(choices)))


def _likest(name: str, choices: Sequence[str]) -> list[str]:
    if name.removeprefix("-").isdecimal():  # a number like another one is no misspelling
        return []
    from difflib import get_close_matches

    lower = {choice.lower(): choice for choice in choices}
    return [
        lower[found] for found in get_close_matches(name.lower()[:_MAX_NAME_LENGTH], lower, n=1)
    ]


def _naturally(name: str) -> tuple[bool, int, str]:
    """Returns a sort key that places numbers first, by size, then names."""
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


class ParseError(BadInput):
    """Raised by parsers (``arena.core.text.parsing``, notations) for text that is wrong."""


class BadSpec(BadInput):
    """Raised for a tournament file with all its problems at once, as ``"key: the problem"``."""

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        self.where, self.problems = where, tuple(problems)
        super().__init__((f"{where}: " if where else "") + "; ".join(problems))

    def __reduce__(self) -> tuple[object, ...]:
        return (BadSpec, (self.where, self.problems))


class BadPlugin(BadInput):
    """Raised for a plugin that cannot be used; names its distribution and the remedy."""


class BadStore(BadInput):
    """Raised for a results database that cannot be used as it is; nothing in it was changed."""


class StoreLocked(BadStore):
    """Raised for a results database that another process has locked for too long."""


class IllegalMove(ArenaError):
    """Raised for a move that a rule forbids; the state is as it was."""


class IllegalAction(IllegalMove):
    """Raised by ``apply_action`` for anything but one of the decision's legal actions."""


class IllegalLoadout(IllegalMove):
    """Raised for a loadout (Pazaak: a side deck) that breaks the rules."""


class Divergence(ArenaError):
    """Raised for a record that does not re-execute to its contents; names the first difference."""


class AlteredResults(ArenaError):
    """Raised for stored results that differ from those written; names the first such row."""


class TooManyCrashes(ArenaError):
    """Raised for a bot that crashes more often than allowed; everything played is stored."""


class HarnessFault(ArenaError):
    """Raised when the harness itself failed; the match is void and is played again."""


class PlaceFailed(HarnessFault):
    """Raised when a place that plays matches failed, such as a worker of a cluster.

    Args:
        place: Its name; empty where it is not known.
        reason: One line.
    """

    def __init__(self, place: str, reason: str) -> None:
        self.place, self.reason = place, reason
        super().__init__(f"{place or 'a place'}: {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        return (PlaceFailed, (self.place, self.reason))


class EndpointFailed(HarnessFault):
    """Raised when an endpoint of a language model failed; its match is set aside for later.

    Args:
        reason: One line, without the key.
        retry: Whether the same question may be answered later: not so with a wrong key, or an
            unknown model.
        wait_seconds: How long the endpoint asks to wait; ``None`` if it does not say.
        busy: Whether it says that there are too many questions.
        paid: Whether the question may have to be paid for, as it has reached the model.
    """

    def __init__(
        self,
        reason: str,
        retry: bool = True,
        wait_seconds: float | None = None,
        busy: bool = False,
        paid: bool = False,
    ) -> None:
        self.reason, self.retry, self.wait_seconds = reason, retry, wait_seconds
        self.busy, self.paid = busy, paid
        super().__init__(reason)

    def __reduce__(self) -> tuple[object, ...]:
        values = (self.reason, self.retry, self.wait_seconds, self.busy, self.paid)
        return (EndpointFailed, values)


class CostLimit(EndpointFailed):
    """Raised instead of a call or a match that could cost more than the limit of its run.

    Args:
        reason: One line, with the way to go on.
        enough: A limit in dollars with which the run continues.
    """

    def __init__(self, reason: str, enough: float) -> None:
        self.enough = enough
        super().__init__(reason, retry=False)

    def __reduce__(self) -> tuple[object, ...]:
        return (CostLimit, (self.reason, self.enough))


def describe(error: BaseException) -> str:
    """Returns an exception as one line: its type and message."""
    return " ".join(f"{type(error).__name__}: {error}".split())
