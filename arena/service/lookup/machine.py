"""The isolation that this machine offers, found by trying every attack at every level."""

from __future__ import annotations

import msgspec

from arena.host.box.cgroups import Tried, try_groups
from arena.host.box.levels import Level
from arena.host.box.machine import advice, describe
from arena.host.box.probing.attacks import ATTACKS
from arena.host.box.probing.probe import Choice, ProbeReport, choose, probe

STOPPED, THROUGH, UNTRIED = "stopped", "GOT THROUGH", "-"


class Examination(msgspec.Struct, frozen=True):
    """The isolation that a machine offers.

    Attributes:
        reports: A report of each level but ``trusted``, the weakest first.
        choice: The level that ``auto`` takes.
        hints: Advice on how to get the levels that are missing, one line each.
    """

    facts: dict[str, str]
    reports: tuple[ProbeReport, ...]
    choice: Choice
    hints: tuple[str, ...]
    groups: Tried

    def attack_rows(self) -> list[dict[str, object]]:
        """A row for each attack, with its result at each level."""
        rows = []
        for number, attack in enumerate(ATTACKS):
            row: dict[str, object] = {"attack": attack.name, "harms": attack.harms}
            for report in self.reports:
                result = report.results[number] if report.results else None
                answer = UNTRIED if result is None else STOPPED if result.stopped else THROUGH
                row[report.level] = answer
            rows.append(row)
        return rows

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena doctor``."""
        return {
            "machine": self.facts,
            "levels": [
                {
                    "level": report.level,
                    "holds": report.holds,
                    "failure": report.failure,
                    "attacks": len(report.results),
                    "stopped": stopped(report),
                }
                for report in self.reports
            ],
            "attacks": self.attack_rows(),
            "auto": self.choice.level,
            "missing": [{"level": level, "reason": why} for level, why in self.choice.missing],
            "advice": list(self.hints),
            "control_groups": {
                "controllers": list(self.groups.controllers),
                "failure": self.groups.failure,
            },
        }


def examine() -> Examination:
    """Tries every attack at every level, and control groups; takes some seconds."""
    reports = tuple(probe(level) for level in Level if level is not Level.TRUSTED)
    groups = try_groups()
    facts = describe() | {"control groups": ", ".join(groups.controllers) or "no"}
    choice = choose(reversed(reports))
    return Examination(facts, reports, choice, tuple(advice() if choice.missing else ()), groups)


def stopped(report: ProbeReport) -> int:
    """The number of attacks that a level stopped."""
    return len(report.results) - len(report.through)
