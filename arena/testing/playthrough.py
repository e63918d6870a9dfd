"""Playthroughs: whole matches written out for people to read, and stored as golden files.

A playthrough is played from its heading, the first lines of its file, or narrated from a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import unified_diff
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from arena.core.actions import Action
from arena.core.chance.seeding import derive_seed, generator
from arena.core.errors import ParseError
from arena.core.game import AnyGame
from arena.core.observation import Observation
from arena.core.record import MatchRecord
from arena.core.state import CHANCE
from arena.match.replay import replay
from arena.testing.narration import AnyState, Narrator, PlainNarrator, outcome_lines

if TYPE_CHECKING:
    from random import Random

Choose: TypeAlias = Callable[[Any, "Random"], Action]
"""Decides: from the observation of whichever game, and a generator for this match."""
Answer: TypeAlias = Callable[[Any], Action]
"""Answers chance at a chance node of whichever game's state."""
MAX_DIFFERENCE = 60
"""Lines shown of what differs."""


class Heading(msgspec.Struct, frozen=True):
    """The first lines of a playthrough: a title, and a line ``name: value`` for each fact.

    Attributes:
        text: The lines as written.
        ruleset: Name of the ruleset, with its options.
        seats: Number of seats.
        seed: Seed of everything else.
        expelled: Eliminated seats by the number of decisions before (``expel: seat 4 at move 8,
            seat 5 at move 20``).
    """

    text: str
    ruleset: str
    seats: int
    seed: int
    expelled: dict[int, int]

    @classmethod
    def read(cls, text: str) -> Heading:
        """Reads a heading, or a whole playthrough's first lines; raises ``ParseError``."""
        head = text.split("\n\n", 1)[0].rstrip("\n")
        facts = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        try:
            expelled = {
                int(move): int(seat)
                for seat, move in re.findall(r"seat (\d+) at move (\d+)", facts.get("expel", ""))
            }
            return cls(head, facts["ruleset"], int(facts["seats"]), int(facts["seed"]), expelled)
        except (KeyError, ValueError) as error:
            raise ParseError(
                f"a playthrough's heading needs ruleset, seats and seed, each as 'name: value' "
                f"({error})"
            ) from None


class Playthrough(msgspec.Struct, frozen=True):
    """A match that was played from its heading, with its text.

    Attributes:
        heading: The heading.
        text: The whole playthrough.
        decisions: The actions of the seats, in order.
        state: The end.
    """

    heading: Heading
    text: str
    decisions: list[Action]
    state: AnyState


def playthrough(
    game: AnyGame,
    heading: Heading,
    choose: Choose | None = None,
    chance: Callable[[int], Answer] | None = None,
    narrator: Callable[[AnyState], Narrator] | None = None,
) -> Playthrough:
    """Plays the match of a heading; every seat has the game's default loadout.

    Args:
        heading: The heading.
        choose: Decides for the seats; by default at random.
        chance: Makes the answers of chance from the seed; by default by the odds.
        narrator: Makes the narrator from the first state; by default a ``PlainNarrator``.

    Raises:
        ParseError: The match is over before the heading's last elimination.
    """
    rules = game.ruleset(heading.ruleset)
    loadout = game.loadouts.accept(rules, None)
    state = game.new_state(rules, [loadout] * heading.seats)
    choose, rng = choose or any_legal, generator(heading.seed)
    answer = (chance or by_the_odds)(heading.seed)
    writer = narrator(state) if narrator else PlainNarrator(game)
    decisions: list[Action] = []
    waiting = dict(heading.expelled)
    writer.begin(state)
    while not state.is_terminal():
        before, seat = state.clone(), state.current_player()
        if seat != CHANCE and len(decisions) in waiting:
            out = waiting.pop(len(decisions))
            state.expel(out)
            writer.expelled(out, state)
            continue
        if seat == CHANCE:
            action = answer(state)
        else:
            action = choose(state.observation(seat), rng)
            decisions.append(action)
        state.apply_action(action)
        writer.step(before, action, state)
    if waiting:
        raise ParseError(f"the match is over after {len(decisions)} moves, before {waiting}")
    writer.end(state, state.outcome())
    return Playthrough(heading, _written(heading.text, writer.lines), decisions, state)


def narrate(game: AnyGame, record: MatchRecord, narrator: Narrator | None = None) -> str:
    """Returns the playthrough of a record; the narrator is a ``PlainNarrator`` by default.

    Raises:
        Divergence: The record does not re-execute to its contents.
    """
    writer = narrator or PlainNarrator(game)
    steps = list(replay(game, record))
    if steps:
        writer.begin(steps[0].state)
        for seat in steps[0].expelled:
            writer.expelled(seat, steps[0].state)
    for before, after in pairwise(steps):
        if before.action is not None:
            writer.step(before.state, before.action, after.state)
        for seat in after.expelled:
            writer.expelled(seat, after.state)
    if steps:
        writer.end(steps[-1].state, record.outcome)
    else:  # somebody failed before the deal
        writer.lines += outcome_lines(record.outcome)
    head = [
        f"{game.name}: {' against '.join(record.seats)}",
        f"ruleset: {record.ruleset}",
        f"seats: {len(record.seats)}",
        f"seed: {record.seed}",
    ]
    for seat, loadout in enumerate(record.loadouts):
        text = game.loadouts.text(loadout)
        head += [f"seat {seat} brings: {text}"] if text else []
    return _written("\n".join(head), writer.lines)


def any_legal(observation: Observation, rng: Random) -> Action:
    """Any legal action, all equally likely."""
    return rng.choice(observation.legal_actions)


def by_the_odds(seed: int) -> Answer:
    """Answers chance by the odds of ``chance_outcomes``, in any game."""
    rng = generator(derive_seed(seed, "chance"))

    def answer(state: AnyState) -> Action:
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        chosen: Action = rng.choices(outcomes, [*map(float, odds)])[0]
        return chosen

    return answer


def check_golden(path: Path, text: str, *, update: bool = False) -> None:
    """Compares a playthrough with its golden file, or writes the file with ``update``.

    Raises:
        AssertionError: They differ, or the file is missing.
    """
    __tracebackhide__ = True  # pytest shows the test, not this function
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return
    advice = "run pytest with --update-playthroughs, and read what it wrote"
    if not path.is_file():
        raise AssertionError(f"there is no playthrough {path} yet: {advice}")
    golden = path.read_text("utf-8")
    if golden != text:
        lines = unified_diff(
            golden.splitlines(), text.splitlines(), "as it was", "as it is", lineterm=""
        )
        shown = "\n".join(islice(lines, MAX_DIFFERENCE))
        raise AssertionError(f"{path.name} differs; if that is right, {advice}\n{shown}")


def _written(heading: str, lines: list[str]) -> str:
    body = "\n".join(lines).lstrip("\n")
    return f"{heading}\n\n{body}\n"
