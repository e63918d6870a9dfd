"""Verifies a whole tournament: everything that is stored of it is computed again and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import msgspec
import trio
from arena_results.boards.kept_boards import altered_board
from arena_results.file.database import Database
from arena_results.schema.rows import MatchRow, PairingSums, Status, StoredTournament
from arena_results.store.agreement import check_columns
from arena_results.store.chain import first_head, next_head, rulings_of_round
from arena_results.store.luck_sums import kept_luck
from arena_results.store.on_demand import OnDemand
from arena_results.store.queries import WholeMatch, reading_whole
from arena_results.store.sums import add_up
from arena_tournaments.play import runner
from arena_tournaments.play.round_play import RoundPlay
from arena_tournaments.play.rulings import drawn, ruled
from arena_tournaments.spec.keys import TournamentSpec

from arena.core.errors import AlteredResults, BadStore, Divergence
from arena.core.record import MatchKey, PlayedMatch
from arena.core.tournaments.executor import Pace
from arena.core.tournaments.format import Job, Round, RoundResult
from arena.core.tournaments.rulings import RulingKind
from arena.match.replay import verify as execute_again
from arena.plugins.registry import Registry
from arena.service.match.adjusted import alike, sums_by_board
from arena.service.match.luck import frozen_values, luck_switched_off
from arena.service.report.report import make_report
from arena.service.setup.decoded import decode
from arena.service.setup.stored_field import check_field

OnVerified: TypeAlias = Callable[[int, int], object]
"""Called with the number of matches that are verified, and of all."""
EVERY = 500
"""Matches between two calls of it."""


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification, up to the first difference.

    Attributes:
        finished: Whether the tournament is; else it was verified as far as it was played.
        matches: Number of matches that were re-executed.
        decisions: Number of their decisions.
        rounds: Number of rounds that were paired again.
        entries: Number of bots.
        commitment: The commitment that its key and nonce give; ``None`` if it has none.
        chain: The head of the chain over the verified rounds; ``None`` if it has none.
        luck: Number of matches whose luck was computed again; ``None`` if none is stored.
        luck_off: Why kept luck could not be computed again.
        difference: What is not as it was played, and where; empty if there is nothing.
    """

    tournament: int
    finished: bool = False
    matches: int = 0
    decisions: int = 0
    rounds: int = 0
    entries: int = 0
    commitment: str | None = None
    chain: str | None = None
    luck: int | None = None
    luck_off: str = ""
    difference: str = ""

    def document(self) -> dict[str, object]:
        """The JSON document of ``arena tournament verify``."""
        verified = {"verified": not self.difference, "tournament": self.tournament}
        if self.difference:
            return {**verified, "difference": self.difference}
        keys = ("finished", "matches", "decisions", "rounds", "entries", "commitment", "chain")
        luck = {"luck": self.luck} | ({"luck_off": self.luck_off} if self.luck_off else {})
        return {**verified, **{key: getattr(self, key) for key in keys}, **luck}


def verify_tournament(
    registry: Registry, database: Database, number: int, report: OnVerified | None = None
) -> Verification:
    """Computes a tournament again from its records, and compares everything that is stored of it.

    In this order: the file's structure, the commitment to the key and the checksums of all rows;
    the field, by the spec and the files of submitted bots; every match, re-executed, with its
    columns; the chain; and from these results the rounds that the format pairs, the deals and seats
    of their matches, and the standings; the luck that is stored; and the leaderboard that is stored
    of its game and ruleset.

    Raises:
        UnknownName: There is no such tournament, or its game or format is not installed.
    """
    try:
        with reading_whole(database, number) as (stored, matches):
            _check_field(registry, database, stored)
            verifier = _Verifier(registry, stored, report or (lambda done, total: None))
            verified, about = verifier.verify(matches), stored.summary
        systems = registry.rating_systems().values()
        if wrong := altered_board(database, about.game, about.ruleset, systems):
            raise Divergence(f"leaderboard of {about.game} {about.ruleset}: {wrong}")
        return verified
    except (Divergence, AlteredResults, BadStore) as error:
        return Verification(tournament=number, difference=str(error))


def _check_field(registry: Registry, database: Database, stored: StoredTournament) -> None:
    spelled = TournamentSpec.from_json(stored.summary.spec).bots
    try:
        check_field(registry, database, spelled, [each.participant for each in stored.field])
    except Divergence as error:
        raise Divergence(f"tournament {stored.summary.id}: {error}") from None


class _Verifier:
    """Verifies one tournament; each step raises ``Divergence`` at the first difference.

    The matches are read once, and none of them is stored.
    """

    def __init__(self, registry: Registry, stored: StoredTournament, report: OnVerified) -> None:
        self._registry, self._stored, self._report = registry, stored, report
        self._summary = stored.summary
        self._game = registry.game(stored.summary.game)
        self._decoded = decode(registry, stored).with_luck(registry)
        self._schedule = self._decoded.schedule
        self._plays = [RoundPlay(self._schedule, round) for round in stored.rounds]
        self._misplaced: dict[tuple[int, int], tuple[MatchKey, Divergence]] = {}
        self._sums: dict[tuple[int, int], PairingSums] = {}
        self._matches = self._decisions = 0

    def verify(self, matches: Callable[[int], Iterator[WholeMatch]]) -> Verification:
        summary, stored = self._summary, self._stored
        self._check_order()
        self._check_lots()
        heads = [first_head(summary)]
        for play in self._plays:
            number = play.round.number
            found = self._executed(play, matches(number))
            rulings = rulings_of_round(stored.rulings, number, summary.rounds)
            heads.append(next_head(heads[-1], play.round, found, rulings))
        if self._matches != summary.matches:
            raise self._differs("", "it has matches of no round")
        self._check_sums()
        self._check_rounds(matches)
        self._check_chain(heads[1:])
        off = luck_switched_off(self._registry, stored)
        luck = self._check_luck(matches) if stored.luck and not off else None
        return Verification(
            tournament=summary.id,
            finished=summary.status is Status.FINISHED,
            matches=self._matches,
            decisions=self._decisions,
            rounds=len(stored.rounds),
            entries=len(stored.field),
            commitment=summary.commitment,
            chain=next((each for each in reversed(stored.heads) if each), None),
            luck=luck,
            luck_off=off if stored.luck else "",
        )

    def _differs(self, where: str, what: str) -> Divergence:
        place = f"tournament {self._summary.id}" + (f", {where}" if where else "")
        return Divergence(f"{place}: {what}")

    def _check_order(self) -> None:
        late = sum(each.kind is RulingKind.ADD for each in self._stored.rulings)
        field = self._stored.field
        ratings = [entry.rating for entry in field[: len(field) - late]]
        by_rating = self._decoded.spec.seed_by == "rating"
        if by_rating and ratings != sorted(ratings, reverse=True):
            raise self._differs("", "its field is not in the order of the ratings")

    def _check_lots(self) -> None:
        for number, each in enumerate(self._stored.rulings, 1):
            lots = each.entries if each.kind is RulingKind.LOTS else ()
            if any(order != drawn(self._schedule.seeds, order) for order in lots):
                raise self._differs(f"ruling {number}", "its lots are not those of the key")

    def _executed(
        self, play: RoundPlay, matches: Iterable[WholeMatch]
    ) -> Iterator[tuple[int, int, bytes]]:
        mirrored, rows = self._summary.mirrored, list[MatchRow]()
        for row, played in matches:
            try:
                check_columns(self._summary, self._stored.field, row, played.record)
                self._decisions += execute_again(self._game, played.record)
            except Divergence as error:
                raise self._differs(f"match {row.key}", str(error)) from None
            self._place(play, row, played)
            rows.append(row)
            self._matches += 1
            if self._matches % EVERY == 0:
                self._report(self._matches, self._summary.matches)
                add_up(self._sums, rows, mirrored)
                rows.clear()
            yield row.key.pairing, row.key.leg, played.record.to_bytes()
        add_up(self._sums, rows, mirrored)

    def _place(self, play: RoundPlay, row: MatchRow, played: PlayedMatch) -> None:
        """Adds a match to its round, and compares its seats and deal with those it was to have."""
        play.add(*self._schedule.measured(played))
        job = play.job(row.key)
        if job is not None and (row.seats, row.seed) != (job.seats, job.seed):
            what = "seats are not those" if row.seats != job.seats else "deal is not that"
            # One of a pairing is enough: they come in order, and after the first that was not to be
            # played no other one was.
            board = (row.key.round, row.key.pairing)
            difference = self._differs(f"match {row.key}", f"its {what} of the schedule")
            self._misplaced.setdefault(board, (row.key, difference))

    def _check_sums(self) -> None:
        for board in sorted(self._sums.keys() | self._stored.sums.keys()):
            if self._sums.get(board) != self._stored.sums.get(board):
                where = f"pairing {'.'.join(map(str, board))}"
                raise self._differs(where, "its sums are not those of its matches")

    def _check_luck(self, matches: Callable[[int], Iterator[WholeMatch]]) -> int:
        about, stored, count = self._summary, self._stored, 0
        fixed = frozen_values(stored)
        values = fixed.checked(self._game, about.engine, about.ruleset)
        kept = kept_luck(stored)
        for number in sorted({round for round, _ in kept}):
            some = (each for each in matches(number) if (number, each[0].key.pairing) in kept)
            for board, sums in sums_by_board(stored, self._game, values, some):
                if not alike(kept[board], sums, learned=fixed.learned):
                    where = f"pairing {'.'.join(map(str, board))}"
                    raise self._differs(where, "its luck is not that of its matches")
                count += sums.matches
        return count

    def _check_rounds(self, matches: Callable[[int], Iterator[WholeMatch]]) -> None:
        """Runs the tournament again with the stored results, and compares rounds and standings."""
        stored, plan = self._stored, self._decoded.plan(self._registry)
        open_ended = plan.format.open_ended
        again = _Again(stored, self._plays, self._misplaced, self._differs, open_ended)
        results, pace = None, Pace()
        with suppress(_Unplayed):  # so far the tournament was played
            results = trio.run(runner.run, plan, (), again.begin, again, again, again, pace)
        over = results is not None or pace.pausing
        if over and len(again.results) < len(stored.rounds):
            raise self._differs(f"round {len(again.results) + 1}", "it was not to be played")
        surplus = next((play.surplus for play in self._plays if play.surplus), None)
        if surplus is not None:
            raise self._differs(f"match {surplus}", "it was not to be played")
        numbers = [play.round.number for play in self._plays]
        rows = OnDemand(lambda: {row.key: row for n in numbers for row, _ in matches(n)})
        again_played = msgspec.structs.replace(stored, played=rows)
        report = make_report(msgspec.structs.replace(self._decoded, stored=again_played))
        if report.played[: len(again.results)] != ruled(again.results, stored.rulings):
            raise self._differs("", "its standings do not follow from its rounds")

    def _check_chain(self, heads: Sequence[str]) -> None:
        stored, finished = self._stored.heads, self._summary.status is Status.FINISHED
        for round, head in zip(self._stored.rounds, heads, strict=True):
            where = f"round {round.number}"
            found = stored[round.number - 1]
            if found and found != head:
                raise self._differs(where, "the head of its chain is not that of its results")
            # A round is paired when those before it are complete.
            if not found and (finished or round.number < len(stored)):
                raise self._differs(where, "the head of its chain is missing")


class _Unplayed(Exception):
    """Raised where the stored part of a tournament ends."""


class _Again:
    """Storage, observer and executor of a run that plays nothing: it compares, up to the end.

    Attributes:
        results: The results of the rounds that are complete.
    """

    def __init__(
        self,
        stored: StoredTournament,
        plays: Sequence[RoundPlay],
        misplaced: Mapping[tuple[int, int], tuple[MatchKey, Divergence]],
        differs: Callable[[str, str], Divergence],
        open_ended: bool,
    ) -> None:
        self._stored, self._plays, self._misplaced = stored, plays, misplaced
        self._differs, self._open_ended = differs, open_ended
        self._finished = stored.summary.status is Status.FINISHED
        self.results: list[RoundResult] = []

    def begin(self, round: Round) -> RoundPlay:
        """Returns the stored matches of a round."""
        return self._plays[round.number - 1]

    async def save_round(self, round: Round) -> bool:
        """Compares a round that the format pairs with the stored one."""
        number, where = round.number, f"round {round.number}"
        if number > len(self._stored.rounds):
            if self._finished and not self._open_ended:
                raise self._differs(where, "it was to be played, and is missing")
            raise _Unplayed
        stored = self._stored.rounds[number - 1]
        if stored != round:
            raise self._differs(where, f"the format pairs {_first(round, stored)}")
        return True

    def round_started(self, play: RoundPlay) -> None:
        """Compares the matches of a round with those that it was to have."""
        number = play.round.number
        for key, difference in self._misplaced.values():
            if key.round == number and key.leg <= play.legs[key.pairing - 1]:
                raise difference
        missing = next(play.jobs(), None)
        if missing and (self._finished or number < len(self._stored.rounds)):
            raise self._differs(f"match {missing.key}", "it was to be played, and is missing")
        if missing:
            raise _Unplayed

    async def close_round(self, number: int) -> None:
        """The chain is checked at the end."""

    async def play(
        self, jobs: Sequence[Job], deliver: trio.MemorySendChannel[list[PlayedMatch]]
    ) -> None:
        """Nothing is played: ``round_started`` ends the run before a match that is not stored."""

    async def write(self, matches: Sequence[PlayedMatch]) -> None:
        """Nothing is played."""

    def matches_played(self, matches: Sequence[PlayedMatch]) -> None:
        """Nothing is played."""

    def round_finished(self, result: RoundResult) -> None:
        self.results.append(result)


def _first(round: Round, stored: Round) -> str:
    for board, (ours, theirs) in enumerate(zip(round.pairings, stored.pairings, strict=False), 1):
        if ours != theirs:
            seats = [" - ".join(map(str, each.seats)) for each in (ours, theirs)]
            return f"{seats[0]} on board {board}, where {seats[1]} is stored"
    return "other boards or byes than are stored"
