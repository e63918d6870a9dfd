"""The steps of a match on a page: its positions, and the verdicts between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec
from arena_results.replays.views import Moment, Replay
from msgspec.structs import replace

from arena.core.outcome import RULE_ENDINGS
from arena.core.scene import Scene, Verdict
from arena.core.table import minus
from arena.pages.boards import Board, Ending, board
from arena.pages.probabilities import win_by_move
from arena.service.match.analysis import Analysis
from arena.service.match.replay_text import (
    harmless,
    name_seats,
    parts,
    score_text,
    seat_labels,
    told,
    voice,
    with_analysis,
)
from arena.service.match.replays import Match


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A position as the page shows it, or a verdict before it.

    Attributes:
        id: Its name on the page.
        address: Its address.
        own: Whether it is the position itself.
        held: Whether it has a verdict, and is shown longer.
        part: Name of the set or hand that begins with it; empty within one.
        events: The events since the step before, a line each.
        decision: The decision; empty at the end and with a verdict.
        short: The decision without its value.
        name: Who takes it.
        remark: The mistake in the decision; empty if it is not one.
        table: The table as text.
        win: The win probability of each seat in percent; empty where none is known.
    """

    id: str
    move: int
    address: str
    own: bool = True
    held: bool = False
    part: str = ""
    events: tuple[str, ...] = ()
    decision: str = ""
    short: str = ""
    name: str = ""
    remark: str = ""
    table: str = ""
    win: tuple[int, ...] = ()


class Shown:
    """The steps of a match in one view, with their boards."""

    def __init__(self, match: Match, view: str, step: str, analysis: Analysis | None) -> None:
        self.plain = match.replay(view)
        self.labels = seat_labels(match.names)
        self._told = with_analysis(self.plain, analysis) if analysis else self.plain
        self._step = step
        moments = self.plain.moments
        self.wins = win_by_move(analysis, len(moments), len(self.labels))
        self._scenes = [each.shown for each in moments]
        self._parts = dict(parts(moments))
        self.boards = [*chain.from_iterable(map(self._boards, range(len(moments))))]

    def _boards(self, index: int) -> Iterator[Board]:
        moment, scenes = self.plain.moments[index], self._scenes[index]
        last = len(self.plain.moments) - 1
        for number, scene in enumerate(scenes):
            yield board(
                scene,
                self.labels,
                _causes(self.plain, moment),
                say=harmless(voice(moment.told[number], scene, self.labels)),
                at=f"move {moment.move} of {last}",
                win=self.wins[index] if self.wins and len(self.labels) == 2 else (),
                ending=self._ending(scene, index, number),
            )

    def _ending(self, scene: Scene, index: int, number: int) -> Ending | None:
        verdict = scene.verdict
        if verdict is None:
            return None
        more = number + 1 < len(self._scenes[index])
        after = self._parts.get(index, "go on") if more else ""
        return replace(
            ending(verdict, self.labels),
            go=self._address(index, number + 1) if more and self._step else "",
            after=after,
        )

    def _address(self, index: int, number: int) -> str:
        move = self.plain.moments[index].move
        if number == len(self._scenes[index]) - 1:
            return f"{self._step}{move}"
        return f"{'' if self._step == '#m' else f'{self._step}{move}'}#m{move}h{number}"

    def steps(self) -> Iterator[Step]:
        """Yields every step."""
        before: tuple[int, ...] = ()
        for index, (moment, bare) in enumerate(
            zip(self._told.moments, self.plain.moments, strict=True)
        ):
            yield from self._held(index)
            yield self._own(index, moment, bare, scored=index > 0 and moment.scores != before)
            before = moment.scores

    def _held(self, index: int) -> Iterator[Step]:
        move = self.plain.moments[index].move
        for number, scene in enumerate(self._scenes[index][:-1]):
            verdict = name_seats(harmless(str(scene.verdict)), self.labels)
            events = self._named(self._told.moments[index].told[number])
            yield Step(
                id=f"m{move}h{number}",
                move=move,
                address=self._address(index, number),
                own=False,
                held=True,
                events=(*events, verdict),
                table=name_seats(self.plain.moments[max(index - 1, 0)].table, self.labels),
                win=self._percents(index),
            )

    def _own(self, index: int, moment: Moment, bare: Moment, *, scored: bool) -> Step:
        decision, _, remark = (moment.action or "").partition("\n")
        name = "" if moment.seat is None else self.labels[moment.seat]
        verdict = self._scenes[index][-1].verdict
        events = self._named(moment.told[-1])
        if scored:
            events.append(f"the score is {score_text(moment.scores)}")
        if verdict:
            events.append(name_seats(harmless(str(verdict)), self.labels))
        return Step(
            id=f"m{moment.move}",
            move=moment.move,
            address=f"{self._step}{moment.move}",
            held=verdict is not None,
            part=self._parts.get(index, ""),
            events=tuple(events),
            decision=f"{name}: {minus(decision)}" if name else "",
            short=minus(bare.action or ""),
            name=name,
            remark=minus(remark.strip()),
            table=name_seats(moment.table, self.labels),
            win=self._percents(index),
        )

    def _named(self, events: Iterable[str]) -> list[str]:
        return [name_seats(harmless(event), self.labels) for event in events]

    def _percents(self, index: int) -> tuple[int, ...]:
        if not self.wins:
            return ()
        return tuple([round(100 * min(max(each, 0.0), 1.0)) for each in self.wins[index]])


def ending(verdict: Verdict, labels: Sequence[str], you: int | None = None) -> Ending:
    """Returns a verdict as a board shows it.

    Args:
        labels: The names of the seats.
        you: The reader's own seat.
    """
    head = told(verdict.headline, labels, you)
    return Ending(
        head=head if head.startswith(tuple(labels)) else head[:1].upper() + head[1:],
        reason=minus(told(harmless(verdict.reason), labels, you)),
        score=minus(verdict.score),
        won=bool(verdict.winners),
    )


def _causes(replay: Replay, moment: Moment) -> dict[int, str]:
    ending = replay.ending
    causes = {
        out.seat: f"taken out: {out.cause}" for out in ending.expelled if out.move <= moment.move
    }
    broken = ending.offender is not None and ending.termination not in RULE_ENDINGS
    if broken and ending.offender is not None and moment is replay.moments[-1]:
        causes[ending.offender] = f"out: {ending.termination}"
    return causes
