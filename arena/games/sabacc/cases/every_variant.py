"""A rule case that each of several variants must satisfy, as one driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.core.errors import IllegalMove, ParseError
from arena.core.parts.cases import CaseDriver, Json


class EveryVariant:
    """Takes the same steps under every variant; answers that differ are given by variant."""

    expectations: Sequence[str]

    def __init__(self, drivers: Mapping[str, CaseDriver]) -> None:
        self._drivers = drivers
        self.expectations = next(iter(drivers.values())).expectations

    def take(self, step: Mapping[str, Json]) -> None:
        refusals: dict[str, IllegalMove] = {}
        for variant, driver in self._drivers.items():
            try:
                driver.take(step)
            except IllegalMove as refusal:
                refusals[variant] = refusal
        if len(refusals) == len(self._drivers):
            raise next(iter(refusals.values()))
        if refusals:
            raise ParseError(f"{step['do']} was refused only under {', '.join(refusals)}")

    def snapshot(self) -> object:
        return [driver.snapshot() for driver in self._drivers.values()]

    def actual(self, key: str) -> Json:
        return _merged({name: driver.actual(key) for name, driver in self._drivers.items()})

    def normalized(self, key: str, expected: Json) -> Json:
        return _merged({name: d.normalized(key, expected) for name, d in self._drivers.items()})


def _merged(answers: Mapping[str, Json]) -> Json:
    """The answer of all; part by part for objects; by variant where they differ."""
    first, *others = answers.values()
    if all(type(other) is type(first) and other == first for other in others):
        return first
    parts = [answer for answer in answers.values() if isinstance(answer, Mapping)]
    if len(parts) < len(answers):
        return answers
    keys = dict.fromkeys(key for part in parts for key in part)
    by_key = {
        key: {name: part.get(key) for name, part in zip(answers, parts, strict=True)}
        for key in keys
    }
    return {key: _merged(of_key) for key, of_key in by_key.items()}
