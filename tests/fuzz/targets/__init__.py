"""The targets by name: everything that reads what somebody else wrote."""

from __future__ import annotations

from tests.fuzz.fuzzing import Target
from tests.fuzz.targets import (
    archives,
    bundles,
    cases,
    endpoints,
    executables,
    messages,
    records,
    reports,
    results,
    spellings,
    tournaments,
)

_SUBJECTS = (
    archives, bundles, cases, endpoints, executables, messages, records, reports, results,
    spellings, tournaments,
)  # fmt: skip

TARGETS: dict[str, Target] = {
    target.name: target for subject in _SUBJECTS for target in subject.TARGETS
}
