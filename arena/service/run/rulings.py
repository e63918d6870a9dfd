"""Organiser's decisions on a stored tournament: late entries, withdrawals, byes, its end.

An organiser's decision holds from the next round that is paired; it can be made while another
process plays the tournament, which then continues with it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from arena_results.boards.leaderboard import leaderboard
from arena_results.file.database import Database
from arena_results.ratings.systems.elo import START
from arena_results.schema.rows import EntryRow, Status, StoredTournament
from arena_results.store.organising import finish_tournament, make_ruling
from arena_results.store.queries import tournament
from arena_tournaments.play.rulings import has_left

from arena.core.errors import BadInput, BadStore, UnknownName
from arena.core.tournaments.format import Entrant, Format, RoundResult, Tables, shown_names
from arena.core.tournaments.rulings import Ruling, RulingKind, absences
from arena.plugins.options import option
from arena.plugins.registry import Registry
from arena.service.answers.arguments import Positive
from arena.service.answers.defaults import HALF_POINT
from arena.service.lookup.resolver import BotResolver
from arena.service.report.ruling_rows import ruling_row, ruling_text
from arena.service.setup.byes import check_takes, half_points
from arena.service.setup.decoded import decode
from arena.service.setup.resolve import resolve

ATTEMPTS = 20
"""Times that an organiser's decision is made again because the tournament continued meanwhile."""


class Made(msgspec.Struct, frozen=True):
    """An organiser's decision that was stored, and the names of the field."""

    ruling: Ruling
    names: tuple[str, ...]

    def document(self) -> dict[str, object]:
        """The decision as in the JSON document of the tournament."""
        return ruling_row(self.ruling, self.names)

    def __str__(self) -> str:
        return ruling_text(self.ruling, self.names)


class Rulings:
    """Makes rulings on one stored tournament.

    Args:
        registry: Knows its format, and the bots that enter late.
        database: Where it is stored.
        number: Its number.
    """

    def __init__(self, registry: Registry, database: Database, number: int) -> None:
        self._registry, self._database, self._number = registry, database, number

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
        check_takes(decoded.format, RulingKind.ADD, entrants, _next_round(stored))
        spec = decoded.spec
        with BotResolver(self._registry, self._database) as resolver:  # which finds no disabled bot
            resolver.find(bot, spec.trust, spec.allow, confine_house=spec.confine_house)
        with BotResolver(self._registry, self._database, resumes=self._number) as resolver:
            where = f"late entry to tournament {self._number}"
            keys = msgspec.json.decode(stored.summary.spec, type=dict[str, object])
            keys |= {"bots": [*spec.bots, bot], "byes": []}
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
            entrants, round = len(now.field), _next_round(now)
            check_takes(format, RulingKind.ADD, entrants, round)
            return Ruling(kind=RulingKind.ADD, entry=entrants, round=round, points=points)

        return self._make(rule, entry, spelling)

    def withdraw(self, bot: str, *, now: bool = False) -> Made:
        """Withdraws a bot from the next round on, or ``now``: it forfeits the rest of this round.

        Where everybody meets everybody, the results of a bot that has played fewer than half of its
        pairings are annulled; otherwise they stand (FIDE C.05).

        Raises:
            BadInput: The format does not take that, the bot has left already, or no round is left.
        """

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.WITHDRAW)
            if now:
                check_takes(format, "now")
            running = now and _is_running(stored)
            if not running and len(stored.rounds) == stored.summary.rounds and _is_running(stored):
                raise BadInput(
                    f"tournament {self._number} is in its last round ({stored.summary.rounds}); "
                    f"only {option('now', True)} withdraws from that"
                )
            round = len(stored.rounds) + 1 if running else _next_round(stored)
            return _leaving(RulingKind.WITHDRAW, stored, format, bot, round, running)

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
        reason = " ".join(reason.split())
        if not reason or not reason.isprintable():
            raise BadInput("reason: expected a text of characters that can be shown")

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.DISQUALIFY)
            if void:
                check_takes(format, "void")
            within = "now" in format.rulings
            running = _is_running(stored)
            round = len(stored.rounds) + 1 if running else _next_round(stored)
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
            entry, first, last = _entry(stored, bot), _next_round(stored), stored.summary.rounds
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

    def rest(self, bot: str, reason: str) -> Made:
        """Has a bot rest at once; what it has not played of this round is left out for both.

        Args:
            reason: Text for people.

        Raises:
            BadInput: The format does not take that, or the bot rests or has left already.
        """

        def rule(stored: StoredTournament, format: Format) -> Ruling:
            check_takes(format, RulingKind.REST)
            entry, running = _entry(stored, bot), _is_running(stored)
            if entry in resting(stored):
                raise BadInput(f"{bot} rests already")
            round = len(stored.rounds) + 1 if running else _next_round(stored)
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
            return Ruling(kind=RulingKind.RETURN, entry=entry, round=_next_round(stored))

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
            ruling = rule(stored, decode(self._registry, stored).format)
            if make_ruling(self._database, stored, ruling, entry, spelling):
                field = [*stored.field, *([entry] if entry else [])]
                return Made(ruling, shown_names([each.participant for each in field]))
        raise BadStore(f"tournament {self._number} goes on too quickly; pause it first")


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


def _is_running(stored: StoredTournament) -> bool:
    return bool(stored.heads) and stored.heads[-1] is None


def _next_round(stored: StoredTournament) -> int:
    id, number = stored.summary.id, len(stored.rounds) + 1
    if stored.summary.status is Status.FINISHED:
        raise BadInput(f"tournament {id} is finished")
    if number > stored.summary.rounds:
        raise BadInput(f"tournament {id} is in its last round ({stored.summary.rounds})")
    return number


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
