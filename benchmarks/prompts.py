"""Tokens and dollars that a match of a language model takes, reckoned from its prompts.

    python -m benchmarks.prompts [MATCHES]      of each row, 10 by default

Run by ``make bench-models``. Built-in bots play; every question that an endpoint in each seat would
be asked is written with the default prompt. A token is reckoned as four characters, an answer as
``ANSWER`` tokens. New are the tokens after the beginning that a prompt shares with the last one of
the same seat; a cache has the others. No endpoint is asked, and each run gives the same figures.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from arena.core.actions import Action
from arena.core.bot import Bot, MatchContext
from arena.core.chance.seeding import derive_seed
from arena.core.observation import Observation, Offer
from arena.host.bot.inline import play_inline
from arena.host.prompts.dialogue import Dialogue
from arena.match.limits import Limits
from arena.plugins.endpoints.spec import Endpoint
from arena.plugins.loading import load_bot
from arena.plugins.registry import Registry

MATCHES = 10
"""Matches of a row."""
CHARACTERS = 4
"""Characters of a token."""
ANSWER = 20
"""Tokens of an answer that gives the move only."""
PRICES = (0.25, 0.025, 2.0)
"""Dollars for a million tokens of prompts, of cached prompts, and of answers."""
FIELDS = (
    ("pazaak", "standard", "counter", 2),
    ("sabacc", "old_republic", "target-total", 2),
    ("sabacc", "old_republic", "target-total", 3),
    ("sabacc", "old_republic(mode=chips)", "exact-drawer", 3),
)
"""Game, ruleset, the bot that plays in every seat, and their number."""
HISTORIES = ("position", "conversation")


def shared(one: str, other: str) -> int:
    """Returns the number of characters with which both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


class Tally:
    """Sums up the questions of all seats of all matches."""

    def __init__(self) -> None:
        self.questions = self.prompt = self.new = self.longest = 0

    def add(self, text: str, last: str) -> None:
        """Adds a question, after the last one of its seat."""
        tokens = len(text) // CHARACTERS
        self.questions += 1
        self.prompt += tokens
        self.new += tokens - shared(text, last) // CHARACTERS
        self.longest = max(self.longest, tokens)


class Asked(Bot[Any]):
    """Plays as another bot, and writes what an endpoint in its seat would be asked."""

    def __init__(self, bot: Bot[Any], endpoint: Endpoint, tally: Tally) -> None:
        self.bot, self.endpoint, self.tally = bot, endpoint, tally
        self.last = ""

    def start(self, context: MatchContext) -> None:
        """Begins a dialogue."""
        self.dialogue = Dialogue(self.endpoint, context)
        self.bot.start(context)

    def prepare(self, offer: Offer) -> object:
        """Asks for the loadout."""
        self.dialogue.ask_loadout(offer)
        self.count()
        return self.bot.prepare(offer)

    def act(self, observation: Observation) -> Action:
        """Asks for a decision."""
        self.dialogue.ask(observation)
        self.count()
        action = self.bot.act(observation)
        self.dialogue.settle(action.text)
        return action

    def count(self) -> None:
        """Counts the present question."""
        text = "\n".join(message.content for message in self.dialogue.messages())
        self.tally.add(text, self.last)
        self.last = text


class Figures(NamedTuple):
    """Holds the means of a match, over all its seats.

    Attributes:
        questions: Number of questions.
        prompt: Tokens of the prompts.
        new: The part of them that a cache does not have.
        longest: Tokens of the longest prompt.
    """

    questions: float
    prompt: float
    new: float
    longest: int

    def cost(self, new: float) -> float:
        """Returns the dollars of prompts and answers, if so many tokens are not in a cache."""
        parts = (new, self.prompt - new, self.questions * ANSWER)
        paid = zip(parts, PRICES, strict=True)
        return sum(tokens * price for tokens, price in paid) / 1e6


def measured(name: str, text: str, bot: str, seats: int, history: str, matches: int) -> Figures:
    """Returns the figures of a row, by playing its matches."""
    registry, tally = Registry(), Tally()
    game = registry.game(name)
    ruleset, make = game.ruleset(text), load_bot(registry.resolve_bot(bot))
    endpoint = Endpoint(url="http://127.0.0.1/", model="m", history=history)  # type: ignore[arg-type]
    for match in range(matches):
        makers = [lambda: Asked(make(), endpoint, tally)] * seats
        deal, bots = (derive_seed(36, part, match) for part in ("deal", "bots"))
        names = [f"{bot} {seat}" for seat in range(seats)]
        play_inline(game, ruleset, deal, bots, makers, names, Limits())
    questions, prompt, new = (
        value / matches for value in (tally.questions, tally.prompt, tally.new)
    )
    return Figures(questions, prompt, new, tally.longest)


def table(matches: int) -> str:
    """Returns the table in Markdown."""
    lines = [
        "| game | `history` | questions | tokens of prompts | new ones | longest prompt | cost "
        "| with a cache |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for game, ruleset, bot, seats in FIELDS:
        for history in HISTORIES:
            found = measured(game, ruleset, bot, seats, history, matches)
            lines.append(
                f"| {game} `{ruleset}`, {seats} seats | `{history}` | {found.questions:.0f} "
                f"| {found.prompt:,.0f} | {found.new:,.0f} | {found.longest:,} "
                f"| ${found.cost(found.prompt):.4f} | ${found.cost(found.new):.4f} |"
            )
    return "\n".join(lines)


def main() -> None:
    print(table(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES))


if __name__ == "__main__":
    main()
