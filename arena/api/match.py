"""One match: played for the asking, and looked at move by move."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike

from arena_results.database import existing_database
from arena_results.replays.views import Moment, Replay

from arena.api.bots import AnyBot, at_one_table, spell
from arena.api.calls import address, awaitable, blocking, warn
from arena.api.rows import Row, rows_of
from arena.core.errors import BadSpec
from arena.core.outcome import Outcome
from arena.core.scene import Scene
from arena.match.replay import Step, replay, verify
from arena.plugins.registry import Registry
from arena.service.replays import ShownMatch
from arena.service.resolve import resolve
from arena.service.resolver import BotResolver
from arena.service.runs import play_once

_OF_TOURNAMENTS = (
    *("format", "games", "rounds", "mirrored", "seed_by", "concurrency", "executor"),
    *("stake", "purse", "name"),
)
"""Keys that concern no single match."""


class Match:
    """A played match; iterate over it for its moments as an onlooker over all hands sees them.

    Attributes:
        number: Its number in a database, such as ``"3.1.2.1"``; empty when it is not stored.
        game: The game.
        players: Who sat in each seat.
        record: All that replays it.
        measurement: Times, isolation, and tracebacks of offenders.
    """

    def __init__(self, match: ShownMatch) -> None:
        self._match = match
        self.number, self.game, self.players = match.number, match.game, match.players
        self.record, self.measurement = match.played.record, match.played.measurement

    def __repr__(self) -> str:
        name = f" {self.number}" if self.number else ""
        outcome = self.outcome
        scores = " : ".join(map(str, outcome.scores))
        return f"<Match{name} {' - '.join(self.names)} {scores} ({outcome.termination})>"

    def __iter__(self) -> Iterator[Moment]:
        return iter(self.moments())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return tuple(player.name for player in self.players)

    @property
    def outcome(self) -> Outcome:
        """The match's end: ``returns`` and ``scores`` a seat, ``termination``, any offender."""
        return self.record.outcome

    @property
    def error(self) -> str:
        """The tracebacks of bots that broke it; empty when none did."""
        return self.measurement.error

    def replay(self, view: str = "all") -> Replay:
        """The whole match as one view shows it.

        Args:
            view: ``"public"``, ``"seat0"``, ``"seat1"``, ... or ``"all"``.

        Raises:
            UnknownName: There is no such view.
            Divergence: The record does not re-execute to what it says.
        """
        return self._match.replay(view)

    def moments(self, view: str = "all") -> tuple[Moment, ...]:
        """Every decision in order, and last the end, as one view shows them.

        A moment has the ``events`` since the one before, the ``scores``, the ``table`` as text,
        the ``seat`` that decides and its ``action``; at the end the last two are ``None``.
        """
        return self.replay(view).moments

    def scenes(self, view: str = "all") -> tuple[Scene, ...]:
        """The table at each moment as data: zones of cards, facts, and whose turn it is."""
        seats = self._match.view(view).open_seats
        return tuple(self.game.scene(step.state, seats) for step in self.states())

    def states(self) -> Iterator[Step]:
        """The states themselves, hidden cards included, each with the action that follows."""
        return replay(self.game.at_version(self.record.engine), self.record)

    def rows(self, view: str = "all") -> list[Row]:
        """The moments as records: ``move``, ``seat``, ``action``, ``events``, a score a seat."""
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
        """Re-executes the record; the number of decisions that were verified.

        Raises:
            Divergence: The record does not re-execute to what it says.
        """
        return verify(self.game, self.record)

    def document(self, view: str = "all") -> dict[str, object]:
        """The JSON document of ``arena replay``."""
        return self._match.document(view)


@blocking
def play_match(*bots: AnyBot, db: str | PathLike[str] | None = None, **keys: object) -> Match:
    """Plays one match, first seat first, and keeps it nowhere.

    Args:
        bots: One for each seat.
        db: The database that holds submitted bots, if any is named: open, or its address.
        keys: Keys of a tournament that concern one match: ``game``, ``ruleset``, ``seed``,
            ``key``, ``isolation``, limits and so on.

    Raises:
        BadSpec: With every problem of the bots and the keys.
        HarnessFault: The harness failed; the match is void.
    """
    names, local = spell(bots)
    settled = at_one_table(names, keys)
    unused = [f"{key}: one match has no use for it" for key in keys if key in _OF_TOURNAMENTS]
    if unused:
        raise BadSpec("play_match", unused)
    registry = Registry()
    store = existing_database(address(db)) if db is not None else None
    try:
        with BotResolver(registry, store, local=local) as resolver:
            resolved = resolve(resolver, settled, "play_match", warn)
            return Match(play_once(resolved))
    finally:
        if store is not None:
            store.close()


play_match_async = awaitable(play_match)
