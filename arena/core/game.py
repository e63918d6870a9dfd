"""The contract of a game: its rulesets, states, loadouts, notation and encodings."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

import msgspec

from arena.core.actions import Action
from arena.core.dealer import Dealer
from arena.core.described import described
from arena.core.errors import BadInput, ParseError, UnknownName
from arena.core.features import Features, SceneFeatures
from arena.core.json_form import json_form
from arena.core.observation import Observation, Offer
from arena.core.odds import Odds
from arena.core.outcome import Ending, Payoffs, estimated_utilities
from arena.core.parsing import Value, format_call, parse_call
from arena.core.scene import Scene, draw_text
from arena.core.state import State
from arena.core.value import DecisionValues, ValueFunction, visible_outcome

if TYPE_CHECKING:
    from random import Random


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """One frozen row of rule parameters, found by name. Games add their options as fields.

    Attributes:
        name: The row's name, with the options that differ from it:
            ``"standard"``, ``"standard(flip=negate_positive)"``.
        source: Where the row comes from.
    """

    name: str
    source: str


RulesetT = TypeVar("RulesetT", bound=Ruleset)
ObservationT = TypeVar("ObservationT", bound=Observation)
StateT = TypeVar("StateT", bound=State[Any])


class Notation(Protocol):
    """Writes actions, cards and events of a game as text and reads them again."""

    def action(self, text: str) -> Action:
        """Returns the action that ``Action.text`` names; raises ``ParseError``."""

    def action_of(self, id: int) -> Action:
        """Returns the action with that id; raises ``ParseError``."""

    def events(self, history: bytes) -> tuple[str, ...]:
        """Returns the public events of an observation's history, a line of text each."""

    def loadout(self, loadout: bytes) -> str:
        """Returns a loadout as text."""

    def parse_loadout(self, text: str) -> object:
        """Reads a loadout as ``Bot.prepare`` would give it; raises ``ParseError``.

        ``accept_loadout`` still has to check it.
        """


class Game(ABC, Generic[RulesetT, ObservationT, StateT]):
    """A game: stateless; every method is a pure function of its arguments."""

    name: ClassVar[str]
    """The name people type, e.g. ``"pazaak"``."""
    summary: ClassVar[str]
    """One line for lists."""
    version: str
    """Version of the rules engine: a record replays under the version that made it."""
    seats: ClassVar[range]
    """The numbers of seats that can play."""
    rulesets: ClassVar[Mapping[str, Ruleset]]
    """The named rows; the first is the default."""
    notation: ClassVar[Notation]
    """Cards and actions to text and back."""
    how_to_play: ClassVar[str] = ""
    """Its rules in ten lines or so of at most 80 columns, for ``arena rules NAME``."""
    unit: ClassVar[str] = "points"
    """The unit of the amounts that matches are about, e.g. ``"chips"``."""
    deterministic: ClassVar[bool] = False
    """True if there is no chance in the game; else ``arena check game`` expects chance nodes."""
    solo: ClassVar[bool] = False
    """True if one person plays it against the house only: it is listed nowhere, and nothing rated
    is played of it (tournaments, leagues, matches of bots), only exhibition matches."""
    expels: ClassVar[bool] = False
    """True if a seat that breaks the match is eliminated (``State.expel``) while the others play
    on. Otherwise its fault ends the match: it loses, and the others share the win."""

    @abstractmethod
    def new_state(
        self, ruleset: RulesetT, loadouts: Sequence[bytes], dealer: Dealer | None = None
    ) -> StateT:
        """Creates the state of a match before the deal.

        Args:
            loadouts: Each seat's loadout, as ``accept_loadout`` returned it; its length is
                the number of seats.
            dealer: Answers chance at once; without one chance is a player.
        """

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions whose records can be replayed, oldest first; unless a game says otherwise
        its own one alone.
        """
        return (self.version,)

    def at_version(self, version: str) -> Self:
        """Returns the game as that version of its engine plays it, for records.

        A change of the rules raises ``version``. A game that continues replaying older records
        lists all its ``versions`` and answers with a game of each of them.

        Raises:
            UnknownName: It is not one of ``versions``.
        """
        if version == self.version:
            return self
        raise UnknownName(f"version of the {self.name} engine", version, self.versions)

    def payoffs(self, ruleset: RulesetT, seats: int) -> Payoffs | None:
        """Returns the range and the sum of ``State.returns``; ``None`` if they are not declared.

        A game whose returns are amounts declares them: a match lost by a fault costs the least of
        them, and -1 otherwise. Undeclared returns must have the same sum in every match.
        """
        return None

    def unit_of(self, ruleset: RulesetT) -> str:
        """Returns the unit of the amounts under a ruleset."""
        return self.unit

    def amounts(self, ruleset: RulesetT, ending: Ending) -> tuple[float, ...]:
        """Returns what each seat won or lost in a match, for scoring by amount: its returns.

        A game whose returns are the finishing order can give its scores instead. Whoever has more
        returns has no smaller amount. Who broke the match (``offender``, ``expelled``) must not
        have more by that than by playing on.
        """
        return ending.returns

    @abstractmethod
    def offer(self, ruleset: RulesetT, seat: int) -> Offer | None:
        """Returns the offer of loadouts to a seat; ``None`` when there is nothing to choose."""

    @abstractmethod
    def accept_loadout(self, ruleset: RulesetT, answer: object) -> bytes:
        """Checks a seat's loadout and writes it in canonical form for the record.

        Args:
            answer: The result of ``Bot.prepare``; ``None`` takes the game's default.

        Raises:
            IllegalLoadout: It breaks the rules.
        """

    @abstractmethod
    def resample(self, observation: ObservationT, rng: Random) -> StateT:
        """Draws a full state from those that are possible to the seat of an observation.

        ``resample(o, rng).observation(o.seat) == o``, always. The state's dealer draws from
        ``rng``.
        """

    def playout_action(self, state: StateT, rng: Random) -> Action:
        """Chooses one action of quick, plain play: the playout (rollout) policy of search bots.

        Any legal action, unless the game knows better; a sensible rule makes search far stronger.
        It runs for every move of every playout, so it must be cheap. The state, at a seat's
        decision, is a full world and stays as it is; but the answer depends only on what that seat
        knows (and on ``rng``), as a policy that looks at hidden cards makes search believe that
        everybody sees them.
        """
        legal = state.legal_actions()
        return legal[int(rng.random() * len(legal))]

    def evaluate(self, state: StateT) -> Sequence[float]:
        """Estimates the result of an unfinished match, which stays as it is, for each seat.

        Search bots end a playout before the match ends, as soon as somebody's score has grown. The
        scores so far are judged, unless the game knows more of what a seat keeps for later. The
        numbers are within -1..1, and sum to 0.
        """
        return estimated_utilities(state.scores())

    def value_function(self, ruleset: RulesetT) -> ValueFunction[StateT] | None:
        """Returns what computes the luck of matches under a ruleset; ``None`` without one."""
        return None

    def decision_values(self, ruleset: RulesetT) -> DecisionValues[StateT] | None:
        """Returns what evaluates decisions under a ruleset; ``None`` if there is nothing."""
        return None

    def features(self, ruleset: RulesetT) -> Features[StateT]:
        """Returns the facts of positions from which a value function is learned.

        Unless the game has its own they are those of its scenes (``scene``), or of all seats'
        observations (``describe``); its own can be cheaper, and say more.
        """
        return SceneFeatures(self.scene, self.describe)

    def came(self, node: StateT, later: StateT) -> Action:
        """Returns the outcome of a chance node that led to a later state of the match.

        Unless the game says it, every way to the next decision is tried and compared with what the
        seats see; of hidden hands from a large deck there are far too many.

        Args:
            node: A chance node of the match, in a state without a dealer.
            later: The state at the next decision, or the end.
        """
        return visible_outcome(node, later)

    @abstractmethod
    def render(self, observation: ObservationT) -> str:
        """Draws the observation as plain text, for a person."""

    def scene(self, state: StateT, open_seats: Collection[int]) -> Scene:
        """Returns the table as an onlooker sees it, as data from which boards are drawn.

        Unless a game has scenes of its own, the open seats' observations as text are its notes.
        ``arena check game`` proves that a scene shows nothing that its onlooker may not know.

        Args:
            state: The state; nothing that no seat knows (the order of a deck) is shown.
            open_seats: Seats whose hidden cards the onlooker sees; none is the public view.
        """
        player = state.current_player()
        return Scene(
            turn=player if player >= 0 else None,
            notes=tuple(self.render(state.observation(seat)) for seat in sorted(open_seats)),
        )

    def render_table(self, state: StateT, open_seats: Collection[int]) -> str:
        """Draws the scene as plain text, for replays."""
        return draw_text(self.scene(state, open_seats))

    def position(self, *ruleset: Any, **situation: Any) -> StateT:  # noqa: ANN401 - see below
        """Returns the state of a described situation, reachable or not, for tests and puzzles.

        Called as ``position(ruleset, **situation)``. Each game takes keywords of its own, such as
        ``hands`` and ``turn``, which its override declares and documents. A game may do without:
        then ``BadInput`` is raised, as for a situation that there is not.
        """
        raise BadInput(f"{self.name} has no position function, which describes situations")

    def odds_position(self, ruleset: RulesetT, keys: Mapping[str, str]) -> StateT:
        """Returns the state at a decision of seat 0 that is described by keys of the game's own.

        Raises:
            BadInput: They describe none; a game may do without.
        """
        raise BadInput(f"no odds are known of {self.name}: the game computes none")

    def odds(self, state: StateT, seat: int) -> Sequence[Odds]:
        """Returns the exact odds at a decision, by what its seat knows.

        Raises:
            BadInput: The game computes none.
        """
        raise BadInput(f"no odds are known of {self.name}: the game computes none")

    def pack(self, observation: ObservationT) -> object:
        """Encodes the observation as plain values, by itself: it is decoded in any order.

        Where a game has no ``packer`` of its own, it runs for every decision of a bot in another
        process: games that are played a lot write it in the cheap style (``arena.core.packing``).
        Unless a game says otherwise it is a pickle, which only ever travels from the harness to a
        bot, with the ids of the legal actions next to it.
        """
        ids = [action.id for action in observation.legal_actions]
        rest = msgspec.structs.replace(observation, legal_actions=())
        return ids, pickle.dumps(rest, pickle.HIGHEST_PROTOCOL)

    def unpack(self, ruleset: RulesetT, packed: Any) -> ObservationT:  # noqa: ANN401 - plain values
        """Decodes ``pack`` after msgpack (tuples became lists), with the interned parts.

        ``unpack(rules, pack(o)) == o``, always.
        """
        ids, pickled = packed
        rest: ObservationT = pickle.loads(pickled)
        legal = tuple(self.notation.action_of(id) for id in ids)
        return msgspec.structs.replace(rest, legal_actions=legal)

    def packer(self) -> Callable[[StateT, int], object]:
        """Returns a new function that encodes the observations of one match as plain values.

        It is called with the state and the seat for every decision that a bot in another process
        is sent, in order, and not for those that are not sent. It may leave out what it wrote for
        that seat before, but nothing for having been written for another seat. Unless a game says
        otherwise it leaves out nothing.
        """
        return lambda state, seat: self.pack(state.observation(seat))

    def unpacker(self, ruleset: RulesetT) -> Callable[[Any], ObservationT]:
        """Returns a new function that decodes what a ``packer`` writes for one seat of a match.

        It is called with all of that in order, each after msgpack (tuples became lists), and
        returns equal observations, with the interned parts. Whoever overrides ``packer`` so that
        it leaves something out overrides both; ``arena check game`` tests them together.
        """
        return partial(self.unpack, ruleset)

    def describe(self, observation: ObservationT) -> dict[str, object]:
        """Returns the observation as JSON values, in notation, for bots in other languages.

        It holds everything that the observation holds, field by field, but for the ruleset, whose
        name they know. ``legal_actions`` are strings of the notation, one of which is the answer;
        ``history`` is a list of lines.
        """
        fields = json_form(observation, Ruleset)
        return {**fields, "history": list(self.notation.events(observation.history))}

    def describe_offer(self, offer: Offer) -> dict[str, object]:
        """Returns the offer as JSON values; the answer is a loadout in the game's notation."""
        return json_form(offer, Ruleset)

    def public_action(self, action: Action) -> str:
        """Returns an action as those see it in replays who do not see the seat's hand.

        All of it, unless the game says otherwise (which cards a seat gives away, say).
        """
        return action.text

    def ruleset(self, spelling: str = "") -> RulesetT:
        """Finds a ruleset by its name, with options: ``"standard(flip=negate_positive)"``.

        An empty spelling takes the default row.

        Raises:
            UnknownName: No such row, or no such option.
            ParseError: The text, or an option's value, is not of the right form.
        """
        name, options = parse_call(spelling) if spelling else (next(iter(self.rulesets)), {})
        row = self.rulesets.get(name)
        if row is None:
            raise UnknownName(f"{self.name} ruleset", name, self.rulesets)
        fields = msgspec.to_builtins(row)
        for key, value in options.items():
            _check_option(row, key, value)
        changed = {key: value for key, value in options.items() if fields[key] != value}
        merged = {**fields, **changed, "name": format_call(name, changed)}
        try:
            return msgspec.convert(merged, described(type(row)))  # type: ignore[return-value]
        except msgspec.ValidationError as error:
            raise ParseError(f"ruleset {spelling!r}: {error}") from None


@cache
def _hints(kind: type) -> dict[str, object]:
    """Returns the types of a ruleset's options, whose evaluation takes long."""
    return get_type_hints(kind)


def _check_option(row: Ruleset, key: str, value: Value) -> None:
    hints = _hints(type(row))
    known = set(hints) - {"name", "source"}
    if key not in known:
        raise UnknownName(f"option of ruleset {row.name}", key, known)
    try:
        msgspec.convert(value, described(hints[key]))
    except msgspec.ValidationError as error:
        choices = get_args(hints[key])
        if choices and all(isinstance(choice, str) for choice in choices):
            raise UnknownName(f"value of option {key}", str(value), choices) from None
        raise ParseError(f"option {key}: {str(error).lower()}, not {value!r}") from None


AnyGame: TypeAlias = Game[Any, Any, Any]
"""Some game, where it does not matter which."""
