"""Letters about submissions: entered or refused, the cause, and how each bot fared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from shlex import quote

from arena.core.table import Column, Row, Table, known_values
from arena.core.text.printable import joined, printable_line, without_folders
from arena.service.answers.rows import Document
from arena.service.bots.qualification_rows import CHECKS, check_rows
from arena.service.bots.qualify import Qualification
from arena.service.bots.submit import Submitted
from arena.service.bots.submit_many import Answer
from arena.service.letters.letter import Letter, Passage, shortened

SLOW = 0.5
"""Share of the time limit of a decision from which on a bot is warned that it is slow."""
DEFAULT_GAME = "pazaak"
"""The game of ``arena check bot`` where no other is named."""
CHECKED = (
    *CHECKS,
    Column("faults", "faults", right=True, when=known_values("faults")),
    Column(
        "decision_ms",
        "decision",
        right=True,
        digits=2,
        unit="ms",
        when=known_values("decision_ms"),
        hint="mean time of a decision",
    ),
)
"""The columns of how a bot fared, with what is not stored of it."""


def submission_letters(
    answers: Sequence[tuple[str, Answer]], decision_seconds: float
) -> list[Letter]:
    """Returns a letter for each author, or for each submission where no author is known.

    Args:
        answers: Each path with its answer.
        decision_seconds: The time limit of a decision.
    """
    paths = [path for path, _ in answers]
    by_author: dict[tuple[str, str], list[_About]] = {}
    for path, answer in answers:
        about = _About(path, answer, decision_seconds, [each for each in paths if each != path])
        key = (about.author, "") if about.author else ("", path)
        by_author.setdefault(key, []).append(about)
    return [_letter(author, found) for (author, _), found in by_author.items()]


def _letter(author: str, found: Sequence[_About]) -> Letter:
    names = [each.called for each in found]
    states = [each.state for each in found]
    if len(found) == 1:
        subject = f"{names[0]} is {states[0]}"
    else:
        counts = {state: states.count(state) for state in dict.fromkeys(states)}
        told = ", ".join(f"{count} {state}" for state, count in counts.items())
        subject = f"your {len(found)} bots: {told}"
    thanks = Passage(text=f"Thank you for sending {joined(names)}.")
    return Letter(
        author=author,
        bots=tuple(names),
        subject=subject,
        passages=(thanks, *(part for each in found for part in each.passages())),
        facts={"submissions": [each.document() for each in found]},
    )


class _About:
    """One submission, in words for its author.

    Args:
        others: The paths of all others, which are not for this author.
    """

    def __init__(self, path: str, answer: Answer, seconds: float, others: Sequence[str]) -> None:
        self._path, self._answer, self._seconds, self._others = path, answer, seconds, others
        self.file = printable_line(PurePath(path).name) or "bot"
        self._package = answer.package
        self.author = printable_line(self._package.author or "") if self._package else ""

    @property
    def called(self) -> str:
        """The bot with its version; only the file where it could not be read."""
        if self._package is None:
            return self.file
        return " ".join(filter(None, (self._package.name, self._package.version)))

    @property
    def state(self) -> str:
        """The status in words."""
        return {"unchanged": "entered already"}.get(self._answer.status, self._answer.status)

    def passages(self) -> Iterator[Passage]:
        """Yields the decision, its cause, how the bot fared, and what to do next."""
        if self._answer.status == "refused":
            yield Passage(
                text=f"{self.called} is NOT entered. This is the cause:", lines=self._cause()
            )
        elif self._answer.status == "unchanged":
            yield Passage(text=f"{self.called} was entered before, with the same content.")
        else:
            yield Passage(text=f"{self.called} is entered. It broke no match.")
        if rows := self._rows():
            yield Passage(
                text="It played these matches against built-in bots, in every seat:",
                table=Table(columns=CHECKED, rows=rows),
            )
        if changes := getattr(self._answer, "changes", ()):
            text = " ".join(f"Compared with the last version: {each.text}." for each in changes)
            yield Passage(text=text)
        if warnings := [*self._warnings(rows)]:
            yield Passage(text=" ".join(warnings))
        yield self._next()

    def document(self) -> Document:
        """The submission for programs."""
        package, answer = self._package, self._answer
        return {
            "file": self.file,
            "status": answer.status,
            "name": package.name if package else None,
            "version": (package.version if package else None) or None,
            "reason": self._cleaned(answer.why),
            "cause": "\n".join(self._cause()),
            "checks": self._rows(),
            "warnings": [*self._warnings(self._rows())],
        }

    def _cause(self) -> tuple[str, ...]:
        answer = self._answer
        if answer.status != "refused":
            return ()
        if isinstance(answer, Submitted):
            return shortened(answer.decision.rpartition("\n")[0])  # the end is the status
        return shortened(self._cleaned(answer.why))

    def _rows(self) -> list[Row]:
        """The matches against each opponent; times and faults are not stored of earlier ones."""
        if not isinstance(self._answer, Submitted):
            return []
        if self._answer.known:
            rows = check_rows(self._answer.document())
            return [dict(row) | {"faults": None, "decision_ms": None} for row in rows]
        return [row for report in self._answer.reports for row in _fared(report)]

    def _warnings(self, rows: Sequence[Row]) -> Iterator[str]:
        slow = [row for row in rows if (row["decision_ms"] or 0) >= SLOW * 1000 * self._seconds]
        if slow:
            against = joined([row["against"] for row in slow])
            yield (
                f"It is slow: against {against} its mean decision took half of the limit of "
                f"{self._seconds:g} s or more."
            )
        if any(row["deterministic"] is False for row in rows):
            yield "With the same seeds it did not play alike. That is allowed, but harder to debug."

    def _next(self) -> Passage:
        games = [report.game for report in getattr(self._answer, "reports", ())]
        other = f" --game {games[-1]}" if games and games[-1] != DEFAULT_GAME else ""
        check = f"arena check bot {quote(self.file)}{other}"
        if self._answer.status == "refused":
            return Passage(
                text="Please repair it, test it on your machine, and send it again:", lines=(check,)
            )
        return Passage(
            text="You need to do nothing more. A better version needs a new number. Test it first:",
            lines=(check,),
        )

    def _cleaned(self, text: str) -> str:
        """Returns a message without folders, and without the files of others."""
        shown = sorted(filter(None, map(printable_line, self._others)), key=len, reverse=True)
        for path in shown:
            text = re.sub(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", "another bot", text)
        own = printable_line(self._path)
        return without_folders(text.replace(own, self.file) if own else text)


def _fared(report: Qualification) -> Iterator[Row]:
    for opponent, check in report.checks.items():
        milliseconds = check.nanoseconds / check.requests / 1e6 if check.requests else None
        yield {
            "game": report.game,
            "against": opponent,
            "matches": check.matches,
            "points": check.points,
            "deterministic": check.deterministic if check.passed else None,
            "isolation": check.isolation,
            "faults": len(check.failures),
            "decision_ms": milliseconds,
        }
