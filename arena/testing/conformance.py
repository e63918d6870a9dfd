"""Runs rule cases written in a neutral schema: ``{id, game, variant, given, when, expect, ...}``.

This file knows cases and how they are judged; what a game's givens, steps and expectations mean
is known by its driver (``conformance_pazaak``, ``conformance_sabacc``). Whatever a case holds that
nobody knows fails the case by name: nothing is ever skipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec

from arena.core.errors import BadInput, IllegalMove, ParseError, UnknownName

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Anything that JSON can say."""

CASE_KEYS = ("id", "game", "variant", "given", "when", "expect", "seed", "note", "options")
ILLEGAL_STEP = "illegal_step"


class CaseResult(msgspec.Struct, frozen=True):
    """What came of one case.

    Attributes:
        id: The case's id; ``"?"`` when it has none.
        passed: Whether everything that it expects is so.
        expected: What it expects, as written.
        actual: The same keys as they are; empty when the case could not be run to its end.
        detail: One line saying what is wrong; empty when it passed.
    """

    id: str
    passed: bool
    expected: Mapping[str, Json]
    actual: Mapping[str, Json]
    detail: str = ""


class Case(msgspec.Struct, frozen=True):
    """A case whose outer form is right.

    Attributes:
        variant: Name of the ruleset.
        options: Rule options that differ from it.
        given: The situation before the first step.
        when: The steps, each with its kind under ``do``.
        expect: What must be so afterwards.
    """

    variant: str
    options: Mapping[str, Json]
    given: Mapping[str, Json]
    when: Sequence[Mapping[str, Json]]
    expect: Mapping[str, Json]


class Driver(Protocol):
    """Plays one game's cases; made from a ``Case``, whose names it checks at once.

    Attributes:
        expectations: The keys that it can answer.
    """

    expectations: Sequence[str]

    def take(self, step: Mapping[str, Json]) -> None:
        """Takes one step.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """

    def snapshot(self) -> object:
        """Everything that a step can change, to be compared before and after."""

    def actual(self, key: str) -> Json:
        """How it is now, for one of ``expectations``."""

    def written(self, key: str, expected: Json) -> Json:
        """An expectation in the form in which ``actual`` answers."""


def run_file(path: str | Path) -> list[CaseResult]:
    """Runs every case of a JSON list.

    Raises:
        BadInput: The file cannot be read, or is not a JSON list.
    """
    try:
        cases = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # also: not UTF-8, an integer of thousands of digits
        raise ParseError(f"{path} is not JSON: {error}") from None
    except RecursionError:
        raise ParseError(f"{path} is nested too deeply to be read") from None
    if not isinstance(cases, list):
        raise ParseError(f"{path} is not a list of cases")
    return [run_case(case) for case in cases]


def run_case(case: Mapping[str, Json]) -> CaseResult:
    """Runs one case; whatever is wrong with it, or with us, fails this case alone."""
    name, expected = "?", {}
    try:
        if not isinstance(case, Mapping):
            raise ParseError(f"a case is an object, not {type(case).__name__}")
        name = str(case.get("id", "?"))
        known(case, "case key", CASE_KEYS)
        expected = dict(mapping(case.get("expect"), "expect"))
        driver = _open(case)
        known(expected, "expect key", (*driver.expectations, ILLEGAL_STEP))
        wrong = _play(driver, _steps(case), expected.get(ILLEGAL_STEP))
        return _judge(driver, name, expected, wrong)
    except BadInput as error:
        return CaseResult(name, False, expected, {}, str(error))
    except Exception as error:  # a fault of the runner or the rules must show in its own case
        return CaseResult(name, False, expected, {}, f"{type(error).__name__}: {error}")


def _open(case: Mapping[str, Json]) -> Driver:
    game = case.get("game")
    makers: dict[str, Callable[[Case], Driver]] = {"pazaak": _pazaak, "sabacc": _sabacc}
    if not isinstance(game, str) or game not in makers:
        raise UnknownName("game", str(game), makers)
    return makers[game](
        Case(
            variant=str(case.get("variant", "")),
            options=mapping(case.get("options"), "options"),
            given=mapping(case.get("given"), "given"),
            when=_steps(case),
            expect=mapping(case.get("expect"), "expect"),
        )
    )


def _pazaak(case: Case) -> Driver:
    from arena.testing.conformance_pazaak import PazaakDriver

    return PazaakDriver(case)


def _sabacc(case: Case) -> Driver:
    from arena.testing.conformance_sabacc import sabacc_driver

    return sabacc_driver(case)


def _steps(case: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    steps = case.get("when") or ()
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        raise ParseError("when is a list of steps")
    for step in steps:
        if "do" not in mapping(step, "a step"):
            raise ParseError(f"step {step!r} does not say what to do")
    return [mapping(step, "a step") for step in steps]


def _play(driver: Driver, steps: Sequence[Mapping[str, Json]], illegal: Json) -> str:
    """Takes the steps; what is wrong with how they went, or an empty text."""
    if illegal is not None and illegal != len(steps) - 1:
        return f"illegal_step {illegal!r} is not the last of the {len(steps)} steps"
    for number, step in enumerate(steps):
        before = driver.snapshot()
        try:
            driver.take(step)
        except IllegalMove as refusal:
            if number != illegal:
                return f"step {number} ({step['do']}) was refused: {refusal}"
            if driver.snapshot() != before:
                return f"step {number} ({step['do']}) was refused but changed something"
        else:
            if number == illegal:
                return f"step {number} ({step['do']}) is legal, but must be refused"
    return ""


def _judge(driver: Driver, name: str, expected: Mapping[str, Json], wrong: str) -> CaseResult:
    actual: dict[str, Json] = {}
    for key, wanted in expected.items():
        if key == ILLEGAL_STEP:
            continue
        found = driver.actual(key)
        wanted = driver.written(key, wanted)
        if isinstance(wanted, Mapping) and isinstance(found, Mapping):
            found = {part: found.get(part) for part in wanted}
        actual[key] = found
        if not wrong and not _same(found, wanted):
            wrong = f"{key} is {found!r}, not {wanted!r}"
    return CaseResult(name, not wrong, expected, actual, wrong)


def _same(found: Json, wanted: Json) -> bool:
    """Equality as JSON means it: ``true`` is not 1."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return found.keys() == wanted.keys() and all(_same(found[k], wanted[k]) for k in found)
    return isinstance(found, bool) == isinstance(wanted, bool) and found == wanted


def known(found: Mapping[str, Json], kind: str, choices: Sequence[str]) -> None:
    """Refuses keys that nobody knows.

    Raises:
        UnknownName: The first such key.
    """
    for key in found:
        if key not in choices:
            raise UnknownName(kind, key, choices)


def mapping(value: Json, what: str) -> Mapping[str, Json]:
    """A JSON object, where a missing one means an empty one.

    Raises:
        ParseError: It is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ParseError(f"{what} is an object, not {value!r}")
    return value


def items(value: Json, what: str) -> Sequence[Json]:
    """A JSON list, where a missing one means an empty one.

    Raises:
        ParseError: It is something else.
    """
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ParseError(f"{what} is a list, not {value!r}")
    return value


def integer(value: Json, what: str) -> int:
    """A JSON whole number, where a missing one means 0.

    Raises:
        ParseError: It is something else.
    """
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise ParseError(f"{what} is a whole number, not {value!r}")
    return value
