"""The table of an agent: one seat, one match at a time, in words.

The agent has the seat of a person (``HumanSeat``) in an exhibition match. ``play`` blocks its
thread while matches are played; the tools are called from other threads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from queue import SimpleQueue
from threading import Condition

from arena_results.file.database import Database
from arena_results.replays.views import Moment
from arena_results.store.exchange_sums import spent

from arena.core.choices import Choice
from arena.core.errors import BadInput, UnknownName
from arena.core.scene import Scene, split_events, verdict_text
from arena.plugins.registry import Registry
from arena.service.match.person import HumanSeat, Request
from arena.service.match.replay_text import outcome_lines, result_of_seat, seat_labels, told
from arena.service.match.replays import Match
from arena.service.run.person.exhibition import Exhibition, Seats
from arena.service.run.run import Run

NEW_MATCH = "new match"
"""The action that begins a match, while none is played."""
SETTLE_SECONDS = 0.5
"""Seconds that a tool waits for the other seats, before it says that they think."""
MAX_SHOWN = 80
"""Characters of an illegal action that are repeated."""
MIN_COST = 1e-6
"""Limit in dollars of a match for which no money is left: no call fits in it."""
YOU = "You"
"""The label of the agent's own seat."""
_SEAT = re.compile(r"\bseat (\d+)\b")
"""The name of a rival in the words of a game, counted from 1."""


class AgentTable:
    """A table at which an agent plays match after match against the same bots.

    Decisions have numbers that never come again while the table is open: one for each question of
    a match, and one for the choice to begin a match.

    Args:
        registry: Knows games and bots.
        database: Where matches are stored.
        seats: The players by seat.
        keys: Keys of a tournament that concern one match; they name the game. A ``seed`` is that
            of the first match, and each later match has the next one. A ``max_cost`` limits all
            matches together.
    """

    def __init__(
        self, registry: Registry, database: Database, seats: Seats, keys: Mapping[str, object]
    ) -> None:
        self._registry, self._database, self._seats = registry, database, seats
        self._keys = dict(keys)
        self._matches: SimpleQueue[bool] = SimpleQueue()
        """True for a match to play, False for the end of the table."""
        self._changed = Condition()
        self._seat = HumanSeat()
        self._labels: list[str] = []
        self._decision, self._waits, self._asked = 0, False, False
        self._text = ""
        self._offer("No match has begun.", [])

    def check(self) -> None:
        """Checks everything that a match would refuse, and raises what that does.

        Language models are asked a first question, which ``max_cost`` includes.
        """
        cost, limit = self._exhibition(self._keys).check(asks=True), self._keys.get("max_cost")
        if isinstance(limit, int | float):
            self._keys["max_cost"] = max(MIN_COST, limit - cost)

    def play(self) -> None:
        """Plays each match that the agent begins; blocks until the table is left.

        Raises:
            HarnessFault: The harness failed; the match counts nowhere.
        """
        keys = self._keys
        while self._matches.get():
            match = self._exhibition(keys).play(self._seat, self._begun)
            self._over(match)
            keys = {**keys, **dict(self._next_keys(keys, match.number))}

    def _next_keys(self, keys: Mapping[str, object], number: str) -> Iterator[tuple[str, object]]:
        """Yields the keys of the next match: another seed, and what is left of the money."""
        seed, limit = keys.get("seed"), keys.get("max_cost")
        if isinstance(seed, int):
            yield "seed", seed + 1
        if isinstance(limit, int | float):
            yield (
                "max_cost",
                max(MIN_COST, limit - spent(self._database, int(number.split(".")[0]))),
            )

    def leave(self) -> None:
        """Closes the table; a match that is not over is lost. A signal's handler may call it."""
        self._matches.put(False)
        self._seat.leave()

    def observe(self) -> str:
        """Returns what the agent's seat sees: its decision, or that the other seats think."""
        with self._changed:
            self._changed.wait_for(lambda: self._waits, SETTLE_SECONDS)
            return self._text

    def act(self, action: str, decision: int) -> str:
        """Takes an action, and returns what the seat sees then.

        Args:
            action: A legal action as it is listed.
            decision: The number of the decision that it answers; for any other nothing is played.
        """
        with self._changed:
            refused = self._refusal(decision)
            if not refused:
                try:
                    self._take(action.strip())
                except UnknownName:
                    refused = f"{action[:MAX_SHOWN]!r} is no legal action"
                except BadInput as error:
                    refused = str(error)
        return f"Nothing was played: {refused}\n\n{self.observe()}" if refused else self.observe()

    def rules(self) -> str:
        """Returns the rules of the match in words."""
        game = self._registry.game(str(self._keys["game"]))
        return game.words.rules(game.ruleset(str(self._keys.get("ruleset", ""))))

    def _exhibition(self, keys: Mapping[str, object]) -> Exhibition:
        return Exhibition(self._registry, self._database, self._seats, keys)

    def _refusal(self, decision: int) -> str:
        if decision > self._decision:
            return f"there is no decision {decision} yet"
        if decision < self._decision or not self._waits:
            return f"decision {decision} was answered before"
        return ""

    def _take(self, action: str) -> None:
        if self._asked:
            self._seat.answer(action)
        elif action == NEW_MATCH:
            self._seat = HumanSeat(self._ask, self._seats.seconds)
            self._matches.put(True)
        else:
            raise UnknownName("action", action, [NEW_MATCH])
        self._waits = self._asked = False
        self._text = (
            f"Decision {self._decision} is answered: {action or 'as suggested'}. "
            "The other seats think. Call observe again."
        )

    def _begun(self, run: Run) -> None:
        self._labels = seat_labels(run.resolved.names)
        self._labels[self._seats.seat] = YOU

    def _ask(self, request: Request) -> None:
        happened = self._happened(request.events, request.held)
        if request.offer is not None:
            position = ["Choose what you bring:", *_offered(request.offer)]
            legal = [f"{request.suggestion} (suggested)", "any other that the rules allow"]
        else:
            position = [self._named(": ".join(fact)) for fact in self._seat.facts()]
            legal = [_legal(choice) for choice in request.choices]
        seconds = f"You have {request.seconds:g} seconds."
        with self._changed:
            self._asked = True
            self._show(f"It is your turn. {seconds}", happened, position, legal)

    def _over(self, match: Match) -> None:
        own = self._seats.seat
        replay = match.replay(f"seat{own}")
        last: Sequence[Moment] = replay.moments[-1:]  # none where no card was dealt
        happened = [line for each in last for line in self._happened(each.events, each.held)]
        _, *causes = outcome_lines(replay, self._labels)
        you = f"{YOU} (seat {own})"
        result = [result_of_seat(match.outcome, own), *(line.replace(you, YOU) for line in causes)]
        replayed = f"Replay it: arena replay {match.number}{self._database.option}"
        self._offer("The match is over.", [*happened, "", *result, replayed])

    def _offer(self, head: str, about: Sequence[str]) -> None:
        """Offers a new match."""
        with self._changed:
            self._asked = False
            self._show(head, [], about, [NEW_MATCH])

    def _show(
        self, head: str, happened: Sequence[str], about: Sequence[str], legal: Sequence[str]
    ) -> None:
        """Opens the next decision; the caller has the lock."""
        self._decision += 1
        lines = [f"Decision {self._decision}. {head}"]
        if happened:
            lines += ["", "Since your last decision:", *happened]
        if about:
            lines += ["", *about]
        lines += ["", "Legal actions:", *(f"- {each}" for each in legal)]
        self._text = "\n".join([*lines, "", f"Answer with act(action, {self._decision})."])
        self._waits = True
        self._changed.notify_all()

    def _happened(self, events: Sequence[str], held: Sequence[Scene]) -> list[str]:
        """The events in words, and the verdict of each end among them."""
        ends = [*(scene.verdict for scene in held), None]
        lines: list[str] = []
        for some, verdict in zip(split_events(events, held), ends, strict=True):
            lines += [f"- {told(event, self._labels, self._seats.seat)}" for event in some]
            if verdict is not None:
                lines.append(told(verdict_text(verdict), self._labels, self._seats.seat))
        return lines

    def _named(self, fact: str) -> str:
        return _SEAT.sub(lambda found: self._labels[int(found[1]) - 1], fact)


def _legal(choice: Choice) -> str:
    """The word to answer with; of amounts with their bounds."""
    if choice.least is None:
        return choice.text
    return f"{choice.text.format('N')}, N from {choice.least} to {choice.most}"


def _offered(offer: Mapping[str, object]) -> Iterator[str]:
    for name, value in offer.items():
        if name != "seat" and not isinstance(value, bool):
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield f"{name}: {words}"
