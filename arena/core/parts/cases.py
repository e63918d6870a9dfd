"""Rule cases in the neutral schema: a case, the driver that plays it, readers of its values.

A case is an object ``{id, game, variant, given, when, expect, ...}``. What a game's givens, steps
and expectations mean is known by the game's case driver, which the game's package registers
through the hook ``arena_case_drivers``. Unknown keys and values fail the case by name: a driver
refuses them with the readers of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

import msgspec

from arena.core.errors import ParseError, UnknownName
from arena.core.text.parsing import Value

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Any JSON value."""

Step: TypeAlias = Mapping[str, Json]
"""One step of a case: its kind under ``do``, and its arguments."""


class Case(msgspec.Struct, frozen=True):
    """A rule case of the right form.

    Attributes:
        variant: Name of the ruleset.
        options: Rule options that differ from it.
        given: The situation before the first step.
        when: The steps, each with its kind under ``do``.
        expect: The expectations for the situation after the last step.
    """

    variant: str
    options: Mapping[str, Json]
    given: Mapping[str, Json]
    when: Sequence[Step]
    expect: Mapping[str, Json]


class CaseDriver(Protocol):
    """Plays one case of one game; checks the names in its ``Case`` at once.

    Attributes:
        expectations: The keys that it can answer.
    """

    expectations: Sequence[str]

    def take(self, step: Step) -> None:
        """Takes one step of the case.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """

    def snapshot(self) -> object:
        """Returns everything that a step can change, to be compared before and after."""

    def actual(self, key: str) -> Json:
        """Returns the present value of one of ``expectations``."""

    def normalized(self, key: str, expected: Json) -> Json:
        """Returns an expectation in the form in which ``actual`` answers."""


DriverMaker: TypeAlias = Callable[[Case], CaseDriver]
"""Makes the driver of one case; raises ``BadInput`` for a case that it cannot play."""


def known(found: Mapping[str, Json], kind: str, choices: Sequence[str]) -> None:
    """Refuses unknown keys of a case: raises ``UnknownName`` with the first."""
    for key in found:
        if key not in choices:
            raise UnknownName(kind, key, choices)


def known_steps(case: Case, kinds: Mapping[str, tuple[Sequence[str], object]]) -> None:
    """Refuses unknown steps of a case and unknown keys of its steps, by ``UnknownName``.

    Args:
        case: The case.
        kinds: The keys of each kind of step besides ``do``, each with what takes the step.
    """
    for step in case.when:
        kind = str(step["do"])
        if kind not in kinds:
            raise UnknownName("step", kind, kinds)
        known(step, f"key of step {kind}", ("do", *kinds[kind][0]))


def option_value(name: str, value: Json) -> Value:
    """Reads the value of a ruleset's option; raises ``ParseError`` for a list or an object."""
    if not isinstance(value, bool | int | float | str):
        raise ParseError(f"option {name} cannot be {value!r}")
    return value


def mapping(value: Json, what: str) -> Mapping[str, Json]:
    """Reads a JSON object, where a missing one means an empty one; else raises ``ParseError``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ParseError(f"{what} is an object, not {value!r}")
    return value


def items(value: Json, what: str) -> Sequence[Json]:
    """Reads a JSON list, where a missing one means an empty one; else raises ``ParseError``."""
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ParseError(f"{what} is a list, not {value!r}")
    return value


def integer(value: Json, what: str) -> int:
    """Reads a JSON whole number, where a missing one means 0; else raises ``ParseError``."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise ParseError(f"{what} is a whole number, not {value!r}")
    return value
