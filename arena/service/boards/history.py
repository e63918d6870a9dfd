"""Sums over the stored matches of a bot: luck, mistakes and faults, and why it lost."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import Any, Self

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import StoredTournament
from arena_tournaments.play.schedule import match_points

from arena.core.errors import BadInput
from arena.core.game import AnyGame
from arena.core.parts.value import ValueFunction
from arena.core.record import MatchKey, MatchRecord
from arena.core.scene import Scene
from arena.core.table import Column
from arena.match.decisions import Assessment, assessed_steps
from arena.match.luck import luck_by_seat
from arena.match.replay import Step
from arena.plugins.registry import Registry
from arena.service.answers.rows import Document
from arena.service.boards.own_matches import OwnMatch, own_matches
from arena.service.match.analysis import MISTAKE, evaluator_of
from arena.service.match.luck import frozen_values
from arena.service.match.replays import replay_command

MAX_WORST = 10
"""Worst decisions that are listed."""
MAX_BOARDS = 3
"""Worst decisions that are drawn."""
LUCK, MISTAKES, PLAY = "luck", "mistakes", "play"
"""Causes of a lost match without a fault of its own."""


WORST = (
    Column("match", "match", drop=0, names="match"),
    Column("move", "move", right=True, drop=0),
    Column("action", "action", drop=0),
    Column("better", "better", drop=0),
    Column(
        "given_away",
        "given away",
        right=True,
        unit="%",
        drop=0,
        hint="win probability that it cost",
    ),
    Column("replay", "replay", drop=1),
)
"""The columns of the worst decisions."""


class BadDecision(msgspec.Struct, frozen=True):
    """One decision that gave win probability away.

    Attributes:
        better: The best action.
        replay: The command that shows it.
        chance: The win probability after the best action.
    """

    match: str
    move: int
    action: str
    better: str
    given_away: float
    replay: str
    chance: float = 0.0

    @classmethod
    def of(cls, tournament: int, key: MatchKey, step: Step, found: Assessment) -> Self:
        """Returns the decision of a step, which was evaluated."""
        assert step.action is not None
        return cls(
            match=f"{tournament}.{key}",
            move=step.move,
            action=step.action.text,
            better=found.better,
            given_away=found.given_away / 2,
            replay=replay_command(tournament, key, step.move),
            chance=(1 + found.best) / 2,
        )


class Position(msgspec.Struct, frozen=True):
    """The table at a decision, with all hidden cards.

    Attributes:
        seat: The seat that decides.
        names: The names of all seats.
        assumption: What the win probabilities take for granted, as ``DecisionValues`` says it.
    """

    scene: Scene
    seat: int
    names: tuple[str, ...]
    assumption: str


class BotHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The sums over a bot's last matches.

    Attributes:
        matches: Number of matches that were checked.
        more: Whether there are more.
        won: Number of them that were won; also ``drawn`` and ``lost``.
        luck: Its mean luck, in match points, of those whose luck is known (``with_luck``).
        decisions: Number of its decisions that were evaluated.
        given_away: The win probability that they gave away, summed.
        mistakes: Number of them that gave away 0.05 or more.
        lost_by: Lost matches by cause, the first that fits: its own fault, ``luck`` (without which
            it would have half a point or more), ``mistakes`` (without luck and everything that it
            gave away it would), or ``play``.
        worst: The decisions that gave away most.
        positions: The tables of the first of them, which documents do not have.
    """

    matches: int
    more: bool
    won: int
    drawn: int
    lost: int
    with_luck: int
    luck: float | None
    decisions: int
    given_away: float
    mistakes: int
    lost_by: dict[str, int]
    worst: tuple[BadDecision, ...]
    positions: tuple[Position, ...] = ()

    def document(self) -> Document:
        """The value of ``history`` in the JSON document of ``arena bots show --matches``."""
        document: Document = msgspec.to_builtins(msgspec.structs.replace(self, positions=()))
        del document["positions"]
        return document


def bot_history(
    registry: Registry,
    database: Database,
    bot: str,
    matches: int,
    *,
    finished: bool = False,
    learned: bool = True,
) -> BotHistory:
    """Sums the last matches of a bot: the newest first.

    Args:
        bot: ``NAME`` or ``NAME@VERSION``, with any parameters and loadout.
        matches: At most that many.
        finished: Only those of finished tournaments, and of no exhibition: what everybody may see.
        learned: Whether learned values may evaluate decisions, which takes a second per match.

    Raises:
        BadInput: The number is not valid.
        Divergence: A record does not re-execute to what it says.
    """
    if matches < 1:
        raise BadInput(f"{matches} matches: expected a number from 1")
    sums = _Sums(registry, learned=learned)
    found = own_matches(database, bot, finished=finished)
    for each in islice(found, matches):
        sums.add(each)
    return sums.history(more=next(found, None) is not None)


class _Sums:
    def __init__(self, registry: Registry, *, learned: bool) -> None:
        self._registry, self._learned = registry, learned
        self._values: dict[int, ValueFunction[Any] | None] = {}
        self._results = Counter[str]()
        self._lost_by = Counter[str]()
        self._lucks: list[float] = []
        self._given: list[float] = []
        self._worst: list[tuple[BadDecision, Position]] = []

    def add(self, own: OwnMatch) -> None:
        stored, seat, row = own.tournament, own.seat, own.row
        game = self._registry.game(stored.summary.game)
        score = match_points(row.returns)[seat]
        luck = self._luck(stored, game, own.played.record, seat)
        given = self._decisions(own, game)
        if luck is not None:
            self._lucks.append(luck)
        self._results["won" if score > 0.5 else "drawn" if score == 0.5 else "lost"] += 1
        if score < 0.5:
            faults = {fault.seat: fault.cause.value for fault in row.faults}
            adjusted = score - (luck or 0.0)
            self._lost_by[
                faults.get(seat)
                or (LUCK if adjusted >= 0.5 else MISTAKES if adjusted + given >= 0.5 else PLAY)
            ] += 1

    def _luck(
        self, stored: StoredTournament, game: AnyGame, record: MatchRecord, seat: int
    ) -> float | None:
        about = stored.summary
        if about.id not in self._values:
            self._values[about.id] = None
            with suppress(BadInput):
                values = frozen_values(stored).checked(game, about.engine, about.ruleset)
                self._values[about.id] = values
        found = self._values[about.id]
        return luck_by_seat(game, record, found)[seat] / 2 if found else None

    def _decisions(self, own: OwnMatch, game: AnyGame) -> float:
        number, sums = own.tournament.summary.id, 0.0
        record = own.played.record
        values = self._values.get(number) if self._learned else None
        evaluator = evaluator_of(game, record, values)
        if evaluator is None:
            return sums
        for step, found in assessed_steps(game, record, evaluator, {own.seat}):
            if found is None or step.action is None:
                continue
            given = found.given_away / 2
            sums += given
            self._given.append(given)
            if given > 0 and (len(self._worst) < MAX_WORST or given > self._least):
                scene = game.board.scene(step.state, range(len(own.row.seats)))
                place = Position(scene, own.seat, own.names, evaluator.assumption)
                decision = BadDecision.of(number, own.row.key, step, found)
                self._worst.append((decision, place))
                self._worst.sort(key=lambda each: -each[0].given_away)
                del self._worst[MAX_WORST:]
        return sums

    @property
    def _least(self) -> float:
        return self._worst[-1][0].given_away

    def history(self, *, more: bool) -> BotHistory:
        return BotHistory(
            matches=self._results.total(),
            more=more,
            won=self._results["won"],
            drawn=self._results["drawn"],
            lost=self._results["lost"],
            with_luck=len(self._lucks),
            luck=sum(self._lucks) / len(self._lucks) if self._lucks else None,
            decisions=len(self._given),
            given_away=sum(self._given),
            mistakes=sum(each >= MISTAKE for each in self._given),
            lost_by=dict(self._lost_by.most_common()),
            worst=tuple([decision for decision, _ in self._worst]),
            positions=tuple([place for _, place in self._worst[:MAX_BOARDS]]),
        )
