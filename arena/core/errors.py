"""Every error of the project, as one tree.

ArenaError
├── BadInput            the user's input is wrong: the command line prints one line, exit code 2
│   ├── UnknownName     a game, bot, ruleset, format or option that nobody registered
│   ├── ParseError     text that does not parse: ``stand(at=)``, a card name, a record
│   ├── BadSpec         a tournament file: carries every problem found, each with its key
│   ├── BadPlugin       a plugin that cannot be loaded: names the distribution and the mend
│   └── BadStore        a results database that cannot be used as it is
├── IllegalMove         a rule forbids it; the state is unchanged
│   ├── IllegalAction   raised by ``State.apply_action``; the match loop adjudicates
│   └── IllegalLoadout  raised by ``Game.accept_loadout``; the match loop adjudicates
├── Divergence          ``verify``: a record does not re-execute to what it says
├── AlteredResults      stored results are not what was written: a failed check, exit code 1
└── HarnessFault        our own mistake: the match is void and is replayed, never a loss
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ArenaError(Exception):
    """Root of the tree; nobody raises it directly."""


class BadInput(ArenaError):
    """The user's input is wrong. The message is one line: the thing, the place, the choices."""


class UnknownName(BadInput):
    """Nobody registered that name.

    Args:
        kind: What was looked up, e.g. ``"bot"``.
        name: The name that was asked for.
        choices: The names that exist, shown sorted.
    """

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        self.kind, self.name = kind, name
        self.choices = tuple(sorted(choices, key=_naturally))
        super().__init__(f"unknown {kind} {name!r}; choices: {', '.join(self.choices) or 'none'}")

    def __reduce__(self) -> tuple[object, ...]:
        return (UnknownName, (self.kind, self.name, self.choices))


def _naturally(name: str) -> tuple[bool, int, str]:
    """Numbers first and by size, then names."""
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


class ParseError(BadInput):
    """A text does not parse; raised by the parsers of ``arena.core.parsing`` and of notations."""


class BadSpec(BadInput):
    """A tournament file has problems; all are reported at once.

    Args:
        where: The file, or ``"command line"``.
        problems: ``"key: what is wrong"``, one per problem.
    """

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        self.where, self.problems = where, tuple(problems)
        super().__init__(f"{where}: " + "; ".join(problems))

    def __reduce__(self) -> tuple[object, ...]:
        return (BadSpec, (self.where, self.problems))


class BadPlugin(BadInput):
    """A plugin cannot be used; the message names its distribution and what to do."""


class BadStore(BadInput):
    """A results database cannot be used as it is; nothing in it was changed."""


class IllegalMove(ArenaError):
    """A rule forbids it; the state is as it was."""


class IllegalAction(IllegalMove):
    """``apply_action`` was given something outside the decision's legal actions."""


class IllegalLoadout(IllegalMove):
    """What a seat wants to bring to the match (Pazaak: its side deck) breaks the rules."""


class Divergence(ArenaError):
    """A record, executed again, gives something else than it says; names the first difference."""


class AlteredResults(ArenaError):
    """Stored results are not what the program wrote; names the first row that differs."""


class HarnessFault(ArenaError):
    """The harness itself failed. The match is void and is played again."""


def describe(error: BaseException) -> str:
    """An exception as one line: its kind and what it says."""
    return " ".join(f"{type(error).__name__}: {error}".split())
