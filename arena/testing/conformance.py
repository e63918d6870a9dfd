"""Runs files of rule cases and checks them; see ``arena.core.parts.cases`` for the schema.

Each game's own driver plays its cases. Unknown content fails a case by name: nothing is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arena.core.errors import BadInput, IllegalMove, ParseError, UnknownName
from arena.core.parts.cases import Case, CaseDriver, DriverMaker, Json, known, mapping
from arena.core.text.decoding import decode_text

CASE_KEYS = ("id", "game", "variant", "given", "when", "expect", "seed", "note", "options")
ILLEGAL_STEP = "illegal_step"


class CaseResult(msgspec.Struct, frozen=True):
    """The result of one case.

    Attributes:
        id: The case's id; ``"?"`` when it has none.
        passed: Whether it is as expected.
        expected: The expected keys, as written.
        actual: The same keys as they are; empty when the case could not be run to its end.
        detail: One line of explanation; empty when it passed.
    """

    id: str
    passed: bool
    expected: Mapping[str, Json]
    actual: Mapping[str, Json]
    detail: str = ""


def run_file(path: str | Path, drivers: Mapping[str, DriverMaker]) -> list[CaseResult]:
    """Runs every case of a JSON list.

    Args:
        drivers: The case drivers by the name of their game, as in ``Registry.case_drivers``.

    Raises:
        BadInput: The file cannot be read, or is not a JSON list.
    """
    try:
        cases = json.loads(decode_text(Path(path).read_bytes()))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except ParseError as error:
        raise ParseError(f"{path} {error}") from None
    except ValueError as error:  # also: an integer of thousands of digits
        raise ParseError(f"{path} is not JSON: {error}") from None
    except RecursionError:
        raise ParseError(f"{path} is nested too deeply to be read") from None
    if not isinstance(cases, list):
        raise ParseError(f"{path} is not a list of cases")
    return [run_case(case, drivers) for case in cases]


def run_case(case: Mapping[str, Json], drivers: Mapping[str, DriverMaker]) -> CaseResult:
    """Runs one case; a mistake in the case or in the program fails only this case."""
    name, expected = "?", {}
    try:
        if not isinstance(case, Mapping):
            raise ParseError(f"a case is an object, not {type(case).__name__}")
        name = str(case.get("id", "?"))
        known(case, "case key", CASE_KEYS)
        expected = dict(mapping(case.get("expect"), "expect"))
        driver = _open(case, drivers)
        known(expected, "expect key", (*driver.expectations, ILLEGAL_STEP))
        wrong = _play(driver, _steps(case), expected.get(ILLEGAL_STEP))
        return _compared(driver, name, expected, wrong)
    except BadInput as error:
        return CaseResult(name, False, expected, {}, str(error))
    except Exception as error:  # a fault of the runner or the rules must show in its own case
        return CaseResult(name, False, expected, {}, f"{type(error).__name__}: {error}")


def _open(case: Mapping[str, Json], drivers: Mapping[str, DriverMaker]) -> CaseDriver:
    game = case.get("game")
    if not isinstance(game, str) or game not in drivers:
        raise UnknownName("game", str(game), drivers)
    return drivers[game](
        Case(
            variant=str(case.get("variant", "")),
            options=mapping(case.get("options"), "options"),
            given=mapping(case.get("given"), "given"),
            when=_steps(case),
            expect=mapping(case.get("expect"), "expect"),
        )
    )


def _steps(case: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    steps = case.get("when") or ()
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        raise ParseError("when is a list of steps")
    for step in steps:
        if "do" not in mapping(step, "a step"):
            raise ParseError(f"step {step!r} does not say what to do")
    return [mapping(step, "a step") for step in steps]


def _play(driver: CaseDriver, steps: Sequence[Mapping[str, Json]], illegal: Json) -> str:
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


def _compared(
    driver: CaseDriver, name: str, expected: Mapping[str, Json], wrong: str
) -> CaseResult:
    actual: dict[str, Json] = {}
    for key, wanted in expected.items():
        if key == ILLEGAL_STEP:
            continue
        found = driver.actual(key)
        wanted = driver.normalized(key, wanted)
        if isinstance(wanted, Mapping) and isinstance(found, Mapping):
            found = {part: found.get(part) for part in wanted}
        actual[key] = found
        if not wrong and not _same(found, wanted):
            wrong = f"{key} is {found!r}, not {wanted!r}"
    return CaseResult(name, not wrong, expected, actual, wrong)


def _same(found: Json, wanted: Json) -> bool:
    """Returns whether two values are equal as JSON: ``true`` is not 1."""
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return found.keys() == wanted.keys() and all(_same(found[k], wanted[k]) for k in found)
    return isinstance(found, bool) == isinstance(wanted, bool) and found == wanted
