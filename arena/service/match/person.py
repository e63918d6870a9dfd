"""The seat of a person: holds the request that waits for an answer, for any interface.

A person is asked as every bot is, and sees no more than an observation: boards are drawn from a
table that is dealt from it. The match checks every answer.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import generator
from arena.core.choices import Choice, choices_of
from arena.core.errors import BadInput, IllegalLoadout, UnknownName
from arena.core.game import AnyGame
from arena.core.observation import Observation, Offer
from arena.core.outcome import Outcome
from arena.core.parts.words import NamedFact
from arena.core.scene import Scene
from arena.core.state import State
from arena.host.bot.watch import LeftTable, OutOfTime
from arena.service.answers.defaults import DECISION_SECONDS
from arena.service.answers.rows import Document
from arena.service.match.odds import PositionOdds, state_odds


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a person, with the facts that the seat may know.

    Attributes:
        number: Its number within the match, from 1.
        seat: The seat that is asked.
        seats: Number of seats at the table.
        scene: The table as the seat sees it; ``None`` before the deal.
        events: The events since the last question, a line each.
        held: The ends since the last question, each with its verdict: shown before ``scene``.
        choices: The legal actions.
        zone: Label of the seat's zone from which the cards of choices are.
        offer: The choice of loadouts, as JSON values; ``None`` at a decision.
        suggestion: The loadout of an empty answer.
        seconds: Time for the answer.
    """

    number: int
    seat: int
    seats: int
    scene: Scene | None = None
    events: tuple[str, ...] = ()
    held: tuple[Scene, ...] = ()
    choices: tuple[Choice, ...] = ()
    zone: str = ""
    offer: dict[str, object] | None = None
    suggestion: str = ""
    seconds: float = DECISION_SECONDS

    def document(self) -> Document:
        """The question as JSON values."""
        document: Document = msgspec.to_builtins(self)
        return document


OnRequest: TypeAlias = Callable[[Request], object]
"""Gets each question in the thread of the match; it must not wait for the answer."""


class HumanSeat(Bot[Any]):
    """A person's seat in one match, asked in the match's thread and answered from any other.

    Args:
        on_request: Called with each question; the front end then answers it.
        seconds: Time for an answer; then the match is lost by time.

    Attributes:
        pending: The question that waits for an answer, if one does.
    """

    def __init__(
        self, on_request: OnRequest = lambda request: None, seconds: float = DECISION_SECONDS
    ) -> None:
        self._on_request, self._seconds = on_request, seconds
        self._answers: SimpleQueue[tuple[int, object]] = SimpleQueue()
        self._left = False
        self._number = self._seen = 0
        self._observation: Observation | None = None
        self._until = 0.0
        self.pending: Request | None = None

    def answer(self, text: str) -> None:
        """Answers the pending question with an action, or with a loadout, in the game's notation.

        Raises:
            BadInput: The answer is not legal, or no question is open.
        """
        pending = self.pending
        if pending is None:
            raise BadInput("it is not your turn")
        answer = self._loadout(text) if pending.offer is not None else self._action(text)
        self._answers.put((pending.number, answer))

    def leave(self) -> None:
        """Leaves the table, now or at the next question: the match is lost."""
        self._left = True
        self._answers.put((0, None))

    @property
    def seconds_left(self) -> float:
        """Time that is left for the answer to the pending question."""
        return max(0.0, self._until - monotonic())

    def odds(self) -> PositionOdds:
        """The exact odds at the pending decision, by what the seat knows.

        Raises:
            BadInput: No decision is asked for, or the game computes no odds.
        """
        if self.pending is None or self._observation is None:
            raise BadInput("odds are shown only at a decision")
        return state_odds(self.context.game, self.context.ruleset, self._table(self._observation))

    def facts(self) -> tuple[NamedFact, ...]:
        """The pending position in words, as the seat knows it; none before the deal."""
        if self._observation is None:
            return ()
        return self.context.game.words.position(self._observation)

    def start(self, context: MatchContext) -> None:
        """Takes the seat; called by the match."""
        super().start(context)
        self._rules = context.game.ruleset(context.ruleset)

    def prepare(self, offer: Offer) -> object:
        """Asks for the loadout; called by the match."""
        game = self.context.game
        suggestion = game.loadouts.text(game.loadouts.accept(self._rules, None))
        return self._ask(offer=game.loadouts.describe(offer), suggestion=suggestion)

    def act(self, observation: Observation) -> Action:
        """Asks for a decision; called by the match."""
        game, own = self.context.game, (observation.seat,)
        board = game.board
        events = game.notation.events(observation.history[self._seen :])
        self._seen = len(observation.history)
        table, before = self._table(observation), self._observation
        self._observation = observation
        answer = self._ask(
            scene=board.scene(table, own),
            events=events,
            held=() if before is None else board.held(self._table(before), table, own),
            choices=choices_of(game, observation),
            zone=game.moves.zone,
        )
        assert isinstance(answer, Action)
        return answer

    def finish(self, outcome: Outcome) -> None:
        """Ends the questions; called by the match."""
        self.pending = None

    def _table(self, observation: Observation) -> State[Any]:
        state: State[Any] = self.context.game.resample(observation, generator(0))
        return state

    def _ask(self, **about: Any) -> object:  # noqa: ANN401 - the fields of a request
        self._number += 1
        context = self.context
        request = Request(
            number=self._number,
            seat=context.seat,
            seats=context.seats,
            seconds=self._seconds,
            **about,
        )
        self._until = monotonic() + self._seconds
        self.pending = request
        self._on_request(request)
        try:
            return self._wait(request.number)
        finally:
            self.pending = None

    def _wait(self, number: int) -> object:
        """Waits for the answer to the question of that number; later ones of earlier are void."""
        while not self._left:
            try:
                answered, answer = self._answers.get(timeout=self.seconds_left)
            except Empty:
                raise OutOfTime from None
            if answered == number:
                return answer
        raise LeftTable

    def _action(self, text: str) -> Action:
        assert self._observation is not None
        legal = {action.text: action for action in self._observation.legal_actions}
        if text not in legal:
            raise UnknownName("action", text, legal)
        return legal[text]

    def _loadout(self, text: str) -> object:
        return read_loadout(self.context.game, self._rules, text) if text.strip() else None


def read_loadout(game: AnyGame, rules: Any, text: str) -> object:  # noqa: ANN401 - of any game
    """Returns what a person brings, from the game's notation.

    Args:
        rules: The ruleset of the match.

    Raises:
        BadInput: It cannot be read, or the rules forbid it.
    """
    chosen = game.loadouts.parse(text)
    try:
        game.loadouts.accept(rules, chosen)
    except IllegalLoadout as error:
        raise BadInput(str(error)) from None
    return chosen
