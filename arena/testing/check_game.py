"""Checks a game by random play against the promises of ``arena.core``: any game, no rules known.

It is played at tables of every size that it offers; where the game expels, seats are eliminated at
random in half of the matches. ``arena.testing.redealing`` deals again what a seat cannot see, at
every decision and for every seat; ``serialization`` tests what is sent to other processes,
``probes`` the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from arena.core.actions import Action, pack_ids
from arena.core.chance.dealer import SeatStreams
from arena.core.chance.seeding import derive_seed, generator
from arena.core.defaults import REDEALS
from arena.core.errors import ArenaError, BadInput
from arena.core.game import AnyGame, Ruleset
from arena.core.observation import Observation
from arena.core.outcome import Fault, Outcome, Termination
from arena.core.record import MatchRecord
from arena.core.state import CHANCE, TERMINAL, State
from arena.match.adjudication import final_outcome, record_fault
from arena.match.replay import verify
from arena.plugins.options import option
from arena.plugins.scaffold import check_name
from arena.testing import probes
from arena.testing.chance_law import ChanceLaw
from arena.testing.probes import Broken, demand
from arena.testing.reasons import raised
from arena.testing.redealing import HELD, Redealing
from arena.testing.serialization import SentMatch, check_described, check_offer, check_packed
from arena.testing.views import PROMISE as _VIEWS
from arena.testing.views import ViewLaw
from arena.testing.words import SaidWords

if TYPE_CHECKING:
    from random import Random

MAX_PROBLEMS = 10
"""After that many broken matches the check gives up."""
MAX_DECISIONS = 20_000
"""A match that continues for longer counts as one that does not end."""
DEALS = 8
"""Deals that are compared with the odds before each match."""
THOROUGH = 100
"""That many decisions of a match are all checked; of those after, ever fewer."""


_AMOUNTS = "amounts follow the returns"
_DEALERS = "dealers follow the odds"
_OFFERS = "offers and answers as text"
_PLAYS_ON, _RANKS = "play goes on without a seat", "whoever is taken out ranks last"
_POSITIONS = "situations without keywords"
_WORDS = "words that only grow"
_MORE = "raise {redeals}"
PROMISES = {
    _AMOUNTS: _MORE,
    "consistent returns": "no match came to its end",
    _DEALERS: "no seat sees at its next decision what chance decided: show it in an observation, "
    "or let chance decide later",
    "described in JSON": _MORE,
    "evaluation": _MORE,
    HELD: _MORE,
    "immutable observations": _MORE,
    "independent clones": _MORE,
    "legality decided in one place": _MORE,
    "no result before the end": _MORE,
    _OFFERS: _MORE,
    "packed and unpacked": _MORE,
    "perfect recall": _MORE,
    _PLAYS_ON: _MORE,
    "playout policy": _MORE,
    "scenes that show nothing hidden": _MORE,
    "text for every seat": _MORE,
    "the same continuation looks the same": "no action was possible in both worlds: resample() "
    "must deal worlds in which the seat may do the same; or " + _MORE,
    "the same seed gives the same match": _MORE,
    _POSITIONS: _MORE,
    _RANKS: _MORE,
    _VIEWS: _MORE,
    _WORDS: _MORE,
}
"""The promises of a game, each with advice for where it was never tested."""


class OutOfTime(BaseException):
    """Raised while a check runs, it ends the check, which reports its work so far."""


class GameReport(msgspec.Struct, frozen=True):
    """The result of a check of a game.

    Attributes:
        game: Name of the game.
        ruleset: Name of the ruleset.
        seats: The numbers of seats it was played with.
        matches: Matches played.
        decisions: Decisions taken in them.
        redeals: Worlds dealt again and compared.
        other_worlds: How many of these another seat could distinguish from the real one: near
            ``redeals`` when resampling is honest, 0 when nothing is hidden or nothing is re-dealt.
        checks: How often each promise was put to the test; one that never was has failed.
        exempt: Promises that do not apply to the game, each with the reason.
        problems: One line for each way in which matches broke a promise: in which match first,
            where, what differed, and in how many; and for each promise that was never tested.
        notes: What the author should look at; none of it fails the check.
    """

    game: str
    ruleset: str
    seats: tuple[int, ...]
    matches: int
    decisions: int
    redeals: int
    other_worlds: int
    checks: Mapping[str, int]
    exempt: Mapping[str, str]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """No promise was broken, and each was tested."""
        return not self.problems


def check_game(
    game: AnyGame, ruleset: Ruleset, redeals: int = REDEALS, seed: int = 0
) -> GameReport:
    """Plays at random and tests the contract at every step.

    Args:
        redeals: How many worlds to deal again, over as many matches as it takes; the numbers of
            seats share them.
        seed: Everything follows from it.

    Raises:
        BadInput: There is nothing to deal again.
    """
    if redeals < 1:
        raise BadInput(f"redeals: expected 1 or more, not {redeals}")
    check = _Check(game, ruleset, seed)
    share = -(-redeals // len(game.seats))
    try:
        for seats in game.seats:
            check.tables(seats, share)
    except OutOfTime:
        check.stop(redeals)
    if not check.problems:
        check.close()
    return GameReport(
        game=game.name,
        ruleset=ruleset.name,
        seats=tuple(game.seats),
        matches=check.matches,
        decisions=check.decisions,
        redeals=check.worlds.redeals,
        other_worlds=check.worlds.other_worlds,
        checks=dict(sorted(check.counts.items())),
        exempt=check.exempt(),
        problems=(*_name_problems(game), *check.problems),
        notes=(check.returns.advice,) if check.returns.advice else (),
    )


def _name_problems(game: AnyGame) -> list[str]:
    try:
        check_name("game", game.name)
    except BadInput as error:
        return [str(error)]
    return []


class _Check:
    def __init__(self, game: AnyGame, ruleset: Ruleset, seed: int) -> None:
        self._game, self._ruleset, self._seed = game, ruleset, seed
        self._rng: Random = generator(derive_seed(seed, "check"))
        self._law = ChanceLaw(self._rng)
        self.returns = probes.ReturnsLaw(game, ruleset)
        self._amounts = probes.AmountsLaw(game, ruleset)
        self._undescribed = probes.undescribed(game)
        self._views = ViewLaw(game, ruleset)
        self._seen: dict[int, Action] = {}
        self.counts: Counter[str] = Counter()
        self.worlds = Redealing(game, self._rng, self.counts)
        self._broken: dict[str, list[str]] = {}
        self._overall: list[str] = []
        self.matches = self.decisions = 0
        self._endless = self._offers = False
        self._begin(0)

    def tables(self, seats: int, redeals: int) -> None:
        """Matches of every kind at tables of that size, until the re-deals are used up."""
        wanted = self.worlds.redeals + redeals
        kinds = 4 if self._game.expels else 2
        number = 0
        while self.worlds.redeals < wanted or number < kinds:
            if self._endless or sum(map(len, self._broken.values())) == MAX_PROBLEMS:
                return
            self._begin(seats)
            try:
                self._play(elsewhere=number % 2 == 1, expelling=number % kinds >= 2)
            except Broken as broken:  # the first thing that a match breaks is noted
                self._note(str(broken))
            except Exception as error:  # whatever an untrusted game raises is a finding
                self._note(f"it raised {raised(error, self._game)}")
            number += 1

    @property
    def problems(self) -> list[str]:
        """A line for each promise that was broken or never tested."""
        lines = []
        for problem, places in self._broken.items():
            more = len(places) - 1
            others = f", and in {more} more match{'es' if more > 1 else ''}" if more else ""
            lines.append(f"{places[0]}{others}: {problem}")
        return lines + self._overall

    def stop(self, redeals: int) -> None:
        """Notes that the time was up before that many worlds were dealt again."""
        self._note(f"the time was up after {self.worlds.redeals} of {redeals} re-deals")

    def close(self) -> None:
        """Tests the promises that only all matches together show; fails those never tested."""
        try:
            self.counts[_DEALERS] += self._law.close()
            self._amounts.close()
        except Broken as broken:
            self._overall.append(str(broken))
            return
        exempt = self.exempt()
        for promise, remedy in PROMISES.items():
            if promise not in exempt and not self.counts[promise]:
                self.counts[promise] = 0  # so that it is listed
                if promise == _DEALERS and not self._law.nodes:
                    remedy = "there was no chance node: a game without chance declares it "
                    remedy += "(deterministic = True), any other shows chance as a player"
                remedy = remedy.format(redeals=option("redeals"))
                self._overall.append(f"{promise}: tested 0 times; {remedy}")
        self.counts = Counter({key: n for key, n in self.counts.items() if key not in exempt})

    def exempt(self) -> dict[str, str]:
        """Returns the promises that do not apply to the game, each with the reason."""
        reasons = {}
        if self._game.deterministic and not self._law.nodes:
            reasons[_DEALERS] = "the game declares that it is deterministic"
        if self._undescribed:
            reasons[_POSITIONS] = self._undescribed
        if self._views.none:
            reasons[_VIEWS] = self._views.none
        if not self._offers:
            reasons[_OFFERS] = "no seat is offered a choice of loadouts"
        if not self._game.expels:
            reasons |= dict.fromkeys((_PLAYS_ON, _RANKS), "a fault ends the match")
        return reasons

    def _begin(self, seats: int) -> None:
        self._seats = seats
        self._histories = [b""] * seats
        self._ids: list[int] = []
        self._faults: list[Fault] = []
        self._overs = set[str]()
        self._said = SaidWords(self._game, seats)

    def _note(self, problem: str) -> None:
        out = "".join(f", seat {fault.seat} out" for fault in self._faults)
        where = f"match {self.matches} ({self._seats} seats), move {len(self._ids)}{out}"
        self._broken.setdefault(problem, []).append(where)

    def _play(self, *, elsewhere: bool, expelling: bool) -> None:
        """Plays and checks one match.

        Args:
            elsewhere: In a world where everybody holds something else than was dealt.
            expelling: Seats are eliminated at random.
        """
        self.matches += 1
        game, rules = self._game, self._ruleset
        loadouts = [game.loadouts.accept(rules, None) for _ in range(self._seats)]
        if not self._undescribed:
            self.counts[_POSITIONS] += probes.check_position(game, rules)
        for seat in range(self._seats):
            if (offer := game.loadouts.offer(rules, seat)) is not None:
                self._offers = True
                self.counts[_OFFERS] += check_offer(game, rules, offer)
        seed = derive_seed(self._seed, "deal", self.matches)
        self._law.look(game.new_state(rules, loadouts), DEALS, "deal")
        state = game.new_state(rules, loadouts, SeatStreams(seed))
        if elsewhere:
            for seat in range(self._seats):
                state = game.resample(state.observation(seat), self._rng)
        self._sent = SentMatch(game, rules, self._seats)
        risk = self._rng.choice((0.3, 0.1, 0.03)) if expelling else 0.0
        early = expelling and (self._rng.random() < 0.25 or not self.counts[_RANKS])
        by_fault = early and self._expel_early(state)
        while not by_fault and state.current_player() != TERMINAL:
            by_fault = self._decide(state, risk)
        self.counts["consistent returns"] += probes.check_end(state, self._seats)
        self.returns.look(state.returns())
        self._views.close_match(len(self._ids))
        ending = final_outcome(game, rules, state, self._faults, by_fault=by_fault)
        self.counts[_AMOUNTS] += self._amounts.look(ending)
        self.counts["text for every seat"] += probes.check_text(game, state, self._seats)
        if self._faults:
            out = [fault.seat for fault in self._faults]
            self.counts[_RANKS] += probes.check_ranks(state, out)
        if not elsewhere:
            self._verify(seed, loadouts, state, ending)

    def _decide(self, state: State[Any], risk: float) -> bool:
        """One decision, or now and then an expulsion instead: whether that ended the match."""
        seat = state.current_player()
        who = "chance" if seat == CHANCE else f"player {seat}"
        demand(0 <= seat < self._seats, f"with a dealer, {who} is to decide")
        out = any(fault.seat == seat for fault in self._faults)
        demand(not out, f"seat {seat} is to decide, though it was taken out")
        move = len(self._ids)
        self._endless = move == MAX_DECISIONS
        demand(not self._endless, f"no end after {MAX_DECISIONS} decisions")
        self.counts["packed and unpacked"] += self._sent.check(state, seat)
        looked = self._look(state, seat) if self._rng.random() * move < THOROUGH else None
        before = looked[0] if looked else state.clone()
        over = False
        if self._rng.random() < risk:
            over = self._expel(state, seat)
        else:
            action = self._rng.choice(state.legal_actions())
            self._seen[id(action)] = action
            state.apply_action(action)
            self._ids.append(action.id)
            self.decisions += 1
        if looked or state.is_terminal():
            self.worlds.held(before, state, self._overs)
        if looked:
            same = probes.fingerprint(before, self._seats) == looked[1]
            demand(same, "what was done to the original changed its clone")
            self.counts["independent clones"] += 1
        return over

    def _expel_early(self, state: State[Any]) -> bool:
        """Takes out whoever could not be seated, at least one; whether that ended the match."""
        several = self._rng.randrange(1, self._seats)
        return any(
            self._expel(state, seat)
            for seat in sorted(self._rng.sample(range(self._seats), several))
        )

    def _expel(self, state: State[Any], seat: int) -> bool:
        fault = Fault(seat, Termination.CRASH, len(self._ids), "made for the check")
        over = record_fault(self._game, state, self._faults, fault)
        left = self._seats - len(self._faults)
        demand(over or left > 1, "one seat is left, but the match goes on")
        self.counts[_PLAYS_ON] += 1
        return over

    def _look(self, state: State[Any], seat: int) -> tuple[State[Any], probes.Print]:
        observations: list[Observation] = [state.observation(s) for s in range(self._seats)]
        for other, seen in enumerate(observations):
            legal = state.legal_actions() if other == seat else ()
            demand(seen.seat == other, f"seat {other} gets the observation of seat {seen.seat}")
            demand(seen.legal_actions == legal, f"seat {other} sees other legal actions")
            before = self._histories[other]
            recalls = seen.history.startswith(before)
            demand(recalls, f"seat {other} has forgotten some of its history")
            if other == seat:
                events = self._game.notation.events
                parts = events(before) + events(seen.history[len(before) :])
                told = events(seen.history)
                demand(told == parts, f"events of a part of the history are {parts}, not {told}")
            self.counts["perfect recall"] += 1
            self.counts["packed and unpacked"] += check_packed(self._game, self._ruleset, seen)
            again = self.worlds.redeal(state, other, observations)
            self.counts[_WORDS] += self._said.look(seen, again)
            self.counts[_VIEWS] += self._views.look(seen, again)
        self._check_playouts(state, observations[seat])
        self._histories = [observation.history for observation in observations]
        self._probe(state, observations[seat])
        return state.clone(), probes.fingerprint(state, self._seats)

    def _check_playouts(self, state: State[Any], seen: Observation) -> None:
        seed = derive_seed(self._seed, "playout", self.matches, len(self._ids))
        world = self._game.resample(seen, generator(seed))
        self.counts["playout policy"] += probes.check_playout(self._game, state, world, seed)
        self.counts["evaluation"] += probes.check_evaluation(self._game, state)

    def _probe(self, state: State[Any], seen: Observation) -> None:
        if self._rng.random() < 0.1 or not self.counts["described in JSON"]:
            self.counts["legality decided in one place"] += probes.check_actions(
                state, list(self._seen.values())
            )
            self.counts["immutable observations"] += probes.check_immutable(seen)
            self.counts["no result before the end"] += probes.check_unfinished(state)
            self.counts["text for every seat"] += probes.check_text(self._game, state, self._seats)
            self.counts["described in JSON"] += check_described(self._game, seen)
        if self._rng.random() < 0.2:
            self.counts["independent clones"] += probes.check_clone(state, self._rng)
        unseen = not (self._law.nodes or self._game.deterministic)
        if self._rng.random() < 0.3 or unseen:
            ahead = state.clone()
            ahead.apply_action(self._rng.choice(ahead.legal_actions()))
            self._law.look(ahead)

    def _verify(self, seed: int, loadouts: list[bytes], state: State[Any], ending: Outcome) -> None:
        seats = tuple(f"seat {seat}" for seat in range(self._seats))
        record = MatchRecord(
            self._game.name, self._ruleset.name, self._game.version, seed, seats,
            tuple(loadouts), pack_ids(self._ids), ending,
        )  # fmt: skip
        demand(MatchRecord.from_bytes(record.to_bytes()) == record, "the record changes in bytes")
        for version, former in self._game.former.items():
            made = former.version
            demand(made == version, f"as of version {version} it says that it is version {made}")
        try:
            verify(self._game, record)
        except ArenaError as error:
            raise Broken(f"the same seed gives another match: {error}") from error
        self.counts["the same seed gives the same match"] += 1
        if not (self._law.nodes or self._faults):
            end = probes.fingerprint(state, self._seats)
            other = derive_seed(seed, "other deal")
            probes.check_seedless(self._game, self._ruleset, loadouts, other, self._ids, end)
