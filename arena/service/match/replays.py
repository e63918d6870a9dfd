"""Stored matches: found by their numbers, shown from a point of view, and re-executed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from arena_results.file.database import Database
from arena_results.replays.views import ALL, Moment, Replay, View, replay_view, view_named
from arena_results.schema.rows import Status, TournamentSummary
from arena_results.store.agreement import check_columns
from arena_results.store.logs import match_logs
from arena_results.store.queries import match, matches, tournaments
from msgspec import structs

from arena.core.errors import BadInput, Divergence, ParseError
from arena.core.game import AnyGame
from arena.core.outcome import Outcome
from arena.core.parts.value import ValueFunction
from arena.core.record import MatchKey, MatchRecord, Measurement, PlayedMatch
from arena.core.scene import Scene
from arena.core.tournaments.format import Participant, shown_names
from arena.match.replay import Step, replay
from arena.match.replay import verify as execute_again
from arena.plugins.registry import Registry
from arena.service.answers.arguments import checked
from arena.service.answers.rows import Document, Row, rows_of
from arena.service.match.analysis import MISTAKE, Analysis, analysis_of, checked_threshold
from arena.service.match.luck import FrozenValues, MatchLuck, frozen_values, luck_of
from arena.service.match.odds import PositionOdds, record_odds

FORM = "TOURNAMENT.ROUND.PAIRING.MATCH, all from 1, e.g. 3.1.2.1"


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of a match, or of several; missing ones in ``rest`` stand for all."""

    tournament: int
    rest: tuple[int, ...] = ()

    @property
    def key(self) -> MatchKey:
        """The match; of several the first."""
        return MatchKey(*self.rest, *[1] * (3 - len(self.rest)))


class Match(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A played match, checked from any point of view; iterate over it for its positions.

    Attributes:
        number: ``TOURNAMENT.ROUND.PAIRING.MATCH``, such as ``"3.1.2.1"``; empty when it is not
            stored.
        game: The game.
        players: The participant of each seat.
        names: The names of the players by seat, as their tournament shows them.
        played: Its record and its measurement.
        shows_seed: Whether the seed of the deal may be shown.
        frozen: The value function that its tournament fixed before play.
    """

    number: str = ""
    game: AnyGame
    players: tuple[Participant, ...]
    names: tuple[str, ...]
    played: PlayedMatch
    shows_seed: bool = True
    frozen: FrozenValues = FrozenValues()

    def __repr__(self) -> str:
        name = f" {self.number}" if self.number else ""
        scores = " : ".join(map(str, self.outcome.scores))
        return f"<Match{name} {' - '.join(self.names)} {scores} ({self.outcome.termination})>"

    def __iter__(self) -> Iterator[Moment]:
        return iter(self.moments())

    @property
    def record(self) -> MatchRecord:
        """The record, which replays it bit for bit."""
        return self.played.record

    @property
    def measurement(self) -> Measurement:
        """Times, isolation, and tracebacks of offenders."""
        return self.played.measurement

    @property
    def outcome(self) -> Outcome:
        """The match's end: ``returns`` and ``scores`` a seat, ``termination``, any offender."""
        return self.record.outcome

    @property
    def error(self) -> str:
        """The tracebacks of bots that broke it; empty when none did."""
        return self.measurement.error

    @checked
    def logs(self, view: str = "all") -> dict[int, str]:
        """Returns the stored output of bots, by seat, as far as the view may know it.

        It is stored of untrusted bots that broke the match, or of all (``all_logs``).
        """
        seats = self._view(view).open_seats
        return {log.seat: log.text for log in self.measurement.logs if log.seat in seats}

    @checked
    def replay(self, view: str = "all") -> Replay:
        """Returns the whole match in one view, with no card, seed or traceback that it may not
        know.

        Args:
            view: ``"public"``, ``"seat0"``, ``"seat1"``, ... or ``"all"``.

        Raises:
            UnknownName: The view does not exist.
            Divergence: The record does not re-execute to its contents.
        """
        return replay_view(self.game, self.record, self._view(view), self.error)

    @checked
    def moments(self, view: str = "all") -> tuple[Moment, ...]:
        """Returns every decision in order, and last the end, in one view.

        A position has the ``events`` since the one before, the ``scores``, the ``table`` as text,
        the ``seat`` that decides and its ``action`` (``None`` at the end), and the ``scene``.
        """
        return self.replay(view).moments

    @checked
    def scenes(self, view: str = "all") -> tuple[Scene, ...]:
        """The table at each position as data: zones of cards, facts, and whose turn it is."""
        return tuple([moment.scene for moment in self.moments(view)])

    def states(self) -> Iterator[Step]:
        """The states themselves, hidden cards included, each with the action that follows."""
        return replay(self.game.at_version(self.record.engine), self.record)

    @checked
    def rows(self, view: str = "all") -> list[Row]:
        """The positions as records: ``move``, ``seat``, ``action``, ``events``, a score a seat."""
        return rows_of(
            {
                "move": moment.move,
                "seat": moment.seat,
                "action": moment.action,
                "events": "\n".join(moment.events),
                **{f"score{seat}": score for seat, score in enumerate(moment.scores)},
            }
            for moment in self.moments(view)
        )

    def verify(self) -> int:
        """Re-executes the record; returns the number of verified decisions.

        Raises:
            Divergence: The record does not re-execute to its contents.
        """
        return execute_again(self.game, self.record)

    @checked
    def luck(
        self, view: str = "all", value_function: str | PathLike[str] | None = None
    ) -> MatchLuck:
        """The luck of every card that came, and of each seat, in match points.

        Args:
            value_function: The file of a learned one, instead of the one that its tournament fixed.

        Raises:
            BadInput: The game has no value function, one that follows from cards that the view
                does not show, or another one than its tournament fixed before play.
        """
        values, all_seen = self._values(value_function), self._view(view).name == ALL
        return luck_of(self.game, self.record, values, deals=self.frozen.deals, all_seen=all_seen)

    @checked
    def analysis(
        self,
        view: str = "all",
        mistakes: float = MISTAKE,
        value_function: str | PathLike[str] | None = None,
        *,
        learned: bool = True,
    ) -> Analysis:
        """The win probability after every card and move, the luck in it, and the mistakes.

        Args:
            view: Of hidden seats no decision is judged.
            mistakes: Win probability that a mistake gives away at least.
            value_function: As for ``luck``.
            learned: Whether learned values may evaluate decisions, which takes seconds.

        Raises:
            BadInput: As ``luck`` does.
        """
        values, seats = self._values(value_function), self._view(view).open_seats
        deals = self.frozen.deals
        return analysis_of(
            self.game, self.record, values, seats, mistakes, deals=deals, learned=learned
        )

    @checked
    def known_analysis(
        self,
        view: str = "all",
        mistakes: float = MISTAKE,
        value_function: str | PathLike[str] | None = None,
        *,
        learned: bool = True,
    ) -> Analysis | None:
        """As ``analysis``, or ``None`` where there are no win probabilities.

        Raises:
            BadInput: The number is not valid; or as ``luck`` does, of a learned value function.
        """
        checked_threshold(mistakes)
        with suppress(*([] if value_function else [BadInput])):
            return self.analysis(view, mistakes, value_function, learned=learned)
        return None

    @checked
    def odds(self, move: int) -> PositionOdds:
        """The exact odds at a decision, by what the seat knew: as ``arena odds MATCH --move N``.

        Raises:
            BadInput: There is no such decision, or the game computes no odds.
        """
        return record_odds(self.game, self.record, move)

    @checked
    def document(
        self,
        view: str = "all",
        *,
        luck: bool = False,
        mistakes: float | None = None,
        value_function: str | PathLike[str] | None = None,
        scenes: bool = False,
    ) -> Document:
        """The JSON document of ``arena replay``.

        Args:
            luck: With the luck of each card, as ``--luck``.
            mistakes: With the mistakes that give away so much, as ``--mistakes``.
            value_function: The file of a learned one, for the luck.
            scenes: With the table of each position as data, and what is held, as ``--scenes``.
        """
        replay = self.replay(view)
        document: Document = {"match": self.number, **msgspec.to_builtins(replay)}
        if not scenes:
            for moment in document["moments"]:
                del moment["scene"], moment["held"]
        document["seats"] = [
            {"seat": seat.seat, **msgspec.structs.asdict(player), "loadout": seat.loadout}
            for seat, player in zip(replay.seats, self.players, strict=True)
        ]
        document["logs"] = [
            {"seat": seat, "name": self.names[seat], "text": text}
            for seat, text in self.logs(view).items()
        ]
        if luck:
            document["luck"] = self.luck(view, value_function).document()
        if mistakes is not None:
            document["analysis"] = self.analysis(view, mistakes, value_function).document()
        return document

    def _values(self, file: str | PathLike[str] | None) -> ValueFunction[Any]:
        chosen = None if file is None else Path(file)
        return self.frozen.checked(self.game, self.record.engine, self.record.ruleset, chosen)

    def _view(self, name: str) -> View:
        view = view_named(name, len(self.players))
        return view if self.shows_seed else msgspec.structs.replace(view, shows_seed=False)


class Verified(msgspec.Struct, frozen=True):
    """The result of a re-execution, up to the first difference.

    Attributes:
        matches: Number of matches that agree with their records.
        decisions: Number of their decisions.
        differs: Name of the match that does not; otherwise empty.
        difference: The first difference in it.
    """

    matches: int
    decisions: int
    differs: str = ""
    difference: str = ""

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena replay --verify``."""
        if self.differs:
            return {"verified": False, "match": self.differs, "difference": self.difference}
        return {"verified": True, "matches": self.matches, "decisions": self.decisions}


def parse_numbers(database: Database, text: str) -> Numbers:
    """Reads the numbers of a match: ``TOURNAMENT[.ROUND[.PAIRING[.MATCH]]]``.

    Raises ``ParseError`` with the tournaments that there are.
    """
    if not re.fullmatch(r"0*[1-9]\d{0,8}(\.0*[1-9]\d{0,8}){0,3}", text, re.ASCII):
        ids = [str(each.id) for each in tournaments(database)]
        there = f"there are tournaments {ids[0]} to {ids[-1]}" if ids else "there is none yet"
        raise ParseError(f"cannot read the match {text!r}; write {FORM}; {there}")
    tournament, *rest = map(int, text.split("."))
    return Numbers(tournament, tuple(rest))


def replay_command(tournament: int, key: MatchKey, move: int | None = None) -> str:
    """The command that shows a stored match, from a move on."""
    return f"arena replay {tournament}.{key}" + ("" if move is None else f" --move {move}")


def stored_match(registry: Registry, database: Database, tournament: int, key: MatchKey) -> Match:
    """A match of a stored tournament; raises ``BadInput`` without one."""
    return match_and_summary(registry, database, tournament, key)[0]


def match_and_summary(
    registry: Registry, database: Database, tournament: int, key: MatchKey
) -> tuple[Match, TournamentSummary]:
    """A match of a stored tournament, and that; raises ``BadInput`` without one."""
    stored, played = match(database, tournament, key)
    entered = [each.participant for each in stored.field]
    keys, names = [each.key for each in entered], shown_names(entered)
    seated = [keys.index(seat) for seat in played.record.seats]
    logs = match_logs(database, tournament, key)
    played = structs.replace(played, measurement=structs.replace(played.measurement, logs=logs))
    found = Match(
        number=f"{tournament}.{key}",
        game=registry.game(played.record.game),
        players=tuple(entered[index] for index in seated),
        names=tuple(names[index] for index in seated),
        played=played,
        # Before, legs of the same deal may still be to be played.
        shows_seed=stored.summary.status is Status.FINISHED,
        frozen=frozen_values(stored),
    )
    return found, stored.summary


def verify(registry: Registry, database: Database, numbers: Numbers) -> Verified:
    """Re-executes stored matches one by one, up to the first that differs.

    They are one match, or all of a pairing, round or tournament; ``BadInput`` if there are none.
    """
    id = numbers.tournament
    stored, _ = match(database, id, numbers.key)  # there is one
    count = decisions = 0
    for row, played in matches(database, id, *numbers.rest):
        try:
            decisions += execute_again(registry.game(played.record.game), played.record)
            check_columns(stored.summary, stored.field, row, played.record)
        except Divergence as error:
            return Verified(count, decisions, f"{id}.{played.key}", str(error))
        count += 1
    return Verified(count, decisions)
