"""Organiser's decisions on a stored tournament: its field, pairings by hand, lots, its end.

An organiser's decision holds from the next round that is paired; it can be made while another
process plays the tournament, which then continues with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike

import msgspec
from arena_results.boards.leaderboard import leaderboard
from arena_results.file.database import Database
from arena_results.ratings.systems.elo import START
from arena_results.schema.rows import EntryRow, StoredTournament
from arena_results.store.organising import finish_tournament, make_ruling
from arena_results.store.queries import tournament
from arena_tournaments.play.rulings import drawn, has_left

from arena.core.errors import BadInput, BadStore, UnknownName
from arena.core.tournaments.format import Entrant, Format, RoundResult, Tables, shown_names
from arena.core.tournaments.rulings import Ruling, RulingKind, absences
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.service.answers.arguments import Positive, listed
from arena.service.answers.defaults import HALF_POINT
from arena.service.lookup.resolver import BotResolver
from arena.service.report.sums.ruling_rows import Made
from arena.service.run.changes.coming_round import (
    ComingRound,
    coming_round,
    is_running,
    next_round,
    round_to_pair,
    swapped,
)
from arena.service.setup.byes import check_takes, half_points
from arena.service.setup.decoded import decode
from arena.service.setup.pair_lines import given_lines
from arena.service.setup.resolve import resolve

ATTEMPTS = 20
"""Times that an organiser's decision is made again because the tournament continued meanwhile."""


class Rulings:
    """Makes an organiser's decisions on one stored tournament.

    Args:
        registry: Knows its format, and the bots that enter late.
        database: Where it is stored.
        number: Its number.
        by: The organiser who makes them; empty where nobody logged in.
    """

    def __init__(self, registry: Registry, database: Database, number: int, by: str = "") -> None:
        self._registry, self._database, self._number = registry, database, number
        self._by = by

    def stored(self) -> StoredTournament:
        """Reads the tournament as it is now, without its matches."""
        return tournament(self._database, self._number, matches=False)

    def add(self, bot: str, *, missed_points: float = 0.0) -> Made:
        """Enters another bot, from the next round on.

        Args:
            bot: Its name as typed, as in a tournament file.
            missed_points: What each round that it missed scores: 0 or 0.5 of a pairing.

        Raises:
            BadInput: The format takes no late entries, or no round is left.
            BadSpec: The bot cannot be found, or does not fit the tournament.
        """
        points = half_points(missed_points)
        stored = self.stored()
        decoded, entrants = decode(self._registry, stored), len(stored.field)
        check_takes(decoded.format, RulingKind.ADD, entrants, next_round(stored))
        spec = decoded.spec
        with BotResolver(self._registry, self._database) as resolver:  # which finds no disabled bot
            resolver.find(bot, spec.trust, spec.allow, confine_house=spec.confine_house)
        with BotResolver(self._registry, self._database, resumes=self._number) as resolver:
            where = f"late entry to tournament {self._number}"
            keys = msgspec.json.decode(stored.summary.spec, type=dict[str, object])
            keys |= {"bots": [*spec.bots, bot], "byes": [], "scoring": spec.scoring}
            resolved = resolve(resolver, keys, where)
        source, spelling = resolved.bots[-1], resolved.spec.bots[-1]
        rows = leaderboard(self._database, stored.summary.game, stored.summary.ruleset)
        known = {row.participant.key: row.rating for row in rows}
        entry = EntryRow(
            source.participant, known.get(source.participant.key, START), source.author
        )

        def rule(now: StoredTournament, format: Format) -> Ruling:
            if source.participant in [each.participant for each in now.field]:
                raise BadInput(
                    f"{source.participant.label} is in tournament {self._number} already"
                )
            entrants, round = len(now.field), next_round(now)
            check_takes(format, RulingKind.ADD, entrants, round)
            return Ruling(kind=RulingKind.ADD, entry=entrants, round=round, points=points)

        return self._make(rule, entry, spelling)

    def withdraw(self, bot: str, *, now: bool = False, reason: str = "") -> Made:
        """Withdraws a bot from the next round on, or ``now``: it forfeits the rest of this round.

        Where everybody meets everybody, the results of a bot that has played fewer than half of its
        pairings are annulled; otherwise they stand (FIDE C.05).

        Args:
            now: Whether it leaves the running round, too.
            reason: Text for people.

        Raises:
            BadInput: The format does not take that, the bot has left already, or no round is left.
        """
        why = _checked(reason)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.WITHDRAW)
            if now:
                check_takes(format, "now")
            running = now and is_running(stored)
            if not running and len(stored.rounds) == stored.summary.rounds and is_running(stored):
                raise BadInput(
                    f"tournament {self._number} is in its last round ({stored.summary.rounds}); "
                    f"only {option('now', True)} withdraws from that"
                )
            round = len(stored.rounds) + 1 if running else next_round(stored)
            made = _leaving(RulingKind.WITHDRAW, stored, format, bot, round, running)
            return msgspec.structs.replace(made, reason=why)

        return self._make(rule)

    def disqualify(self, bot: str, reason: str, *, void: bool = False) -> Made:
        """Disqualifies a bot at once, at tables from the next round on; it is ranked last.

        Args:
            reason: Text for people.
            void: Whether all of its results are annulled, for everybody; otherwise they stand, but
                as for ``withdraw``.

        Raises:
            BadInput: The format does not take that, the bot has left, or there is no reason.
        """
        reason = _checked(reason, needed=True)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.DISQUALIFY)
            if void:
                check_takes(format, "void")
            within = "now" in format.rulings
            running = is_running(stored)
            round = len(stored.rounds) + 1 if running else next_round(stored)
            made = _leaving(
                RulingKind.DISQUALIFY, stored, format, bot, round, running and within, void
            )
            return msgspec.structs.replace(made, reason=reason)

        return self._make(rule)

    def bye(self, bot: str, *, round: Positive | None = None, points: float = HALF_POINT) -> Made:
        """Gives a bot the bye in a round that it asked for.

        Args:
            round: A round that is not paired yet; ``None`` for the next one.
            points: 0.5 or 0, of what a pairing of the round scores.

        Raises:
            BadInput: The format knows none, the round is paired or has its bye, or it has left.
        """
        scored = half_points(points)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            entry, first, last = _entry(stored, bot), next_round(stored), stored.summary.rounds
            wanted = first if round is None else round
            check_takes(format, RulingKind.BYE, len(stored.field), wanted)
            if not first <= wanted <= last:
                choices = f"rounds {first} to {last}" if first < last else f"round {first}"
                raise BadInput(f"round {wanted} can have no bye on request; choices: {choices}")
            made = Ruling(kind=RulingKind.BYE, entry=entry, round=wanted, points=scored)
            if any(
                (each.kind, each.entry, each.round) == (made.kind, entry, wanted)
                for each in stored.rulings
            ):
                raise BadInput(f"{bot} has a bye in round {wanted} already")
            return made

        return self._make(rule)

    def pair(
        self,
        pairs: Sequence[str] = (),
        *,
        file: str | PathLike[str] | None = None,
        clear: bool = False,
        round: Positive | None = None,
        reason: str = "",
    ) -> Made:
        """Makes pairings by hand for some or all bots; the format pairs the others around that.

        A later decision about a bot replaces an earlier one. If a bot of a pairing is absent when
        the round is paired, the pairing falls away.

        Args:
            pairs: ``"A | B"``, the first seat first, or ``"A | bye"``.
            file: A file with such a pair per line, ``"-"`` for standard input.
            clear: Whether the round is given back to the format, instead.
            round: A round that is not paired yet; ``None`` for the next one.
            reason: Text for people.

        Raises:
            BadInput: The format takes that not, the round is paired or not to be played, or a
                pair does not parse or cannot be played.
        """
        why, lines = _checked(reason), given_lines(pairs, file, clear=clear)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            number = round_to_pair(stored, format, round)
            entries = self.coming().pairings(lines, number) if lines else ()
            return _several(RulingKind.PAIR, entries, number, why)

        return self._make(rule)

    def swap(
        self, one: str, other: str, *, round: Positive | None = None, reason: str = ""
    ) -> Made:
        """Exchanges two bots in the pairing of the next round as it would be made now.

        Two who meet exchange their seats. The whole pairing is then stored as made by hand.

        Args:
            round: The next round; ``None`` for that.
            reason: Text for people.

        Raises:
            BadInput: The format takes that not, the round before is not finished, or a bot is not
                in the round.
        """
        why = _checked(reason)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            number = round_to_pair(stored, format, round)
            entries = swapped(self.coming(number), one, other)
            text = f"{one} and {other} swapped" + (f": {why}" if why else "")
            return _several(RulingKind.PAIR, entries, number, text)

        return self._make(rule)

    def forbid(self, bots: str | Sequence[str], *, reason: str = "") -> Made:
        """Forbids bots to meet each other, from the next round on.

        Args:
            bots: ``"A | B"``, or names.
            reason: Text for people.

        Raises:
            BadInput: The format takes that not, a bot has left, or there are fewer than two.
        """
        why, names = _checked(reason), _names(bots)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            number = next_round(stored)
            check_takes(format, RulingKind.FORBID, len(stored.field), number)
            group = tuple([_entry(stored, name) for name in names])
            if len({*group}) < len(group) or len(group) < 2:
                raise BadInput(f"expected two or more different bots, 'A | B', not {bots!r}")
            return _several(RulingKind.FORBID, (group,), number, why)

        return self._make(rule)

    def lots(self, bots: str | Sequence[str] = (), *, reason: str = "") -> Made:
        """Draws lots from the tournament's key, for bots that the standings leave level.

        The order holds wherever all bots of a tie were drawn together, also where a stage takes
        the first of them. The same bots are always drawn in the same order.

        Args:
            bots: ``"A | B"``, or names; none for the whole field.
            reason: Text for people.

        Raises:
            BadInput: The format ranks otherwise, a bot is unknown, or there are fewer than two.
        """
        why, names = _checked(reason), _names(bots)

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            number, running = len(stored.rounds) + 1, is_running(stored)
            check_takes(format, RulingKind.LOTS, len(stored.field), number)
            for name in names:
                if name not in stored.names:
                    raise UnknownName(f"bot of tournament {stored.summary.id}", name, stored.names)
            chosen = {*map(stored.names.index, names)} if names else {*range(len(stored.field))}
            if len(chosen) < 2 or len(chosen) < len(names):
                raise BadInput(f"expected two or more different bots, 'A | B', not {bots!r}")
            seeds = decode(self._registry, stored).schedule.seeds
            made = _several(RulingKind.LOTS, (drawn(seeds, chosen),), number, why)
            return msgspec.structs.replace(made, now=running)

        return self._make(rule)

    def coming(self, round: int | None = None) -> ComingRound:
        """Returns the next round; ``BadInput`` for another one, which no results pair yet."""
        coming = coming_round(self._registry, self._database, self._number)
        if round not in (None, coming.number):
            raise BadInput(f"round {round}: only the next round ({coming.number}) has its pairing")
        return coming

    def rest(self, bot: str, reason: str) -> Made:
        """Has a bot rest at once; what it has not played of this round is left out for both.

        Args:
            reason: Text for people.

        Raises:
            BadInput: The format does not take that, or the bot rests or has left already.
        """

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.REST)
            entry, running = _entry(stored, bot), is_running(stored)
            if entry in resting(stored):
                raise BadInput(f"{bot} rests already")
            round = len(stored.rounds) + 1 if running else next_round(stored)
            return Ruling(
                kind=RulingKind.REST, entry=entry, round=round, now=running, reason=reason
            )

        return self._make(rule)

    def bring_back(self, bot: str) -> Made:
        """Ends the rest of a bot, from the next round on.

        Raises:
            BadInput: It does not rest, or no round is left.
        """

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            entry = _entry(stored, bot)
            if entry not in resting(stored):
                raise BadInput(f"{bot} does not rest")
            return Ruling(kind=RulingKind.RETURN, entry=entry, round=next_round(stored))

        return self._make(rule)

    def finish(self) -> None:
        """Finishes a tournament that has no end of its own; its key and nonce are then shown.

        Raises:
            BadInput: Its format has an end, its last round is not finished, or it is finished.
            BadStore: Another process plays it; the message names that.
        """
        decoded = decode(self._registry, self.stored())
        if not decoded.format.open_ended:
            raise BadInput(
                f"tournament {self._number} ends by itself; only an open-ended one (league) is "
                "ended by its organiser"
            )
        finish_tournament(self._database, self._number)
        self._registry.notify("arena_tournament_finished", tournament_id=self._number)

    def _make(
        self,
        rule: Callable[[StoredTournament, Format], Ruling],
        entry: EntryRow | None = None,
        spelling: str = "",
    ) -> Made:
        """Makes an organiser's decision by how the tournament is, until it is stored before that
        continues.
        """
        for _ in range(ATTEMPTS):
            stored = self.stored()
            made = rule(stored, decode(self._registry, stored).format)
            ruling = msgspec.structs.replace(made, by=self._by)
            if make_ruling(self._database, stored, ruling, entry, spelling):
                field = [*stored.field, *([entry] if entry else [])]
                return Made(ruling, shown_names([each.participant for each in field]))
        raise BadStore(f"tournament {self._number} goes on too quickly; pause it first")


def _checked(reason: str, *, needed: bool = False) -> str:
    reason = " ".join(reason.split())
    if (needed and not reason) or not (reason or " ").isprintable():
        raise BadInput("reason: expected a text of characters that can be shown")
    return reason


def _names(bots: str | Sequence[str]) -> list[str]:
    given = bots.split("|") if isinstance(bots, str) else listed("bots", bots, str)
    return [name.strip() for name in given] if bots else []


def _several(
    kind: RulingKind, entries: tuple[tuple[int, ...], ...], round: int, reason: str
) -> Ruling:
    first = entries[0][0] if entries else 0
    return Ruling(kind=kind, entry=first, round=round, reason=reason, entries=entries)


def resting(stored: StoredTournament) -> tuple[int, ...]:
    """Returns the entries that rest and have not left, as the next round is paired."""
    absent = absences(stored.rulings, len(stored.rounds) + 1)
    return tuple([each.index for each in absent if each.rests])


def _leaving(
    kind: RulingKind,
    stored: StoredTournament,
    format: Format,
    bot: str,
    round: int,
    now: bool,
    void: bool = False,
) -> Ruling:
    entry = _entry(stored, bot)
    void = void or _too_few_played(stored, format, entry, len(stored.rounds) - now)
    return Ruling(kind=kind, entry=entry, round=round, now=now, void=void)


def _entry(stored: StoredTournament, bot: str) -> int:
    names = stored.names
    if bot not in names:
        raise UnknownName(f"bot of tournament {stored.summary.id}", bot, names)
    entry = names.index(bot)
    if has_left(stored.rulings, entry):
        raise BadInput(f"{bot} has left tournament {stored.summary.id} already")
    return entry


def _too_few_played(stored: StoredTournament, format: Format, entry: int, rounds: int) -> bool:
    """True if fewer than half of an entry's pairings were played where that annuls them (C.05)."""
    annuls = "void" in format.rulings
    if not (annuls and format.scoring().all_meet):
        return False
    field = list(map(Entrant, stored.names))
    results: list[RoundResult] = []
    seated: list[bool] = []
    total = stored.summary.rounds
    # The pairings of such a format do not depend on results.
    while made := format.next_round(field, results, total, Tables()):
        results.append(RoundResult(made, ()))
        seated.append(any(entry in pairing.seats for pairing in made.pairings))
    return 2 * sum(seated[:rounds]) < sum(seated)
