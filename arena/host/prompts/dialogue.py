"""The dialogue of one seat with a language model: positions to messages, answers to actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from arena.core.bot import MatchContext
from arena.core.choices import choices_of
from arena.core.observation import Observation, Offer
from arena.host.prompts.answers import MARK, Read, read_action, read_loadout
from arena.host.prompts.template import PromptPart, PromptTemplate
from arena.plugins.endpoints.spec import AnswerForm, Endpoint

MAX_REPEATED = 2_000
"""Characters of a wrong answer that are sent back to the model."""
_HOW = {
    "line": f"Last line: {MARK} and a legal move",
    "schema": 'Answer with a JSON object: {"move": "a legal move"}.',
    "tool": "Answer by a call of the tool, with a legal move.",
}


class Message(msgspec.Struct, frozen=True):
    """One message of a dialogue, as endpoints take it."""

    role: Literal["system", "user", "assistant"]
    content: str


class Dialogue:
    """The dialogue of one seat in one match.

    No name of a rival and nothing that differs between two runs is in it.

    Args:
        endpoint: The parameters of the bot.
        context: The match, as any bot is told it.
    """

    def __init__(self, endpoint: Endpoint, context: MatchContext) -> None:
        self._endpoint, self._context, self._game = endpoint, context, context.game
        self._template = _template(endpoint.template)
        self._ruleset = self._game.ruleset(context.ruleset)
        self._system = Message("system", self._render("system"))
        self._told: list[Message] = []
        """The conversation so far; empty where each question has its whole position."""
        self._seen = _Seen()
        self._question: Message = self._system
        self._wrong: list[Message] = []
        self._words: tuple[str, ...] = ()
        self._listed: object = []

    def ask(self, observation: Observation) -> None:
        """Asks for a decision."""
        words, keeps = self._game.words, self._endpoint.history == "conversation"
        past: Sequence[str] = words.past(observation)
        events: Sequence[str] = words.events(observation)
        if keeps:
            past, events = self._seen.new(past, events)
        elif words.position_tells_events(self._ruleset):
            events = ()
        choices = choices_of(self._game, observation)
        self._words = tuple([action.text for action in observation.legal_actions])
        self._begin(
            "position",
            past=past,
            events=_joined(events),
            continued=keeps and bool(self._told),
            position=words.position(observation),
            moves=[choice.spelled for choice in choices] if self._endpoint.moves else [],
        )

    def ask_loadout(self, offer: Offer) -> None:
        """Asks for the loadout."""
        loadouts = self._game.loadouts
        example = loadouts.text(loadouts.accept(self._ruleset, None))
        picker = loadouts.picker(self._ruleset)
        if picker is None:
            described = msgspec.json.encode(loadouts.describe(offer)).decode()
        else:
            number = (
                f"{picker.least}"
                if picker.least == picker.most
                else f"{picker.least} to {picker.most}"
            )
            kinds = " ".join(card.text for card in picker.cards)
            described = f"your {picker.name}, {number} cards of these kinds: {kinds}"
        self._words = ()
        self._begin("loadout", offer=described, example=example, moves=[])

    def messages(self) -> list[Message]:
        """Returns the messages of the present question, the wrong answers so far among them."""
        return [self._system, *self._told, self._question, *self._wrong]

    @property
    def words(self) -> tuple[str, ...]:
        """The legal words of the present question; empty where they are not listed."""
        return self._words

    def read(self, text: str, observation: Observation | None) -> Read:
        """Reads an answer to the present question.

        Args:
            text: The text of the model.
            observation: The position; ``None`` for a loadout.
        """
        if observation is not None:
            return read_action(text, observation.legal_actions)
        return read_loadout(text, self._accepted)

    def again(self, text: str, problem: str) -> None:
        """Asks again, and says why the answer could not be used."""
        said = self._render("again", problem=problem, moves=self._listed)
        # Some endpoints refuse an empty message of the assistant.
        self._wrong += [Message("assistant", text[:MAX_REPEATED] or "-"), Message("user", said)]

    def settle(self, word: str) -> None:
        """Ends the question: with the move that was played."""
        if self._endpoint.history == "conversation":
            answer = _answered(word, self._endpoint.answer)
            self._told += [self._question, Message("assistant", answer)]

    def _begin(self, part: PromptPart, **values: object) -> None:
        self._listed = values["moves"]
        self._wrong = []
        self._question = Message("user", self._render(part, **values))

    def _accepted(self, text: str) -> object:
        loadout = self._game.loadouts.parse(text)
        self._game.loadouts.accept(self._ruleset, loadout)
        return loadout

    def _render(self, part: PromptPart, **values: object) -> str:
        context = self._context
        common: dict[str, object] = {
            "game": self._game.name,
            "ruleset": context.ruleset,
            "rules": self._game.words.rules(self._ruleset),
            "seat": context.seat + 1,
            "seats": context.seats,
            "how_to_answer": _HOW[self._endpoint.answer],
        }
        return self._template.render(part, common | values)


class _Seen:
    """The lines that were sent: they only grow, but events begin again with a hand."""

    def __init__(self) -> None:
        self._past = 0
        self._events: Sequence[str] = ()

    def new(
        self, past: Sequence[str], events: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Returns the lines that are new."""
        same_hand = len(past) == self._past
        known = len(self._events) if same_hand else 0
        new = past[self._past :], events[known:]
        self._past, self._events = len(past), events
        return new


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines with the same name before a colon that follow each other become one."""
    joined: list[str] = []
    last = ""
    for line in lines:
        name, colon, what = line.partition(": ")
        if colon and name == last:
            joined[-1] += f"; {what}"
        else:
            joined.append(line)
        last = name if colon else ""
    return joined


@lru_cache(maxsize=64)
def _template(text: str) -> PromptTemplate:
    return PromptTemplate(text)


def _answered(word: str, form: AnswerForm) -> str:
    if form == "line":
        return f"{MARK} {word}"
    return msgspec.json.encode({"move": word}).decode()
