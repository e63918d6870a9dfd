"""Careers: one person against rivals of growing strength for credits, after rule book section 7.

Every match is an exhibition match: stored, replayed and verified as all are, and never rated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from arena_results.file.database import Database
from arena_results.schema.rows import Status
from arena_results.store.queries import summary
from msgspec import structs

from arena.core.bot import Bot
from arena.core.chance.seeding import derive_seed
from arena.core.errors import ArenaError, BadInput, UnknownName
from arena.core.outcome import Termination
from arena.core.record import MatchKey
from arena.core.table import Column, Table
from arena.core.text.bot_names import PERSON as PERSONS_NAME
from arena.core.text.parsing import format_call, parse_call
from arena.core.tournaments.format import Participant
from arena.core.wager import settle
from arena.games.pazaak.career.game import PAZAAK, PazaakCareer
from arena.games.pazaak.career.purse import PURSE
from arena.games.pazaak.career.rivals import RIVALS, Rival, RivalRow, rivals_of
from arena.games.pazaak.career.rules import PERSON
from arena.plugins.loading import load_bot
from arena.plugins.options import either
from arena.plugins.registry import Registry
from arena.plugins.submissions.submission import check_name
from arena.service.answers.defaults import DECISION_SECONDS
from arena.service.answers.rows import Document, Row
from arena.service.lookup.python_bots import LocalBot
from arena.service.match.replays import Match, stored_match
from arena.service.run.person.career_file import (
    Career,
    CareerFile,
    Played,
    Result,
    Stake,
    career_file,
)
from arena.service.run.person.exhibition import Exhibition, OnBegin, Seats
from arena.service.run.run import Run
from arena.service.storage.databases import database_url, open_database

GAME = PazaakCareer()
BASE = PAZAAK.name
"""The game to which a career adds its extras."""
_MATCH_OF_ROLLS = "skill_roll"
LEFT, CAUGHT = "left the table", "caught cheating"


def new_career(
    path: Path,
    database: str,
    *,
    name: str = PERSONS_NAME,
    ruleset: str = "",
    purse: int = PURSE,
    seed: int | None = None,
) -> Career:
    """Begins a career, and writes its file.

    Args:
        path: Its file, which must not exist.
        database: The database that is to have its matches: its file, or the address of a server.
        name: The person's name in records, by the rule for bots.
        ruleset: The ruleset, with the options of section 7, such as ``"standard(cheats=true)"``.
        purse: The person's credits at the beginning.
        seed: What all deals are derived from; without it each match draws a key.

    Raises:
        BadInput: One of these cannot be used; no file was written.
    """
    rules = GAME.ruleset(ruleset)
    check_name(name, "1", "the person's name ")
    if rules.skill_roll:
        how = either("arena career play --roll", "career.play(..., roll=True)")
        raise BadInput(f"{_MATCH_OF_ROLLS} is chosen match by match: {how}")
    if not 0 < purse < 2**53:
        raise BadInput(f"a career begins with 1 credit or more, not {purse}")
    if seed is not None and not 0 <= seed < 2**53:
        raise BadInput(f"a seed is a number from 0 to 2**53-1, not {seed}")
    rivals = rivals_of(rules)
    if name in RIVALS:
        raise BadInput(f"{name} is the name of a rival; give another")
    career = Career(
        name=name,
        ruleset=rules.name,
        database=database,
        seed=seed,
        purse=purse,
        purses={rival.name: rival.purse for rival in rivals},
    )
    with career_file(path, new=True) as file:
        file.write(career)
    return career


def level_of(career: Career) -> int:
    """The level that a career has reached: that of the strongest rivals who may be challenged.

    A match won at the table opens the level after the rival's; unimportant games open nothing.
    """
    won = (played for played in career.matches if played.result == "won" and not played.roll)
    beaten = {RIVALS[played.rival].level for played in won}
    levels = sorted(RIVALS[name].level for name in career.purses)
    return next((level for level in levels if level not in beaten), levels[-1])


def open_rivals(career: Career) -> tuple[RivalRow, ...]:
    """The rivals who may be challenged: of a level that is reached, with credits left."""
    level = level_of(career)
    rows = (RIVALS[name] for name in career.purses)
    return tuple(row for row in rows if row.level <= level and career.purses[row.name])


def rival_named(career: Career, name: str) -> RivalRow | None:
    """The rival of that name; ``None`` if the career has none."""
    return RIVALS[name] if name in career.purses else None


def ending_of(career: Career) -> str:
    """The end of a career in words; empty while it continues."""
    if not career.purse:
        return "The career is over: the purse is empty"
    if not any(career.purses.values()):
        return "The career is won: every rival is broke"
    return ""


RIVAL_COLUMNS = (
    Column("level", "level", drop=2),
    Column("rival", "rival", drop=0),
    Column("purse", "purse", drop=0),
    Column("skill", "skill %", drop=3),
    Column("status", "status", drop=0),
)
MATCH_COLUMNS = (
    Column("match", "match", drop=0),
    Column("rival", "rival", drop=0),
    Column("wager", "wager", drop=0),
    Column("result", "result", drop=0),
    Column("why", "why", drop=2),
    Column("purse", "purse", drop=0),
)


def rival_table(career: Career) -> Table:
    """The rivals of a career, weakest first."""
    return Table(title="Rivals", columns=RIVAL_COLUMNS, rows=rival_rows(career))


def match_table(career: Career) -> Table:
    """The matches of a career that are over, oldest first."""
    return Table(title="Matches", columns=MATCH_COLUMNS, rows=match_rows(career))


def rival_rows(career: Career) -> list[Row]:
    """The rivals of a career, a row each."""
    level = level_of(career)
    rows: list[Row] = []
    for name, purse in career.purses.items():
        row = RIVALS[name]
        status = "broke" if not purse else "open" if row.level <= level else "closed"
        about = {"level": row.level, "rival": name, "purse": purse, "skill": row.skill}
        rows.append({**about, "status": status})
    return rows


def ruleset_with(
    ruleset: str, skill: int | None = None, auxiliary: bool = False, cheats: bool = False
) -> str:
    """The ruleset with options of section 7 as typed; the default row if empty."""
    row, options = parse_call(ruleset or next(iter(GAME.rulesets)))
    given = {"skill": skill, "auxiliary": auxiliary or None, "cheats": cheats or None}
    chosen = {name: value for name, value in given.items() if value is not None}
    return format_call(row, {**options, **chosen})


def document_of(played: Played) -> Document:
    """A match that is over, as JSON values."""
    document: Document = msgspec.to_builtins(played)
    return document


def match_rows(career: Career) -> list[Row]:
    """The matches of a career that are over, a row each, oldest first."""
    return [document_of(played) for played in career.matches]


def career_document(career: Career) -> Document:
    """A career as JSON values."""
    document: Document = {
        "name": career.name,
        "ruleset": career.ruleset,
        "database": career.database,
        "purse": career.purse,
        "level": level_of(career),
        "ending": ending_of(career),
        "stake": msgspec.to_builtins(career.stake),
        "rivals": rival_rows(career),
        "matches": match_rows(career),
    }
    return document


class OpenCareer:
    """A career whose file and database are open.

    Args:
        file: Its file, locked.
        database: Has its matches.
        registry: Knows the built-in bots.

    Attributes:
        career: Where it stands.
        abandoned: The match that was found unfinished, and is lost.
    """

    def __init__(self, file: CareerFile, database: Database, registry: Registry) -> None:
        self._file, self.database, self.registry = file, database, registry
        self.career = file.read()
        place = database.place.home
        if place != self.career.database:
            raise BadInput(f"the matches of {file.path} are in {self.career.database}, not {place}")
        self.abandoned: Played | None = None
        if self.career.stake is not None:
            self.abandoned = self._settle_abandoned(self.career.stake)

    def check(self, rival: str, wager: int, *, roll: bool = False, loadout: str = "") -> None:
        """Checks a challenge.

        Raises:
            BadInput: The career is over, the rival is not open, or a purse is too small.
        """
        self._exhibition(self._challenged(rival, wager), roll, loadout).check()

    def _challenged(self, rival: str, wager: int) -> RivalRow:
        row = _challenged(self.career, rival)
        held = min(self.career.purse, self.career.purses[rival])
        if not 0 < wager <= held:
            raise BadInput(
                f"a wager of {wager} is not within both purses: 1 to {held} "
                f"(yours {self.career.purse}, {rival}'s {self.career.purses[rival]})"
            )
        return row

    def play(
        self,
        rival: str,
        wager: int,
        person: Bot[Any],
        *,
        roll: bool = False,
        loadout: str = "",
        seconds: float = DECISION_SECONDS,
        on_begin: OnBegin = lambda run: None,
    ) -> tuple[Match, Played]:
        """Plays a match for a wager; it blocks until it is over.

        Args:
            rival: Name of the rival.
            wager: What each of both places.
            person: Plays seat 0: ``HumanSeat``, or a bot for ``pazaak-career``.
            roll: Whether no card is played, and rolls of skill decide (003:133-134).
            loadout: The person's side deck; empty to be asked.
            seconds: The person's time for a decision.
            on_begin: Called when the match is stored and the wager put, before the first card.

        Raises:
            BadInput: As ``check``.
            ArenaError: The match is void; nobody pays.
        """
        exhibition = self._exhibition(self._challenged(rival, wager), roll, loadout, seconds)

        def begun(run: Run) -> None:
            stake = Stake(match=f"{run.number}.1.1.1", rival=rival, wager=wager, roll=roll)
            self._write(structs.replace(self.career, begun=self.career.begun + 1, stake=stake))
            on_begin(run)

        try:
            match = exhibition.play(person, begun)
        except Exception:  # a fault of the harness or of the database is nobody's loss
            self._write(structs.replace(self.career, stake=None))
            raise
        assert self.career.stake is not None
        return match, self._settle(self.career.stake, *_result(match))

    def _exhibition(
        self, row: RivalRow, roll: bool, loadout: str, seconds: float = DECISION_SECONDS
    ) -> Exhibition:
        return Exhibition(
            self.registry,
            self.database,
            self.seats(row.name, loadout, seconds),
            self._keys(row, roll),
            local=[self._local(row)],
        )

    def seats(self, rival: str, loadout: str, seconds: float = DECISION_SECONDS) -> Seats:
        """Returns the seats of a match with a rival."""
        name = self.career.name
        return Seats(bots=[rival], seat=PERSON, name=name, loadout=loadout, seconds=seconds)

    def _keys(self, row: RivalRow, roll: bool) -> dict[str, object]:
        name, options = parse_call(self.career.ruleset)
        if roll:
            options = {**options, _MATCH_OF_ROLLS: True, "rival_skill": row.skill}
        keys: dict[str, object] = {"game": GAME.name, "ruleset": format_call(name, options)}
        if self.career.seed is not None:
            keys["seed"] = derive_seed(self.career.seed, "career", self.career.begun + 1)
        return keys

    def _local(self, row: RivalRow) -> LocalBot:
        source = self.registry.resolve_bot(row.bot)
        make: Callable[[], Bot[Any]] = load_bot(source)
        participant = Participant(row.name, "1", source.participant.content)
        return LocalBot(participant, lambda: Rival(make(), row.name))

    def _settle_abandoned(self, stake: Stake) -> Played | None:
        """Settles the match that a program did not end: by its record, or else it is lost."""
        tournament = int(stake.match.partition(".")[0])
        try:
            finished = summary(self.database, tournament).status is Status.FINISHED
        except ArenaError:
            finished = False
        if finished:
            match = stored_match(self.registry, self.database, tournament, MatchKey(1, 1, 1))
            self._settle(stake, *_result(match))
            return None
        return self._settle(stake, "lost", LEFT)

    def _settle(self, stake: Stake, result: Result, why: str) -> Played:
        """Section 1.5: winner takes all; the sum of all purses stays as it is."""
        career = self.career
        winner = {"won": 0, "lost": 1, "drawn": None}[result]
        purse, rivals = settle((career.purse, career.purses[stake.rival]), stake.wager, winner)
        played = Played(**structs.asdict(stake), result=result, purse=purse, why=why)
        self._write(
            structs.replace(
                career,
                purse=purse,
                purses={**career.purses, stake.rival: rivals},
                stake=None,
                matches=(*career.matches, played),
            )
        )
        return played

    def _write(self, career: Career) -> None:
        self._file.write(career)
        self.career = career


@contextmanager
def open_career(path: Path, registry: Registry) -> Iterator[OpenCareer]:
    """Opens a career: its file, which is locked, and its database.

    A match that was not played to its end is settled first: it is lost.

    Raises:
        BadInput: There is no such career, or it is open in another program.
        BadStore: Its file or its database cannot be used.
    """
    with career_file(path) as file:
        url = database_url(file.read().database)
        with open_database(url, create=True) as database:
            yield OpenCareer(file, database, registry)


def _challenged(career: Career, rival: str) -> RivalRow:
    if ending := ending_of(career):
        raise BadInput(f"{ending}; begin another: arena career new FILE")
    choices = [row.name for row in open_rivals(career)]
    if rival in choices:
        return RIVALS[rival]
    if rival not in career.purses:
        raise UnknownName("rival", rival, choices)
    open_to = f"; open to you: {', '.join(choices)}"
    if not career.purses[rival]:
        raise BadInput(f"{rival} is broke{open_to}")
    raise BadInput(
        f"{rival} is of level {RIVALS[rival].level}, and you are of level "
        f"{level_of(career)}{open_to}"
    )


def _result(match: Match) -> tuple[Result, str]:
    outcome = match.outcome
    own, rivals = outcome.returns
    result: Result = "won" if own > rivals else "lost" if own < rivals else "drawn"
    if outcome.offender == PERSON:
        cause = outcome.termination
        return result, "out of time" if cause is Termination.TIMEOUT else LEFT
    if result == "lost" and not match.record.ruleset.count("skill_roll") and _caught(match):
        return result, CAUGHT
    return result, ""


def _caught(match: Match) -> bool:
    """True if it ended before anybody had won three sets: who cheated was caught."""
    return match.outcome.termination is Termination.RULES and max(match.outcome.scores) < 3
