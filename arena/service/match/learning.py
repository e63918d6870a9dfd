"""Learns a value function from stored matches, and measures it on others that it was not shown."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from arena_results.file.database import Database
from arena_results.schema.rows import TournamentSummary
from arena_results.store.queries import matches, tournaments
from arena_tournaments.play.schedule import match_points

from arena.core.errors import BadInput, Divergence, UnknownName
from arena.core.game import AnyGame, Ruleset
from arena.core.parts.full_state_facts import FullStateFacts
from arena.core.parts.value import ValueFunction
from arena.core.record import MatchRecord
from arena.match.learned.file import Origin, Source
from arena.match.learned.positions import Event, Positions, events_of, joined, positions, results_of
from arena.match.learned.training import Plan, learn
from arena.match.learned.values import LearnedValues, file_of
from arena.match.luck import luck_by_seat
from arena.plugins.registry import Registry
from arena.service.answers.defaults import LEARNED_MATCHES
from arena.service.answers.rows import Document
from arena.service.answers.writing import replacing

FEWEST = 100
"""Fewest matches that are learned from."""
HELD_OUT = 10
"""One deal in this number is measured on instead of learned from."""
MAX_HIDDEN = 1024
"""The largest hidden layer."""
_CHUNK = 500
"""Matches that are turned into arrays at once."""


class Reduction(msgspec.Struct, frozen=True, kw_only=True):
    """The reduction of variance of scores by a value function.

    Attributes:
        value_function: Computes the luck; empty for scores with luck.
        hash: Its SHA-256.
        fewer: Factor by which fewer matches than independent deals give as short an interval.
        than_raw: The same, against the same deals with luck.
        luck: The mean luck in standard errors, at most about 2.
    """

    value_function: str
    hash: str
    fewer: float | None
    than_raw: float | None
    luck: float | None


class Learned(msgspec.Struct, frozen=True, kw_only=True):
    """A value function that was learned, with its measurements.

    Attributes:
        file: The file it was written to.
        origin: The game and the matches of it.
        hash: Its SHA-256.
        tournaments: The tournaments of these matches.
        held_out: Number of matches that were not learned from.
        reductions: For the held-out matches: scores with luck, luck-adjusted by the value function
            of the game if it has one, and by the learned one.
    """

    value_function: str
    hash: str
    file: str
    origin: Origin
    tournaments: tuple[int, ...]
    held_out: int
    reductions: tuple[Reduction, ...]

    def document(self) -> Document:
        """The JSON document of ``arena learn-value``."""
        document: Document = msgspec.to_builtins(self)
        return document


class _Match(msgspec.Struct, frozen=True):
    deal: tuple[int, ...]
    bots: tuple[int, ...]
    record: MatchRecord


def learn_value(
    registry: Registry,
    database: Database,
    game: str,
    file: Path,
    *,
    ruleset: str = "",
    tournaments: Sequence[int] = (),
    matches: int | None = None,
    plan: Plan = Plan(),  # noqa: B008 - immutable
    progress: Callable[[str, float], None],
) -> Learned:
    """Learns a value function of a game from stored matches, and writes it to a file.

    Args:
        ruleset: Its ruleset with options; by default the game's first.
        tournaments: Numbers of the tournaments that it learns from; all of that ruleset by default.
        matches: The most matches, of the newest tournaments; ``LEARNED_MATCHES`` by default.
        plan: The recipe.
        progress: Is sent the name of a stage and the share of it that is done, now and then.

    Raises:
        BadInput: There are too few matches, or tournaments of something else are named.
        Divergence: A record does not re-execute to its contents.
    """
    found = registry.rated_game(game)
    rules = found.ruleset(ruleset)
    facts = found.full_state.facts(rules)
    chosen = _chosen(database, found, rules, tournaments)
    wanted = min(matches or LEARNED_MATCHES, sum(each.matches for each in chosen))
    if wanted < FEWEST:
        raise BadInput(
            f"{wanted} matches of {found.name} {rules.name} are too few to learn from: "
            f"play at least {FEWEST}, better tens of thousands"
        )
    reader = _Reader(found, facts, wanted, progress)
    for each in chosen:
        reader.read(database, each)
    parts = reader.parts()
    network = learn(parts, facts.size, plan, lambda share: progress("learning", share))
    sources = [Source(each.seeds.deals, reader.learned[each.id]) for each in chosen]
    origin = _origin(found, rules, parts, plan, [each for each in sources if each.matches])
    values = LearnedValues(found, rules, file_of(origin, network))
    own = found.luck.value_function(rules)
    functions = (None, own, values) if own else (None, values)
    reductions = tuple([_reduction(found, reader.held_out, each) for each in functions])
    with replacing(file) as out:
        out.write(values.file.to_bytes())
    return Learned(
        value_function=values.name,
        hash=values.hash,
        file=str(file),
        origin=origin,
        tournaments=tuple(reader.learned),
        held_out=len(reader.held_out),
        reductions=reductions,
    )


def _origin(
    game: AnyGame,
    ruleset: Ruleset,
    parts: Sequence[Positions],
    plan: Plan,
    sources: Sequence[Source],
) -> Origin:
    return Origin(
        game=game.name,
        ruleset=ruleset.name,
        engine=game.version,
        facts=game.full_state.facts(ruleset).name,
        matches=sum(len(part.results) for part in parts),
        positions=sum(len(part.match) // part.sides for part in parts),
        rounds=plan.rounds,
        epochs=plan.epochs,
        seed=plan.seed,
        sources=tuple(sources),
    )


def learning_plan(
    *,
    hidden: str | None = None,
    rounds: int | None = None,
    epochs: int | None = None,
    seed: int | None = None,
) -> Plan:
    """Returns a recipe; what is not given is as by default.

    Args:
        hidden: Sizes of the hidden layers, such as ``"64x32"``.

    Raises:
        BadInput: A number is out of its range, or the sizes are none.
    """
    given: dict[str, Any] = {}
    if hidden is not None:
        sizes = re.fullmatch(r"(\d{1,4})x(\d{1,4})", hidden)
        if not sizes or not all(1 <= int(size) <= MAX_HIDDEN for size in sizes.groups()):
            raise BadInput(
                f"hidden layers are WIDExNARROW, 1 to {MAX_HIDDEN} each, such as 64x32, "
                f"not {hidden!r}"
            )
        given["hidden"] = int(sizes[1]), int(sizes[2])
    ranges = (("rounds", rounds, 1, 20), ("epochs", epochs, 1, 100), ("seed", seed, 0, 2**31 - 1))
    for name, number, least, most in ranges:
        if number is not None:
            if not least <= number <= most:
                raise BadInput(f"{name}: expected {least} to {most}, not {number}")
            given[name] = number
    return Plan(**given)


def _chosen(
    database: Database, game: AnyGame, ruleset: Ruleset, numbers: Sequence[int]
) -> list[TournamentSummary]:
    stored = {each.id: each for each in tournaments(database)}
    for number in numbers:
        if number not in stored:
            raise UnknownName("tournament", str(number), [*map(str, stored)])
        each = stored[number]
        if (each.game, each.ruleset) != (game.name, ruleset.name):
            raise BadInput(
                f"tournament {number} is of {each.game} {each.ruleset}, "
                f"not of {game.name} {ruleset.name}"
            )
    return [
        each
        for number, each in sorted(stored.items(), reverse=True)
        if (number in numbers or not numbers)
        and (each.game, each.ruleset) == (game.name, ruleset.name)
    ]


class _Reader:
    """Reads matches: positions of most of them to learn from, and some to measure on.

    Attributes:
        held_out: The matches to measure on, deal by deal.
        learned: By number of each tournament that was read, how many of its matches are learned
            from.
    """

    def __init__(
        self,
        game: AnyGame,
        facts: FullStateFacts[Any],
        wanted: int,
        progress: Callable[[str, float], None],
    ) -> None:
        self.held_out: list[_Match] = []
        self.learned: Counter[int] = Counter()
        self._game, self._facts = game, facts
        self._wanted, self._progress = wanted, progress
        self._read = self._deals = 0
        self._parts: defaultdict[int, list[Positions]] = defaultdict(list)
        self._events: defaultdict[int, list[list[Event]]] = defaultdict(list)
        self._results: defaultdict[int, list[tuple[float, ...]]] = defaultdict(list)

    def read(self, database: Database, about: TournamentSummary) -> None:
        last: tuple[int, ...] = ()
        for row, match in matches(database, about.id):
            legs = len(row.seats) if about.mirrored else 1
            deal = (about.id, row.key.round, row.key.pairing, (row.key.leg - 1) // legs)
            if deal != last:
                if self._read >= self._wanted:
                    return
                self._deals, last = self._deals + 1, deal
            self._read += 1
            held_out = self._deals % HELD_OUT == 0
            self.learned[about.id] += not held_out
            if held_out:
                self.held_out.append(_Match(deal, row.seats, match.record))
            else:
                self._learn_from(match.record, f"{about.id}.{row.key}")
            if self._read % 100 == 0:
                self._progress("reading", min(self._read / self._wanted, 1.0))

    def parts(self) -> list[Positions]:
        """Returns the positions of all matches, a part for each number of seats."""
        for seats in self._events:
            self._store(seats)
        return [
            joined(parts, self._facts.size) for _, parts in sorted(self._parts.items()) if parts
        ]

    def _learn_from(self, record: MatchRecord, name: str) -> None:
        seats = len(record.seats)
        try:
            events = list(events_of(self._game, self._facts, record))
        except Divergence as error:
            raise Divergence(f"match {name} cannot be replayed: {error}") from None
        if events:  # none where a seat failed before the deal
            self._events[seats].append(events)
            self._results[seats].append(results_of(record.outcome.returns))
        if len(self._events[seats]) == _CHUNK:
            self._store(seats)

    def _store(self, seats: int) -> None:
        """Turns the events read so far into arrays, which take far less memory."""
        events, results = self._events[seats], self._results[seats]
        if events:
            self._parts[seats].append(positions(events, results, self._facts.size))
        self._events[seats], self._results[seats] = [], []


def _reduction(
    game: AnyGame, matches: Sequence[_Match], values: ValueFunction[Any] | None
) -> Reduction:
    groups: defaultdict[tuple[int, ...], list[tuple[float, float, float]]] = defaultdict(list)
    singles: defaultdict[tuple[int, ...], list[float]] = defaultdict(list)
    lucks: list[float] = []
    for deal in _deals(matches):
        points: defaultdict[int, list[float]] = defaultdict(list)
        luck: defaultdict[int, list[float]] = defaultdict(list)
        for match in deal:
            own = luck_by_seat(game, match.record, values) if values else (0.0,) * len(match.bots)
            scores = match_points(match.record.outcome.returns)
            for bot, score, lucky in zip(match.bots, scores, own, strict=True):
                points[bot].append(score)
                luck[bot].append(lucky / 2)
        # Of two bots one says it all.
        for bot in sorted(points)[: 1 if len(points) == 2 else None]:
            key = (deal[0].deal[0], *sorted(points), bot)
            mean, lucky = float(np.mean(points[bot])), float(np.mean(luck[bot]))
            groups[key].append((mean, mean - lucky, len(points[bot])))
            singles[key] += points[bot]
            lucks.append(lucky)
    raw = _within([[mean for mean, _, _ in deals] for deals in groups.values()])
    without = _within([[rest for _, rest, _ in deals] for deals in groups.values()])
    single = _within(list(singles.values()))
    legs = float(np.mean([count for deals in groups.values() for _, _, count in deals] or [1.0]))
    spread = float(np.std(lucks)) if values and len(lucks) > 1 else 0.0
    return Reduction(
        value_function=values.name if values else "",
        hash=values.hash if values else "",
        fewer=single / legs / without if single and without else None,
        than_raw=raw / without if raw and without else None,
        luck=float(np.mean(lucks)) / spread * len(lucks) ** 0.5 if spread else None,
    )


def _deals(matches: Sequence[_Match]) -> Iterator[list[_Match]]:
    deal: list[_Match] = []
    for match in matches:
        if deal and match.deal != deal[0].deal:
            yield deal
            deal = []
        deal.append(match)
    if deal:
        yield deal


def _within(groups: Sequence[Sequence[float]]) -> float | None:
    degrees = sum(len(group) - 1 for group in groups)
    if degrees <= 0:
        return None
    return sum(float(np.var(group)) * len(group) for group in groups) / degrees
